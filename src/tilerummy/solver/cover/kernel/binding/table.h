/* The table of a turn: its rows and tiles as Python objects, and which rows stay. */
#ifndef TILERUMMY_BINDING_TABLE_H
#define TILERUMMY_BINDING_TABLE_H

#include <stdlib.h>

#include "cover.h"

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
    int jokers;                         /* rows that hold one */
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

/* Takes a tile of a face off the table, or else off the rack. Returns 0 if both lack it. */
static int take_face(uint8_t must[FACES], uint8_t may[FACES], int face)
{
    uint8_t *left = must[face] ? must : may;
    if (!left[face])
        return 0;
    left[face]--;
    return 1;
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

/* Whether a row is certainly a group: two numbered tiles of one number, and no C or M. */
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

/* Two rows are the same if their faces are, unless they are runs with jokers: there the places
 * matter. */
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

/* Takes the tiles of the rows that stay out of the stock: no new row may take them. */
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

/* Where the tiles of the new rows come from: `laid` has one for each place of the cover. */
typedef struct {
    PyObject *laid[MOST_TILES]; /* borrowed; NULL: any copy that is left */
    int16_t place[MOST_ROWS]
                 [2 * HIGHEST + 1]; /* where each tile of a row that changes is laid, or -1 */
} Laying;

typedef struct {
    int common, old, new; /* how many tiles two rows have in common; new: its first place */
    int length;
} Pair;

static int common_tiles(const OldRow *row, const uint8_t *face, int length)
{
    int common = 0;
    uint64_t used = 0;
    for (int place = 0; place < row->length; place++)
        for (int other = 0; other < length; other++)
            if (face[other] == row->face[place] && !(used >> other & 1)) {
                used |= (uint64_t)1 << other;
                common++;
                break;
            }
    return common;
}

static int compare_pairs(const void *one, const void *two)
{
    const Pair *a = one, *b = two;
    if (a->common != b->common)
        return b->common - a->common;
    return a->old != b->old ? a->old - b->old : a->new - b->new;
}

/* Lays the tiles of rows that change so that tiles which lay side by side stay together where they
 * can: rows that have most in common come first. */
static void lay_together(const Table *table, const Cover *cover, const int16_t old_of[MOST_ROWS],
                         Laying *laying)
{
    Pair pairs[MOST_ROWS * MOST_ROWS];
    int count = 0, start = 0;
    memset(laying->laid, 0, sizeof laying->laid);
    for (int old = 0; old < table->rows; old++)
        for (int place = 0; place < table->row[old].length; place++)
            laying->place[old][place] = -1;
    for (int32_t number = 0; number < cover->rows; start += cover->length[number++])
        for (int old = 0; old_of[number] < 0 && old < table->rows; old++) {
            const OldRow *row = &table->row[old];
            int length = cover->length[number];
            int common = row->kept ? 0 : common_tiles(row, cover->face + start, length);
            if (common)
                pairs[count++] = (Pair){common, old, start, length};
        }
    qsort(pairs, (size_t)count, sizeof *pairs, compare_pairs);
    for (const Pair *pair = pairs; pair < pairs + count; pair++) {
        const OldRow *row = &table->row[pair->old];
        for (int place = 0; place < row->length; place++)
            for (int at = pair->new; at < pair->new + pair->length; at++)
                if (laying->place[pair->old][place] < 0 && !laying->laid[at] &&
                    cover->face[at] == row->face[place]) {
                    laying->laid[at] = PyTuple_GET_ITEM(row->tiles, place);
                    laying->place[pair->old][place] = (int16_t)at;
                }
    }
}

/* Whether no new row with a joker holds faces that may break a rule. `watch` gives for a row of the
 * table the sets of such faces, or None where it has to be looked at closely. */
static int is_unwatched(const Table *table, const Cover *cover, const int16_t old_of[MOST_ROWS],
                        PyObject *watch)
{
    uint64_t faces[MOST_ROWS];
    int count = 0, clear = 1;
    const uint8_t *face = cover->face;
    for (int32_t row = 0; row < cover->rows; face += cover->length[row++]) {
        int has_joker = 0;
        faces[count] = 0;
        for (int place = 0; place < cover->length[row]; place++) {
            faces[count] |= (uint64_t)1 << face[place];
            has_joker |= face[place] >= JOKER;
        }
        count += has_joker && old_of[row] < 0;
    }
    for (int number = 0; number < table->rows && clear > 0; number++) {
        if (table->row[number].kept)
            continue;
        PyObject *sets = PyObject_CallOneArg(watch, table->row[number].tiles);
        if (!sets)
            return -1;
        if (!PyTuple_Check(sets))
            clear = 0;
        for (Py_ssize_t i = 0; clear > 0 && i < PyTuple_GET_SIZE(sets); i++) {
            uint64_t set = PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(sets, i));
            if (PyErr_Occurred())
                clear = -1;
            for (int row = 0; clear > 0 && row < count; row++)
                clear = (set & ~faces[row]) != 0;
        }
        Py_DECREF(sets);
    }
    return clear;
}

/* The new table: the rows that stay first, in their order, then the others. */
static PyObject *build_table(Table *table, const Cover *cover, const int16_t old_of[MOST_ROWS],
                             const Laying *laying, const uint8_t must[FACES])
{
    PyObject *rows = PyTuple_New(cover->rows);
    if (!rows)
        return NULL;
    Py_ssize_t at = 0;
    for (int number = 0; number < table->rows; number++)
        if (table->row[number].kept)
            PyTuple_SET_ITEM(rows, at++, Py_NewRef(table->row[number].tiles));
    uint8_t rack[FACES] = {0}; /* how many copies of the rack are laid */
    int start = 0;
    for (int32_t number = 0; number < cover->rows; start += cover->length[number++]) {
        const uint8_t *face = cover->face + start;
        if (old_of[number] >= 0)
            continue;
        PyObject *row = PyTuple_New(cover->length[number]);
        if (!row) {
            Py_DECREF(rows);
            return NULL;
        }
        PyTuple_SET_ITEM(rows, at++, row);
        for (int place = 0; place < cover->length[number]; place++) {
            int which = face[place], copy = table->taken[which]++;
            PyObject *tile = laying ? laying->laid[start + place] : table->tile[which][copy];
            if (!tile)
                tile = table->tile[which][must[which] + rack[which]++];
            PyTuple_SET_ITEM(row, place, Py_NewRef(tile));
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

#endif
