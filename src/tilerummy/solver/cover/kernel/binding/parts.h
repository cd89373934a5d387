/* `parts`: one covering problem after another, each with one more row settled. */
#ifndef TILERUMMY_BINDING_PARTS_H
#define TILERUMMY_BINDING_PARTS_H

#include "table.h"

/* Takes the tiles of a row off table and rack, the table's first. Returns 0 if one is missing, -1
 * with an exception set. */
static int settle(Problem *problem, PyObject *row)
{
    if (!PyTuple_Check(row)) {
        PyErr_SetString(PyExc_TypeError, "parts: a row is a tuple of faces");
        return -1;
    }
    for (Py_ssize_t place = 0; place < PyTuple_GET_SIZE(row); place++) {
        int face = read_tile(PyTuple_GET_ITEM(row, place));
        if (face < 0)
            return -1;
        if (!take_face(problem->must, problem->may, face))
            return 0;
    }
    return 1;
}

/* Asks with one row settled and adds (number, cover) to `found`. Returns whether the answer loses
 * no more than `promised`, -1 with an exception set. */
static int ask_part(const Problem *whole, PyObject *rows, Py_ssize_t number, int64_t promised,
                    PyObject *found)
{
    Problem problem = *whole;
    Cover cover;
    int settled = settle(&problem, PyList_GET_ITEM(rows, number));
    int status = settled > 0 ? run(&problem, is_plain(&problem), &cover) : settled;
    if (settled <= 0 || status < 0 || status == COVER_NONE)
        return settled < 0 || status < 0 ? -1 : 0;
    PyObject *fields[] = {PyLong_FromSsize_t(number), build_cover(&cover, status)};
    PyObject *pair = build_tuple(fields, 2);
    int failed = !pair || PyList_Append(found, pair);
    Py_XDECREF(pair);
    return failed ? -1 : cover.loss <= promised;
}

PyDoc_STRVAR(
    parts_doc,
    "parts(must, may, weights, grammar, rows, below, promised, node_limit, nanoseconds)\n--\n\n"
    "Answer the problem with each row of a list settled, from the last on, and stop after an\n"
    "answer that loses no more than `promised`: how many rows are left, and the answers, each\n"
    "with the number of its row. Rows for which a tile is missing have none.");

static PyObject *py_parts(PyObject *self, PyObject *args)
{
    Problem problem = {0};
    Py_buffer must, may, weights;
    PyObject *grammar, *rows, *found = NULL, *answer = NULL;
    long long below, promised, nanoseconds;
    unsigned long long node_limit;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*y*O!O!LLKL:parts", &must, &may, &weights, &PyTuple_Type,
                          &grammar, &PyList_Type, &rows, &below, &promised, &node_limit,
                          &nanoseconds))
        return NULL;
    problem.below = below;
    if (read_problem(&must, &may, &weights, grammar, node_limit, nanoseconds, &problem) ||
        !(found = PyList_New(0)))
        goto done;
    Py_ssize_t left = PyList_GET_SIZE(rows);
    int stop = 0;
    while (left > 0 && !stop)
        stop = ask_part(&problem, rows, --left, promised, found);
    if (stop >= 0)
        answer = Py_BuildValue("nO", left, found);
done:
    Py_XDECREF(found);
    PyBuffer_Release(&must);
    PyBuffer_Release(&may);
    PyBuffer_Release(&weights);
    return answer;
}

#endif
