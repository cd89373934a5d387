/* `cover`: one covering problem, read from Python, answered, and given back. */
#ifndef TILERUMMY_BINDING_COVER_H
#define TILERUMMY_BINDING_COVER_H

#include <string.h>

#include "../limit.h"
#include "abi.h"

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
    for (int face = JOKER + 1; face < FACES; face++)
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

/* The fields of a cover, or None where there is no answer. */
static PyObject *build_cover(const Cover *cover, int status)
{
    if (status == COVER_NONE)
        Py_RETURN_NONE;
    PyObject *rows = build_rows(cover);
    if (!rows)
        return NULL;
    PyObject *fields[COVER_SIZE] = {
        [IN_COVER_loss] = PyLong_FromLongLong(cover->loss),
        [IN_COVER_rows] = rows,
        [IN_COVER_nodes] = PyLong_FromUnsignedLongLong(cover->nodes),
        [IN_COVER_exact] = PyBool_FromLong(status == COVER_EXACT),
    };
    return build_tuple(fields, COVER_SIZE);
}

/* What two functions have in common: the counts, what a row is, and limits. */
static int read_problem(const Py_buffer *must, const Py_buffer *may, const Py_buffer *weights,
                        PyObject *grammar, unsigned long long node_limit, long long nanoseconds,
                        Problem *problem)
{
    problem->node_limit = node_limit;
    problem->deadline = deadline_in(nanoseconds);
    if (read_counts(must, problem->must, "must") || read_counts(may, problem->may, "may") ||
        read_weights(weights, problem->weight) || read_grammar(grammar, problem))
        return -1;
    return check_copies(problem);
}

PyDoc_STRVAR(
    cover_doc,
    "cover(plain, must, may, weights, grammar, stand, floor, below, node_limit, nanoseconds)\n"
    "--\n\n"
    "Answer one covering problem: None, or (loss, rows, nodes, exact). Only answers that lose\n"
    "less than `below` count. A limit of 0 is none; a loss of -1 means that a limit was\n"
    "reached and no answer was at hand.");

static PyObject *py_cover(PyObject *self, PyObject *args)
{
    Problem problem;
    Cover cover;
    Py_buffer must, may, weights;
    PyObject *grammar, *answer = NULL;
    int plain;
    long long stand, below, nanoseconds;
    unsigned long long node_limit;
    (void)self;
    if (!PyArg_ParseTuple(args, "py*y*y*O!LiLKL:cover", &plain, &must, &may, &weights,
                          &PyTuple_Type, &grammar, &stand, &problem.floor, &below, &node_limit,
                          &nanoseconds))
        return NULL;
    problem.stand = stand;
    problem.below = below;
    if (stand < 0 || stand > HEAVIEST) {
        PyErr_SetString(PyExc_ValueError, "stand: a number from 0 to 2^40 expected");
        goto done;
    }
    if (read_problem(&must, &may, &weights, grammar, node_limit, nanoseconds, &problem))
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

#endif
