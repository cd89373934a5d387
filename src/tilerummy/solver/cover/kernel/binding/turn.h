/* `turn`: the best turn of an opened player, with the very tiles that were given. */
#ifndef TILERUMMY_BINDING_TURN_H
#define TILERUMMY_BINDING_TURN_H

#include "locks.h"

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

/* Reads (plan, table, rack): all turns of a player who has opened, without limits. */
static int read_position(PyObject *const *args, Plan *plan, Problem *problem, Table *table)
{
    memset(problem, 0, sizeof *problem);
    memset(table->count, 0, sizeof table->count);
    return read_plan(args[0], plan, problem) || read_table(args[1], table, problem->must) ||
           read_rack(args[2], table, problem->may);
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

/* The rules that bind jokers, as far as Python has to be asked. */
enum { IN_RULES_watch, IN_RULES_locks, IN_RULES_judge, RULES_SIZE };

static int are_rules(PyObject *rules)
{
    return PyTuple_Check(rules) && PyTuple_GET_SIZE(rules) == RULES_SIZE;
}

/* What is known of a turn for which rules may bind the jokers of the table. */
typedef struct {
    const Plan *plan;
    const Problem *problem;
    Table *table;
    Cover free, around; /* without these rules; with the rows that hold jokers left alone */
    int free_status, around_status;
    uint64_t nodes;          /* that both took */
    PyObject *given, *rules; /* the table as it was; see `turn` */
} Bound;

static PyObject *laid_turn(const Bound *bound, const Cover *cover, const int16_t old_of[MOST_ROWS],
                           const Laying *laying, int exact, uint64_t nodes)
{
    return build_turn(bound->plan, bound->problem, bound->table, cover, old_of, laying,
                      bound->given, exact, nodes);
}

/* The turn that a search has found. NULL without an exception: Python has to search. */
static PyObject *turn_of_search(const Bound *bound, const LockSearch *search, LockStatus status,
                                Cover *best)
{
    int16_t old_of[MOST_ROWS];
    Laying laying;
    uint64_t nodes = bound->nodes + search->nodes;
    if (status != FOUND && status != NOTHING)
        return NULL;
    const Cover *cover = status == FOUND ? best : &bound->around;
    match_rows(bound->table, cover, old_of);
    lay_together(bound->table, cover, old_of, &laying);
    if (status == NOTHING || keeps_locks(search, best, &laying))
        return laid_turn(bound, cover, old_of, &laying, 1, nodes);
    best->nodes = nodes;
    PyObject *covers[] = {build_cover(best, COVER_EXACT)};
    return build_tuple(covers, 1);
}

/* The turn where rows with jokers are locked; NULL as above. */
static PyObject *locked_turn(const Bound *bound)
{
    Cover best;
    LockSearch search = {.problem = bound->problem, .table = bound->table};
    PyObject *locks = PyTuple_GET_ITEM(bound->rules, IN_RULES_locks);
    if (locks == Py_None || bound->problem->node_limit || bound->around_status != COVER_EXACT)
        return NULL;
    search.below = bound->around.loss;
    LockStatus status = solve_locks(&search, &bound->free, locks, &best);
    PyObject *turn = turn_of_search(bound, &search, status, &best);
    end_search(&search);
    return turn;
}

/* The turn without the rules that bind jokers, if it keeps them as its tiles lie; NULL as above. */
static PyObject *judged_turn(const Bound *bound, const int16_t old_of[MOST_ROWS],
                             const Laying *laying)
{
    PyObject *judge = PyTuple_GET_ITEM(bound->rules, IN_RULES_judge);
    PyObject *turn = laid_turn(bound, &bound->free, old_of, laying,
                               bound->free_status == COVER_EXACT, bound->nodes);
    if (!turn)
        return NULL;
    PyObject *legal = PyObject_CallFunctionObjArgs(judge, bound->given,
                                                   PyTuple_GET_ITEM(turn, IN_TURN_table), NULL);
    int certain = legal ? PyObject_IsTrue(legal) : -1;
    Py_XDECREF(legal);
    if (certain <= 0)
        Py_CLEAR(turn);
    return turn;
}

/* The turn without the rules that bind jokers, if none of them objects; NULL as above. */
static PyObject *free_turn(const Bound *bound)
{
    int16_t old_of[MOST_ROWS];
    Laying laying;
    match_rows(bound->table, &bound->free, old_of);
    int clear = is_unwatched(bound->table, &bound->free, old_of,
                             PyTuple_GET_ITEM(bound->rules, IN_RULES_watch));
    if (clear < 0)
        return NULL;
    lay_together(bound->table, &bound->free, old_of, &laying);
    if (!clear)
        clear = jokers_survive(bound->table, &bound->free) &&
                leaves_jokers(bound->table, &bound->free, &laying);
    if (clear)
        return laid_turn(bound, &bound->free, old_of, &laying, bound->free_status == COVER_EXACT,
                         bound->nodes);
    if (PyTuple_GET_ITEM(bound->rules, IN_RULES_locks) != Py_None)
        return NULL;
    return judged_turn(bound, old_of, &laying);
}

/* The turn, or the covers from which Python goes on. */
static PyObject *bound_turn(const Bound *bound)
{
    PyObject *turn = NULL;
    if (bound->rules != Py_None) {
        turn = free_turn(bound);
        if (!turn && !PyErr_Occurred())
            turn = locked_turn(bound);
    }
    if (turn || PyErr_Occurred())
        return turn;
    PyObject *covers[] = {build_cover(&bound->free, bound->free_status),
                          build_cover(&bound->around, bound->around_status)};
    return build_tuple(covers, 2);
}

/* What the rows of a laid table are worth that consist of numbered tiles of the rack; -1 if a row
 * with a joker is new, or one of the table is not there any more. */
static int worth_from_rack(const Table *table, const Cover *cover, const int16_t old_of[MOST_ROWS],
                           const Laying *laying)
{
    int worth = 0, at = 0;
    for (int number = 0; number < table->rows; number++)
        if (table->row[number].has_joker && !table->row[number].kept)
            return -1;
    for (int32_t row = 0; row < cover->rows; at += cover->length[row++]) {
        int value = 0;
        for (int place = at; old_of[row] < 0 && place < at + cover->length[row]; place++) {
            if (cover->face[place] >= JOKER)
                return -1;
            value =
                value < 0 || laying->laid[place] ? -1 : value + cover->face[place] % HIGHEST + 1;
        }
        worth += value > 0 ? value : 0;
    }
    return worth;
}

/* `deadline` is a time, not a duration. */
static PyObject *find_opening_turn(PyObject *const position[3], long minimum, int64_t deadline)
{
    Plan plan;
    Problem problem;
    Cover cover;
    Table table;
    Laying laying;
    int16_t old_of[MOST_ROWS];
    if (read_position(position, &plan, &problem, &table))
        return NULL;
    problem.deadline = deadline;
    int status = run(&problem, is_plain(&problem), &cover);
    if (status < 0)
        return NULL;
    if (status != COVER_EXACT)
        Py_RETURN_NONE;
    match_rows(&table, &cover, old_of);
    lay_together(&table, &cover, old_of, &laying);
    if (worth_from_rack(&table, &cover, old_of, &laying) < minimum)
        Py_RETURN_NONE;
    return build_turn(&plan, &problem, &table, &cover, old_of, &laying, position[1], 1,
                      cover.nodes);
}

PyDoc_STRVAR(
    opening_turn_doc,
    "opening_turn(plan, table, rack, minimum, nanoseconds)\n--\n\n"
    "The best turn of a player who opens and goes on: the fields of a Solution, if rows of\n"
    "numbered tiles of the rack that lie in it reach the minimum, no other new row has a joker\n"
    "and the rows of the table that hold one are left alone. Otherwise None, which says nothing.");

static PyObject *py_opening_turn(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    if (count != 5) {
        PyErr_SetString(PyExc_TypeError, "opening_turn: plan, table, rack, two numbers expected");
        return NULL;
    }
    long minimum = PyLong_AsLong(args[3]);
    int64_t deadline = PyErr_Occurred() ? 0 : deadline_in(PyLong_AsLongLong(args[4]));
    return PyErr_Occurred() ? NULL : find_opening_turn(args, minimum, deadline);
}

static PyObject *find_turn(PyObject *const position[3], PyObject *rules, uint64_t node_limit,
                           int64_t deadline)
{
    Plan plan;
    Problem problem;
    Cover cover;
    Table table;
    int16_t old_of[MOST_ROWS];
    if (read_position(position, &plan, &problem, &table))
        return NULL;
    problem.node_limit = node_limit;
    problem.deadline = deadline;

    int status = run(&problem, is_plain(&problem), &cover);
    if (status < 0)
        return NULL;
    if (status == COVER_NONE || cover.loss < 0)
        Py_RETURN_NONE;
    uint64_t nodes = cover.nodes;
    int exact = status == COVER_EXACT;
    if (match_rows(&table, &cover, old_of) < table.jokers && plan.bound) {
        Bound bound = {.plan = &plan, .problem = &problem, .table = &table};
        bound.given = position[1];
        bound.rules = rules;
        bound.free = cover;
        bound.free_status = status;
        bound.around_status = solve_around_jokers(&problem, &table, nodes, &bound.around);
        if (bound.around_status < 0)
            return NULL;
        bound.nodes = nodes + (bound.around_status == COVER_NONE ? 0 : bound.around.nodes);
        if (bound.around_status == COVER_NONE || bound.around.loss != cover.loss)
            return bound_turn(&bound);
        cover = bound.around;
        nodes = bound.nodes;
        exact = exact && bound.around_status == COVER_EXACT;
        match_rows(&table, &cover, old_of);
    }
    return build_turn(&plan, &problem, &table, &cover, old_of, NULL, position[1], exact, nodes);
}

PyDoc_STRVAR(
    turn_doc,
    "turn(plan, table, rack, node_limit, nanoseconds, rules=None)\n--\n\n"
    "The best turn of an opened player: the fields of a Solution, with the very tiles\n"
    "that were given and the rows that stay first; None where there is no answer. Where\n"
    "rules bind the jokers of the table and may matter here, the answer is (cover,\n"
    "around): two covers as from `cover`, without those rules, and with the rows that hold\n"
    "jokers left alone (None if that cannot be).\n\n"
    "`rules` are (watch, locks, judge) and settle more turns. `watch(row)` says of a row of\n"
    "the table which sets of faces, one bit each, may break a rule if a new row with a joker\n"
    "holds one of them, None if that cannot be said: a turn without such a row is the answer,\n"
    "and one in which every row with jokers lies whole in a new row. `locks` are two mappings\n"
    "that say what may become of such a row (`turns/lock_data.py`) where that is all that\n"
    "binds them, or None. An answer (cover,) is then the best turn, of which the tiles have to\n"
    "be laid. `judge(before, after)` says of two tables whether the rules certainly allow the\n"
    "turn; it is asked where there are no `locks`.");

static PyObject *py_turn(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    PyObject *rules = count > 5 ? args[5] : Py_None;
    if (count < 5 || count > 6 || (rules != Py_None && !are_rules(rules))) {
        PyErr_SetString(PyExc_TypeError, "turn: plan, table, rack, two limits, rules expected");
        return NULL;
    }
    uint64_t node_limit = PyLong_AsUnsignedLongLong(args[3]);
    int64_t deadline = PyErr_Occurred() ? 0 : deadline_in(PyLong_AsLongLong(args[4]));
    if (PyErr_Occurred())
        return NULL;
    return find_turn(args, rules, node_limit, deadline);
}

#endif
