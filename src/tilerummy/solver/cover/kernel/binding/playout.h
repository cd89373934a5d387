/* `playout`: the turns of a game, one after another, while there are tiles in the pool. */
#ifndef TILERUMMY_BINDING_PLAYOUT_H
#define TILERUMMY_BINDING_PLAYOUT_H

#include "seat.h"

/* The rack without the tiles that were played, in its order. */
static PyObject *rack_without(PyObject *rack, PyObject *played)
{
    Py_ssize_t size = 0, tiles = PyTuple_GET_SIZE(rack);
    PyObject *left = PyTuple_New(tiles);
    for (Py_ssize_t i = 0; left && i < tiles; i++) {
        PyObject *tile = PyTuple_GET_ITEM(rack, i);
        int found = PySequence_Contains(played, tile);
        if (found < 0)
            Py_CLEAR(left);
        else if (!found)
            PyTuple_SET_ITEM(left, size++, Py_NewRef(tile));
    }
    if (left)
        _PyTuple_Resize(&left, size);
    return left;
}

/* The order of `rules.tiles.sorted_tiles`: by face, then by copy. */
static long rank_of(PyObject *tile)
{
    long number = PyLong_AsLong(tile);
    return number % FACES * MOST_COPIES + number / FACES;
}

/* The rack with one more tile, sorted. */
static PyObject *rack_with(PyObject *rack, PyObject *drawn)
{
    Py_ssize_t tiles = PyTuple_GET_SIZE(rack);
    PyObject *sorted = PyTuple_New(tiles + 1);
    for (Py_ssize_t i = 0; sorted && i <= tiles; i++) {
        PyObject *tile = i < tiles ? PyTuple_GET_ITEM(rack, i) : drawn;
        Py_ssize_t at = i;
        for (; at > 0 && rank_of(PyTuple_GET_ITEM(sorted, at - 1)) > rank_of(tile); at--)
            PyTuple_SET_ITEM(sorted, at, PyTuple_GET_ITEM(sorted, at - 1));
        PyTuple_SET_ITEM(sorted, at, Py_NewRef(tile));
    }
    return sorted;
}

static int play(Playout *playout, int seat, PyObject *turn)
{
    PyObject *rack = rack_without(playout->rack[seat], PyTuple_GET_ITEM(turn, IN_TURN_played));
    if (!rack)
        return -1;
    Py_SETREF(playout->rack[seat], rack);
    Py_SETREF(playout->table, Py_NewRef(PyTuple_GET_ITEM(turn, IN_TURN_table)));
    playout->opened[seat] = 1;
    playout->missed[seat] = NOTHING_MISSED;
    playout->version++;
    return 0;
}

static int draw(Playout *playout, int seat)
{
    PyObject *tile = PyTuple_GET_ITEM(playout->pool, --playout->left);
    int face = read_tile(tile);
    PyObject *rack = face < 0 ? NULL : rack_with(playout->rack[seat], tile);
    if (!rack)
        return -1;
    Py_SETREF(playout->rack[seat], rack);
    playout->drawn[seat] = face;
    return 0;
}

/* One turn of the seat that is to move. */
static int take_turn(Playout *playout)
{
    int seat = playout->current;
    Py_ssize_t rack = PyTuple_GET_SIZE(playout->rack[seat]);
    Py_ssize_t wanted = playout->least[seat] < rack ? playout->least[seat] : rack;
    PyObject *turn = NULL;
    int may = may_have_gained(playout, seat);
    if (may > 0) {
        playout->missed[seat] = NOTHING_MISSED;
        turn = playout->opened[seat] ? turn_of_opened(playout, seat, wanted)
                                     : turn_of_unopened(playout, seat);
        if (turn == Py_None && playout->missed[seat] == NOTHING_MISSED)
            playout->missed[seat] = playout->version;
    }
    if (may < 0 || (may > 0 && !turn))
        return -1;
    int failed = may && turn != Py_None ? play(playout, seat, turn) : draw(playout, seat);
    Py_XDECREF(turn);
    playout->current = (seat + playout->step + playout->seats) % playout->seats;
    playout->turns++;
    return failed ? -1 : PyErr_CheckSignals();
}

static int is_over(const Playout *playout)
{
    if (!playout->left || playout->turns == playout->most_turns || is_past(playout->deadline))
        return 1;
    for (int seat = 0; seat < playout->seats; seat++)
        if (PyTuple_GET_SIZE(playout->rack[seat]) == 0)
            return 1;
    return 0;
}

/* Reads what belongs to the seats: racks, opened, least. Returns -1 with an exception set. */
static int read_seats(Playout *playout, PyObject *racks, PyObject *opened, PyObject *least)
{
    playout->seats = (int)PyTuple_GET_SIZE(racks);
    if (playout->seats < 1 || playout->seats > MOST_SEATS ||
        PyTuple_GET_SIZE(opened) != playout->seats || PyTuple_GET_SIZE(least) != playout->seats ||
        playout->current < 0 || playout->current >= playout->seats) {
        PyErr_SetString(PyExc_ValueError, "playout: as many racks, opened and least as seats");
        return -1;
    }
    if (playout->step != 1 && playout->step != -1) {
        PyErr_SetString(PyExc_ValueError, "step: 1 or -1 expected");
        return -1;
    }
    for (int seat = 0; seat < playout->seats; seat++) {
        uint8_t count[FACES] = {0};
        playout->least[seat] = PyLong_AsLong(PyTuple_GET_ITEM(least, seat));
        playout->opened[seat] = PyObject_IsTrue(PyTuple_GET_ITEM(opened, seat));
        if (PyErr_Occurred() || count_faces(PyTuple_GET_ITEM(racks, seat), count))
            return -1;
        playout->opens_small[seat] = playout->least[seat] < 0;
        if (playout->opens_small[seat])
            playout->least[seat] = -playout->least[seat];
        if (playout->least[seat] < 1) {
            PyErr_SetString(PyExc_ValueError, "least: at least 1 tile expected");
            return -1;
        }
    }
    for (int seat = 0; seat < playout->seats; seat++)
        playout->rack[seat] = Py_NewRef(PyTuple_GET_ITEM(racks, seat));
    return 0;
}

static PyObject *build_state(const Playout *playout)
{
    PyObject *racks[MOST_SEATS], *opened[MOST_SEATS];
    for (int seat = 0; seat < playout->seats; seat++) {
        racks[seat] = Py_NewRef(playout->rack[seat]);
        opened[seat] = PyBool_FromLong(playout->opened[seat]);
    }
    PyObject *fields[PLAYOUT_SIZE] = {
        [IN_PLAYOUT_table] = Py_NewRef(playout->table),
        [IN_PLAYOUT_racks] = build_tuple(racks, (size_t)playout->seats),
        [IN_PLAYOUT_left] = PyLong_FromSsize_t(playout->left),
        [IN_PLAYOUT_opened] = build_tuple(opened, (size_t)playout->seats),
        [IN_PLAYOUT_current] = PyLong_FromLong(playout->current),
        [IN_PLAYOUT_turns] = PyLong_FromSsize_t(playout->turns),
        [IN_PLAYOUT_searches] = PyLong_FromSsize_t(playout->searches),
        [IN_PLAYOUT_calls] = PyLong_FromSsize_t(playout->calls),
    };
    return build_tuple(fields, PLAYOUT_SIZE);
}

PyDoc_STRVAR(
    playout_doc,
    "playout(plans, rules, opening, table, racks, pool, opened, current, step, least, "
    "most_turns, solve, node_limit, nanoseconds)\n--\n\n"
    "Play on until a rack or the pool is empty, or for `most_turns` turns (-1 for no limit):\n"
    "(table, racks, tiles left in the pool, opened, current seat, turns, searches, calls).\n"
    "`plans` are those of `turn`: of an opened player, of an opening without jokers, of the\n"
    "richest rows, of an opening with jokers. `opening` is (minimum, whether these plans find\n"
    "the best one, whether it may use the table, whether it may use jokers, whether one row\n"
    "has to reach the minimum).\n"
    "`solve(table, rack, opened, small, begun)` gives the turns that take more than the kernel;\n"
    "`small` is whether the seat opens with few tiles (a negative `least`), `begun` are the\n"
    "covers that `turn` has found, or None. A search that expands more than `node_limit` states\n"
    "(0 for no limit) gives what it has found; after so many nanoseconds (0 for no limit) the\n"
    "playout ends wherever it is.");

static PyObject *py_playout(PyObject *self, PyObject *args)
{
    Playout playout;
    PyObject *racks, *opened, *least, *state = NULL;
    unsigned long long node_limit;
    long long nanoseconds;
    (void)self;
    memset(&playout, 0, sizeof playout);
    if (!PyArg_ParseTuple(args, "(SSSS)O(ipppp)O!O!O!O!iiO!nOKL:playout", &playout.turn,
                          &playout.opening, &playout.richest, &playout.joker_opening,
                          &playout.rules, &playout.minimum, &playout.alone, &playout.with_table,
                          &playout.with_jokers, &playout.in_one_row, &PyTuple_Type, &playout.table,
                          &PyTuple_Type, &racks, &PyTuple_Type, &playout.pool, &PyTuple_Type,
                          &opened, &playout.current, &playout.step, &PyTuple_Type, &least,
                          &playout.most_turns, &playout.solve, &node_limit, &nanoseconds) ||
        read_seats(&playout, racks, opened, least))
        return NULL;
    Py_INCREF(playout.table);
    playout.left = PyTuple_GET_SIZE(playout.pool);
    playout.version = 1;
    playout.node_limit = node_limit;
    playout.deadline = deadline_in(nanoseconds);
    playout.no_table = PyTuple_New(0);
    int failed = !playout.no_table;
    while (!failed && !is_over(&playout))
        failed = take_turn(&playout);
    if (!failed)
        state = build_state(&playout);
    Py_XDECREF(playout.no_table);
    Py_DECREF(playout.table);
    for (int seat = 0; seat < playout.seats; seat++)
        Py_DECREF(playout.rack[seat]);
    return state;
}

#endif
