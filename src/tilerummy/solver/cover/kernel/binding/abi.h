/* The ABI between this module and the Python side: what both must agree on.
 *
 * `cover/abi.py` states the same and compares it with the constant `ABI` of the module when it is
 * imported. A field that changes here changes there too. The version counts changes of meaning
 * that no name shows.
 */
#ifndef TILERUMMY_BINDING_ABI_H
#define TILERUMMY_BINDING_ABI_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stddef.h>

#include "../problem.h"

enum {
    ABI_VERSION = 5,
    NO_LIMIT = 1 << 20, /* of jokers in a row */
};
#define HEAVIEST ((int64_t)1 << 40) /* no sum of weights overflows */

/* What a row is: the fields of a `Grammar`, in their order. */
#define GRAMMAR_FIELDS(FIELD) \
    FIELD(min_natural)        \
    FIELD(max_jokers)         \
    FIELD(mirror_min_side)    \
    FIELD(mirror_last)        \
    FIELD(mirror_c_needs_c)   \
    FIELD(adjacent_c)

/* An answer of `cover`: the fields of a `Cover`. */
#define COVER_FIELDS(FIELD) FIELD(loss) FIELD(rows) FIELD(nodes) FIELD(exact)

/* An answer of `turn`: the fields of a `Solution`. */
#define TURN_FIELDS(FIELD) \
    FIELD(tiles)           \
    FIELD(value)           \
    FIELD(played)          \
    FIELD(table)           \
    FIELD(rows_kept)       \
    FIELD(exact)           \
    FIELD(tidiest)         \
    FIELD(nodes)           \
    FIELD(declared)

/* An answer of `playout`. */
#define PLAYOUT_FIELDS(FIELD) \
    FIELD(table)              \
    FIELD(racks)              \
    FIELD(left)               \
    FIELD(opened)             \
    FIELD(current)            \
    FIELD(turns)              \
    FIELD(searches)           \
    FIELD(calls)

#define COVER_INDEX(name) IN_COVER_##name,
enum { COVER_FIELDS(COVER_INDEX) COVER_SIZE };
#define TURN_INDEX(name) IN_TURN_##name,
enum { TURN_FIELDS(TURN_INDEX) TURN_SIZE };
#define PLAYOUT_INDEX(name) IN_PLAYOUT_##name,
enum { PLAYOUT_FIELDS(PLAYOUT_INDEX) PLAYOUT_SIZE };

/* A plan: what a turn needs of edition and objective, packed once by `abi.pack_plan`. */
#define GRAMMAR_MEMBER(name) int32_t name;
typedef struct {
    int64_t weight[FACES];
    int64_t points[FACES]; /* what one tile of the rack is worth when it is played */
    int64_t stand;
    int32_t floor;
    int32_t bound; /* rules bind the jokers of the table */
    GRAMMAR_FIELDS(GRAMMAR_MEMBER)
} Plan;

#define PLAN_FIELDS(FIELD) \
    FIELD(weight)          \
    FIELD(points)          \
    FIELD(stand)           \
    FIELD(floor)           \
    FIELD(bound)           \
    GRAMMAR_FIELDS(FIELD)

#define QUOTED(name) #name,
#define PLAN_FIELD(name) {#name, offsetof(Plan, name), sizeof(((Plan *)0)->name)},

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

static PyObject *names_of(const char *const *names, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++) {
        PyObject *name = PyUnicode_FromString(names[i]);
        if (name)
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, name);
        else
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* (name, offset, bytes) of every field of a plan. */
static PyObject *plan_layout(void)
{
    static const struct {
        const char *name;
        size_t offset, size;
    } FIELD[] = {PLAN_FIELDS(PLAN_FIELD)};
    size_t count = sizeof FIELD / sizeof *FIELD;
    PyObject *layout = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; layout && i < count; i++) {
        PyObject *field = Py_BuildValue("snn", FIELD[i].name, (Py_ssize_t)FIELD[i].offset,
                                        (Py_ssize_t)FIELD[i].size);
        if (field)
            PyTuple_SET_ITEM(layout, (Py_ssize_t)i, field);
        else
            Py_CLEAR(layout);
    }
    return layout;
}

/* (letter, slots, wild, in groups, changes colour, mirrors) of every kind of joker. */
#define JOKER_ROW(face, ...) {__VA_ARGS__},
static PyObject *joker_kinds(void)
{
    static const struct {
        const char *letter;
        int slots, wild, in_groups, changes_colour, mirrors;
    } KIND[] = {JOKER_KINDS(JOKER_ROW)};
    PyObject *kinds[FACES - JOKER];
    for (int i = 0; i < FACES - JOKER; i++)
        kinds[i] = Py_BuildValue("siiiii", KIND[i].letter, KIND[i].slots, KIND[i].wild,
                                 KIND[i].in_groups, KIND[i].changes_colour, KIND[i].mirrors);
    return build_tuple(kinds, FACES - JOKER);
}

/* The constant `ABI` of the module. */
static PyObject *build_abi(void)
{
    static const char *const GRAMMAR[] = {GRAMMAR_FIELDS(QUOTED)};
    static const char *const COVER[] = {COVER_FIELDS(QUOTED)};
    static const char *const TURN[] = {TURN_FIELDS(QUOTED)};
    static const char *const PLAYOUT[] = {PLAYOUT_FIELDS(QUOTED)};
    PyObject *grammar = names_of(GRAMMAR, sizeof GRAMMAR / sizeof *GRAMMAR);
    return Py_BuildValue(
        "{sisisisisisLsnsNsNsNsNsNsN}", "version", ABI_VERSION, "faces", FACES, "highest", HIGHEST,
        "copies", MOST_COPIES, "no_limit", NO_LIMIT, "heaviest", (long long)HEAVIEST, "plan_size",
        (Py_ssize_t)sizeof(Plan), "plan", plan_layout(), "grammar", grammar, "cover",
        names_of(COVER, COVER_SIZE), "turn", names_of(TURN, TURN_SIZE), "playout",
        names_of(PLAYOUT, PLAYOUT_SIZE), "jokers", joker_kinds());
}

#endif
