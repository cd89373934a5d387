/* The walk: A* over the numbers. */
#ifndef TILERUMMY_GENERAL_WALK_H
#define TILERUMMY_GENERAL_WALK_H

#include "mirror_runs.h"
#include "sharing.h"
#include "successor.h"

static void expand(Search *search, uint32_t state, int64_t level, int64_t made, Step *step,
                   uint32_t wanted)
{
    const State *from = &search->states[state];
    memset(step, 0, offsetof(Step, out));
    step->search = search;
    step->parent = state;
    step->number = from->number;
    step->count = from->count;
    step->level = level;
    step->made = made;
    step->next = INT64_MAX;
    step->value = from->value;
    step->mirror_groups = 0;
    step->wanted = wanted;
    step->found = false;
    for (int kind = 0; kind < KINDS; kind++)
        step->used[kind] = from->used[kind];
    Row rows[MOST_OPEN]; /* the pool may move while successors are added */
    memcpy(rows, search->pool + from->rows, from->count * sizeof(Row));
    step->rows = rows;
    for (int i = 0; i < step->count; i++) {
        if (is_pair(rows[i])) {
            step->pairs++;
            continue;
        }
        Run run = unpack_run(rows[i]);
        if (run.covered)
            continue;
        step->runs[run.colour]++;
        step->shorts[run.colour] += !run_complete(search, &run);
    }
    share_out(step, 0, joker_left(step, J) + joker_left(step, D) + joker_left(step, C));
    step->rows = NULL;
}

/* Whether the current prices prove that a state loses more than that; it then waits in the heap. */
static bool put_off(Search *search, uint32_t name, int64_t least_loss)
{
    const State *state = &search->states[name];
    if (!search->priced)
        return false;
    int64_t lost = loss_by_prices(search, state->number, search->pool + state->rows, state->count,
                                  state->used);
    if (lost > MOST_LOSS)
        return true;
    if (state->loss + lost <= least_loss)
        return false;
    put_in_heap(search, state->loss + lost, name);
    return true;
}

/* False when the search has to stop. */
static bool keep_pace(Search *search)
{
    switch (pace(&search->limit, search->nodes)) {
    case GO_ON:
        break;
    case HURRY:
        search->willing = search->proven + willing_to_lose(&search->limit, search->everything);
        break;
    case STOP:
        search->stopped = true;
        return false;
    }
    return true;
}

/* Expand a state as far as the whole loss may be `least_loss`. Successors are explored as soon as
 * they are made, so the first goal that is reached is the answer, and what lies beside the way to
 * it is never made. */
static void explore(Search *search, uint32_t name, int64_t least_loss)
{
    int64_t loss = search->states[name].loss;
    if (search->states[name].number > HIGHEST) {
        search->goal = name;
        return;
    }
    if (!keep_pace(search))
        return;
    if (least_loss < search->willing)
        least_loss = search->willing;
    if (outdone(search, &search->states[name]))
        return;
    if (search->nodes >= search->more_prices) {
        improve_prices(search, name);
        if (put_off(search, name, least_loss))
            return;
    }
    search->nodes++;
    int64_t after = loss + search->bound[search->states[name].number + 1];
    int64_t level = least_loss - after, made = search->states[name].made;
    search->states[name].made = level;
    Step step;
    expand(search, name, level, made, &step, NONE);
    if (step.next < INT64_MAX && search->goal == NONE)
        put_in_heap(search, after + step.next, name);
}

static CoverStatus search_rows(Search *search)
{
    const int nothing[KINDS] = {0};
    const Row no_rows[1] = {0};
    add_state(search, NONE, 0, 0, 1, no_rows, 0, nothing);
    search->proven = search->bound[1];
    if (search->proven >= search->cutoff)
        return COVER_NONE;
    if (!search->arena.out_of_memory)
        explore(search, 0, search->proven);
    while (search->goal == NONE && search->heap.count && !search->stopped &&
           !search->arena.out_of_memory) {
        Waiting next = heap_pop(&search->heap);
        if (search->states[next.node].dropped)
            continue;
        if (next.cost >= search->cutoff)
            break;
        search->proven = next.cost;
        if (!put_off(search, next.node, next.cost))
            explore(search, next.node, next.cost);
    }
    if (search->arena.out_of_memory)
        return COVER_NO_MEMORY;
    if (search->goal == NONE)
        return search->stopped ? COVER_STOPPED : COVER_NONE;
    int64_t loss = search->states[search->goal].loss;
    if (loss >= search->cutoff) { /* in a hurry */
        search->goal = NONE;
        return COVER_STOPPED;
    }
    return loss <= search->proven ? COVER_EXACT : COVER_STOPPED;
}

#endif
