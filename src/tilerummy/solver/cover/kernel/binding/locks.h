/* The best turn where rows with jokers are locked: branch and bound over what becomes of them.
 *
 * This is the search of `turns/search.py`, question by question, for the turns of which most tables
 * with locked rows consist: each row is left alone, added to, or freed by tiles of the rack. What
 * may become of a row is data from Python (`turns/lock_data.py`). Where more than a look at the
 * rows has to decide whether a turn is legal, the search gives up, and Python begins again.
 */
#ifndef TILERUMMY_BINDING_LOCKS_H
#define TILERUMMY_BINDING_LOCKS_H

#include <stdlib.h>

#include "locked_rows.h"
#include "survival.h"

enum {
    MOST_LOCKED = MOST_COPIES, /* each row holds a J */
    MOST_BRANCHES = 1 << 12,
    MOST_KEY = 2 * HIGHEST + 3 * FACES + 3,
    KEY_MARK = 0xff,
};

typedef enum { FOUND, NOTHING, GIVEN_UP, FAILED } LockStatus;

/* All turns in which the first `done` locked rows are treated in one way. */
typedef struct {
    int64_t promised;
    int64_t number; /* decides among equals: the newest first */
    uint8_t must[FACES], may[FACES];
    const uint8_t *settled[MOST_LOCKED]; /* rows of the new table: length, then faces */
    int rows, done;
    Cover *found;   /* once it is known */
    PyObject *ways; /* owned: the bytes in which the rows of its parts lie */
} LockBranch;

typedef struct {
    const Problem *problem;
    const Table *table;
    PyObject *rows, *ways; /* what Python says of locked rows; borrowed */
    int64_t below;         /* 0 = no bound */
    int64_t number;
    uint64_t nodes, rack; /* states so far; the faces of the rack */
    int lock[MOST_LOCKED], locks;
    LockedRow known[MOST_LOCKED];
    LockBranch *branch;
    int branches, room;
    int waiting[MOST_BRANCHES], count;
} LockSearch;

/* The rows with jokers: all are locked. */
static LockStatus read_locks(LockSearch *search)
{
    for (int number = 0; number < search->table->rows; number++) {
        const OldRow *row = &search->table->row[number];
        if (!row->has_joker)
            continue;
        if (search->locks == MOST_LOCKED)
            return GIVEN_UP;
        search->lock[search->locks] = number;
        LockedRow *known = &search->known[search->locks++];
        if (read_lock(known, PyObject_GetItem(search->rows, row->tiles)))
            return FAILED;
    }
    return FOUND;
}

static LockBranch *add_branch(LockSearch *search)
{
    if (search->branches == search->room) {
        int room = search->room ? 2 * search->room : 32;
        LockBranch *more = realloc(search->branch, (size_t)room * sizeof *more);
        if (!more) {
            PyErr_NoMemory();
            return NULL;
        }
        search->branch = more;
        search->room = room;
    }
    return &search->branch[search->branches++];
}

static void put_back(LockSearch *search, int branch, int64_t promised)
{
    search->branch[branch].promised = promised;
    search->branch[branch].number = --search->number;
    search->waiting[search->count++] = branch;
}

/* Takes the most promising branch out of those that wait. */
static int next_branch(LockSearch *search)
{
    int best = 0;
    for (int i = 1; i < search->count; i++) {
        const LockBranch *one = &search->branch[search->waiting[i]];
        const LockBranch *two = &search->branch[search->waiting[best]];
        if (one->promised < two->promised ||
            (one->promised == two->promised && one->number < two->number))
            best = i;
    }
    int branch = search->waiting[best];
    search->waiting[best] = search->waiting[--search->count];
    return branch;
}

/* Asks for the best cover of what is open. NOTHING: none loses less than the bound. */
static LockStatus ask_branch(LockSearch *search, int number)
{
    LockBranch *branch = &search->branch[number];
    Problem problem = *search->problem;
    Cover cover;
    memcpy(problem.must, branch->must, sizeof problem.must);
    memcpy(problem.may, branch->may, sizeof problem.may);
    problem.below = search->below;
    int status = run(&problem, is_plain(&problem), &cover);
    if (status < 0)
        return FAILED;
    if (status == COVER_NONE)
        return NOTHING;
    search->nodes += cover.nodes;
    if (status != COVER_EXACT)
        return GIVEN_UP;
    branch->found = malloc(sizeof cover);
    if (!branch->found) {
        PyErr_NoMemory();
        return FAILED;
    }
    *branch->found = cover;
    return FOUND;
}

/* The whole new table of a branch: the settled rows, then the others. */
static void whole_table(const LockBranch *branch, Cover *table)
{
    const Cover *found = branch->found;
    table->loss = found->loss;
    table->nodes = found->nodes;
    table->rows = table->tiles = 0;
    for (int row = 0; row < branch->rows; row++) {
        uint8_t length = branch->settled[row][0];
        memcpy(table->face + table->tiles, branch->settled[row] + 1, length);
        table->length[table->rows++] = length;
        table->tiles += length;
    }
    memcpy(table->face + table->tiles, found->face, (size_t)found->tiles);
    memcpy(table->length + table->rows, found->length, (size_t)found->rows);
    table->rows += found->rows;
    table->tiles += found->tiles;
}

/* How many more tiles of each face lie on the new table than before. */
static void count_played(const LockSearch *search, const Cover *table, int played[FACES])
{
    for (int face = 0; face < FACES; face++)
        played[face] = -search->problem->must[face];
    for (int32_t i = 0; i < table->tiles; i++)
        played[table->face[i]]++;
}

/* FOUND: no rule objects, as all rows with jokers lie whole in new rows or are freed. NOTHING: a
 * locked row neither does nor is. GIVEN_UP: it takes more to say so. */
static LockStatus judge(const LockSearch *search, const Cover *table)
{
    NewRow rows[MOST_ROWS];
    int moved[MOST_ROWS], locks[MOST_LOCKED], gone = 0, played[FACES];
    int count = list_rows(table, rows);
    int changed = find_gone(search->table, rows, count, moved);
    for (int lock = 0; lock < search->locks; lock++)
        for (int i = 0; i < changed; i++)
            if (search->lock[lock] == moved[i])
                locks[gone++] = lock;
    count_played(search, table, played);
    if (are_freed(search->known, locks, gone, played))
        return FOUND;
    for (int i = 0; i < gone; i++) {
        const OldRow *old = &search->table->row[search->lock[locks[i]]];
        int row = 0;
        while (row < count && old->faces & ~rows[row].faces)
            row++;
        if (row == count && !plays_one_of(played, search->known[locks[i]].stand_ins & search->rack))
            return NOTHING;
    }
    return GIVEN_UP;
}

/* Whether a laying leaves every row with jokers whole in one new row, or frees it. */
static int keeps_locks(const LockSearch *search, const Cover *table, const Laying *laying)
{
    int locks[MOST_LOCKED], gone = 0, played[FACES];
    for (int lock = 0; lock < search->locks; lock++)
        if (!lies_whole(search->table, search->lock[lock], table, laying))
            locks[gone++] = lock;
    count_played(search, table, played);
    return are_freed(search->known, locks, gone, played);
}

static Py_ssize_t add_close(const LockBranch *branch, const OldRow *row, uint64_t near,
                            int on_table, uint8_t *key, Py_ssize_t size)
{
    for (int face = 0; face < FACES; face++) {
        if (!(near >> face & 1) || !branch->must[face] == on_table)
            continue;
        int count = branch->must[face] + branch->may[face];
        for (int place = 0; place < row->length; place++)
            count -= row->face[place] == face;
        if (count > 0) {
            key[size++] = (uint8_t)face;
            key[size++] = (uint8_t)(face < JOKER ? 1 : count);
        }
    }
    return size;
}

/* What may become of a locked row depends on few tiles: those that may be added to it, first of the
 * table and then of the rack, and those of the rack that may replace its jokers. */
static PyObject *ways_of(const LockSearch *search, const LockBranch *branch)
{
    uint8_t key[MOST_KEY];
    const OldRow *row = &search->table->row[search->lock[branch->done]];
    uint64_t near = search->known[branch->done].near;
    uint64_t stand_ins = search->known[branch->done].stand_ins;
    Py_ssize_t size = row->length;
    memcpy(key, row->face, (size_t)row->length);
    key[size++] = KEY_MARK;
    size = add_close(branch, row, near, 1, key, size);
    size = add_close(branch, row, near, 0, key, size);
    key[size++] = KEY_MARK;
    for (int face = 0; face < JOKER; face++)
        if (stand_ins >> face & 1 && branch->may[face])
            key[size++] = (uint8_t)face;
    PyObject *packed = PyBytes_FromStringAndSize((const char *)key, size);
    PyObject *ways = packed ? PyObject_GetItem(search->ways, packed) : NULL;
    Py_XDECREF(packed);
    if (ways && !PyBytes_Check(ways)) {
        PyErr_SetString(PyExc_TypeError, "locks: bytes expected");
        Py_CLEAR(ways);
    }
    return ways;
}

/* Takes the tiles of a row from the table first; returns 0 if one is missing. */
static int take_row(LockBranch *branch, const uint8_t *row)
{
    for (int place = 1; place <= row[0]; place++)
        if (!take_face(branch->must, branch->may, row[place]))
            return 0;
    return 1;
}

/* The rack gives the tiles of a way, each for a place of its own. Returns -1 if it lacks one. */
static int give_tiles(LockBranch *branch, const uint8_t *way)
{
    for (int tile = 1; tile <= way[0]; tile++) {
        if (!branch->may[way[tile]]) {
            PyErr_SetString(PyExc_ValueError, "locks: the rack lacks a tile");
            return -1;
        }
        branch->may[way[tile]]--;
        branch->must[way[tile]]++;
    }
    return 0;
}

/* Adds the part of a branch in which the next locked row is treated in one way. */
static LockStatus add_part(LockSearch *search, int number, const uint8_t *way, const uint8_t *row)
{
    if (search->branches == MOST_BRANCHES)
        return GIVEN_UP;
    if (row[0] && row[0] < 3) {
        PyErr_SetString(PyExc_ValueError, "locks: a row of 3 faces or more expected");
        return FAILED;
    }
    LockBranch *part = add_branch(search);
    if (!part)
        return FAILED;
    *part = search->branch[number];
    part->found = NULL;
    part->ways = NULL;
    part->done++;
    if (give_tiles(part, way))
        return FAILED;
    if (row[0])
        part->settled[part->rows++] = row;
    if (take_row(part, row))
        put_back(search, search->branches - 1, part->promised);
    else
        search->branches--;
    return FOUND;
}

/* Adds the parts of a branch, one for each way of treating the next locked row. A way is the number
 * of tiles that the rack has to give, these tiles, the length of the row (0: it is free) and its
 * faces. */
static LockStatus split(LockSearch *search, int number)
{
    PyObject *ways = ways_of(search, &search->branch[number]);
    if (!ways)
        return FAILED;
    search->branch[number].ways = ways;
    const uint8_t *way = (const uint8_t *)PyBytes_AS_STRING(ways);
    const uint8_t *end = way + PyBytes_GET_SIZE(ways);
    LockStatus status = FOUND;
    while (status == FOUND && way < end) {
        const uint8_t *row = skip_faces(way, end);
        const uint8_t *next = row ? skip_faces(row, end) : NULL;
        status = next ? add_part(search, number, way, row) : FAILED;
        way = next;
    }
    return status;
}

/* Best first, like `TurnSearch`. FOUND: the best table; NOTHING: no turn loses less than the bound.
 */
static LockStatus search_branches(LockSearch *search, Cover *table)
{
    while (search->count) {
        int number = next_branch(search);
        if (search->below && search->branch[number].promised >= search->below)
            return NOTHING;
        if (!search->branch[number].found) {
            LockStatus asked = ask_branch(search, number);
            if (asked == NOTHING)
                continue;
            if (asked != FOUND)
                return asked;
        }
        LockBranch *branch = &search->branch[number];
        if (branch->found->loss > branch->promised) {
            put_back(search, number, branch->found->loss);
            continue;
        }
        search->number--;
        whole_table(branch, table);
        LockStatus verdict = judge(search, table);
        if (verdict != NOTHING)
            return verdict;
        if (branch->done == search->locks)
            return GIVEN_UP;
        verdict = split(search, number);
        if (verdict != FOUND)
            return verdict;
    }
    return NOTHING;
}

static LockStatus begin(LockSearch *search, const Cover *first)
{
    LockBranch *root = add_branch(search);
    if (!root)
        return FAILED;
    memset(root, 0, sizeof *root);
    memcpy(root->must, search->problem->must, sizeof root->must);
    memcpy(root->may, search->problem->may, sizeof root->may);
    for (int face = 0; face < FACES; face++)
        search->rack |= (uint64_t)(root->may[face] > 0) << face;
    root->found = malloc(sizeof *first);
    if (!root->found) {
        PyErr_NoMemory();
        return FAILED;
    }
    *root->found = *first;
    root->promised = first->loss;
    search->waiting[search->count++] = 0;
    return read_locks(search);
}

/* The best table under the rule of locked rows: `first` is the best without it, `search->below`
 * what the best with these rows left alone loses. `locks` are two mappings, see
 * `turns/lock_data.py`. The search has to be ended. */
static LockStatus solve_locks(LockSearch *search, const Cover *first, PyObject *locks, Cover *best)
{
    if (!PyArg_ParseTuple(locks, "OO:locks", &search->rows, &search->ways))
        return FAILED;
    LockStatus status = begin(search, first);
    return status == FOUND ? search_branches(search, best) : status;
}

static void end_search(LockSearch *search)
{
    for (int number = 0; number < search->branches; number++) {
        free(search->branch[number].found);
        Py_XDECREF(search->branch[number].ways);
    }
    for (int lock = 0; lock < search->locks; lock++)
        Py_XDECREF(search->known[lock].data);
    free(search->branch);
}

#endif
