/* The kernels as a Python module, `tilerummy.solver._kernel`.
 *
 * Both functions copy what they need, release the interpreter's lock while a kernel works, and
 * build the answer afterwards. Nothing is kept between calls.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>

#include "limit.h"
#include "problem.h"

enum { NO_LIMIT = 1 << 20 };
#define HEAVIEST ((int64_t)1 << 40) /* no sum of weights overflows */

static int read_counts(const Py_buffer *buffer, uint8_t counts[FACES], const char *name)
{
    if (buffer->len != FACES) {
        PyErr_Format(PyExc_ValueError, "%s: %d counts expected, one for each face", name, FACES);
        return -1;
    }
    memcpy(counts, buffer->buf, FACES);
    return 0;
}

static int check_weights(const int64_t weight[FACES])
{
    for (int face = 0; face < FACES; face++)
        if (weight[face] < 0 || weight[face] > HEAVIEST) {
            PyErr_SetString(PyExc_ValueError, "weights: a number from 0 to 2^40 expected");
            return -1;
        }
    return 0;
}

static int read_weights(const Py_buffer *buffer, int64_t weight[FACES])
{
    if (buffer->len != FACES * (Py_ssize_t)sizeof(int64_t)) {
        PyErr_Format(PyExc_ValueError, "weights: %d packed 64-bit numbers expected", FACES);
        return -1;
    }
    memcpy(weight, buffer->buf, FACES * sizeof(int64_t));
    return check_weights(weight);
}

static int read_grammar(PyObject *grammar, Problem *problem)
{
    int adjacent, needs_c;
    if (!PyArg_ParseTuple(grammar, "iiiipp;grammar: six options expected", &problem->min_natural,
                          &problem->max_jokers, &problem->mirror_min_side, &problem->mirror_last,
                          &needs_c, &adjacent))
        return -1;
    problem->mirror_c_needs_c = needs_c;
    problem->adjacent_c = adjacent;
    return 0;
}

/* No box holds more of a face, and the kernels count on it. */
static int check_copies(const Problem *problem)
{
    for (int face = 0; face < FACES; face++)
        if (problem->must[face] + problem->may[face] > MOST_COPIES) {
            PyErr_Format(PyExc_ValueError, "more than %d tiles of face %d", MOST_COPIES, face);
            return -1;
        }
    return 0;
}

static int is_plain(const Problem *problem)
{
    for (int face = DOUBLE; face <= MIRROR; face++)
        if (problem->must[face] || problem->may[face])
            return 0;
    return problem->min_natural == 1 && problem->max_jokers >= NO_LIMIT && !problem->stand &&
           !problem->floor;
}

/* Whether an answer uses all tiles of the table and no tile twice: what follows relies on it. */
static int uses_tiles_once(const Problem *problem, const Cover *cover)
{
    uint8_t used[FACES] = {0};
    int32_t tiles = 0;
    for (int32_t row = 0; row < cover->rows; row++)
        tiles += cover->length[row];
    for (int32_t i = 0; i < tiles; i++)
        used[cover->face[i]]++;
    for (int face = 0; face < FACES; face++)
        if (used[face] < problem->must[face] ||
            used[face] > problem->must[face] + problem->may[face])
            return 0;
    return tiles == cover->tiles;
}

/* Returns -1 with an exception set when a kernel failed. */
static int run(const Problem *problem, int plain, Cover *cover)
{
    CoverStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = plain ? plain_cover(problem, cover) : general_cover(problem, cover);
    Py_END_ALLOW_THREADS
    if (status == COVER_NO_MEMORY) {
        PyErr_NoMemory();
        return -1;
    }
    if (status != COVER_NONE && cover->loss >= 0 && !uses_tiles_once(problem, cover)) {
        PyErr_SetString(PyExc_SystemError, "the kernel returned a table that cannot be");
        return -1;
    }
    return (int)status;
}

static PyObject *build_rows(const Cover *cover)
{
    int32_t count = cover->loss < 0 ? 0 : cover->rows;
    PyObject *rows = PyTuple_New(count);
    if (!rows)
        return NULL;
    const uint8_t *face = cover->face;
    for (int32_t number = 0; number < count; number++) {
        PyObject *row = PyTuple_New(cover->length[number]);
        if (!row)
            goto fail;
        PyTuple_SET_ITEM(rows, number, row);
        for (int place = 0; place < cover->length[number]; place++) {
            PyObject *tile = PyLong_FromLong(*face++);
            if (!tile)
                goto fail;
            PyTuple_SET_ITEM(row, place, tile);
        }
    }
    return rows;
fail:
    Py_DECREF(rows);
    return NULL;
}

/* (loss, rows, nodes, exact), or None where there is no answer. */
static PyObject *build_cover(const Cover *cover, int status)
{
    if (status == COVER_NONE)
        Py_RETURN_NONE;
    PyObject *rows = build_rows(cover);
    if (!rows)
        return NULL;
    return Py_BuildValue("LNKN", (long long)cover->loss, rows, (unsigned long long)cover->nodes,
                         PyBool_FromLong(status == COVER_EXACT));
}

PyDoc_STRVAR(cover_doc,
             "cover(plain, must, may, weights, grammar, stand, floor, node_limit, nanoseconds)\n"
             "--\n\n"
             "Answer one covering problem: None, or (loss, rows, nodes, exact). A limit of 0 is\n"
             "none; a loss of -1 means that a limit was reached and no answer was at hand.");

static PyObject *py_cover(PyObject *self, PyObject *args)
{
    Problem problem;
    Cover cover;
    Py_buffer must, may, weights;
    PyObject *grammar, *answer = NULL;
    int plain;
    long long stand, nanoseconds;
    unsigned long long node_limit;
    (void)self;
    if (!PyArg_ParseTuple(args, "py*y*y*O!LiKL:cover", &plain, &must, &may, &weights,
                          &PyTuple_Type, &grammar, &stand, &problem.floor, &node_limit,
                          &nanoseconds))
        return NULL;
    problem.stand = stand;
    problem.node_limit = node_limit;
    problem.deadline = deadline_in(nanoseconds);
    if (stand < 0 || stand > HEAVIEST) {
        PyErr_SetString(PyExc_ValueError, "stand: a number from 0 to 2^40 expected");
        goto done;
    }
    if (read_counts(&must, problem.must, "must") || read_counts(&may, problem.may, "may") ||
        read_weights(&weights, problem.weight) || read_grammar(grammar, &problem) ||
        check_copies(&problem))
        goto done;
    if (plain && !is_plain(&problem)) {
        PyErr_SetString(PyExc_ValueError, "not a problem for the plain kernel");
        goto done;
    }
    int status = run(&problem, plain, &cover);
    if (status < 0)
        goto done;
    answer = build_cover(&cover, status);
done:
    PyBuffer_Release(&must);
    PyBuffer_Release(&may);
    PyBuffer_Release(&weights);
    return answer;
}

/* A row of the table as it was: its tuple, and what makes a new row equal to it. */
typedef struct {
    PyObject *tiles; /* borrowed */
    uint64_t faces;  /* one bit each */
    int length;
    int has_joker;
    int ordered; /* whether the places of its tiles matter */
    int kept;
    uint8_t face[2 * HIGHEST + 1];
} OldRow;

typedef struct {
    OldRow row[MOST_TILES];
    int rows;
    int jokers; /* rows that hold one */
    PyObject *tile[FACES][MOST_COPIES]; /* borrowed: those of the table first, then of the rack */
    uint8_t count[FACES];
    uint8_t taken[FACES];
} Table;

static int read_tile(PyObject *tile)
{
    long number = PyLong_AsLong(tile);
    if (number >= 0)
        return (int)(number % FACES);
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "a tile is a number from 0 on");
    return -1;
}

static int add_tile(Table *table, PyObject *tile, int face)
{
    if (table->count[face] == MOST_COPIES) {
        PyErr_Format(PyExc_ValueError, "more than %d tiles of face %d", MOST_COPIES, face);
        return -1;
    }
    table->tile[face][table->count[face]++] = tile;
    return 0;
}

/* Whether a row is a group for sure: two numbered tiles of one number, and no C or M. */
static int is_group(const OldRow *row)
{
    int number = 0, numbered = 0;
    for (int place = 0; place < row->length; place++) {
        int face = row->face[place];
        if (face == CHANGE || face == MIRROR)
            return 0;
        if (face >= JOKER)
            continue;
        if (numbered++ && face % HIGHEST != number)
            return 0;
        number = face % HIGHEST;
    }
    return numbered > 1;
}

static int read_row(PyObject *tiles, OldRow *row)
{
    Py_ssize_t length = PyTuple_Check(tiles) ? PyTuple_GET_SIZE(tiles) : 0;
    if (length < 3 || length > 2 * HIGHEST + 1) {
        PyErr_SetString(PyExc_ValueError, "a row of the table is a tuple of 3 to 27 tiles");
        return -1;
    }
    row->tiles = tiles;
    row->faces = 0;
    row->length = (int)length;
    row->has_joker = row->kept = 0;
    for (int place = 0; place < row->length; place++) {
        int face = read_tile(PyTuple_GET_ITEM(tiles, place));
        if (face < 0)
            return -1;
        row->face[place] = (uint8_t)face;
        row->faces |= (uint64_t)1 << face;
        row->has_joker |= face >= JOKER;
    }
    row->ordered = row->has_joker && !is_group(row);
    return 0;
}

static int read_table(PyObject *rows, Table *table, uint8_t must[FACES])
{
    if (!PyTuple_Check(rows) || PyTuple_GET_SIZE(rows) > MOST_TILES) {
        PyErr_SetString(PyExc_ValueError, "a table is a tuple of rows");
        return -1;
    }
    table->rows = (int)PyTuple_GET_SIZE(rows);
    table->jokers = 0;
    for (int number = 0; number < table->rows; number++) {
        OldRow *row = &table->row[number];
        if (read_row(PyTuple_GET_ITEM(rows, number), row))
            return -1;
        table->jokers += row->has_joker;
        for (int place = 0; place < row->length; place++) {
            if (add_tile(table, PyTuple_GET_ITEM(row->tiles, place), row->face[place]))
                return -1;
            must[row->face[place]]++;
        }
    }
    return 0;
}

static int read_rack(PyObject *rack, Table *table, uint8_t may[FACES])
{
    if (!PyTuple_Check(rack)) {
        PyErr_SetString(PyExc_TypeError, "a rack is a tuple of tiles");
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(rack); i++) {
        int face = read_tile(PyTuple_GET_ITEM(rack, i));
        if (face < 0 || add_tile(table, PyTuple_GET_ITEM(rack, i), face))
            return -1;
        may[face]++;
    }
    return 0;
}

/* The faces of a row tell all about it, unless it is a run with jokers: their places matter. */
static int same_row(const OldRow *old, const uint8_t *face, int length, uint64_t faces)
{
    if (old->kept || old->length != length || old->faces != faces)
        return 0;
    return !old->ordered || memcmp(old->face, face, (size_t)length) == 0;
}

/* Finds for each new row the old row that it is, or -1; returns how many rows with jokers stay. */
static int match_rows(Table *table, const Cover *cover, int16_t old_of[MOST_ROWS])
{
    const uint8_t *face = cover->face;
    int jokers = 0;
    for (int number = 0; number < table->rows; number++)
        table->row[number].kept = 0;
    for (int32_t row = 0; row < cover->rows; face += cover->length[row++]) {
        uint64_t faces = 0;
        for (int place = 0; place < cover->length[row]; place++)
            faces |= (uint64_t)1 << face[place];
        old_of[row] = -1;
        for (int number = 0; number < table->rows; number++) {
            OldRow *old = &table->row[number];
            if (same_row(old, face, cover->length[row], faces)) {
                old->kept = 1;
                old_of[row] = (int16_t)number;
                jokers += old->has_joker;
                break;
            }
        }
    }
    return jokers;
}

/* Asks again, after so many nodes, with every row that holds a joker left alone. They are added to
 * the cover. */
static int solve_around_jokers(const Problem *problem, const Table *table, uint64_t nodes,
                               Cover *cover)
{
    Problem rest = *problem;
    if (rest.node_limit)
        rest.node_limit = nodes < rest.node_limit ? rest.node_limit - nodes : 1;
    for (int number = 0; number < table->rows; number++)
        if (table->row[number].has_joker)
            for (int place = 0; place < table->row[number].length; place++)
                rest.must[table->row[number].face[place]]--;
    int status = run(&rest, is_plain(&rest), cover);
    if (status != COVER_EXACT && status != COVER_STOPPED)
        return status;
    for (int number = 0; number < table->rows && cover->loss >= 0; number++) {
        const OldRow *row = &table->row[number];
        if (!row->has_joker)
            continue;
        memcpy(cover->face + cover->tiles, row->face, (size_t)row->length);
        cover->length[cover->rows++] = (uint8_t)row->length;
        cover->tiles += row->length;
    }
    return status;
}

static int count_kept(const Table *table)
{
    int kept = 0;
    for (int number = 0; number < table->rows; number++)
        kept += table->row[number].kept;
    return kept;
}

/* Takes the tiles of the rows that stay out of the stock: nobody else may be given them. */
static void set_kept_aside(Table *table)
{
    for (int face = 0; face < FACES; face++)
        table->taken[face] = 0;
    for (int number = 0; number < table->rows; number++) {
        const OldRow *row = &table->row[number];
        for (int place = 0; row->kept && place < row->length; place++) {
            int face = row->face[place], first = table->taken[face]++;
            PyObject *tile = PyTuple_GET_ITEM(row->tiles, place);
            for (int copy = first; copy < table->count[face]; copy++)
                if (table->tile[face][copy] == tile) {
                    table->tile[face][copy] = table->tile[face][first];
                    table->tile[face][first] = tile;
                    break;
                }
        }
    }
}

/* The new table: the rows that stay first, in their order, then the others. */
static PyObject *build_table(Table *table, const Cover *cover, const int16_t old_of[MOST_ROWS])
{
    PyObject *rows = PyTuple_New(cover->rows);
    if (!rows)
        return NULL;
    Py_ssize_t at = 0;
    for (int number = 0; number < table->rows; number++)
        if (table->row[number].kept)
            PyTuple_SET_ITEM(rows, at++, Py_NewRef(table->row[number].tiles));
    const uint8_t *face = cover->face;
    for (int32_t number = 0; number < cover->rows; face += cover->length[number++]) {
        if (old_of[number] >= 0)
            continue;
        PyObject *row = PyTuple_New(cover->length[number]);
        if (!row) {
            Py_DECREF(rows);
            return NULL;
        }
        PyTuple_SET_ITEM(rows, at++, row);
        for (int place = 0; place < cover->length[number]; place++) {
            int which = face[place];
            PyTuple_SET_ITEM(row, place, Py_NewRef(table->tile[which][table->taken[which]++]));
        }
    }
    return rows;
}

/* All tiles of the table are used, so whatever else was taken comes from the rack. */
static PyObject *build_played(const Table *table, const uint8_t must[FACES])
{
    Py_ssize_t size = 0, at = 0;
    for (int face = 0; face < FACES; face++)
        size += table->taken[face] - must[face];
    PyObject *played = PyTuple_New(size);
    if (!played)
        return NULL;
    for (int face = 0; face < FACES; face++)
        for (int copy = must[face]; copy < table->taken[face]; copy++)
            PyTuple_SET_ITEM(played, at++, Py_NewRef(table->tile[face][copy]));
    return played;
}

/* Takes all references, even where one of them is missing. */
static PyObject *build_tuple(PyObject *const *items, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; i < count; i++) {
        if (!items[i])
            Py_CLEAR(tuple);
        if (tuple)
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, items[i]);
        else
            Py_XDECREF(items[i]);
    }
    return tuple;
}

/* All that a turn asks of edition and objective, packed once by `solve.py`. */
typedef struct {
    int64_t weight[FACES];
    int64_t points[FACES]; /* what one tile of the rack is worth when it is played */
    int64_t stand;
    int32_t floor;
    int32_t bound; /* rules bind the jokers of the table */
    int32_t min_natural, max_jokers, mirror_min_side, mirror_last, mirror_c_needs_c, adjacent_c;
} Plan;

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

PyDoc_STRVAR(turn_doc,
             "turn(plan, table, rack, node_limit, nanoseconds)\n--\n\n"
             "The best turn of an opened player: the fields of a Solution, with the very tiles\n"
             "that were given and the rows that stay first; None where there is no answer. Where\n"
             "rules bind the jokers of the table and may matter here, the answer is (cover,\n"
             "around): two covers as from `cover`, without those rules, and with the rows that hold\n"
             "jokers left alone (None if that cannot be).");

static PyObject *py_turn(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    Plan plan;
    Problem problem;
    Cover cover;
    Table table;
    int16_t old_of[MOST_ROWS];
    (void)self;
    if (count != 5) {
        PyErr_SetString(PyExc_TypeError, "turn: plan, table, rack and two limits expected");
        return NULL;
    }
    memset(problem.must, 0, sizeof problem.must);
    memset(problem.may, 0, sizeof problem.may);
    memset(table.count, 0, sizeof table.count);
    problem.node_limit = PyLong_AsUnsignedLongLong(args[3]);
    problem.deadline = deadline_in(PyLong_AsLongLong(args[4]));
    if (PyErr_Occurred() || read_plan(args[0], &plan, &problem) ||
        read_table(args[1], &table, problem.must) || read_rack(args[2], &table, problem.may))
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
            PyObject *covers[] = {build_cover(&free, free_status), build_cover(&cover, status)};
            return build_tuple(covers, 2);
        }
        nodes += cover.nodes;
        exact = exact && status == COVER_EXACT;
        match_rows(&table, &cover, old_of);
    }
    set_kept_aside(&table);
    PyObject *rows = build_table(&table, &cover, old_of);
    PyObject *played = rows ? build_played(&table, problem.must) : NULL;
    if (!played) {
        Py_XDECREF(rows);
        return NULL;
    }
    int kept = count_kept(&table);
    if (PyTuple_GET_SIZE(played) == 0) { /* who plays nothing leaves the table alone */
        Py_SETREF(rows, Py_NewRef(args[1]));
        kept = table.rows;
    }
    PyObject *fields[] = {
        PyLong_FromSsize_t(PyTuple_GET_SIZE(played)),
        PyLong_FromLongLong(points_played(&plan, &table, problem.must)),
        played,
        rows,
        PyLong_FromLong(kept),
        PyBool_FromLong(exact),
        PyBool_FromLong(exact && kept == table.rows),
        PyLong_FromUnsignedLongLong(nodes),
        PyDict_New(),
    };
    return build_tuple(fields, sizeof fields / sizeof *fields);
}

static PyMethodDef functions[] = {
    {"cover", py_cover, METH_VARARGS, cover_doc},
    {"turn", (PyCFunction)(void (*)(void))py_turn, METH_FASTCALL, turn_doc},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
    {0, NULL},
};

static struct PyModuleDef module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_kernel",
    .m_doc = "The compiled kernels of the solver; see docs/solver.md.",
    .m_size = 0,
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__kernel(void)
{
    return PyModuleDef_Init(&module);
}
