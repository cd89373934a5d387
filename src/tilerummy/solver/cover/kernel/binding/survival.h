/* Rows with jokers that lie whole in a new row, so that their jokers stay what they were.
 *
 * `rules/quick_jokers` says what follows from that: no rule objects to such a row. */
#ifndef TILERUMMY_BINDING_SURVIVAL_H
#define TILERUMMY_BINDING_SURVIVAL_H

#include "table.h"

/* A row of a new table. */
typedef struct {
    const uint8_t *face;
    int length;
    uint64_t faces; /* one bit each */
} NewRow;

static NewRow new_row(const uint8_t *face, int length)
{
    NewRow row = {face, length, 0};
    for (int place = 0; place < length; place++)
        row.faces |= (uint64_t)1 << face[place];
    return row;
}

static int list_rows(const Cover *cover, NewRow rows[MOST_ROWS])
{
    const uint8_t *face = cover->face;
    for (int32_t row = 0; row < cover->rows; face += cover->length[row++])
        rows[row] = new_row(face, cover->length[row]);
    return cover->rows;
}

/* Side by side; a mirror turns rows round. */
static int is_block_in(const OldRow *old, const NewRow *row)
{
    if ((old->faces | row->faces) >> MIRROR & 1)
        return 0;
    for (int at = 0; at + old->length <= row->length; at++)
        if (!memcmp(row->face + at, old->face, (size_t)old->length))
            return 1;
    return 0;
}

/* A group that is part of a larger one, in any order. */
static int is_group_in(const OldRow *old, const NewRow *row)
{
    uint8_t spare[FACES] = {0};
    if ((old->faces | row->faces) >> MIRROR & 1 || !is_group(old))
        return 0;
    for (int place = 0; place < row->length; place++)
        spare[row->face[place]]++;
    for (int place = 0; place < old->length; place++)
        if (!spare[old->face[place]]--)
            return 0;
    return 1;
}

static int is_same(const OldRow *old, const NewRow *row)
{
    return old->length == row->length && !memcmp(old->face, row->face, (size_t)old->length);
}

static int survives(const OldRow *old, const NewRow *row)
{
    if (old->faces & ~row->faces)
        return 0;
    return is_same(old, row) || is_block_in(old, row) || is_group_in(old, row);
}

/* Finds the rows with jokers that do not lie whole in a new row of their own, and returns how many.
 * Rows that are on the new table as they were come first. */
static int find_gone(const Table *table, const NewRow *rows, int count, int gone[MOST_ROWS])
{
    int moved[MOST_ROWS], changed = 0, found = 0;
    uint8_t taken[MOST_ROWS] = {0};
    for (int number = 0; number < table->rows; number++) {
        const OldRow *old = &table->row[number];
        int row = 0;
        while (row < count && (taken[row] || !is_same(old, &rows[row])))
            row++;
        if (row < count)
            taken[row] = 1;
        else if (old->has_joker)
            moved[changed++] = number;
    }
    for (int i = 0; i < changed; i++) {
        int row = 0;
        while (row < count && (taken[row] || !survives(&table->row[moved[i]], &rows[row])))
            row++;
        if (row < count)
            taken[row] = 1;
        else
            gone[found++] = moved[i];
    }
    return found;
}

/* Whether every row with jokers lies whole in a row of a new table. */
static int jokers_survive(const Table *table, const Cover *cover)
{
    NewRow rows[MOST_ROWS];
    int gone[MOST_ROWS];
    return !find_gone(table, rows, list_rows(cover, rows), gone);
}

/* Whether a laying leaves an old row whole in one new row. */
static int lies_whole(const Table *table, int number, const Cover *cover, const Laying *laying)
{
    const OldRow *old = &table->row[number];
    const int16_t *place = laying->place[number];
    int row = 0, begin = 0, side_by_side = 1, inside = 1;
    while (row < cover->rows && place[0] >= begin + cover->length[row])
        begin += cover->length[row++];
    if (old->kept || place[0] < 0 || row == cover->rows)
        return old->kept;
    NewRow target = new_row(cover->face + begin, cover->length[row]);
    for (int tile = 0; tile < old->length; tile++) {
        side_by_side &= place[tile] == place[0] + tile;
        inside &= begin <= place[tile] && place[tile] < begin + target.length;
    }
    return inside && (side_by_side ? is_block_in(old, &target) : is_group_in(old, &target));
}

/* Whether a laying leaves every row with jokers whole in one new row. */
static int leaves_jokers(const Table *table, const Cover *cover, const Laying *laying)
{
    for (int number = 0; number < table->rows; number++)
        if (table->row[number].has_joker && !lies_whole(table, number, cover, laying))
            return 0;
    return 1;
}

#endif
