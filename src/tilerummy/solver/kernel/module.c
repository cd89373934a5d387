/* The kernels as a Python module, `tilerummy.solver._kernel`.
 *
 * Both functions copy what they need, release the interpreter's lock while a kernel works, and
 * build the answer afterwards. Nothing is kept between calls.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>

#include "problem.h"

enum { GRAMMAR_FIELDS = 6, NO_LIMIT = 1 << 20 };

static int read_counts(const Py_buffer *buffer, uint8_t counts[FACES], const char *name)
{
    if (buffer->len != FACES) {
        PyErr_Format(PyExc_ValueError, "%s: %d counts expected, one for each face", name, FACES);
        return -1;
    }
    memcpy(counts, buffer->buf, FACES);
    return 0;
}

static int read_weights(const Py_buffer *buffer, int64_t weight[FACES])
{
    if (buffer->len != FACES * (Py_ssize_t)sizeof(int64_t)) {
        PyErr_Format(PyExc_ValueError, "weights: %d packed 64-bit numbers expected", FACES);
        return -1;
    }
    memcpy(weight, buffer->buf, FACES * sizeof(int64_t));
    for (int face = 0; face < FACES; face++)
        if (weight[face] < 0) {
            PyErr_SetString(PyExc_ValueError, "weights: none may be negative");
            return -1;
        }
    return 0;
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

/* Returns -1 with an exception set when there was no memory. */
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
    return (int)status;
}

/* The rows as tuples; `take` tells which tile a face becomes. */
static PyObject *build_rows(const Cover *cover, PyObject *(*take)(void *, int face), void *context)
{
    PyObject *rows = PyTuple_New(cover->rows);
    if (!rows)
        return NULL;
    const uint8_t *face = cover->face;
    for (int32_t number = 0; number < cover->rows; number++) {
        PyObject *row = PyTuple_New(cover->length[number]);
        if (!row)
            goto fail;
        PyTuple_SET_ITEM(rows, number, row);
        for (int place = 0; place < cover->length[number]; place++) {
            PyObject *tile = take(context, *face++);
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

static PyObject *take_face(void *context, int face)
{
    (void)context;
    return PyLong_FromLong(face);
}

PyDoc_STRVAR(cover_doc,
             "cover(plain, must, may, weights, grammar, stand, floor, node_limit)\n--\n\n"
             "Answer one covering problem: None, or (loss, rows, nodes, exact).\n"
             "A loss of -1 means that the limit was reached before there was any answer.");

static PyObject *py_cover(PyObject *self, PyObject *args)
{
    Problem problem;
    Cover cover;
    Py_buffer must, may, weights;
    PyObject *grammar, *answer = NULL;
    int plain;
    long long stand;
    unsigned long long node_limit;
    (void)self;
    if (!PyArg_ParseTuple(args, "py*y*y*O!LiK:cover", &plain, &must, &may, &weights, &PyTuple_Type,
                          &grammar, &stand, &problem.floor, &node_limit))
        return NULL;
    problem.stand = stand;
    problem.node_limit = node_limit;
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
    if (status == COVER_NONE) {
        answer = Py_NewRef(Py_None);
        goto done;
    }
    if (cover.loss < 0)
        cover.rows = 0;
    PyObject *rows = build_rows(&cover, take_face, NULL);
    if (rows)
        answer = Py_BuildValue("LNKN", (long long)cover.loss, rows,
                               (unsigned long long)cover.nodes,
                               PyBool_FromLong(status == COVER_EXACT));
done:
    PyBuffer_Release(&must);
    PyBuffer_Release(&may);
    PyBuffer_Release(&weights);
    return answer;
}

/* The physical tiles of each face: those of the table first, then those of the rack. */
typedef struct {
    PyObject *tile[FACES][MOST_COPIES]; /* borrowed from the caller's tuples */
    uint8_t count[FACES];
    uint8_t taken[FACES];
} Stock;

static PyObject *take_tile(void *context, int face)
{
    Stock *stock = context;
    return Py_NewRef(stock->tile[face][stock->taken[face]++]);
}

static int add_tiles(PyObject *row, Stock *stock, uint8_t counts[FACES])
{
    if (!PyTuple_Check(row)) {
        PyErr_SetString(PyExc_TypeError, "a row and a rack are tuples of tiles");
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(row); i++) {
        PyObject *tile = PyTuple_GET_ITEM(row, i);
        long number = PyLong_AsLong(tile);
        if (number < 0) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "a tile is a number from 0 on");
            return -1;
        }
        int face = (int)(number % FACES);
        if (stock->count[face] == MOST_COPIES) {
            PyErr_Format(PyExc_ValueError, "more than %d tiles of face %d", MOST_COPIES, face);
            return -1;
        }
        stock->tile[face][stock->count[face]++] = tile;
        counts[face]++;
    }
    return 0;
}

static PyObject *rack_tiles_taken(const Stock *stock, const uint8_t must[FACES])
{
    Py_ssize_t size = 0, at = 0;
    for (int face = 0; face < FACES; face++)
        size += stock->taken[face] - must[face];
    PyObject *played = PyTuple_New(size);
    if (!played)
        return NULL;
    for (int face = 0; face < FACES; face++)
        for (int copy = must[face]; copy < stock->taken[face]; copy++)
            PyTuple_SET_ITEM(played, at++, Py_NewRef(stock->tile[face][copy]));
    return played;
}

PyDoc_STRVAR(turn_doc,
             "turn(table, rack, weights, grammar, node_limit)\n--\n\n"
             "The best turn where no joker rule binds: None, or\n"
             "(loss, table, played, nodes, exact) with the very tiles that were given.");

static PyObject *py_turn(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    Problem problem = {0};
    Cover cover;
    Stock stock;
    (void)self;
    if (count != 5) {
        PyErr_SetString(PyExc_TypeError, "turn: table, rack, weights, grammar, node_limit expected");
        return NULL;
    }
    PyObject *table = args[0], *rack = args[1], *grammar = args[3];
    memset(stock.count, 0, sizeof stock.count);
    memset(stock.taken, 0, sizeof stock.taken);
    if (!PyTuple_Check(table) || !PyTuple_Check(grammar)) {
        PyErr_SetString(PyExc_TypeError, "the table and the grammar are tuples");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(table); i++)
        if (add_tiles(PyTuple_GET_ITEM(table, i), &stock, problem.must))
            return NULL;
    if (add_tiles(rack, &stock, problem.may) || read_grammar(grammar, &problem))
        return NULL;
    problem.node_limit = PyLong_AsUnsignedLongLong(args[4]);
    if (PyErr_Occurred())
        return NULL;
    Py_buffer weights;
    if (PyObject_GetBuffer(args[2], &weights, PyBUF_SIMPLE))
        return NULL;
    int bad = read_weights(&weights, problem.weight);
    PyBuffer_Release(&weights);
    if (bad)
        return NULL;
    int status = run(&problem, is_plain(&problem), &cover);
    if (status < 0)
        return NULL;
    if (status == COVER_NONE || cover.loss < 0)
        Py_RETURN_NONE;
    PyObject *rows = build_rows(&cover, take_tile, &stock);
    PyObject *played = rows ? rack_tiles_taken(&stock, problem.must) : NULL;
    if (!played) {
        Py_XDECREF(rows);
        return NULL;
    }
    return Py_BuildValue("LNNKN", (long long)cover.loss, rows, played,
                         (unsigned long long)cover.nodes, PyBool_FromLong(status == COVER_EXACT));
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
