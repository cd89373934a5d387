/* `turn`: the best turn of an opened player, with the very tiles that were given. */
#ifndef TILERUMMY_BINDING_TURN_H
#define TILERUMMY_BINDING_TURN_H

#include "table.h"

static int read_plan(PyObject *packed, Plan *plan, Problem *problem)
{
    if (!PyBytes_Check(packed) || PyBytes_GET_SIZE(packed) != sizeof(Plan)) {
        PyErr_SetString(PyExc_ValueError, "turn: a packed plan expected");
        return -1;
    }
    memcpy(plan, PyBytes_AS_STRING(packed), sizeof(Plan));
    memcpy(problem->weight, plan->weight, sizeof plan->weight);
    problem->stand = plan->stand;
    problem->floor = plan->floor;
    problem->min_natural = plan->min_natural;
    problem->max_jokers = plan->max_jokers;
    problem->mirror_min_side = plan->mirror_min_side;
    problem->mirror_last = plan->mirror_last;
    problem->mirror_c_needs_c = plan->mirror_c_needs_c;
    problem->adjacent_c = plan->adjacent_c;
    return check_weights(problem->weight);
}

static long long points_played(const Plan *plan, const Table *table, const uint8_t must[FACES])
{
    long long points = 0;
    for (int face = 0; face < FACES; face++)
        points += plan->points[face] * (table->taken[face] - must[face]);
    return points;
}

/* The fields of a turn; `given` is the table as it was. */
static PyObject *build_turn(const Plan *plan, const Problem *problem, Table *table,
                            const Cover *cover, const int16_t old_of[MOST_ROWS],
                            const Laying *laying, PyObject *given, int exact, uint64_t nodes)
{
    set_kept_aside(table);
    PyObject *rows = build_table(table, cover, old_of, laying, problem->must);
    PyObject *played = rows ? build_played(table, problem->must) : NULL;
    if (!played) {
        Py_XDECREF(rows);
        return NULL;
    }
    int kept = count_kept(table);
    if (PyTuple_GET_SIZE(played) == 0) { /* to play nothing leaves the table alone */
        Py_SETREF(rows, Py_NewRef(given));
        kept = table->rows;
    }
    PyObject *fields[TURN_SIZE] = {
        [IN_TURN_tiles] = PyLong_FromSsize_t(PyTuple_GET_SIZE(played)),
        [IN_TURN_value] = PyLong_FromLongLong(points_played(plan, table, problem->must)),
        [IN_TURN_played] = played,
        [IN_TURN_table] = rows,
        [IN_TURN_rows_kept] = PyLong_FromLong(kept),
        [IN_TURN_exact] = PyBool_FromLong(exact),
        [IN_TURN_tidiest] = PyBool_FromLong(exact && kept == table->rows),
        [IN_TURN_nodes] = PyLong_FromUnsignedLongLong(nodes),
        [IN_TURN_declared] = PyDict_New(),
    };
    return build_tuple(fields, TURN_SIZE);
}

static PyObject *find_turn(PyObject *packed, PyObject *given, PyObject *rack, PyObject *watch,
                           uint64_t node_limit, int64_t deadline)
{
    Plan plan;
    Problem problem;
    Cover cover;
    Table table;
    int16_t old_of[MOST_ROWS];
    memset(problem.must, 0, sizeof problem.must);
    memset(problem.may, 0, sizeof problem.may);
    memset(table.count, 0, sizeof table.count);
    problem.below = 0;
    problem.node_limit = node_limit;
    problem.deadline = deadline;
    if (read_plan(packed, &plan, &problem) || read_table(given, &table, problem.must) ||
        read_rack(rack, &table, problem.may))
        return NULL;

    int status = run(&problem, is_plain(&problem), &cover);
    if (status < 0)
        return NULL;
    if (status == COVER_NONE || cover.loss < 0)
        Py_RETURN_NONE;
    uint64_t nodes = cover.nodes;
    int exact = status == COVER_EXACT;
    if (match_rows(&table, &cover, old_of) < table.jokers && plan.bound) {
        Cover free = cover;
        int free_status = status;
        status = solve_around_jokers(&problem, &table, nodes, &cover);
        if (status < 0)
            return NULL;
        if (status == COVER_NONE || cover.loss != free.loss) {
            int clear = watch == Py_None ? 0 : is_unwatched(&table, &free, old_of, watch);
            if (clear < 0)
                return NULL;
            if (clear) {
                Laying laying;
                lay_together(&table, &free, old_of, &laying);
                if (status != COVER_NONE)
                    nodes += cover.nodes;
                return build_turn(&plan, &problem, &table, &free, old_of, &laying, given, exact,
                                  nodes);
            }
            PyObject *covers[] = {build_cover(&free, free_status), build_cover(&cover, status)};
            return build_tuple(covers, 2);
        }
        nodes += cover.nodes;
        exact = exact && status == COVER_EXACT;
        match_rows(&table, &cover, old_of);
    }
    return build_turn(&plan, &problem, &table, &cover, old_of, NULL, given, exact, nodes);
}

PyDoc_STRVAR(
    turn_doc,
    "turn(plan, table, rack, node_limit, nanoseconds, watch=None)\n--\n\n"
    "The best turn of an opened player: the fields of a Solution, with the very tiles\n"
    "that were given and the rows that stay first; None where there is no answer. Where\n"
    "rules bind the jokers of the table and may matter here, the answer is (cover,\n"
    "around): two covers as from `cover`, without those rules, and with the rows that hold\n"
    "jokers left alone (None if that cannot be). `watch(row)` says of a row of the table\n"
    "which sets of faces, one bit each, may break a rule if a new row with a joker holds one\n"
    "of them, None if that cannot be said: a turn without such a row is the answer.");

static PyObject *py_turn(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    if (count != 5 && count != 6) {
        PyErr_SetString(PyExc_TypeError, "turn: plan, table, rack, two limits, watch expected");
        return NULL;
    }
    uint64_t node_limit = PyLong_AsUnsignedLongLong(args[3]);
    int64_t deadline = PyErr_Occurred() ? 0 : deadline_in(PyLong_AsLongLong(args[4]));
    if (PyErr_Occurred())
        return NULL;
    return find_turn(args[0], args[1], args[2], count > 5 ? args[5] : Py_None, node_limit, deadline);
}

#endif
