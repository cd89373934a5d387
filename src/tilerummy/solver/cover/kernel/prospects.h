/* Prospects: which tiles could lie in any row at all, without a search.
 *
 * Necessary, not sufficient: what is false here is false for certain. A row of three or more slots
 * with a numbered tile holds a group of three with it, or a part of a run of three with it, in which
 * each slot has a tile or a joker. Special jokers have no such simple rule: with one of them among
 * the tiles everything may lie.
 */
#ifndef TILERUMMY_PROSPECTS_H
#define TILERUMMY_PROSPECTS_H

#include <stdbool.h>

#include "problem.h"

static bool has_specials(const uint8_t count[FACES])
{
    for (int face = JOKER + 1; face < FACES; face++)
        if (count[face])
            return true;
    return false;
}

/* Whether a tile of this face could lie in a row of these tiles, itself among them. */
static bool may_lie(const uint8_t count[FACES], int face)
{
    int jokers = count[JOKER];
    if (face >= JOKER || jokers >= 2 || has_specials(count))
        return true;
    int colour = face / HIGHEST, number = face % HIGHEST;
    int others = 0;
    for (int other = 0; other < COLOURS; other++)
        others += other != colour && count[face_at(other, number + 1)];
    if (others + jokers >= 2)
        return true;
    for (int first = number - 2; first <= number; first++) {
        if (first < 0 || first + 2 >= HIGHEST)
            continue;
        int missing = 0;
        for (int slot = first; slot < first + 3; slot++)
            missing += slot != number && !count[face_at(colour, slot + 1)];
        if (missing <= jokers)
            return true;
    }
    return false;
}

/* Takes tiles off the rack that no row can hold, and those that needed them, and so on. `all` are
 * the tiles of the table and the rack. Returns how many tiles are left on the rack. */
static int drop_hopeless(uint8_t all[FACES], uint8_t rack[FACES])
{
    bool dropped = !has_specials(all) && all[JOKER] < 2;
    while (dropped) {
        dropped = false;
        for (int face = 0; face < JOKER; face++)
            if (rack[face] && !may_lie(all, face)) {
                all[face] -= rack[face];
                rack[face] = 0;
                dropped = true;
            }
    }
    int left = 0;
    for (int face = 0; face < FACES; face++)
        left += rack[face];
    return left;
}

#endif
