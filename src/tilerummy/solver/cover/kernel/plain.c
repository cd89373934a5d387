/* The plain kernel: numbered tiles and J, every row anywhere.
 *
 * The walk. Numbers are taken one after another, from 13 down to 1: runs read the same from both
 * ends, and high tiles mostly weigh most, so that what stays is known early. All that matters of
 * the rows begun so far is, for each colour, how many runs are open with one tile, with two, and
 * with three or more (`OPEN`). Runs with one or two tiles have to go on, longer ones may. At each
 * number, and for each colour, a tile goes on with a run, starts a run, lies in a group, or stays
 * on the rack. How many lie in groups is one vector for all four colours (`Deal`); the rest each
 * colour settles for itself (`Choice`). A node is a number, four open states and the jokers left;
 * an edge costs what stays.
 *
 * What need not be looked at, because changing the rows never costs more:
 *   (1) No new run starts while one of three or more ends: join the two. So the number of tiles
 *       that go into runs says everything: short runs first, then long ones, then new ones.
 *   (2) No tile stays on the rack while a run of its colour goes without one, or holds a joker in
 *       its place, or while a group of its number lacks its colour: put it there. So tiles stay
 *       only where all open runs have one, and where the colour lies in each group.
 *   (3) s tiles, at most m of a colour, make k = max(m, ceil(s/4)) groups: dealt round, sizes
 *       differ by one at most, and max(0, 3k - s) jokers fill them. More groups need more jokers.
 *   (4) A group needs no second joker: x J J also is a run, and an open one is worth more. So
 *       s >= 2k.
 *   (5) No run begins with a joker unless its first tile is a 2 or a 1: J x y may be x y J. There
 *       it needs one, or two, before it.
 *   (6) A long run goes over a joker only to a tile of the next number: a run that needs two to
 *       reach a tile may as well end, and the tile takes both (x J J, J 2 J, J J 1).
 *   (7) Long runs beyond those that the next number can feed are as good as ended.
 *
 * Spare jokers. (2), (4), (5) and (6) free jokers, so the walk lets any number of them stay: it
 * answers the question in which jokers cost nothing. Afterwards `place_spares` adds them to the
 * rows, and what it gives is best, because nothing could cost less than the walk. Wherever there is
 * a run all fit: it has 13 - length free places, and from six tiles on it can be cut in two. Only
 * where all rows are groups the answer may depend on the jokers. Then it is the better of two:
 * groups alone, number by number with the jokers counted out (`groups_only`), or a walk that has to
 * start a run, for which (1) to (7) hold as they stand as none of them takes the last run away.
 *
 * The search is A*: what costs no more than the best so far lies on a stack, the rest in a heap, so
 * it dives, and most questions are answered on the way down. A node follows its deals one by one,
 * and ways that cost more are put off until something that cheap is wanted. Nodes that another
 * beats are dropped: it has no fewer jokers, its runs are no shorter, and it costs no more. A
 * search that lasts computes a bound for what is ahead (`Bound`), and a better one when it still
 * lasts. Any lower bound will do: the goal is taken only when nothing open may cost less, and a
 * node found cheaper is opened again.
 *
 * Layout. The headers in plain/ are parts of this file, each with one job. They are included once,
 * so that everything is one translation unit: their functions are static, the compiler inlines them
 * as it likes, and no name meets one of the general kernel.
 *
 * Limits: at most 4 tiles of each face and 7 J, else there is no answer; all weights together stay
 * below 2^50.
 */
#include <stdbool.h>
#include <string.h>

#include "plain/groups_only.h"
#include "plain/reading.h"
#include "plain/spare_jokers.h"
#include "plain/walk.h"
#include "problem.h"

enum { /* what most searches need lies on the stack of the processor */
       FIRST_NODES = 192,
       FIRST_SLOTS = 512,
       FIRST_HEAP = 256,
       FIRST_BYTES = 24 << 10,
};

static CoverStatus solve(Search *search, Cover *cover)
{
    const Problem *problem = search->problem;
    Rows rows;
    int64_t below = problem->below ? problem->below - search->base : NEVER;
    int64_t cutoff = below <= search->total ? below : search->total + 1;
    if (cutoff <= 0)
        return COVER_NONE;
    CoverStatus status = walk(search, false, cutoff);
    if (status == COVER_NO_MEMORY || !search->goal)
        return status;
    int64_t loss = search->node[search->goal - 1].loss;
    int spare = place_spares(&rows, read_rows(search, &rows));
    if (spare == 0 || (spare <= problem->may[JOKER] && problem->weight[JOKER] == 0)) {
        write_cover(search, &rows, loss, cover);
        return status;
    }
    /* All rows are groups, and jokers were left over. */
    Rows groups;
    int64_t best = groups_only(search, &groups);
    if (best >= below)
        best = NEVER;
    if (best > loss) {
        status = walk(search, true, best < NEVER ? best : cutoff);
        if (status == COVER_NO_MEMORY)
            return status;
        if (search->goal) {
            place_spares(&rows, read_rows(search, &rows));
            write_cover(search, &rows, search->node[search->goal - 1].loss, cover);
            return status;
        }
    }
    if (best < NEVER)
        write_cover(search, &groups, best, cover);
    return status == COVER_STOPPED ? COVER_STOPPED : best < NEVER ? COVER_EXACT : COVER_NONE;
}

CoverStatus plain_cover(const Problem *problem, Cover *cover)
{
    Node node[FIRST_NODES];
    uint32_t slot[FIRST_SLOTS], stack[FIRST_NODES];
    Waiting heap[FIRST_HEAP];
    _Alignas(16) char bytes[FIRST_BYTES];
    Search search;
    search.problem = problem;
    search.base = 0;
    search.total = 0;
    search.arena = arena_of(bytes, sizeof bytes);
    search.node = node;
    search.node_room = FIRST_NODES;
    search.slot = slot;
    search.slots = FIRST_SLOTS;
    search.slot_shift = 32 - 9;
    search.stack = stack;
    search.stack_room = FIRST_NODES;
    search.heap = (Heap){.item = heap, .room = FIRST_HEAP};
    search.bound = NULL;
    search.level = 0;
    search.expanded = 0;

    cover->loss = -1;
    cover->rows = cover->tiles = 0;
    CoverStatus status = COVER_NONE;
    if (read_problem(&search)) {
        if (search.copies > MOST_COPIES || search.jokers > MOST_JOKERS)
            status = COVER_STOPPED; /* not a box this was made for */
        else
            status = prepare(&search) ? solve(&search, cover) : COVER_NO_MEMORY;
    }
    cover->nodes = search.expanded;
    arena_free(&search.arena);
    return status;
}
