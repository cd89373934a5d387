/* Jokers left over in lean mode: laid wherever a row has room. */
#ifndef TILERUMMY_GENERAL_LEFT_OVER_H
#define TILERUMMY_GENERAL_LEFT_OVER_H

#include "layout.h"

static inline int slots_of(int tile)
{
    return tile == DOUBLE ? 2 : 1;
}

static inline int free_before(const Laid *laid)
{
    return laid->first - 1;
}
static inline int free_after(const Laid *laid)
{
    return HIGHEST + 1 - laid->first - laid->slots;
}

static void add_in_front(Laid *laid, int tile)
{
    memmove(laid->side[0] + 1, laid->side[0], laid->tiles[0]);
    laid->side[0][0] = (uint8_t)tile;
    laid->tiles[0]++;
    laid->first = (uint8_t)(laid->first - slots_of(tile));
    laid->slots = (uint8_t)(laid->slots + slots_of(tile));
}

/* Put a joker at the roomiest free end of a run. */
static bool add_to_run(Layout *layout, int tile)
{
    int best = slots_of(tile) - 1;
    Laid *at = NULL;
    bool front = false;
    for (int i = 0; i < layout->rows; i++) {
        Laid *laid = &layout->row[i];
        if (laid->kind != A_RUN)
            continue;
        if (free_after(laid) > best) {
            best = free_after(laid);
            at = laid;
            front = false;
        }
        if (free_before(laid) > best) {
            best = free_before(laid);
            at = laid;
            front = true;
        }
    }
    if (!at)
        return false;
    if (front)
        add_in_front(at, tile);
    else
        add_tile(at, 0, tile);
    return true;
}

/* Cut a run in two, one of which takes the joker at the cut: three tiles each with it. */
static bool add_by_cutting(Layout *layout, int tile)
{
    if (layout->rows > MOST_ROWS)
        return false;
    for (int i = 0; i < layout->rows; i++) {
        Laid *laid = &layout->row[i];
        if (laid->kind != A_RUN || laid->tiles[0] < 5)
            continue;
        for (int cut = 2; cut <= laid->tiles[0] - 2; cut++) {
            Laid low = {.kind = A_RUN, .first = laid->first}, high = {.kind = A_RUN};
            int naturals[2] = {0};
            for (int k = 0; k < laid->tiles[0]; k++) {
                add_tile(k < cut ? &low : &high, 0, laid->side[0][k]);
                naturals[k >= cut] += laid->side[0][k] < NUMBERED;
            }
            high.first = (uint8_t)(low.first + low.slots);
            if (!naturals[0] || !naturals[1])
                continue;
            if (high.tiles[0] >= 3 && free_after(&low) >= slots_of(tile))
                add_tile(&low, 0, tile);
            else if (low.tiles[0] >= 3 && free_before(&high) >= slots_of(tile))
                add_in_front(&high, tile);
            else
                continue;
            *laid = low;
            finish(layout, &high);
            return true;
        }
    }
    return false;
}

/* The group of four of a number that holds a tile of the colour, and where the tile lies. */
static Laid *four_with(Layout *layout, int face, int *at)
{
    for (int i = 0; i < layout->rows; i++) {
        Laid *laid = &layout->row[i];
        if (laid->kind != A_GROUP || laid->tiles[0] != 4)
            continue;
        for (*at = 0; *at < 4; ++*at)
            if (laid->side[0][*at] == face)
                return laid;
    }
    return NULL;
}

/* Two neighbours from groups of four make a run with the joker. */
static bool add_by_borrowing(Layout *layout, int tile)
{
    if (layout->rows > MOST_ROWS)
        return false;
    for (int face = 0; face + 1 < NUMBERED; face++) {
        int at[2];
        if (face % HIGHEST + 1 == HIGHEST)
            continue;
        Laid *fours[2] = {four_with(layout, face, &at[0]), four_with(layout, face + 1, &at[1])};
        if (!fours[0] || !fours[1])
            continue;
        Laid run = {.kind = A_RUN, .first = (uint8_t)(face % HIGHEST + 1)};
        int naturals = 0;
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < 4; i++)
                naturals += fours[k]->side[0][i] < NUMBERED && i != at[k];
            if (!naturals)
                break; /* the rest would have no numbered tile */
            naturals = 0;
            add_tile(&run, 0, face + k);
        }
        if (run.tiles[0] < 2)
            continue;
        if (free_after(&run) >= slots_of(tile))
            add_tile(&run, 0, tile);
        else if (free_before(&run) >= slots_of(tile))
            add_in_front(&run, tile);
        else
            continue;
        for (int k = 0; k < 2; k++) {
            uint8_t *side = fours[k]->side[0];
            memmove(side + at[k], side + at[k] + 1, (size_t)(3 - at[k]));
            fours[k]->tiles[0] = fours[k]->slots = 3;
        }
        finish(layout, &run);
        return true;
    }
    return false;
}

static bool add_somewhere(Layout *layout, int tile)
{
    return add_to_run(layout, tile) || add_by_cutting(layout, tile) ||
           add_by_borrowing(layout, tile);
}

static bool add_to_group(Layout *layout, int tile)
{
    for (int i = 0; i < layout->rows; i++) {
        Laid *laid = &layout->row[i];
        if (laid->kind == A_GROUP && laid->slots == 3 && tile == JOKER) {
            add_tile(laid, 0, tile);
            return true;
        }
    }
    return false;
}

/* `x y J` becomes `x y D`: the J is free again. */
static bool trade_in_group(Layout *layout)
{
    for (int i = 0; i < layout->rows; i++) {
        Laid *laid = &layout->row[i];
        if (laid->kind != A_GROUP || laid->slots != 3 || laid->side[0][2] != JOKER)
            continue;
        laid->side[0][2] = DOUBLE;
        laid->slots = 4;
        return true;
    }
    return false;
}

static bool place_left_over(Search *search, Layout *layout)
{
    const Problem *problem = search->problem;
    int left[KINDS];
    for (int kind = J; kind <= C; kind++) {
        left[kind] = search->jokers[kind] - search->states[search->goal].used[kind];
        if (problem->weight[JOKER + kind] == 0)
            left[kind] -= problem->may[JOKER + kind];
    }
    for (; left[D] > 0; left[D]--) {
        if (add_somewhere(layout, DOUBLE))
            continue;
        if (!trade_in_group(layout))
            return false;
        left[J]++;
    }
    for (; left[C] > 0; left[C]--)
        if (!add_somewhere(layout, CHANGE))
            return false;
    for (; left[J] > 0; left[J]--)
        if (!add_to_group(layout, JOKER) && !add_somewhere(layout, JOKER))
            return false;
    return true;
}

#endif
