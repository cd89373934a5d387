/* What is lost at least ahead of a state, by the best of some prices. */
#ifndef TILERUMMY_GENERAL_PRICE_BOUND_H
#define TILERUMMY_GENERAL_PRICE_BOUND_H

#include "simplex.h"

enum {
    MOST_PRICES = 8,
    FIRST_PATIENCE = 32, /* states before there are any prices */
    PATIENCE = 100,      /* and before there are more */
    FINEST_SCALE = 1024,
};

#define DEAREST (INT64_C(1) << 46) /* of all that can be lost; beyond it, no prices */

/* What can stay on the rack from a number on: sums of the cheapest and of the dearest tiles. */
typedef struct {
    int tiles;
    int64_t cheapest[MOST_TILES + 1], dearest[MOST_TILES + 1];
} Rack;

struct Pricing {
    Prices prices[MOST_PRICES];
    Rack rack[LAYERS + 1];
    Program program;
};

/* False where sums could grow too large. */
static bool weigh_rack(Search *search)
{
    const Problem *problem = search->problem;
    int64_t weight[MOST_TILES], stake = 0;
    int count = 0;
    for (int number = HIGHEST + 1; number >= 1; number--) {
        for (int i = 0; i < COLOURS; i++) { /* as many kinds as colours */
            int face = number > HIGHEST ? JOKER + i : face_at(i, number);
            if (number > HIGHEST && search->lean && i < M)
                continue;
            int stays = least(problem->may[face], search->total[face]);
            if (stays && problem->weight[face] > DEAREST)
                return false;
            for (; stays; stays--) {
                int at = count++;
                for (; at && weight[at - 1] > problem->weight[face]; at--)
                    weight[at] = weight[at - 1];
                weight[at] = problem->weight[face];
                stake += weight[at];
            }
        }
        Rack *rack = &search->pricing->rack[number];
        rack->tiles = count;
        rack->cheapest[0] = rack->dearest[0] = 0;
        for (int i = 0; i < count; i++) {
            rack->cheapest[i + 1] = rack->cheapest[i] + weight[i];
            rack->dearest[i + 1] = rack->dearest[i] + weight[count - 1 - i];
        }
    }
    if (stake >= DEAREST)
        return false;
    search->stake = stake + 1;
    search->scale = 1;
    while (search->scale < FINEST_SCALE && search->stake * search->scale * 2 <= DEAREST)
        search->scale *= 2;
    return true;
}

/* What is lost at least from the next number on; INT64_MAX if the table cannot be laid. */
static int64_t loss_by_prices(const Search *search, int next, const Row *rows, int count,
                              const uint8_t used[KINDS])
{
    int64_t best = 0;
    if (next > HIGHEST)
        return 0;
    for (int i = 0; i < search->priced; i++) {
        const Prices *prices = &search->pricing->prices[i];
        int64_t sum = prices->base[next];
        for (int kind = 0; kind < KINDS; kind++)
            sum += worth_of_jokers(search, prices, kind, search->jokers[kind] - used[kind]);
        for (int k = 0; k < count; k++) {
            int64_t rest = cost_of_rest(prices, rows[k], next);
            if (rest >= FAR)
                return INT64_MAX;
            sum += rest;
        }
        best = higher(best, sum);
    }
    if (best <= 0)
        return 0;
    /* So many tiles stay at least, and these are the cheapest. */
    const Rack *rack = &search->pricing->rack[next];
    int tiles = 0;
    best = (best + search->scale - 1) / search->scale;
    while (tiles <= rack->tiles && rack->dearest[tiles] < best)
        tiles++;
    return tiles > rack->tiles ? INT64_MAX : higher(best, rack->cheapest[tiles]);
}

/* Now and then, better prices: first for all that lies ahead, then for a state that is reached. */
static void improve_prices(Search *search, uint32_t name)
{
    search->more_prices = search->nodes + PATIENCE;
    if (!search->pricing) {
        search->pricing = arena_take(&search->arena, sizeof *search->pricing);
        if (!search->pricing || !weigh_rack(search)) {
            search->more_prices = UINT64_MAX;
            return;
        }
        name = 0;
    }
    Pricing *pricing = search->pricing;
    bargain(&pricing->program, search, &search->states[name], &pricing->prices[search->priced]);
    if (++search->priced == MOST_PRICES)
        search->more_prices = UINT64_MAX;
}

#endif
