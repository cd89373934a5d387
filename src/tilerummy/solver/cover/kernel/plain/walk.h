/* The walk: A* over the numbers. */
#ifndef TILERUMMY_PLAIN_WALK_H
#define TILERUMMY_PLAIN_WALK_H

#include "bound.h"
#include "choices.h"
#include "frontier.h"
#include "nodes.h"

/* The ways of one node at one time: all up to a cost. */
typedef struct {
    uint32_t at;
    int number, jokers;
    bool has_run;
    int64_t loss, most;
    int64_t later; /* least cost of those that were put off */
    const Choices *choices[COLOURS];
} Step;

static inline bool is_put_off(Step *step, int64_t loss)
{
    if (loss <= step->most)
        return false;
    if (loss < step->later)
        step->later = loss;
    return true;
}

/* Takes note of a way to a node, or puts it off. */
static bool offer(Search *search, Step *step, uint32_t key, int64_t loss, int deal, uint32_t way)
{
    uint32_t place = slot_of(search, key);
    Node *node;
    if (search->slot[place]) {
        node = &search->node[search->slot[place] - 1];
        if (node->loss <= loss || node->ahead == NEVER || is_put_off(step, loss + node->ahead))
            return true;
    } else {
        int64_t ahead = search->level ? bound_of(search, key) : 0;
        if (ahead == NEVER || is_put_off(step, loss + ahead))
            return true;
        node = new_node(search, place, key);
        if (!node)
            return false;
        node->ahead = ahead;
        node->level = (uint16_t)search->level;
        node->earlier = UNLISTED;
    }
    node->loss = loss;
    node->later = NEVER;
    node->parent = step->at;
    node->way = way;
    node->deal = (uint16_t)deal;
    node->next_deal = 0;
    node->stage = NEW;
    uint32_t at = (uint32_t)(node - search->node);
    if (key >> NUMBER_SHIFT == HIGHEST + (search->needs_run ? 16 : 0) && loss <= search->cost)
        search->goal = at + 1;
    return put_open(search, at);
}

/* All choices of the four colours with one deal. */
static bool follow_deal(Search *search, Step *step, int index)
{
    const Deal *deal = &search->deals.deal[index];
    const Choice *all[COLOURS];
    uint32_t from[COLOURS], end[COLOURS];
    int64_t cheapest = step->loss;
    for (int colour = 0; colour < COLOURS; colour++) {
        const Choices *choices = step->choices[colour];
        int take = deal->take[colour];
        Span span = choices->span[take];
        all[colour] = choices->choice;
        from[colour] = span.from;
        end[colour] = take == deal->groups ? span.end : span.spotless;
        cheapest += all[colour][from[colour]].loss;
    }
    if (is_put_off(step, cheapest))
        return true;
    int jokers = step->jokers - deal->jokers;
    uint32_t number = (uint32_t)(step->number + 1) << NUMBER_SHIFT;
    bool last = step->number == HIGHEST - 1;
    for (uint32_t a = from[0]; a < end[0]; a++) {
        int64_t loss_a = step->loss + all[0][a].loss;
        uint64_t fields_a = all[0][a].fields;
        if (choice_jokers(fields_a) > jokers || is_put_off(step, loss_a))
            continue;
        for (uint32_t b = from[1]; b < end[1]; b++) {
            int64_t loss_b = loss_a + all[1][b].loss;
            uint64_t fields_b = fields_a + all[1][b].fields;
            if (choice_jokers(fields_b) > jokers || is_put_off(step, loss_b))
                continue;
            for (uint32_t c = from[2]; c < end[2]; c++) {
                int64_t loss_c = loss_b + all[2][c].loss;
                uint64_t fields_c = fields_b + all[2][c].fields;
                if (choice_jokers(fields_c) > jokers || is_put_off(step, loss_c))
                    continue;
                for (uint32_t d = from[3]; d < end[3]; d++) {
                    int64_t loss = loss_c + all[3][d].loss;
                    uint64_t fields = fields_c + all[3][d].fields;
                    if (choice_jokers(fields) > jokers || is_put_off(step, loss) ||
                        choice_leaves(fields) > 2) /* they would make a group */
                        continue;
                    uint32_t key = number;
                    if (!last)
                        key |= (uint32_t)(jokers - choice_jokers(fields)) << JOKER_SHIFT |
                               ((uint32_t)fields & ((UINT32_C(1) << JOKER_SHIFT) - 1));
                    if (search->needs_run && (step->has_run || choice_runs(fields)))
                        key |= UINT32_C(1) << RUN_SHIFT;
                    uint32_t way = a | b << 8 | c << 16 | d << 24;
                    if (!offer(search, step, key, loss, index, way))
                        return false;
                    if (search->goal)
                        return true;
                }
            }
        }
    }
    return true;
}

static inline bool start_step(Search *search, Step *step, uint32_t at)
{
    const Node *node = &search->node[at];
    uint32_t key = node->key;
    step->at = at;
    step->number = key >> NUMBER_SHIFT & 15;
    step->jokers = key >> JOKER_SHIFT & 7;
    step->has_run = key >> RUN_SHIFT;
    step->loss = node->loss;
    step->later = node->later;
    for (int colour = 0; colour < COLOURS; colour++) {
        step->choices[colour] =
            choices_of(search, step->number, colour, key >> 6 * colour & 63, step->jokers);
        if (!step->choices[colour])
            return false;
    }
    return true;
}

/* The first deal from the given one on that all colours and the jokers allow, or -1. */
static inline int next_deal(const Search *search, const Step *step, int from)
{
    const Choices *const *choices = step->choices;
    int words = search->deals.words;
    const uint64_t *within = search->deals.within + step->jokers * words;
    if (words == 1) {
        uint64_t fits = within[0] & choices[0]->fits & choices[1]->fits & choices[2]->fits &
                        choices[3]->fits & ~(uint64_t)0 << from;
        return fits ? __builtin_ctzll(fits) : -1;
    }
    uint64_t mask = ~(uint64_t)0 << (from & 63);
    for (int word = from >> 6; word < words; word++, mask = ~(uint64_t)0) {
        uint64_t fits = mask & within[word] & choices[0]->all_fits[word] &
                        choices[1]->all_fits[word] & choices[2]->all_fits[word] &
                        choices[3]->all_fits[word];
        if (fits)
            return word * 64 + __builtin_ctzll(fits);
    }
    return -1;
}

/* Follows deals of a node until one leads somewhere at no more cost. */
static bool follow_next(Search *search, uint32_t at)
{
    Step step;
    if (!start_step(search, &step, at) || !put_on_stack(search, at)) /* below what it leads to */
        return false;
    step.most = search->cost;
    uint32_t top = search->stacked;
    int deal = next_deal(search, &step, search->node[at].next_deal);
    while (deal >= 0 && search->stacked == top) {
        if (!follow_deal(search, &step, deal))
            return false;
        deal = next_deal(search, &step, deal + 1);
    }
    Node *node = &search->node[at];
    node->later = step.later;
    if (deal >= 0) {
        node->next_deal = (uint16_t)deal;
        return true;
    }
    node->stage = PUT_OFF;
    node->next_deal = 0;
    if (search->stacked == top)
        search->stacked--;
    return node->later >= search->cutoff ||
           heap_push(&search->heap, &search->arena, node->later, at);
}

/* Follows what was put off and now costs no more than anything else, and a little beyond: each time
 * twice as far. */
static bool follow_rest(Search *search, uint32_t at)
{
    Node *node = &search->node[at];
    Step step;
    if (!start_step(search, &step, at))
        return false;
    int times = node->next_deal++;
    int64_t most = times < 8 ? search->cost + (search->mean << times) : NEVER;
    step.most = most < search->cutoff ? most : search->cutoff - 1;
    step.later = NEVER;
    for (int deal = next_deal(search, &step, 0); deal >= 0 && !search->goal;
         deal = next_deal(search, &step, deal + 1))
        if (!follow_deal(search, &step, deal))
            return false;
    search->node[at].later = step.later;
    return step.later >= search->cutoff || heap_push(&search->heap, &search->arena, step.later, at);
}

/* Brings the bound of a node up to date; whether the node still is the first to look at. */
static bool is_still_first(Search *search, uint32_t at, bool *ok)
{
    Node *node = &search->node[at];
    if (node->level < search->level) {
        int64_t ahead = bound_of(search, node->key);
        node->level = (uint16_t)search->level;
        if (ahead > node->ahead) {
            node->ahead = ahead;
            if (ahead == NEVER)
                node->stage = DONE;
            else
                *ok = put_open(search, at);
            return false;
        }
    }
    return node->loss + node->ahead <= search->cost; /* else it waits elsewhere */
}

/* False when the search has to stop. */
static bool keep_pace(Search *search)
{
    Pace now = pace(&search->limit, search->expanded);
    if (now == HURRY)
        search->cost = search->willing =
            search->proven + willing_to_lose(&search->limit, search->total);
    return now != STOP;
}

/* Takes a node that costs no more than any other, unless another beats it. */
static CoverStatus visit(Search *search, uint32_t at)
{
    /* How long to go on before a bound, or a better one, is worth its time. */
    static const uint64_t PATIENCE[] = {FIRST_PATIENCE, 1024, 8192, UINT64_MAX};
    Node *node = &search->node[at];
    node->worth = worth_of(node->key);
    if (is_dominated(search, node)) {
        node->stage = DONE;
        return COVER_EXACT;
    }
    if (!keep_pace(search))
        return COVER_STOPPED;
    node->stage = FOLLOWING;
    if (node->earlier == UNLISTED) {
        uint32_t *latest = &search->latest[node->key >> NUMBER_SHIFT & 15];
        node->earlier = *latest;
        *latest = at + 1;
    }
    if (++search->expanded >= PATIENCE[search->level] && !improve_bound(search))
        return COVER_NO_MEMORY;
    return COVER_EXACT;
}

/* Finds the cheapest way through all numbers: the goal is set if one costs less than the cutoff. In
 * a hurry there may be a goal that is not the cheapest. */
static CoverStatus walk(Search *search, bool needs_run, int64_t cutoff)
{
    search->nodes = search->stacked = search->heap.count = search->heap.turn = search->goal = 0;
    search->cost = search->proven = search->willing = 0;
    search->limit = limit_of(search->problem);
    search->needs_run = needs_run;
    memset(search->latest, 0, sizeof search->latest);
    search->cutoff = cutoff;
    memset(search->slot, 0, sizeof(uint32_t) * search->slots);
    Step none = {.most = NEVER};
    bool ok = offer(search, &none, (uint32_t)search->jokers << JOKER_SHIFT, 0, 0, 0);
    uint32_t at;
    while (ok && !search->goal && next_open(search, &at)) {
        Node *node = &search->node[at];
        if (node->stage == NEW) {
            if (!is_still_first(search, at, &ok))
                continue;
            if ((node->key >> NUMBER_SHIFT & 15) == HIGHEST) {
                if (!needs_run || node->key >> RUN_SHIFT)
                    search->goal = at + 1;
                continue;
            }
            CoverStatus status = visit(search, at);
            if (status != COVER_EXACT)
                return status;
        }
        if (node->stage == FOLLOWING)
            ok = follow_next(search, at);
        else if (node->stage == PUT_OFF && node->later <= search->cost)
            ok = follow_rest(search, at);
    }
    if (!ok || search->arena.out_of_memory)
        return COVER_NO_MEMORY;
    if (!search->goal)
        return COVER_NONE;
    int64_t loss = search->node[search->goal - 1].loss;
    if (loss >= cutoff) { /* in a hurry */
        search->goal = 0;
        return COVER_STOPPED;
    }
    return loss <= search->proven ? COVER_EXACT : COVER_STOPPED;
}

#endif
