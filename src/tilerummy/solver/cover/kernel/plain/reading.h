/* Reading a problem: the tiles of each number, and what no row can hold. */
#ifndef TILERUMMY_PLAIN_READING_H
#define TILERUMMY_PLAIN_READING_H

#include "choices.h"

/* Takes the tiles in; those of the rack that no row can hold only cost. False if the table has such
 * a tile.
 *
 * Three numbers in a row hold a tile if they lack no more than there are jokers, as do the colours
 * of its number. */
static bool read_problem(Search *search)
{
    const Problem *problem = search->problem;
    int jokers = problem->must[JOKER] + problem->may[JOKER];
    uint32_t in_run[COLOURS], present[COLOURS];
    for (int colour = 0; colour < COLOURS; colour++) {
        uint32_t here = 0;
        for (int number = 0; number < HIGHEST; number++) {
            int face = face_down(colour, number);
            here |= (uint32_t)(problem->must[face] + problem->may[face] > 0) << number;
        }
        uint32_t next = here >> 1, after = here >> 2;
        uint32_t windows =
            jokers == 0 ? here & next & after : (here & next) | (here & after) | (next & after);
        windows = jokers > 1 ? 0x7ff : windows & 0x7ff;
        in_run[colour] = windows | windows << 1 | windows << 2;
        present[colour] = here;
    }
    uint32_t either = present[0] | present[1], both = present[0] & present[1];
    uint32_t or_else = present[2] | present[3], and_also = present[2] & present[3];
    uint32_t two = both | and_also | (either & or_else);
    uint32_t three = (both & or_else) | (either & and_also);
    uint32_t in_group = jokers == 0 ? three : two;
    int copies = 2, count = 1;
    memset(search->tiles[HIGHEST], 0, 2 * COLOURS);
    for (int number = 0; number < HIGHEST; number++) {
        uint8_t groupable = 0;
        for (int colour = 0; colour < COLOURS; colour++) {
            int face = face_down(colour, number), may = problem->may[face];
            int tiles = problem->must[face] + may;
            if (tiles && !((in_run[colour] | in_group) >> number & 1)) {
                if (problem->must[face])
                    return false;
                search->base += may * problem->weight[face];
                tiles = may = 0;
            }
            search->tiles[number][colour] = (uint8_t)tiles;
            search->may[number][colour] = (uint8_t)may;
            search->total += may * problem->weight[face];
            count += may;
            groupable += tiles > 0;
            copies = tiles > copies ? tiles : copies;
        }
        search->groupable[number] = groupable;
    }
    search->mean = search->total / count;
    search->jokers = jokers;
    search->copies = copies;
    search->states = STATES_BELOW[copies + 1];
    return true;
}

static bool prepare(Search *search)
{
    for (int number = 0; number < HIGHEST; number++)
        for (int colour = 0; colour < COLOURS; colour++)
            memset(search->known[number][colour], 0,
                   sizeof(uint64_t) * (size_t)(search->jokers + 1));
    search->choices =
        arena_take(&search->arena, sizeof(Choices *) * HIGHEST * COLOURS *
                                       (size_t)(search->jokers + 1) * (size_t)search->states);
    if (!search->choices)
        return false;
    if (search->copies <= 2)
        search->deals = (Deals){PAIR_DEAL, PAIR_TAKING, PAIR_EVERYWHERE, PAIR_WITHIN, 1, 61};
    else if (!build_deals(&search->deals, search->copies, &search->arena))
        return false;
    return list_nothing(search);
}

#endif
