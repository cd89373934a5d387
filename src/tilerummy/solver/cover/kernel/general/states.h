/* Known states: a hash table by their open rows, and which state beats another. */
#ifndef TILERUMMY_GENERAL_STATES_H
#define TILERUMMY_GENERAL_STATES_H

#include "search.h"

static uint32_t hash_of(int number, const Row *rows, int count, const int used[KINDS], bool lean)
{
    uint64_t hash = (uint64_t)number << 8 | (uint64_t)used[M];
    if (!lean)
        hash |= (uint64_t)used[J] << 16 | (uint64_t)used[D] << 20 | (uint64_t)used[C] << 24;
    for (int i = 0; i < count; i++)
        hash = (hash ^ rows[i]) * 0x9E3779B97F4A7C15u + (hash >> 29);
    hash *= 0xD6E8FEB86659FD93u;
    return (uint32_t)(hash >> 32);
}

static bool same_key(const Search *search, const State *state, int number, const Row *rows,
                     int count, const int used[KINDS])
{
    if (state->number != number || state->count != count || state->used[M] != used[M])
        return false;
    if (!search->lean &&
        (state->used[J] != used[J] || state->used[D] != used[D] || state->used[C] != used[C]))
        return false;
    return !memcmp(search->pool + state->rows, rows, (size_t)count * sizeof(Row));
}

static bool widen_table(Search *search)
{
    uint32_t room = search->table_room * 4;
    uint32_t *table = arena_take(&search->arena, room * sizeof *table);
    if (!table)
        return false;
    memset(table, 0xFF, room * sizeof *table);
    for (uint32_t i = 0; i < search->table_room; i++) {
        uint32_t state = search->table[i];
        if (state == NONE)
            continue;
        uint32_t at = search->states[state].hash & (room - 1);
        while (table[at] != NONE)
            at = (at + 1) & (room - 1);
        table[at] = state;
    }
    search->table = table;
    search->table_room = room;
    return true;
}

/* Room for one more state with so many open rows. */
static bool make_room(Search *search, uint32_t rows)
{
    if (search->states_used * 2 >= search->table_room && !widen_table(search))
        return false;
    if (search->states_used == search->states_room) {
        State *larger =
            arena_grow(&search->arena, search->states, &search->states_room, sizeof(State));
        if (!larger)
            return false;
        search->states = larger;
    }
    if (search->pool_used + rows > search->pool_room) {
        Row *larger = arena_grow(&search->arena, search->pool, &search->pool_room, sizeof(Row));
        if (!larger)
            return false;
        search->pool = larger;
    }
    return true;
}

/* Whether a is as good as b for everything that can follow; both have the same open rows. */
static inline bool no_worse(const uint8_t a_used[KINDS], int64_t a_loss, int32_t a_value,
                            const uint8_t b_used[KINDS], int64_t b_loss, int32_t b_value)
{
    return a_loss <= b_loss && a_value >= b_value && a_used[J] <= b_used[J] &&
           a_used[D] <= b_used[D] && a_used[C] <= b_used[C];
}

/* Where states with these open rows are in the table, or would be. */
static uint32_t place_of(const Search *search, uint32_t hash, int number, const Row *rows,
                         int count, const int used[KINDS])
{
    uint32_t mask = search->table_room - 1, at = hash & mask;
    for (; search->table[at] != NONE; at = (at + 1) & mask) {
        const State *state = &search->states[search->table[at]];
        if (state->hash == hash && same_key(search, state, number, rows, count, used))
            break;
    }
    return at;
}

/* Whether a state with these open rows is known that is as good as the given one. */
static bool known(const Search *search, const State *state, const Row *rows, int count)
{
    int used[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        used[kind] = state->used[kind];
    uint32_t hash = hash_of(state->number, rows, count, used, search->lean);
    uint32_t at = place_of(search, hash, state->number, rows, count, used);
    for (uint32_t i = search->table[at]; i != NONE; i = search->states[i].chain) {
        const State *other = &search->states[i];
        if (no_worse(other->used, other->loss, other->value, state->used, state->loss,
                     state->value))
            return true;
    }
    return false;
}

/* Whether a state is known that has one run further on, or one more that is complete. */
static bool outdone(const Search *search, const State *state)
{
    Row rows[MOST_OPEN + 1];
    const Row *own = search->pool + state->rows;
    int count = state->count;
    if (search->count_jokers)
        return false;
    for (int i = 0; i < count; i++) {
        if (is_pair(own[i]) || (i && own[i] == own[i - 1]))
            continue;
        Run run = unpack_run(own[i]);
        if (run.covered || run.stage == THREE || run.change || run.led)
            continue;
        int reached = run.stage < THREE ? run.stage + 1 : THREE;
        for (int stage = THREE; stage >= reached; stage--) {
            run.stage = (uint8_t)stage;
            Row better = pack_run(&run);
            int at = 0;
            for (int k = 0, put = 0; k <= count; k++) {
                if (!put && (k == count || own[k] > better)) {
                    rows[at++] = better;
                    put = 1;
                }
                if (k < count && k != i)
                    rows[at++] = own[k];
            }
            if (known(search, state, rows, count))
                return true;
        }
    }
    return false;
}

/* The name of the new state, or NONE if one as good was known. */
static uint32_t add_state(Search *search, uint32_t parent, int64_t loss, int32_t value, int number,
                          const Row *rows, int count, const int used[KINDS])
{
    if (!make_room(search, (uint32_t)count))
        return NONE;
    uint32_t hash = hash_of(number, rows, count, used, search->lean);
    uint32_t at = place_of(search, hash, number, rows, count, used), head = search->table[at];
    uint8_t small[KINDS] = {(uint8_t)used[J], (uint8_t)used[D], (uint8_t)used[C], (uint8_t)used[M]};
    for (uint32_t i = head; i != NONE; i = search->states[i].chain) {
        State *other = &search->states[i];
        if (!other->dropped && no_worse(other->used, other->loss, other->value, small, loss, value))
            return NONE;
    }
    for (uint32_t i = head; i != NONE; i = search->states[i].chain) {
        State *other = &search->states[i];
        if (!other->dropped && no_worse(small, loss, value, other->used, other->loss, other->value))
            other->dropped = true;
    }
    uint32_t name = search->states_used++;
    State *state = &search->states[name];
    *state = (State){.loss = loss,
                     .parent = parent,
                     .chain = head,
                     .rows = search->pool_used,
                     .hash = hash,
                     .made = -1,
                     .value = value,
                     .number = (uint8_t)number,
                     .count = (uint8_t)count};
    memcpy(state->used, small, sizeof small);
    memcpy(search->pool + search->pool_used, rows, (size_t)count * sizeof(Row));
    search->pool_used += (uint32_t)count;
    search->table[at] = name;
    return name;
}

#endif
