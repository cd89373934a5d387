/* Runs at one number: open ones go on or end, new ones begin. */
#ifndef TILERUMMY_GENERAL_RUNS_H
#define TILERUMMY_GENERAL_RUNS_H

#include "../numbers.h"
#include "step.h"

/* A leading joker can go to the end of its run, where it stands for more, unless the run would pass
 * 13: a run that begins with J or C ends at 13, one that begins with D at 12 or 13. */
enum { LED_TO = HIGHEST - 1 };

/* What the next row does with a tile: the run afterwards. False if lean mode can do without. */
static bool grow_run(const Search *search, Run *run, int tile, int number)
{
    bool joker = tile >= JOKER;
    run->covered = tile == DOUBLE;
    run->change = tile == CHANGE ? TILE_FOLLOWS : 0;
    if (number + run->covered >= LED_TO)
        run->led = 0;
    if (!joker)
        run->naturals = (uint8_t)least(run->naturals + 1, search->problem->min_natural);
    if (joker && search->count_jokers && ++run->jokers > search->problem->max_jokers)
        return false;
    if (!search->lean) {
        run->stage = (uint8_t)least(run->stage + 1, THREE);
        return true;
    }
    switch (run->stage) {
    case THREE:
        run->stage = joker ? BRIDGE : THREE;
        return true;
    case BRIDGE:
        run->stage = joker ? BRIDGE : BEYOND;
        return true;
    case BEYOND:
        run->stage = DONE;
        return !joker;
    default:
        run->stage++;
        return run->stage < THREE || run->naturals > 0; /* at least one tile among three */
    }
}

enum { NEW_PAIR = 64 };

/* Lay a tile to a run, leave the run as `grown`, and go on with the next row. */
static void lay(Step *step, const Run *grown, int source, int tile, int choice)
{
    int open = step->open;
    if (take(step, tile, 1)) {
        put_row(step, pack_run(grown), source, tile, NO_FACE, false);
        go_on(step, source, choice);
        if (step->found)
            return;
        step->open = open;
    }
    take(step, tile, -1);
}

/* A colour change, with what follows it. */
static void lay_change(Step *step, const Run *run, Run grown, int source, int choice)
{
    const Search *search = step->search;
    bool any = run->stage == 0 || run->change == CHANGE_FOLLOWS;
    if (!search->ordered) {
        for (int other = 0; other < COLOURS && !step->found; other++) {
            if (!any && other == run->colour)
                continue;
            grown.colour = (uint8_t)other;
            lay(step, &grown, source, CHANGE, choice);
        }
        return;
    }
    for (int other = 0; other < COLOURS && !step->found; other++) {
        if (!any && other == run->colour)
            continue;
        if (!stock_at(search, other, step->number + 1))
            continue;
        grown.colour = (uint8_t)other;
        lay(step, &grown, source, CHANGE, choice);
    }
    grown.colour = run->colour;
    if (joker_left(step, C) >= 2 && step->number < HIGHEST && !step->found) {
        grown.change = CHANGE_FOLLOWS;
        lay(step, &grown, source, CHANGE, choice);
    }
    grown.change = 0;
    if (run_complete(search, &grown) && !step->found) {
        grown.stage = DONE;
        lay(step, &grown, source, CHANGE, choice);
    }
}

/* Whether lean mode can do without this joker in a run. */
static bool idle_joker(const Step *step, const Run *run, const Run *grown, int tile)
{
    const Search *search = step->search;
    int c = run->colour, n = step->number;
    /* Remark 4; the same holds for tiles that another run takes after this one. */
    if (tile == JOKER && (step->busy[c] || step->taken[c] < step->quota[c]))
        return true;
    if (grown->stage != BRIDGE || tile == CHANGE)
        return false;
    int singles = joker_left(step, J) + joker_left(step, D) + joker_left(step, C);
    return !stock_at(search, c, n + (tile == DOUBLE ? 2 : 1)) && singles < 2;
}

/* Give a tile to an open run (or open one: source NO_FACE), then go on with the next row. */
static void extend_run(Step *step, Run run, int source, int tile, int choice)
{
    const Search *search = step->search;
    int colour = run.colour;
    bool short_stood = step->short_stood[colour];
    if (!available(step, tile, HIGHEST))
        return;
    if (run.change && search->ordered) {
        if (tile >= JOKER ? tile != CHANGE : run.change == CHANGE_FOLLOWS)
            return;
    } else if (run.change && tile == CHANGE) {
        return;
    }
    Run grown = run;
    if (!grow_run(search, &grown, tile, step->number))
        return;
    if (search->lean && tile >= JOKER && idle_joker(step, &run, &grown, tile))
        return;
    if (tile == JOKER) {
        step->stood[colour]++;
        if (run.stage < THREE)
            step->short_stood[colour] = true;
    }
    if (tile == CHANGE)
        lay_change(step, &run, grown, source, choice);
    else
        lay(step, &grown, source, tile, choice);
    if (step->found)
        return;
    if (tile == JOKER) {
        step->stood[colour]--;
        step->short_stood[colour] = short_stood;
    }
}

/* After a row that was open, or new (source NO_FACE; `choice` says of which kind): the next. */
static void go_on(Step *step, int source, int choice)
{
    if (step->wanted == NONE && must_stop(&step->search->limit)) {
        step->search->stopped = step->found = true;
        return;
    }
    if (source < step->pairs) {
        deal_with_pairs(step, source + 1);
    } else if (source < step->count) {
        bool same = source + 1 < step->count && step->rows[source + 1] == step->rows[source];
        deal_with_runs(step, source + 1, (int)(step->rows[source] >> 29 & 3), same ? choice : 0);
    } else if (choice < NEW_PAIR) {
        open_joker_runs(step, choice);
    } else {
        open_pairs(step, choice - NEW_PAIR);
    }
}

/* Choices for a run, in the order in which equal runs must take them. */
enum { BY_TILE, CLOSE, BY_JOKER, BY_DOUBLE, BY_CHANGE };

static void deal_with_run(Step *step, int at, int floor)
{
    const Search *search = step->search;
    Run run = unpack_run(step->rows[at]);
    int c = run.colour, tile = face_at(c, step->number);
    bool complete = run_complete(search, &run);
    if (run.covered) {
        run.covered = 0;
        put_row(step, pack_run(&run), at, NO_FACE, NO_FACE, false);
        go_on(step, at, 0);
        if (!step->found)
            step->open--;
        return;
    }
    /* A J and a tile for two runs of one colour: the shorter run takes the tile, so that a run of
     * three or more with its tile bars a J in a shorter one. */
    bool barred = step->short_stood[c] && complete && search->joinable;
    if (floor <= BY_TILE && !barred)
        extend_run(step, run, at, tile, BY_TILE);
    if (step->found)
        return;
    if (complete && floor <= CLOSE) {
        step->closed[c]++;
        go_on(step, at, CLOSE);
        if (step->found)
            return;
        step->closed[c]--;
    }
    if (floor <= BY_JOKER)
        extend_run(step, run, at, JOKER, BY_JOKER);
    if (step->found)
        return;
    if (floor <= BY_DOUBLE)
        extend_run(step, run, at, DOUBLE, BY_DOUBLE);
    if (step->found)
        return;
    extend_run(step, run, at, CHANGE, BY_CHANGE);
}

/* The open runs of a colour, then new ones with what is left of its quota. None may begin where
 * another run of the colour ends: they would be one run, which is never worse than two unless
 * jokers are counted. */
static void deal_with_runs(Step *step, int at, int colour, int floor)
{
    const Search *search = step->search;
    if (colour == COLOURS) {
        open_joker_runs(step, 0);
        return;
    }
    if (at < step->count && (int)(step->rows[at] >> 29 & 3) == colour) {
        deal_with_run(step, at, floor);
        return;
    }
    int begins = step->quota[colour] - step->taken[colour], open = step->open;
    if (begins && (step->number > HIGHEST - 2 || (search->joinable && step->closed[colour])))
        return;
    int tile = face_at(colour, step->number);
    Run run = {.colour = (uint8_t)colour};
    grow_run(search, &run, tile, step->number);
    for (int i = 0; i < begins; i++) {
        take(step, tile, 1);
        put_row(step, pack_run(&run), NO_FACE, tile, NO_FACE, false);
    }
    deal_with_runs(step, at, colour + 1, 0);
    if (step->found)
        return;
    for (int i = 0; i < begins; i++)
        take(step, tile, -1);
    step->open = open;
}

/* Whether a run that a joker begins can go on to the end of the board. */
static bool can_lead(const Step *step, int colour)
{
    int slots = joker_left(step, J) + 2 * joker_left(step, D) + joker_left(step, C), gaps = 0;
    if (joker_left(step, C))
        return true;
    for (int number = step->number + 1; number <= LED_TO; number++)
        gaps += !stock_at(step->search, colour, number);
    return gaps < slots;
}

/* Runs that begin with a joker: 12 choices of a kind and the colour of what follows it. In lean
 * mode only where the joker could not as well go to the end of three tiles (remarks 1 and 3). */
static void open_joker_runs(Step *step, int floor)
{
    const Search *search = step->search;
    emit(step);
    if (step->found)
        return;
    for (int choice = floor; choice < 3 * COLOURS; choice++) {
        int kind = choice / COLOURS;
        if (!joker_left(step, kind))
            continue;
        if (search->lean && step->number < (kind == D ? 8 : 10))
            continue;
        if (kind == C && choice % COLOURS)
            break; /* it picks the colour itself */
        Run run = {.colour = (uint8_t)(choice % COLOURS)};
        if (!search->lean && (kind != C || search->ordered)) {
            if (!can_lead(step, run.colour))
                continue;
            run.led = 1;
        }
        extend_run(step, run, NO_FACE, JOKER + kind, choice);
        if (step->found)
            return;
    }
}

#endif
