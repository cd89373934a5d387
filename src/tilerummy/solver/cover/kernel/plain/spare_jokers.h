/* Spare jokers: laid after the walk wherever a row has room. */
#ifndef TILERUMMY_PLAIN_SPARE_JOKERS_H
#define TILERUMMY_PLAIN_SPARE_JOKERS_H

#include "rows.h"

static bool lengthen(Row *row)
{
    if (!row->is_run) {
        if (row->length == 4)
            return false;
        row->length++;
        row->jokers++;
        return true;
    }
    if (row->length == HIGHEST)
        return false;
    if (row->first + row->length < HIGHEST) {
        row->jokers |= (uint16_t)(1 << row->length);
    } else {
        row->first--;
        row->jokers = (uint16_t)(row->jokers << 1 | 1);
    }
    row->length++;
    return true;
}

/* Cuts a run from 1 to 13 where both parts keep a numbered tile. */
static bool cut_in_two(Rows *rows, int index)
{
    Row *row = &rows->row[index];
    for (int cut = 3; row->is_run && row->length == HIGHEST && cut <= HIGHEST - 3; cut++) {
        int all = (1 << cut) - 1;
        if ((row->jokers & all) == all || row->jokers >> cut == (1 << (HIGHEST - cut)) - 1)
            continue;
        Row *tail = &rows->row[rows->count++];
        *tail = *row;
        tail->first = (uint8_t)cut;
        tail->length = (uint8_t)(HIGHEST - cut);
        tail->jokers = (uint16_t)(row->jokers >> cut);
        row->length = (uint8_t)cut;
        row->jokers &= (uint16_t)all;
        return true;
    }
    return false;
}

/* One group more of a number, if the spare jokers are enough for it; returns how many it took. */
static int regroup(Rows *rows, int number, int spare)
{
    uint8_t take[COLOURS] = {0};
    int groups = 0, tiles = 0, jokers = 0;
    for (int i = 0; i < rows->count; i++) {
        const Row *row = &rows->row[i];
        if (row->is_run || row->first != number)
            continue;
        groups++;
        tiles += row->length - row->jokers;
        jokers += row->jokers;
        for (int colour = 0; colour < COLOURS; colour++)
            take[colour] += row->colours >> colour & 1;
    }
    int room = 4 * (groups + 1) - tiles - jokers;
    int taken = spare < room ? spare : room;
    if (groups == 0 || tiles < groups + 1 || tiles + jokers + taken < 3 * (groups + 1))
        return 0;
    int kept = 0;
    for (int i = 0; i < rows->count; i++)
        if (rows->row[i].is_run || rows->row[i].first != number)
            rows->row[kept++] = rows->row[i];
    rows->count = kept;
    deal_groups(rows, number, take, groups + 1, jokers + taken);
    return taken;
}

/* Adds jokers to rows until none is left or nothing takes one; returns those left. */
static int place_spares(Rows *rows, int spare)
{
    for (int i = 0; spare > 0 && i < rows->count; i++)
        while (spare > 0 && lengthen(&rows->row[i]))
            spare--;
    for (int i = 0; spare > 0 && i < rows->count; i++)
        if (cut_in_two(rows, i))
            return place_spares(rows, spare);
    for (int number = 0; spare > 0 && number < HIGHEST; number++)
        spare -= regroup(rows, number, spare);
    return spare;
}

#endif
