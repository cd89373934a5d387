/* Groups of one number: whether tiles and jokers can be laid in groups, memoised. */
#ifndef TILERUMMY_GENERAL_GROUPS_H
#define TILERUMMY_GENERAL_GROUPS_H

#include "../numbers.h"
#include "search.h"

static inline int vector_of(const int tiles[COLOURS])
{
    return ((tiles[0] * 5 + tiles[1]) * 5 + tiles[2]) * 5 + tiles[3];
}

/* How the first group of a vector is laid: colours, J and D; 1 = cannot be, 0 = not known yet. */
enum { UNKNOWN = 0, CANNOT = 1, NOTHING = 2, WAY = 3 };

static inline uint8_t pack_way(int colours, int jokers, int doubles)
{
    return (uint8_t)(WAY + (colours * 5 + jokers) * 2 + doubles);
}

/* Whether exactly these tiles can be laid in groups. Colours with most tiles go first: some group
 * holds one of them. */
static uint8_t group_way(Search *search, int tiles[COLOURS], int jokers, int doubles)
{
    uint8_t *memo = &search->group_memo[vector_of(tiles)][jokers][doubles];
    if (*memo)
        return *memo;
    int first = 0, sum = 0;
    for (int c = 0; c < COLOURS; c++) {
        sum += tiles[c];
        if (tiles[c] > tiles[first])
            first = c;
    }
    if (sum + jokers + doubles == 0)
        return *memo = NOTHING;
    const Problem *problem = search->problem;
    *memo = CANNOT;
    if (sum + jokers + doubles < 3)
        return CANNOT;
    for (int colours = (1 << COLOURS) - 1; colours >= 0; colours--) {
        if (sum && !(colours >> first & 1))
            continue;
        int naturals = 0;
        bool there = true;
        for (int c = 0; c < COLOURS; c++)
            if (colours >> c & 1) {
                naturals++;
                there &= tiles[c] > 0;
            }
        if (!there || naturals < problem->min_natural)
            continue;
        for (int d = 0; d <= least(doubles, 1); d++)
            for (int j = most(0, 3 - naturals - d); j <= jokers && naturals + j + 2 * d <= 4; j++) {
                if (j + d > problem->max_jokers)
                    continue;
                for (int c = 0; c < COLOURS; c++)
                    tiles[c] -= colours >> c & 1;
                bool rest = group_way(search, tiles, jokers - j, doubles - d) != CANNOT;
                for (int c = 0; c < COLOURS; c++)
                    tiles[c] += colours >> c & 1;
                if (rest)
                    return *memo = pack_way(colours, j, d);
            }
    }
    return CANNOT;
}

#endif
