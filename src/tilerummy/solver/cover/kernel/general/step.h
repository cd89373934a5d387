/* A step: one way to deal with the tiles of one number, while it is made. */
#ifndef TILERUMMY_GENERAL_STEP_H
#define TILERUMMY_GENERAL_STEP_H

#include "search.h"

/* A mirror group: `both` colours show a tile on both sides, `left` only on the right, and so on. */
typedef struct {
    uint8_t colours_both, colours_left, colours_right; /* masks; a joker faces the tile */
    uint8_t zero;                                      /* slots with jokers on both sides */
    uint8_t doubles_left, doubles_right;
} MirrorGroup;

/* One way to deal with one number: choices so far, and what comes of them. */
typedef struct {
    Search *search;
    uint32_t parent;
    int number;
    const Row *rows;
    int count;
    int64_t level; /* make the successors of at most this additional loss */
    int64_t made;  /* those of at most this were made before */
    int64_t next;  /* the least additional loss seen beyond it */
    int64_t extra;
    int32_t value;
    bool busy[COLOURS];        /* tiles of the colour lie in groups or on the rack */
    int quota[COLOURS];        /* numbered tiles for runs and mirror runs: all are taken */
    int taken[COLOURS];        /* of them so far */
    int closed[COLOURS];       /* runs that could have gone on */
    int stood[COLOURS];        /* J in runs of the colour */
    bool short_stood[COLOURS]; /* J in a run of fewer than three tiles */
    int pairs;                 /* open ones; they come first */
    int runs[COLOURS];         /* open ones that are not covered */
    int shorts[COLOURS];       /* of them those that must go on */
    int used[KINDS];
    int in_groups[COLOURS];
    int group_j, group_d;
    /* What was done, for the replay. */
    int open;
    Row out[MOST_OPEN];
    uint8_t source[MOST_OPEN];  /* which row it was; NO_FACE = new */
    uint8_t tile[MOST_OPEN][2]; /* what each half took; NO_FACE = nothing */
    bool turned[MOST_OPEN];
    uint8_t order[MOST_OPEN]; /* after `tidy`: which of `out` each kept row is */
    uint8_t mirror_groups;
    MirrorGroup mirror_group[MOST_COPIES];
    /* The replay looks for one successor. */
    uint32_t wanted;
    bool found;
} Step;

static inline int joker_left(const Step *step, int kind)
{
    return step->search->jokers[kind] - step->used[kind];
}

static inline bool run_complete(const Search *search, const Run *run)
{
    return (run->stage == THREE || run->stage == BEYOND) && !run->covered && !run->led &&
           !(search->ordered && run->change) && run->naturals >= search->problem->min_natural;
}

static inline bool pair_complete(const Search *search, const Pair *pair)
{
    const Problem *problem = search->problem;
    return !pair->half[0].covered && !pair->half[1].covered &&
           pair->slots >= problem->mirror_min_side && pair->naturals >= problem->min_natural;
}

static bool too_dear(Step *step)
{
    if (step->extra <= step->level)
        return false;
    if (step->extra < step->next)
        step->next = step->extra;
    return true;
}

static inline void put_row(Step *step, Row row, int source, int tile, int other, bool turned)
{
    int at = step->open++;
    step->out[at] = row;
    step->source[at] = (uint8_t)source;
    step->tile[at][0] = (uint8_t)tile;
    step->tile[at][1] = (uint8_t)other;
    step->turned[at] = turned;
}

/* Take or give back one tile at this number; for a double also the slot at the next. */
static bool take(Step *step, int tile, int sign)
{
    const Problem *problem = step->search->problem;
    int n = step->number;
    if (tile == NO_FACE)
        return true;
    if (tile < NUMBERED) {
        step->taken[tile / HIGHEST] += sign;
        step->value += sign * n;
        return true;
    }
    step->used[tile - JOKER] += sign;
    if (tile == MIRROR)
        return true;
    int slots = tile == DOUBLE ? 2 : 1, points = tile == DOUBLE ? 2 * n + 1 : n;
    step->extra += sign * problem->stand * (HIGHEST * slots - points);
    step->value += sign * points;
    return sign < 0 || !too_dear(step);
}

static bool available(const Step *step, int tile, int last)
{
    if (tile < NUMBERED)
        return step->taken[tile / HIGHEST] < step->quota[tile / HIGHEST];
    if (tile == DOUBLE && step->number + 1 > last)
        return false;
    return joker_left(step, tile - JOKER) > 0;
}

/* Each of these makes one kind of choice and calls the next, down to `emit`, which takes the
 * successor. They call each other across files, in this order. */
static void share_out(Step *step, int colour, int jokers);
static void deal_with_pairs(Step *step, int at);
static void open_pairs(Step *step, int floor);
static void deal_with_runs(Step *step, int at, int colour, int floor);
static void open_joker_runs(Step *step, int floor);
static void go_on(Step *step, int source, int choice);
static void emit(Step *step);
static void explore(Search *search, uint32_t name, int64_t least_loss);

#endif
