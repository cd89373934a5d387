/* Deals: how many tiles of each colour lie in groups of one number.
 *
 * Deals are numbered, so that sets of deals are bits and a few ANDs find those that fit. */
#ifndef TILERUMMY_PLAIN_DEALS_H
#define TILERUMMY_PLAIN_DEALS_H

#include <stdbool.h>
#include <string.h>

#include "../arena.h"
#include "../problem.h"

enum {
    MOST_DEALS = 485,
    WORDS = (MOST_DEALS + 63) / 64,
    MOST_JOKERS = 7, /* as a node holds three bits of them */
};

/* How many tiles of each colour lie in groups of one number. */
typedef struct {
    uint8_t take[COLOURS];
    uint8_t groups;
    uint8_t jokers; /* the least they need */
} Deal;

/* All deals, and as sets of bits those that take so many of a colour, those with a colour in every
 * group, and those within a number of jokers. */
typedef struct {
    const Deal *deal;
    const uint64_t *taking;     /* [colour][take][word] */
    const uint64_t *everywhere; /* [colour][word] */
    const uint64_t *within;     /* [jokers][word] */
    int words;
    int count;
} Deals;

/* Those with at most two copies, as they would be built below. */
static const Deal PAIR_DEAL[61] = {
    {{0, 0, 0, 0}, 0, 0}, {{0, 0, 1, 1}, 1, 1}, {{0, 0, 2, 2}, 2, 2}, {{0, 1, 0, 1}, 1, 1},
    {{0, 1, 1, 0}, 1, 1}, {{0, 1, 1, 1}, 1, 0}, {{0, 1, 1, 2}, 2, 2}, {{0, 1, 2, 1}, 2, 2},
    {{0, 1, 2, 2}, 2, 1}, {{0, 2, 0, 2}, 2, 2}, {{0, 2, 1, 1}, 2, 2}, {{0, 2, 1, 2}, 2, 1},
    {{0, 2, 2, 0}, 2, 2}, {{0, 2, 2, 1}, 2, 1}, {{0, 2, 2, 2}, 2, 0}, {{1, 0, 0, 1}, 1, 1},
    {{1, 0, 1, 0}, 1, 1}, {{1, 0, 1, 1}, 1, 0}, {{1, 0, 1, 2}, 2, 2}, {{1, 0, 2, 1}, 2, 2},
    {{1, 0, 2, 2}, 2, 1}, {{1, 1, 0, 0}, 1, 1}, {{1, 1, 0, 1}, 1, 0}, {{1, 1, 0, 2}, 2, 2},
    {{1, 1, 1, 0}, 1, 0}, {{1, 1, 1, 1}, 1, 0}, {{1, 1, 1, 2}, 2, 1}, {{1, 1, 2, 0}, 2, 2},
    {{1, 1, 2, 1}, 2, 1}, {{1, 1, 2, 2}, 2, 0}, {{1, 2, 0, 1}, 2, 2}, {{1, 2, 0, 2}, 2, 1},
    {{1, 2, 1, 0}, 2, 2}, {{1, 2, 1, 1}, 2, 1}, {{1, 2, 1, 2}, 2, 0}, {{1, 2, 2, 0}, 2, 1},
    {{1, 2, 2, 1}, 2, 0}, {{1, 2, 2, 2}, 2, 0}, {{2, 0, 0, 2}, 2, 2}, {{2, 0, 1, 1}, 2, 2},
    {{2, 0, 1, 2}, 2, 1}, {{2, 0, 2, 0}, 2, 2}, {{2, 0, 2, 1}, 2, 1}, {{2, 0, 2, 2}, 2, 0},
    {{2, 1, 0, 1}, 2, 2}, {{2, 1, 0, 2}, 2, 1}, {{2, 1, 1, 0}, 2, 2}, {{2, 1, 1, 1}, 2, 1},
    {{2, 1, 1, 2}, 2, 0}, {{2, 1, 2, 0}, 2, 1}, {{2, 1, 2, 1}, 2, 0}, {{2, 1, 2, 2}, 2, 0},
    {{2, 2, 0, 0}, 2, 2}, {{2, 2, 0, 1}, 2, 1}, {{2, 2, 0, 2}, 2, 0}, {{2, 2, 1, 0}, 2, 1},
    {{2, 2, 1, 1}, 2, 0}, {{2, 2, 1, 2}, 2, 0}, {{2, 2, 2, 0}, 2, 0}, {{2, 2, 2, 1}, 2, 0},
    {{2, 2, 2, 2}, 2, 0},
};
static const uint64_t PAIR_TAKING[COLOURS * (MOST_COPIES + 1)] = {
    0x0000000000007fff, 0x0000003fffff8000, 0x1fffffc000000000, 0, 0,
    0x00000fc0001f8007, 0x000ff0003fe001f8, 0x1ff0003fc0007e00, 0, 0,
    0x00703040c0e08209, 0x0381c18707070c72, 0x1c0e0e3838187184, 0, 0,
    0x0492420909211011, 0x09249492524aa4aa, 0x12492964a4944b44, 0, 0,
};
static const uint64_t PAIR_EVERYWHERE[COLOURS] = {
    0x1fffffc003638001,
    0x1ff0003fc3607e39,
    0x1c0e0e383b1b71b7,
    0x12492964a6d6cb6f,
};
static const uint64_t PAIR_WITHIN[MOST_JOKERS + 1] = {
    0x1f4d083423424021, 0x1fefad3eb773e93b, 0x1fffffffffffffff, 0x1fffffffffffffff,
    0x1fffffffffffffff, 0x1fffffffffffffff, 0x1fffffffffffffff, 0x1fffffffffffffff,
};

static bool deal_of(const uint8_t take[COLOURS], Deal *deal)
{
    int sum = 0, most = 0;
    for (int colour = 0; colour < COLOURS; colour++) {
        sum += take[colour];
        most = take[colour] > most ? take[colour] : most;
    }
    int groups = most > (sum + 3) / 4 ? most : (sum + 3) / 4;
    if (sum < 2 * groups)
        return false;
    memcpy(deal->take, take, COLOURS);
    deal->groups = (uint8_t)groups;
    deal->jokers = (uint8_t)(sum < 3 * groups ? 3 * groups - sum : 0);
    return true;
}

/* The deals of three or four copies. */
static bool build_deals(Deals *deals, int most, Arena *arena)
{
    Deal *deal = arena_take(arena, MOST_DEALS * sizeof(Deal));
    uint64_t *taking = arena_take(arena, sizeof(uint64_t) * COLOURS * (MOST_COPIES + 1) * WORDS);
    uint64_t *everywhere = arena_take(arena, sizeof(uint64_t) * COLOURS * WORDS);
    uint64_t *within = arena_take(arena, sizeof(uint64_t) * (MOST_JOKERS + 1) * WORDS);
    if (!deal || !taking || !everywhere || !within)
        return false;
    int count = 0;
    uint8_t take[COLOURS];
    for (take[0] = 0; take[0] <= most; take[0]++)
        for (take[1] = 0; take[1] <= most; take[1]++)
            for (take[2] = 0; take[2] <= most; take[2]++)
                for (take[3] = 0; take[3] <= most; take[3]++)
                    count += deal_of(take, &deal[count]);
    int words = (count + 63) / 64;
    memset(taking, 0, sizeof(uint64_t) * COLOURS * (MOST_COPIES + 1) * (size_t)words);
    memset(everywhere, 0, sizeof(uint64_t) * COLOURS * (size_t)words);
    memset(within, 0, sizeof(uint64_t) * (MOST_JOKERS + 1) * (size_t)words);
    for (int i = 0; i < count; i++) {
        uint64_t bit = (uint64_t)1 << (i & 63);
        for (int colour = 0; colour < COLOURS; colour++) {
            taking[(colour * (MOST_COPIES + 1) + deal[i].take[colour]) * words + i / 64] |= bit;
            if (deal[i].take[colour] == deal[i].groups)
                everywhere[colour * words + i / 64] |= bit;
        }
        for (int jokers = deal[i].jokers; jokers <= MOST_JOKERS; jokers++)
            within[jokers * words + i / 64] |= bit;
    }
    *deals = (Deals){deal, taking, everywhere, within, words, count};
    return true;
}

#endif
