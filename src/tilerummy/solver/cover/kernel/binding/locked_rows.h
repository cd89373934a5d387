/* What Python says of locked rows, and whether tiles of the rack free them. */
#ifndef TILERUMMY_BINDING_LOCKED_ROWS_H
#define TILERUMMY_BINDING_LOCKED_ROWS_H

#include "abi.h"

/* What Python says of a locked row. */
typedef struct {
    uint64_t near, stand_ins;  /* tiles that may be added; those that may replace its jokers */
    const uint8_t *free, *end; /* ways to free it: how many tiles of the rack, these tiles */
    PyObject *data;            /* owned: where these lie */
} LockedRow;

/* Reads past a number and so many faces; NULL with an exception set where it is something else. */
static const uint8_t *skip_faces(const uint8_t *packed, const uint8_t *end)
{
    int count = packed < end ? *packed : 0;
    int wrong = end - packed <= count;
    for (int at = 1; !wrong && at <= count; at++)
        wrong = packed[at] >= FACES;
    if (!wrong)
        return packed + 1 + count;
    PyErr_SetString(PyExc_ValueError, "locks: numbers of faces and these faces expected");
    return NULL;
}

/* Takes the reference. */
static int read_lock(LockedRow *row, PyObject *data)
{
    unsigned long long near, stand_ins;
    const char *free;
    Py_ssize_t size;
    row->data = data;
    if (!data || !PyArg_ParseTuple(data, "KKy#:locks", &near, &stand_ins, &free, &size))
        return -1;
    row->near = near;
    row->stand_ins = stand_ins;
    row->free = (const uint8_t *)free;
    row->end = row->free + size;
    const uint8_t *way = row->free;
    while (way && way < row->end)
        way = skip_faces(way, row->end);
    return way ? 0 : -1;
}

/* `played` has how many more tiles of each face lie on the new table. */
static int plays_one_of(const int played[FACES], uint64_t faces)
{
    for (int face = 0; face < FACES; face++)
        if (played[face] > 0 && faces >> face & 1)
            return 1;
    return 0;
}

/* Whether the tiles that were played are enough to free each of these locked rows. */
static int are_freed(const LockedRow *known, const int *locks, int count, int played[FACES])
{
    if (!count)
        return 1;
    const LockedRow *row = &known[locks[0]];
    for (const uint8_t *way = row->free; way < row->end; way += 1 + way[0]) {
        int enough = 1;
        for (int tile = 1; tile <= way[0]; tile++)
            enough &= --played[way[tile]] >= 0;
        int freed = enough && are_freed(known, locks + 1, count - 1, played);
        for (int tile = 1; tile <= way[0]; tile++)
            played[way[tile]]++;
        if (freed)
            return 1;
    }
    return 0;
}

#endif
