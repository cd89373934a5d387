/* The frontier of A*: open nodes that cost no more than the best lie on a stack, others in a heap.
 */
#ifndef TILERUMMY_PLAIN_FRONTIER_H
#define TILERUMMY_PLAIN_FRONTIER_H

#include "search.h"

static bool put_on_stack(Search *search, uint32_t at)
{
    if (search->stacked == search->stack_room) {
        uint32_t *larger =
            arena_grow(&search->arena, search->stack, &search->stack_room, sizeof(uint32_t));
        if (!larger)
            return false;
        search->stack = larger;
    }
    search->stack[search->stacked++] = at;
    return true;
}

static inline bool put_open(Search *search, uint32_t at)
{
    int64_t cost = search->node[at].loss + search->node[at].ahead;
    return cost <= search->cost ? put_on_stack(search, at)
                                : heap_push(&search->heap, &search->arena, cost, at);
}

/* The next node that is worth a look; false if there is none. */
static bool next_open(Search *search, uint32_t *at)
{
    if (search->stacked > 0) {
        *at = search->stack[--search->stacked];
        return true;
    }
    if (search->heap.count == 0)
        return false;
    Waiting top = heap_pop(&search->heap);
    if (top.cost >= search->cutoff)
        return false;
    search->proven = top.cost;
    search->cost = top.cost > search->willing ? top.cost : search->willing;
    *at = top.node;
    return true;
}

#endif
