/* The layout: the rows of the way to the goal, found by a replay, and written into a cover. */
#ifndef TILERUMMY_GENERAL_LAYOUT_H
#define TILERUMMY_GENERAL_LAYOUT_H

#include "walk.h"

typedef struct {
    uint8_t side[2][HIGHEST]; /* the second only of a mirror */
    uint8_t tiles[2];
    uint8_t first; /* the number of its first slot */
    uint8_t slots; /* of the first side */
    enum { A_RUN, A_GROUP, A_MIRROR } kind;
} Laid;

typedef struct {
    Laid row[MOST_ROWS + 1];
    int rows;
    int32_t value;
} Layout;

static void add_tile(Laid *laid, int side, int tile)
{
    if (tile == NO_FACE)
        return;
    laid->side[side][laid->tiles[side]++] = (uint8_t)tile;
    if (side == 0)
        laid->slots = (uint8_t)(laid->slots + (tile == DOUBLE ? 2 : 1));
}

static void finish(Layout *layout, const Laid *laid)
{
    layout->row[layout->rows++] = *laid;
}

static void finish_group(Layout *layout, int number, int colours, int jokers, int doubles)
{
    Laid laid = {.kind = A_GROUP, .first = (uint8_t)number};
    for (int c = 0; c < COLOURS; c++)
        if (colours >> c & 1)
            add_tile(&laid, 0, face_at(c, number));
    while (jokers--)
        add_tile(&laid, 0, JOKER);
    while (doubles--)
        add_tile(&laid, 0, DOUBLE);
    finish(layout, &laid);
}

/* Slots from the outside: shown on both sides, jokers left, jokers on both sides, jokers right; so
 * the joker slots of a side lie together and doubles fit. */
static void finish_mirror_group(Layout *layout, int number, const MirrorGroup *group)
{
    Laid laid = {.kind = A_MIRROR, .first = (uint8_t)number};
    int shown[3] = {group->colours_both, group->colours_left, group->colours_right};
    int blank[2] = {group->zero, group->zero},
        doubles[2] = {group->doubles_left, group->doubles_right};
    for (int c = 0; c < COLOURS; c++) {
        blank[0] += group->colours_left >> c & 1;
        blank[1] += group->colours_right >> c & 1;
    }
    for (int side = 0; side < 2; side++) {
        for (int part = 0; part < 2; part++)
            for (int c = 0; c < COLOURS; c++)
                if ((part == 0 ? shown[0] : side == 1 ? shown[1] : 0) >> c & 1)
                    add_tile(&laid, side, face_at(c, number));
        for (int d = 0; d < doubles[side]; d++)
            add_tile(&laid, side, DOUBLE);
        for (int j = 2 * doubles[side]; j < blank[side]; j++)
            add_tile(&laid, side, JOKER);
        if (side == 0)
            for (int c = 0; c < COLOURS; c++)
                if (shown[2] >> c & 1)
                    add_tile(&laid, side, face_at(c, number));
    }
    finish(layout, &laid);
}

static void finish_groups(Layout *layout, Search *search, const Step *step)
{
    int tiles[COLOURS], jokers = step->group_j, doubles = step->group_d;
    memcpy(tiles, step->in_groups, sizeof tiles);
    for (uint8_t way; (way = group_way(search, tiles, jokers, doubles)) >= WAY;) {
        int code = way - WAY, d = code % 2, j = code / 2 % 5, colours = code / 10;
        finish_group(layout, step->number, colours, j, d);
        for (int c = 0; c < COLOURS; c++)
            tiles[c] -= colours >> c & 1;
        jokers -= j;
        doubles -= d;
    }
    for (int i = 0; i < step->mirror_groups; i++)
        finish_mirror_group(layout, step->number, &step->mirror_group[i]);
}

/* Walk from the first state to the goal again, and note what was done. */
static void replay(Search *search, Layout *layout)
{
    uint32_t path[LAYERS];
    uint32_t at = search->goal;
    for (int i = LAYERS - 1; i >= 0; i--, at = search->states[at].parent)
        path[i] = at;
    Laid open[MOST_OPEN], grown[MOST_OPEN];
    int count = 0;
    Step step;
    layout->rows = 0;
    layout->value = 0;
    for (int i = 0; i + 1 < LAYERS; i++) {
        const State *from = &search->states[path[i]], *to = &search->states[path[i + 1]];
        int64_t extra = to->loss - from->loss;
        expand(search, path[i], extra, extra - 1, &step, path[i + 1]);
        layout->value += step.value - from->value;
        bool kept[MOST_OPEN] = {false}, went_on[MOST_OPEN] = {false};
        for (int k = 0; k < to->count; k++)
            kept[step.order[k]] = true;
        for (int k = 0; k < step.open; k++) {
            Laid laid = {.kind = is_pair(step.out[k]) ? A_MIRROR : A_RUN,
                         .first = (uint8_t)step.number};
            if (step.source[k] != NO_FACE) {
                laid = open[step.source[k]];
                went_on[step.source[k]] = true;
            }
            add_tile(&laid, 0, step.tile[k][0]);
            add_tile(&laid, 1, step.tile[k][1]);
            if (step.turned[k]) {
                Laid other = laid;
                for (int side = 0; side < 2; side++) {
                    memcpy(laid.side[side], other.side[1 - side], sizeof laid.side[side]);
                    laid.tiles[side] = other.tiles[1 - side];
                }
            }
            grown[k] = laid;
            if (!kept[k])
                finish(layout, &laid);
        }
        for (int k = 0; k < count; k++)
            if (!went_on[k])
                finish(layout, &open[k]);
        finish_groups(layout, search, &step);
        count = to->count;
        for (int k = 0; k < count; k++)
            open[k] = grown[step.order[k]];
    }
}

static void write_cover(const Layout *layout, Cover *cover)
{
    cover->rows = layout->rows;
    cover->tiles = 0;
    for (int i = 0; i < layout->rows; i++) {
        const Laid *laid = &layout->row[i];
        int start = cover->tiles;
        for (int k = 0; k < laid->tiles[0]; k++)
            cover->face[cover->tiles++] = laid->side[0][k];
        if (laid->kind == A_MIRROR) {
            cover->face[cover->tiles++] = MIRROR;
            for (int k = laid->tiles[1]; k--;)
                cover->face[cover->tiles++] = laid->side[1][k];
        }
        cover->length[i] = (uint8_t)(cover->tiles - start);
    }
}

#endif
