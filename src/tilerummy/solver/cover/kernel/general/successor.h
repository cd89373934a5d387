/* The successor of a state: checked, bounded, and explored or put off. */
#ifndef TILERUMMY_GENERAL_SUCCESSOR_H
#define TILERUMMY_GENERAL_SUCCESSOR_H

#include "needs.h"
#include "price_bound.h"
#include "states.h"

/* What the open rows find at the next numbers, and what they ask for, by colour. */
typedef struct {
    int next;                           /* number */
    int singles;                        /* jokers but M */
    int stock[COLOURS], later[COLOURS]; /* tiles of the next number, and of the one after it */
    int due[COLOURS];                   /* runs that must go on, */
    int one[COLOURS];                   /* and of them those with one tile */
    int full[COLOURS];                  /* complete runs that may go on */
} Outlook;

typedef enum { DROP, KEEP, FAIL } Fate;

static inline Fate fate_of_pair(const Search *search, const Pair *pair, const Outlook *outlook)
{
    bool complete = pair_complete(search, pair);
    int c = pair->half[0].colour;
    if (search->lean && pair->jokers == ENDS)
        return DROP;
    if (outlook->next > search->problem->mirror_last)
        return complete ? DROP : FAIL;
    if (complete && !outlook->singles && (pair->half[1].colour != c || outlook->stock[c] < 2))
        return DROP;
    return KEEP;
}

static inline Fate fate_of_run(const Search *search, const Run *run, Outlook *outlook)
{
    int c = run->colour, next = outlook->next;
    if (run->stage == DONE)
        return DROP;
    if (run_complete(search, run)) {
        if (next > HIGHEST || (run->stage == BEYOND && !outlook->stock[c]))
            return DROP;
        if (search->joinable && outlook->full[c] >= outlook->stock[c] + outlook->singles)
            return DROP;
        outlook->full[c]++;
        return KEEP;
    }
    if (next + run->covered > HIGHEST) {
        if (!(run->stage == THREE && run->covered && next == HIGHEST &&
              run->naturals >= search->problem->min_natural))
            return FAIL;
    } else if (run->stage == ONE && next + run->covered >= HIGHEST) {
        return FAIL;
    }
    if (!run->covered) {
        outlook->due[c]++;
        outlook->one[c] += run->stage == ONE;
    }
    return KEEP;
}

/* The open rows in order, each with its place in `out` in the lowest byte. */
static inline void sort_rows(const Step *step, uint64_t sorted[MOST_OPEN])
{
    for (int i = 0; i < step->open; i++) {
        uint64_t item = (uint64_t)step->out[i] << 8 | (unsigned)i;
        int at = i;
        for (; at && sorted[at - 1] > item; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = item;
    }
}

/* Drop open rows that cannot grow, and return whether the others can still be completed. */
static bool tidy(Step *step, Row kept[MOST_OPEN], int *count)
{
    const Search *search = step->search;
    Outlook outlook = {.next = step->number + 1};
    int missing = 0, n = 0;
    uint64_t sorted[MOST_OPEN];
    outlook.singles = joker_left(step, J) + joker_left(step, D) + joker_left(step, C);
    for (int c = 0; c < COLOURS; c++) {
        outlook.stock[c] = stock_at(search, c, outlook.next);
        outlook.later[c] = stock_at(search, c, outlook.next + 1);
    }
    sort_rows(step, sorted);
    for (int i = 0; i < step->open; i++) {
        Row row = (Row)(sorted[i] >> 8);
        Fate fate;
        if (is_pair(row)) {
            Pair pair = unpack_pair(row);
            fate = fate_of_pair(search, &pair, &outlook);
        } else {
            Run run = unpack_run(row);
            fate = fate_of_run(search, &run, &outlook);
        }
        if (fate == FAIL)
            return false;
        if (fate == DROP)
            continue;
        step->order[n] = (uint8_t)(sorted[i] & 255);
        kept[n++] = row;
    }
    for (int c = 0; c < COLOURS; c++) {
        missing += most(0, outlook.due[c] - outlook.stock[c]);
        if (!joker_left(step, C))
            missing += most(0, outlook.one[c] - outlook.later[c]);
    }
    *count = n;
    return missing <= outlook.singles + joker_left(step, D); /* a double fills two slots */
}

/* What remains to be paid when 13 is dealt with: jokers that stay on the rack. */
static bool pay_jokers(Step *step)
{
    const Search *search = step->search;
    const Problem *problem = search->problem;
    for (int kind = search->lean ? M : J; kind < KINDS; kind++) {
        int face = JOKER + kind, left = joker_left(step, kind);
        if (left > problem->may[face])
            return false;
        step->extra += left * problem->weight[face];
    }
    return !search->valued || step->value >= problem->floor;
}

static void emit(Step *step)
{
    Search *search = step->search;
    if (search->arena.out_of_memory || step->found)
        return;
    Row kept[MOST_OPEN];
    int count;
    if (!tidy(step, kept, &count))
        return;
    int32_t value = 0;
    if (search->valued) {
        int left = 0;
        value = step->value;
        for (int kind = J; kind <= C; kind++)
            left += joker_left(step, kind) * (kind == D ? 2 : 1) * HIGHEST;
        /* A covered slot was counted when its double was laid. */
        if (value + search->potential[step->number + 1] + left < search->problem->floor)
            return;
        value = least(value, search->problem->floor);
    }
    int64_t extra = step->extra;
    if (step->number == HIGHEST && !pay_jokers(step)) {
        step->extra = extra;
        return;
    }
    bool skip = too_dear(step) || step->extra <= step->made;
    int64_t total = step->extra;
    step->extra = extra;
    if (skip)
        return;
    if (step->wanted == NONE) {
        int64_t lost = still_lost(step, kept, count), loss = search->states[step->parent].loss;
        if (lost > MOST_LOSS)
            return;
        if (search->priced) {
            uint8_t used[KINDS];
            for (int kind = 0; kind < KINDS; kind++)
                used[kind] = (uint8_t)step->used[kind];
            lost = higher(lost, loss_by_prices(search, step->number + 1, kept, count, used));
            if (lost > MOST_LOSS)
                return;
        }
        uint32_t name = add_state(search, step->parent, loss + total, value, step->number + 1, kept,
                                  count, step->used);
        if (name == NONE)
            return;
        int64_t now = loss + step->level + search->bound[step->number + 1];
        if (loss + total + lost <= now)
            explore(search, name, now);
        else
            put_in_heap(search, loss + total + lost, name);
        step->found = search->goal != NONE || search->stopped;
        return;
    }
    const State *wanted = &search->states[step->wanted];
    step->found = same_key(search, wanted, step->number + 1, kept, count, step->used) &&
                  wanted->used[J] == step->used[J] && wanted->used[D] == step->used[D] &&
                  wanted->used[C] == step->used[C] && wanted->value == value;
}

#endif
