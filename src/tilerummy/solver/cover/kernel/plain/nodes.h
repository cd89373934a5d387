/* Known nodes: a hash table by their keys, and which node beats another. */
#ifndef TILERUMMY_PLAIN_NODES_H
#define TILERUMMY_PLAIN_NODES_H

#include "search.h"

static inline uint32_t slot_of(const Search *search, uint32_t key)
{
    uint32_t mask = search->slots - 1;
    uint32_t place = key * UINT32_C(0x9E3779B1) >> search->slot_shift;
    while (search->slot[place] && search->node[search->slot[place] - 1].key != key)
        place = (place + 1) & mask;
    return place;
}

static bool more_slots(Search *search)
{
    uint32_t slots = search->slots * 4;
    uint32_t *slot = arena_take(&search->arena, (size_t)slots * sizeof(uint32_t));
    if (!slot)
        return false;
    memset(slot, 0, (size_t)slots * sizeof(uint32_t));
    search->slot = slot;
    search->slots = slots;
    search->slot_shift -= 2;
    for (uint32_t at = 0; at < search->nodes; at++)
        slot[slot_of(search, search->node[at].key)] = at + 1;
    return true;
}

/* What is good about a node, so that one beats another if it has no less of anything: its jokers,
 * and for each colour the open runs, how few have one tile, and how few have one or two. Every
 * number has four bits, the highest of which is free. */
static const uint16_t WORTH[STATES] = {
    /* of a colour */
    0x440, 0x331, 0x341, 0x441, 0x222, 0x232, 0x332, 0x242, 0x342, 0x442, 0x113, 0x123,
    0x223, 0x133, 0x233, 0x333, 0x143, 0x243, 0x343, 0x443, 0x004, 0x014, 0x114, 0x024,
    0x124, 0x224, 0x034, 0x134, 0x234, 0x334, 0x044, 0x144, 0x244, 0x344, 0x444,
};

static inline uint64_t worth_of(uint32_t key)
{
    uint64_t worth = (uint64_t)(key >> JOKER_SHIFT & 7) << 48 | (uint64_t)(key >> RUN_SHIFT) << 52;
    for (int colour = 0; colour < COLOURS; colour++)
        worth |= (uint64_t)WORTH[key >> 6 * colour & 63] << 12 * colour;
    return worth;
}

#define FREE_BITS UINT64_C(0x0088888888888888)

static inline bool beats(const Node *one, const Node *other)
{
    return one->loss <= other->loss &&
           (((one->worth | FREE_BITS) - other->worth) & FREE_BITS) == FREE_BITS;
}

/* Whether one of the last nodes of this number beats it. */
static bool is_dominated(const Search *search, const Node *node)
{
    uint32_t at = search->latest[node->key >> NUMBER_SHIFT & 15];
    for (int tries = COMPARED; at && tries > 0; tries--) {
        const Node *other = &search->node[at - 1];
        if (beats(other, node) && other != node)
            return true;
        at = other->earlier;
    }
    return false;
}

/* A new node in a free slot; NULL without memory. It has its key before the slots move. */
static Node *new_node(Search *search, uint32_t place, uint32_t key)
{
    if (search->nodes == search->node_room) {
        Node *larger = arena_grow(&search->arena, search->node, &search->node_room, sizeof(Node));
        if (!larger)
            return NULL;
        search->node = larger;
    }
    Node *node = &search->node[search->nodes++];
    node->key = key;
    search->slot[place] = search->nodes;
    if (search->nodes * 2 > search->slots && !more_slots(search))
        return NULL;
    return node;
}

#endif
