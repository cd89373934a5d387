/* An arena: memory that lives as long as one call of a kernel.
 *
 * It begins with bytes that the caller has, so that an easy question allocates nothing, and goes on
 * with large blocks. Nothing is freed before the end. An array that grows leaves its old copies
 * behind; as it grows fourfold they add up to a third of it.
 */
#ifndef TILERUMMY_ARENA_H
#define TILERUMMY_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARENA_ALIGNMENT = 16,
    ARENA_BLOCK_BYTES = 256 << 10,
};

typedef struct ArenaBlock {
    struct ArenaBlock *next;
} ArenaBlock;

typedef struct {
    char *free, *end; /* what is left of the newest block */
    ArenaBlock *blocks;
    bool out_of_memory;
} Arena;

/* The first bytes are the caller's, and aligned to ARENA_ALIGNMENT. */
static inline Arena arena_of(char *bytes, size_t size)
{
    return (Arena){.free = bytes, .end = bytes + size};
}

static inline size_t arena_rounded(size_t size)
{
    return (size + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
}

static bool arena_add_block(Arena *arena, size_t size)
{
    size_t room = size + 2 * ARENA_ALIGNMENT;
    if (room < ARENA_BLOCK_BYTES)
        room = ARENA_BLOCK_BYTES;
    ArenaBlock *block = malloc(room);
    if (!block) {
        arena->out_of_memory = true;
        return false;
    }
    block->next = arena->blocks;
    arena->blocks = block;
    arena->free = (char *)block + ARENA_ALIGNMENT;
    arena->end = (char *)block + room;
    return true;
}

/* So many bytes, not cleared; NULL without memory. */
static void *arena_take(Arena *arena, size_t size)
{
    size = arena_rounded(size);
    if ((size_t)(arena->end - arena->free) < size && !arena_add_block(arena, size))
        return NULL;
    void *taken = arena->free;
    arena->free += size;
    return taken;
}

/* Gives back what the latest piece did not need: all from `end` on. */
static inline void arena_give_back(Arena *arena, const void *end)
{
    arena->free = (char *)arena_rounded((uintptr_t)end);
}

/* A fourfold copy of an array; NULL without memory. */
static void *arena_grow(Arena *arena, const void *old, uint32_t *room, size_t item)
{
    void *larger = arena_take(arena, (size_t)*room * 4 * item);
    if (larger) {
        memcpy(larger, old, (size_t)*room * item);
        *room *= 4;
    }
    return larger;
}

static void arena_free(Arena *arena)
{
    for (ArenaBlock *block = arena->blocks; block;) {
        ArenaBlock *next = block->next;
        free(block);
        block = next;
    }
}

#endif
