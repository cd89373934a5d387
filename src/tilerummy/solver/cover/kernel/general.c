/* The general kernel: every kind of joker, every option, openings.
 *
 * STATES. Numbers are dealt with from 1 to 13. Between two numbers a state holds the open rows (the
 * runs and mirror runs that may still grow) as a sorted list of small integers, and how many jokers
 * of each kind are used. A run is known by its colour, how many tiles it still lacks, and whether a
 * double already fills its next slot ("covered"). A mirror run is a pair of halves that grow
 * together; M is spent when the pair opens. Colours are guessed early: a run that a joker opens
 * picks its colour at once, and after a colour change the colour of the next segment is picked at
 * once, so every open half has exactly one colour. Groups and mirror groups live within one number.
 *
 * SEARCH. A* on the loss, last in first out among equals. A state is expanded for one additional
 * loss at a time: first the successors that cost nothing, and only if the search comes back to it
 * those of the next loss; most answers lose little, so most successors are never made. At a number
 * the groups are chosen first, then what mirrors take, then runs, colour by colour. States with the
 * same open rows are chained, and one that has used more jokers at no less loss is dropped; so is
 * one for which a state is known with a run further on (`outdone`). What is lost in any case is
 * bounded by the tiles that only jokers can place and by what the jokers left can serve
 * (`still_lost`, `bound_losses`), and in a search that lasts by prices (`loss_by_prices`).
 *
 * TWO MODES. The full mode places every joker wherever the rules let it and is exact by
 * construction. The lean mode comes first, where the options are the usual ones: J, D and C are
 * free and optional, so only rows matter from which no joker can be taken away; afterwards the
 * jokers left over are put at free ends of runs and into groups of three. If all find a place, the
 * answer is exact: the lean loss is a lower bound. If not, the full mode decides. M always counts
 * in full. What lean mode may omit is said where it does so; it rests on four remarks:
 *   1. A joker at an end of a run of four or more tiles can be taken away.
 *   2. A joker between two parts that are runs by themselves can be taken away.
 *   3. A leading joker of a run of three can go to its end unless the run would pass 13.
 *   4. A joker never stands for a tile in a run while that tile lies in a group or on the rack:
 *      they change places.
 *
 * LAYOUT. The headers in general/ are parts of this file, each with one job. They are included
 * once, so that everything is one translation unit: their functions are static, the compiler
 * inlines them as it likes, and no name meets one of the plain kernel.
 *
 * OPENINGS. With `stand` jokers also cost what they stand for below 13; with `floor` the value so
 * far is part of the state, once the best rows without the floor turn out to be worth too little.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "general/left_over.h"
#include "general/needs.h"
#include "general/walk.h"
#include "problem.h"

/* A search with the memory that most questions need, in one piece. */
typedef struct {
    Search search;
    Layout layout;
    State states[FIRST_ROOM];
    Row pool[FIRST_ROOM];
    Waiting heap[FIRST_ROOM];
    uint32_t table[FIRST_TABLE];
} Workspace;

static void use_workspace(Workspace *space)
{
    Search *search = &space->search;
    search->states = space->states;
    search->pool = space->pool;
    search->heap.item = space->heap;
    search->table = space->table;
    search->states_room = search->pool_room = search->heap.room = FIRST_ROOM;
    search->table_room = FIRST_TABLE;
    memset(space->table, 0xFF, sizeof space->table);
}

static void begin(Search *search, const Problem *problem, bool lean, bool valued)
{
    int jokers = 0;
    memset(search, 0, sizeof *search);
    search->problem = problem;
    search->lean = lean;
    search->valued = valued;
    search->goal = NONE;
    search->limit = limit_of(problem);
    for (int face = 0; face < FACES; face++) {
        search->total[face] = (uint8_t)(problem->must[face] + problem->may[face]);
        search->everything += problem->may[face] * problem->weight[face];
    }
    for (int kind = 0; kind < KINDS; kind++) {
        jokers += search->jokers[kind] = search->total[JOKER + kind];
        search->everything += problem->stand * HIGHEST * 2 * search->jokers[kind];
    }
    search->count_jokers = problem->max_jokers < jokers;
    search->joinable = !search->count_jokers;
    search->ordered = problem->adjacent_c;
    for (int number = HIGHEST; number >= 1; number--) {
        search->potential[number] = search->potential[number + 1];
        for (int c = 0; c < COLOURS; c++)
            search->potential[number] += number * search->total[face_at(c, number)];
    }
}

/* The answer that a goal gives, unless it has to be looked for in another mode. */
static CoverStatus read_goal(Search *search, Layout *layout, int64_t base, CoverStatus status,
                             Cover *cover)
{
    replay(search, layout);
    if (search->arena.out_of_memory)
        return COVER_NO_MEMORY;
    if (search->lean && !place_left_over(search, layout))
        return COVER_STOPPED;
    if (!search->valued && layout->value < search->problem->floor)
        return COVER_STOPPED;
    cover->loss = base + search->states[search->goal].loss;
    write_cover(layout, cover);
    return status;
}

static CoverStatus solve(const Problem *problem, bool lean, bool valued, Cover *cover)
{
    Workspace *space = malloc(sizeof *space);
    if (!space)
        return COVER_NO_MEMORY;
    Search *search = &space->search;
    int64_t base = 0;
    begin(search, problem, lean, valued);
    use_workspace(space);
    search->nodes = cover->nodes;
    /* No prices where rows may consist of jokers only. */
    search->more_prices = problem->min_natural < 1 ? UINT64_MAX : search->nodes + FIRST_PATIENCE;
    CoverStatus status = COVER_NONE;
    if (remove_hopeless(search, &base)) {
        search->cutoff = problem->below ? problem->below - base : INT64_MAX;
        bound_losses(search);
        count_pieces(search);
        status = search_rows(search);
    }
    cover->nodes = search->nodes;
    if (search->goal != NONE && !search->arena.out_of_memory)
        status = read_goal(search, &space->layout, base, status, cover);
    arena_free(&search->arena);
    free(space);
    return status;
}

CoverStatus general_cover(const Problem *problem, Cover *cover)
{
    int jokers = 0;
    *cover = (Cover){.loss = -1};
    for (int face = 0; face < FACES; face++) {
        int total = problem->must[face] + problem->may[face];
        if (total > MOST_COPIES)
            return COVER_NONE;
        if (face >= JOKER)
            jokers += total;
    }
    bool usual = problem->min_natural == 1 && problem->max_jokers >= jokers &&
                 problem->mirror_min_side == 1 && problem->adjacent_c && !problem->stand;
    /* The mode that comes first is cheap, the last one decides. */
    CoverStatus status = solve(problem, usual, false, cover);
    if (status == COVER_STOPPED && cover->loss < 0 && (usual || problem->floor))
        status = solve(problem, false, problem->floor > 0, cover);
    return status;
}
