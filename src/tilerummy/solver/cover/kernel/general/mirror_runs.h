/* Mirror runs at one number: pairs of halves that grow together. */
#ifndef TILERUMMY_GENERAL_MIRROR_RUNS_H
#define TILERUMMY_GENERAL_MIRROR_RUNS_H

#include "runs.h"

/* What one half of a mirror takes: nothing if covered; a tile; the colour afterwards. */
typedef struct {
    uint8_t tile, colour;
} Move;

static int half_moves(const Step *step, const Half *half, bool first, Move moves[8])
{
    int count = 0, tile = face_at(half->colour, step->number);
    int last = step->search->problem->mirror_last;
    if (half->covered) {
        moves[0] = (Move){NO_FACE, half->colour};
        return 1;
    }
    if (available(step, tile, last))
        moves[count++] = (Move){(uint8_t)tile, half->colour};
    if (available(step, JOKER, last))
        moves[count++] = (Move){JOKER, half->colour};
    if (available(step, DOUBLE, last))
        moves[count++] = (Move){DOUBLE, half->colour};
    if (available(step, CHANGE, last) && !half->after_change)
        for (int c = 0; c < COLOURS; c++)
            if (first || c != half->colour)
                moves[count++] = (Move){CHANGE, (uint8_t)c};
    return count;
}

static void grow_half(const Search *search, Half *half, Move move)
{
    const Problem *problem = search->problem;
    if (move.tile == NO_FACE) {
        half->covered = 0;
        return;
    }
    half->colour = move.colour;
    half->covered = move.tile == DOUBLE;
    half->after_change = move.tile == CHANGE && !problem->adjacent_c;
    half->tiles = (uint8_t)least(half->tiles + 1, 3);
    if (move.tile < NUMBERED)
        half->natural = 1;
}

/* Whether both halves are runs by themselves, so that more numbered tiles would be a mirror of
 * their own: such rows are never needed. */
static bool can_split(const Search *search, const Pair *pair)
{
    const Problem *problem = search->problem;
    if (problem->mirror_min_side > 1 || problem->min_natural > 1)
        return false;
    for (int side = 0; side < 2; side++) {
        const Half *half = &pair->half[side];
        if (half->covered || half->tiles < 3 || half->natural < problem->min_natural)
            return false;
    }
    return true;
}

/* Whether lean mode needs this slot of a mirror; one half has taken its tile, the other not yet. A
 * slot with a C on one side only must be followed by another C, or be the last; a slot of jokers
 * only must be followed by more. */
static bool lean_pair(const Step *step, const Pair *pair, Pair *grown, int one, int two)
{
    const Search *search = step->search;
    int changes = joker_left(step, C) - (two == CHANGE);
    bool covered = grown->half[0].covered || grown->half[1].covered;
    bool natural = one < NUMBERED || two < NUMBERED || one == NO_FACE || two == NO_FACE;
    bool agree = grown->half[0].colour == grown->half[1].colour;
    if (!agree && changes == 0) {
        if (covered || !natural || !grown->naturals)
            return false;
        for (int side = 0; side < 2; side++) { /* one colour for all that end here */
            int tile = side ? two : one, first = pair->half[side].colour == 0;
            if (tile == CHANGE && grown->half[side].colour != first)
                return false;
        }
        grown->jokers = ENDS;
        return true;
    }
    if (covered || natural)
        return true;
    int singles = joker_left(step, J) + joker_left(step, D) + changes;
    singles -= (two == JOKER) + (two == DOUBLE);
    return stock_at(search, grown->half[0].colour, step->number + 1) || singles > 0;
}

/* Whether two moves make a slot of a mirror: either of two that are alike, and none that another
 * way makes as well. */
static inline bool moves_agree(const Search *search, const Pair *pair, Move one, Move two,
                               bool splits)
{
    bool opening = pair->slots == 0;
    bool our_c = one.tile == CHANGE, their_c = two.tile == CHANGE;
    bool natural = one.tile < NUMBERED || two.tile < NUMBERED;
    if (pack_half(&pair->half[0]) == pack_half(&pair->half[1])) {
        if ((two.tile >= JOKER ? two.tile : 0) < (one.tile >= JOKER ? one.tile : 0))
            return false;
        if (our_c && their_c && two.colour < one.colour)
            return false;
    }
    if (!our_c && !their_c && pair->half[0].colour != pair->half[1].colour)
        return false;
    if (search->problem->mirror_c_needs_c && our_c != their_c)
        return false;
    if (splits && natural)
        return false;
    if (opening && our_c && their_c && pair->half[0].colour)
        return false; /* no colour yet */
    /* Remark 1 for mirrors: an outermost slot of jokers only can be taken away. */
    return !(opening && search->lean && !natural && (one.tile == DOUBLE) == (two.tile == DOUBLE));
}

/* The pair with one slot more. False if it has too many jokers, or if lean mode can do without. */
static inline bool grow_pair(const Step *step, const Pair *pair, Pair *grown, Move one, Move two)
{
    const Search *search = step->search;
    const Problem *problem = search->problem;
    int naturals = pair->naturals + (one.tile < NUMBERED) + (two.tile < NUMBERED);
    *grown = *pair;
    grow_half(search, &grown->half[0], one);
    grow_half(search, &grown->half[1], two);
    grown->slots = (uint8_t)least(pair->slots + 1, problem->mirror_min_side);
    grown->naturals = (uint8_t)least(naturals, problem->min_natural);
    if (search->lean && !lean_pair(step, pair, grown, one.tile, two.tile))
        return false;
    if (!search->count_jokers)
        return true;
    bool our_joker = one.tile >= JOKER && one.tile != NO_FACE;
    bool their_joker = two.tile >= JOKER && two.tile != NO_FACE;
    grown->jokers = (uint8_t)(pair->jokers + our_joker + their_joker);
    return grown->jokers <= problem->max_jokers;
}

/* Grow a pair (or open one: source NO_FACE) by one slot on both sides. */
static void extend_pair(Step *step, Pair pair, int source, int choice)
{
    const Search *search = step->search;
    bool opening = pair.slots == 0, splits = can_split(search, &pair);
    int open = step->open;
    if (splits && search->lean)
        return;
    Move ours[8], theirs[8];
    int our_count = half_moves(step, &pair.half[0], opening, ours);
    for (int a = 0; a < our_count; a++) {
        Move one = ours[a];
        int *stood = &step->stood[pair.half[0].colour], stood_before = *stood;
        if (!take(step, one.tile, 1)) {
            take(step, one.tile, -1);
            continue;
        }
        int their_count = half_moves(step, &pair.half[1], opening, theirs);
        for (int b = 0; b < their_count; b++) {
            Move two = theirs[b];
            Pair grown;
            if (!moves_agree(search, &pair, one, two, splits) ||
                !grow_pair(step, &pair, &grown, one, two))
                continue;
            if (take(step, two.tile, 1)) {
                bool turned;
                Row row = pack_pair(&grown, &turned);
                *stood = stood_before + (one.tile == JOKER || two.tile == JOKER);
                put_row(step, row, source, one.tile, two.tile, turned);
                go_on(step, source, choice);
                if (step->found)
                    return;
                step->open = open;
                *stood = stood_before;
            }
            take(step, two.tile, -1);
        }
        take(step, one.tile, -1);
    }
}

static void deal_with_pairs(Step *step, int at)
{
    if (at == step->pairs) {
        open_pairs(step, 0);
        return;
    }
    Pair pair = unpack_pair(step->rows[at]);
    if (pair_complete(step->search, &pair))
        deal_with_pairs(step, at + 1);
    if (!step->found)
        extend_pair(step, pair, at, 0);
}

/* Mirror runs, those of one colour after those of the colour before. */
static void open_pairs(Step *step, int floor)
{
    const Search *search = step->search;
    deal_with_runs(step, step->pairs, 0, 0);
    if (step->found || !joker_left(step, M) || step->number > search->problem->mirror_last)
        return;
    if (search->count_jokers && search->problem->max_jokers < 1)
        return;
    step->used[M]++;
    for (int c = floor; c < COLOURS; c++) {
        Half half = {.colour = (uint8_t)c};
        Pair pair = {.half = {half, half}, .jokers = search->count_jokers};
        extend_pair(step, pair, NO_FACE, NEW_PAIR + c);
        if (step->found)
            return;
    }
    step->used[M]--;
}

#endif
