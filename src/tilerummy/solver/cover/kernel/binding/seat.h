/* The turn of one seat in a playout.
 *
 * What a seat does is one number (`least`): it opens as soon as it can, with few tiles if the number
 * is negative, then draws until it can lay so many tiles at once, or its whole rack. Each turn comes
 * from `turn`, so it is the one that the solver finds; where that needs Python, `solve` is called for
 * this one turn. Cheaper questions come first, and without a limit only those whose answer is certain:
 * could enough tiles lie in any row, did the seat draw anything that a row can hold since it found
 * nothing, and is so much possible without the rules that bind jokers?
 */
#ifndef TILERUMMY_BINDING_SEAT_H
#define TILERUMMY_BINDING_SEAT_H

#include "../prospects.h"
#include "turn.h"

enum { MOST_SEATS = 6 };
#define NOTHING_MISSED 0
#define MISSED_BY_RACK UINT32_MAX /* on any table: an opening that needs none */

typedef struct {
    PyObject *turn, *opening, *richest, *joker_opening; /* plans; borrowed, as are these: */
    PyObject *rules, *pool, *solve, *no_table;
    int minimum;    /* of an opening */
    int alone;      /* the plans find the best opening, without Python */
    int with_table; /* an opening may use the table in the same turn */
    int with_jokers;
    int in_one_row; /* it has to reach the minimum */
    int seats, step;
    Py_ssize_t most_turns; /* -1 = no limit */
    uint64_t node_limit;   /* of each search; 0 = none */
    int64_t deadline;      /* 0 = none */
    long least[MOST_SEATS];
    int opens_small[MOST_SEATS];

    PyObject *table, *rack[MOST_SEATS]; /* owned */
    int opened[MOST_SEATS];
    int current;
    Py_ssize_t left; /* tiles in the pool */
    Py_ssize_t turns;
    uint32_t version;            /* of the table, from 1 on */
    uint32_t missed[MOST_SEATS]; /* the version of the table with which a seat found nothing */
    int drawn[MOST_SEATS];       /* the face that it has drawn since then */
    Py_ssize_t searches, calls;  /* of the kernel and of `solve` */
} Playout;

static PyObject *ask(Playout *playout, PyObject *plan, PyObject *table, PyObject *rack)
{
    PyObject *const position[] = {plan, table, rack};
    playout->searches++;
    return find_turn(position, playout->rules, playout->node_limit, playout->deadline);
}

/* `begun` is what `turn` has found already: two covers, or None. */
static PyObject *call_solve(Playout *playout, int seat, PyObject *begun)
{
    PyObject *opened = playout->opened[seat] ? Py_True : Py_False;
    PyObject *small = playout->opens_small[seat] ? Py_True : Py_False;
    playout->calls++;
    PyObject *found = PyObject_CallFunctionObjArgs(
        playout->solve, playout->table, playout->rack[seat], opened, small, begun, NULL);
    if (found && (!PyTuple_Check(found) || PyTuple_GET_SIZE(found) != TURN_SIZE ||
                  !PyTuple_Check(PyTuple_GET_ITEM(found, IN_TURN_table)) ||
                  !PyTuple_Check(PyTuple_GET_ITEM(found, IN_TURN_played)))) {
        PyErr_SetString(PyExc_TypeError, "solve: a solution expected");
        Py_CLEAR(found);
    }
    return found;
}

/* How many tiles a turn plays; 0 for None. */
static Py_ssize_t tiles_of(PyObject *turn)
{
    return turn == Py_None ? 0 : PyTuple_GET_SIZE(PyTuple_GET_ITEM(turn, IN_TURN_played));
}

static long long value_of(PyObject *turn)
{
    return turn == Py_None ? 0 : PyLong_AsLongLong(PyTuple_GET_ITEM(turn, IN_TURN_value));
}

/* The turn, or None if it plays too few tiles. Takes the reference; passes NULL on. */
static PyObject *if_enough(PyObject *turn, Py_ssize_t wanted)
{
    if (turn && tiles_of(turn) < wanted)
        Py_SETREF(turn, Py_NewRef(Py_None));
    return turn;
}

static int count_faces(PyObject *row, uint8_t count[FACES])
{
    if (!PyTuple_Check(row)) {
        PyErr_SetString(PyExc_TypeError, "a row is a tuple of tiles");
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(row); i++) {
        int face = read_tile(PyTuple_GET_ITEM(row, i));
        if (face < 0)
            return -1;
        if (count[face]++ == MOST_COPIES) {
            PyErr_Format(PyExc_ValueError, "more than %d tiles of face %d", MOST_COPIES, face);
            return -1;
        }
    }
    return 0;
}

static int count_table(PyObject *table, uint8_t count[FACES])
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(table); i++)
        if (count_faces(PyTuple_GET_ITEM(table, i), count))
            return -1;
    return 0;
}

/* Cheap questions: 1 for perhaps, 0 for certainly not, -1 for an exception. */

/* Whether a seat that found nothing may do better with the tile that it drew: a turn that was not
 * there before has to play it. */
static int may_have_gained(Playout *playout, int seat)
{
    uint32_t missed = playout->missed[seat];
    uint8_t count[FACES] = {0};
    if (missed != playout->version && missed != MISSED_BY_RACK)
        return 1;
    if (missed != MISSED_BY_RACK && count_table(playout->table, count))
        return -1;
    if (count_faces(playout->rack[seat], count))
        return -1;
    return may_lie(count, playout->drawn[seat]);
}

/* Whether enough tiles of a rack could lie in rows, each looked at alone. */
static int may_lay(Playout *playout, int seat, Py_ssize_t wanted)
{
    uint8_t all[FACES] = {0}, rack[FACES] = {0};
    if (count_table(playout->table, all) || count_faces(playout->rack[seat], all) ||
        count_faces(playout->rack[seat], rack))
        return -1;
    return drop_hopeless(all, rack) >= wanted;
}

/* Whether a turn could lay enough tiles if no rules bound jokers: it loses no more than the rack
 * without the cheapest of its tiles. One that is not found within the limit is not there. */
static int may_lay_together(Playout *playout, int seat, Py_ssize_t wanted)
{
    Plan plan;
    Problem problem;
    Table table;
    Cover cover;
    int64_t weight[MOST_TILES], loss = 0;
    int tiles = 0;
    memset(problem.must, 0, sizeof problem.must);
    memset(problem.may, 0, sizeof problem.may);
    memset(table.count, 0, sizeof table.count);
    problem.node_limit = playout->node_limit;
    problem.deadline = playout->deadline;
    if (read_plan(playout->turn, &plan, &problem) ||
        read_table(playout->table, &table, problem.must) ||
        read_rack(playout->rack[seat], &table, problem.may))
        return -1;
    for (int face = 0; face < FACES; face++)
        for (int copy = 0; copy < problem.may[face]; copy++) {
            int at = tiles++;
            for (; at > 0 && weight[at - 1] > problem.weight[face]; at--)
                weight[at] = weight[at - 1];
            weight[at] = problem.weight[face];
        }
    for (int at = (int)wanted; at < tiles; at++)
        loss += weight[at];
    problem.below = loss + 1;
    playout->searches++;
    int status = run(&problem, is_plain(&problem), &cover);
    return status < 0 ? -1 : status != COVER_NONE && cover.loss >= 0;
}

/* How many tiles the first of some covers takes off a rack: with the joker rules it cannot be more.
 */
static Py_ssize_t tiles_of_cover(const Playout *playout, PyObject *covers)
{
    PyObject *rows = PyTuple_GET_ITEM(PyTuple_GET_ITEM(covers, 0), IN_COVER_rows);
    Py_ssize_t tiles = 0;
    for (Py_ssize_t row = 0; row < PyTuple_GET_SIZE(rows); row++)
        tiles += PyTuple_GET_SIZE(PyTuple_GET_ITEM(rows, row));
    for (Py_ssize_t row = 0; row < PyTuple_GET_SIZE(playout->table); row++)
        tiles -= PyTuple_GET_SIZE(PyTuple_GET_ITEM(playout->table, row));
    return tiles;
}

/* The turn of a seat that has opened, or None for too few tiles. */
static PyObject *turn_of_opened(Playout *playout, int seat, Py_ssize_t wanted)
{
    int may = may_lay(playout, seat, wanted);
    if (may > 0 && wanted > 1 && wanted == PyTuple_GET_SIZE(playout->rack[seat]))
        may = may_lay_together(playout, seat, wanted);
    if (may <= 0)
        return may < 0 ? NULL : Py_NewRef(Py_None);
    PyObject *found = ask(playout, playout->turn, playout->table, playout->rack[seat]);
    if (!found || (found != Py_None && PyTuple_GET_SIZE(found) == TURN_SIZE))
        return if_enough(found, wanted);
    if (found != Py_None && tiles_of_cover(playout, found) < wanted)
        Py_SETREF(found, Py_NewRef(Py_None));
    else
        Py_SETREF(found, call_solve(playout, seat, found));
    return if_enough(found, wanted);
}

static PyObject *without_jokers(PyObject *rack)
{
    Py_ssize_t size = 0;
    PyObject *kept = PyTuple_New(PyTuple_GET_SIZE(rack));
    for (Py_ssize_t i = 0; kept && i < PyTuple_GET_SIZE(rack); i++) {
        PyObject *tile = PyTuple_GET_ITEM(rack, i);
        int face = read_tile(tile);
        if (face < 0)
            Py_CLEAR(kept);
        else if (face < JOKER)
            PyTuple_SET_ITEM(kept, size++, Py_NewRef(tile));
    }
    if (kept)
        _PyTuple_Resize(&kept, size);
    return kept;
}

/* Whether the tiles of a rack that could lie in rows are worth the minimum together, and then,
 * where all jokers are regular ones, whether the richest rows with jokers worth 13 are. */
static int may_be_rich(Playout *playout, PyObject *rack, const uint8_t count[FACES])
{
    uint8_t all[FACES], left[FACES];
    int points = HIGHEST * count[JOKER];
    if (has_specials(count))
        return 1;
    memcpy(all, count, sizeof all);
    memcpy(left, count, sizeof left);
    if (!drop_hopeless(all, left))
        return 0;
    for (int face = 0; face < JOKER; face++)
        points += left[face] * (face % HIGHEST + 1);
    if (points < playout->minimum)
        return 0;
    PyObject *found = ask(playout, playout->richest, playout->no_table, rack);
    if (!found)
        return -1;
    long long value = value_of(found) + HIGHEST * count[JOKER];
    int rich = tiles_of(found) > 0 && value >= playout->minimum;
    Py_DECREF(found);
    return rich || (count[JOKER] && playout->minimum <= HIGHEST * count[JOKER]);
}

/* An opening from the rack alone, or None where there is none. It is the best one if the plans find
 * that and `best` is set. */
static PyObject *opening_of(Playout *playout, PyObject *rack, int *best)
{
    uint8_t count[FACES] = {0};
    int jokers = 0;
    if (count_faces(rack, count))
        return NULL;
    for (int face = JOKER; face < FACES; face++)
        jokers += count[face];
    int may = may_be_rich(playout, rack, count);
    if (may <= 0)
        return may < 0 ? NULL : Py_NewRef(Py_None);
    PyObject *plan = jokers ? playout->joker_opening : playout->opening;
    PyObject *found = if_enough(ask(playout, plan, playout->no_table, rack), 1);
    *best = playout->alone && found && (jokers || value_of(found) >= playout->minimum);
    return found;
}

/* Puts the table in front of the rows of an opening. Takes the reference. */
static PyObject *beside_table(const Playout *playout, PyObject *opening)
{
    PyObject *rows = PyTuple_GET_ITEM(opening, IN_TURN_table);
    PyObject *table = PySequence_Concat(playout->table, rows);
    PyTuple_SET_ITEM(opening, IN_TURN_table, table);
    Py_DECREF(rows);
    if (!table)
        Py_CLEAR(opening);
    return opening;
}

/* The best turn that opens and goes on, where that needs no search; else None. */
static PyObject *opening_that_goes_on(Playout *playout, int seat)
{
    if (playout->in_one_row || playout->opens_small[seat] || playout->node_limit)
        return Py_NewRef(Py_None);
    PyObject *const position[] = {playout->turn, playout->table, playout->rack[seat]};
    playout->searches++;
    return find_opening_turn(position, playout->minimum, playout->deadline);
}

/* The turn of a seat that has not opened, or None. */
static PyObject *turn_of_unopened(Playout *playout, int seat)
{
    if (playout->with_table && !playout->minimum)
        return if_enough(call_solve(playout, seat, Py_None), 1);
    PyObject *rack = playout->rack[seat];
    rack = playout->with_jokers ? Py_NewRef(rack) : without_jokers(rack);
    int best = 0;
    PyObject *found = rack ? opening_of(playout, rack, &best) : NULL;
    Py_XDECREF(rack);
    if (found == Py_None)
        playout->missed[seat] = MISSED_BY_RACK;
    if (!found || found == Py_None)
        return found;
    if (best && !playout->opens_small[seat])
        return beside_table(playout, found);
    Py_DECREF(found);
    found = playout->with_table ? opening_that_goes_on(playout, seat) : Py_NewRef(Py_None);
    if (found == Py_None)
        Py_SETREF(found, call_solve(playout, seat, Py_None));
    return if_enough(found, 1);
}

#endif
