/* A binary heap of nodes by their cost: the cheapest first, the newest among equals. */
#ifndef TILERUMMY_HEAP_H
#define TILERUMMY_HEAP_H

#include "arena.h"

typedef struct {
    int64_t cost;
    uint32_t node;
    uint32_t turn; /* later goes first among equals */
} Waiting;

typedef struct {
    Waiting *item;
    uint32_t count, room;
    uint32_t turn; /* of the next */
} Heap;

static inline bool goes_before(const Waiting *a, const Waiting *b)
{
    return a->cost < b->cost || (a->cost == b->cost && a->turn > b->turn);
}

/* False without memory. */
static bool heap_push(Heap *heap, Arena *arena, int64_t cost, uint32_t node)
{
    if (heap->count == heap->room) {
        Waiting *larger = arena_grow(arena, heap->item, &heap->room, sizeof(Waiting));
        if (!larger)
            return false;
        heap->item = larger;
    }
    Waiting entry = {cost, node, heap->turn++}, *item = heap->item;
    uint32_t place = heap->count++;
    while (place > 0 && goes_before(&entry, &item[(place - 1) / 2])) {
        item[place] = item[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    item[place] = entry;
    return true;
}

/* Takes the first out of a heap that is not empty. */
static Waiting heap_pop(Heap *heap)
{
    Waiting *item = heap->item, top = item[0], last = item[--heap->count];
    uint32_t place = 0, count = heap->count;
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        if (child + 1 < count && goes_before(&item[child + 1], &item[child]))
            child++;
        if (!goes_before(&item[child], &last))
            break;
        item[place] = item[child];
    }
    item[place] = last;
    return top;
}

#endif
