/* Groups alone: the cheapest rows without a run, by dynamic programming over the numbers. */
#ifndef TILERUMMY_PLAIN_GROUPS_ONLY_H
#define TILERUMMY_PLAIN_GROUPS_ONLY_H

#include "rows.h"

/* Whether so many jokers are a row by themselves, where a row needs no numbered tile. */
static bool is_row_of_jokers(const Problem *problem, int jokers)
{
    return problem->min_natural <= 0 && jokers >= 3 && jokers <= HIGHEST;
}

/* Groups alone: the cheapest with every number of jokers in them. */
typedef struct {
    int64_t loss;
    uint8_t take[COLOURS];
    uint8_t groups;
    uint8_t jokers;
} Grouping;

typedef struct {
    Grouping best[HIGHEST + 1][MOST_JOKERS + 1]; /* of the numbers before; by jokers used */
} Groupings;

static void try_groups(const Search *search, Groupings *all, int number,
                       const uint8_t take[COLOURS])
{
    int tiles = 0, most = 0;
    int64_t loss = 0;
    for (int colour = 0; colour < COLOURS; colour++) {
        int left = search->tiles[number][colour] - take[colour];
        if (left > search->may[number][colour])
            return;
        loss += left * search->problem->weight[face_down(colour, number)];
        tiles += take[colour];
        most = take[colour] > most ? take[colour] : most;
    }
    for (int groups = most; groups <= tiles; groups++)
        for (int jokers = 0; jokers <= search->jokers; jokers++) {
            if (tiles + jokers < 3 * groups || tiles + jokers > 4 * groups)
                continue;
            for (int used = 0; used + jokers <= search->jokers; used++) {
                int64_t before = all->best[number][used].loss;
                Grouping *best = &all->best[number + 1][used + jokers];
                if (before == NEVER || before + loss >= best->loss)
                    continue;
                best->loss = before + loss;
                memcpy(best->take, take, COLOURS);
                best->groups = (uint8_t)groups;
                best->jokers = (uint8_t)jokers;
            }
        }
}

/* The cheapest rows without a run, jokers that stay included; NEVER if there are none. */
static int64_t groups_only(const Search *search, Rows *rows)
{
    const Problem *problem = search->problem;
    Groupings all;
    for (int number = 0; number <= HIGHEST; number++)
        for (int used = 0; used <= search->jokers; used++)
            all.best[number][used].loss = number || used ? NEVER : 0;
    for (int number = 0; number < HIGHEST; number++) {
        const uint8_t *tiles = search->tiles[number];
        uint8_t take[COLOURS];
        for (take[0] = 0; take[0] <= tiles[0]; take[0]++)
            for (take[1] = 0; take[1] <= tiles[1]; take[1]++)
                for (take[2] = 0; take[2] <= tiles[2]; take[2]++)
                    for (take[3] = 0; take[3] <= tiles[3]; take[3]++)
                        try_groups(search, &all, number, take);
    }
    int64_t least = NEVER;
    int chosen = 0;
    for (int used = 0; used <= search->jokers; used++) {
        int left = search->jokers - used;
        int64_t loss = all.best[HIGHEST][used].loss;
        if (loss == NEVER)
            continue;
        if (!is_row_of_jokers(problem, left)) {
            if (left > problem->may[JOKER])
                continue;
            loss += left * problem->weight[JOKER];
        }
        if (loss < least) {
            least = loss;
            chosen = used;
        }
    }
    rows->count = 0;
    if (least == NEVER)
        return NEVER;
    if (is_row_of_jokers(problem, search->jokers - chosen)) {
        int length = search->jokers - chosen;
        rows->row[rows->count++] = (Row){
            .is_run = true, .length = (uint8_t)length, .jokers = (uint16_t)((1 << length) - 1)};
    }
    for (int number = HIGHEST; number > 0; number--) {
        const Grouping *best = &all.best[number][chosen];
        if (best->groups)
            deal_groups(rows, number - 1, best->take, best->groups, best->jokers);
        chosen -= best->jokers;
    }
    return least;
}

#endif
