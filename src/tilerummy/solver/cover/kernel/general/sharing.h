/* Sharing out the tiles of a number: to groups, to mirror groups, to runs, or to the rack. */
#ifndef TILERUMMY_GENERAL_SHARING_H
#define TILERUMMY_GENERAL_SHARING_H

#include "groups.h"
#include "step.h"

/* Groups of exactly `in_groups`, with any jokers that fit; in lean mode no more than needed. */
static void lay_groups(Step *step)
{
    Search *search = step->search;
    int *tiles = step->in_groups;
    int most_j = joker_left(step, J), most_d = joker_left(step, D), least_j = most_j + 1;
    int64_t extra = step->extra;
    int32_t value = step->value;
    int sum = tiles[0] + tiles[1] + tiles[2] + tiles[3];
    for (int d = 0; d <= most_d && !step->found; d++)
        for (int j = 0; j <= most_j && !step->found; j++) {
            if (search->lean && j >= least_j)
                break;
            if (group_way(search, tiles, j, d) == CANNOT)
                continue;
            least_j = j;
            int slots = j + 2 * d;
            step->extra = extra + search->problem->stand * slots * (HIGHEST - step->number);
            step->value = value + (sum + slots) * step->number;
            step->used[J] += j;
            step->used[D] += d;
            step->group_j = j;
            step->group_d = d;
            if (!too_dear(step))
                deal_with_pairs(step, 0);
            if (step->found)
                return;
            step->used[J] -= j;
            step->used[D] -= d;
        }
    step->extra = extra;
    step->value = value;
}

/* Mirror groups with the tiles of `in_groups`, then ordinary groups with the rest. */
static void lay_mirror_groups(Step *step, int floor);

/* Once the colours of a mirror group are chosen: its other slots and its jokers. */
static void fill_mirror_group(Step *step, MirrorGroup group, int both, int left, int right,
                              int code)
{
    Search *search = step->search;
    const Problem *problem = search->problem;
    /* One slot is a mirror run as well, and made there. */
    int least_side = most(problem->mirror_min_side, step->number > problem->mirror_last ? 1 : 2);
    int shown = both + left + right, naturals = 2 * both + left + right;
    int64_t extra = step->extra;
    int32_t value = step->value;
    if (right > left || naturals < problem->min_natural)
        return;
    for (int zero = 0; shown + zero <= COLOURS; zero++) {
        if (shown + zero < least_side)
            continue;
        if (search->lean && zero)
            break; /* can be taken away */
        for (int dl = 0; 2 * dl <= left + zero; dl++)
            for (int dr = 0; 2 * dr <= right + zero; dr++) {
                int d = dl + dr, j = left + right + 2 * zero - 2 * d, slots = j + 2 * d;
                if (d > joker_left(step, D) || j > joker_left(step, J))
                    continue;
                if (j + d + 1 > problem->max_jokers)
                    continue;
                group.zero = (uint8_t)zero;
                group.doubles_left = (uint8_t)dl;
                group.doubles_right = (uint8_t)dr;
                step->mirror_group[step->mirror_groups++] = group;
                step->used[J] += j;
                step->used[D] += d;
                step->used[M]++;
                step->extra = extra + problem->stand * slots * (HIGHEST - step->number);
                step->value = value + (naturals + slots) * step->number;
                if (!too_dear(step))
                    lay_mirror_groups(step, code);
                if (step->found)
                    return;
                step->used[J] -= j;
                step->used[D] -= d;
                step->used[M]--;
                step->mirror_groups--;
            }
    }
    step->extra = extra;
    step->value = value;
}

/* Each colour is shown on both sides, on one, or not at all. */
static void choose_mirror_group(Step *step, MirrorGroup group, int colour, int both, int left,
                                int right, int code, int floor)
{
    if (colour == COLOURS) {
        if (code >= floor)
            fill_mirror_group(step, group, both, left, right, code);
        return;
    }
    int *tiles = &step->in_groups[colour];
    uint8_t bit = (uint8_t)(1 << colour);
    MirrorGroup wider = group;
    code *= 4;
    choose_mirror_group(step, group, colour + 1, both, left, right, code, floor);
    if (step->found)
        return;
    if (*tiles >= 2) {
        wider.colours_both |= bit;
        *tiles -= 2;
        choose_mirror_group(step, wider, colour + 1, both + 1, left, right, code + 1, floor);
        if (step->found)
            return;
        *tiles += 2;
    }
    if (*tiles >= 1 && joker_left(step, J) + joker_left(step, D)) {
        *tiles -= 1;
        wider = group;
        wider.colours_left |= bit;
        choose_mirror_group(step, wider, colour + 1, both, left + 1, right, code + 2, floor);
        if (step->found)
            return;
        wider = group;
        wider.colours_right |= bit;
        choose_mirror_group(step, wider, colour + 1, both, left, right + 1, code + 3, floor);
        if (step->found)
            return;
        *tiles += 1;
    }
}

static void lay_mirror_groups(Step *step, int floor)
{
    const Problem *problem = step->search->problem;
    lay_groups(step);
    if (step->found || !joker_left(step, M) || step->mirror_groups == MOST_COPIES)
        return;
    int sum = 0;
    for (int c = 0; c < COLOURS; c++)
        sum += step->in_groups[c];
    if (sum < problem->min_natural)
        return;
    choose_mirror_group(step, (MirrorGroup){0}, 0, 0, 0, 0, 0, floor);
}

/* Whether runs of a colour can do with their quota: those that must go on without a tile need
 * jokers, and tiles that no open row can take begin runs, which need two more. */
static bool quota_fits(const Step *step, int colour, int *jokers)
{
    const Search *search = step->search;
    int quota = step->quota[colour], n = step->number;
    *jokers -= most(0, step->shorts[colour] - quota);
    if (*jokers < 0)
        return false;
    int begins = quota - step->runs[colour] - 2 * (step->pairs + joker_left(step, M));
    if (begins <= 0)
        return true;
    int singles = joker_left(step, J) + joker_left(step, D) + joker_left(step, C);
    return n <= HIGHEST - 2 && begins <= stock_at(search, colour, n + 1) + singles &&
           (joker_left(step, C) ||
            begins <= stock_at(search, colour, n + 2) + singles + joker_left(step, D));
}

/* Share out the tiles of a number, colour by colour: some to groups, some stay on the rack, and the
 * rest is what runs must take. First as many for runs as can go on. */
static void share_out(Step *step, int colour, int jokers)
{
    const Search *search = step->search;
    if (colour == COLOURS) {
        bool paid = !search->problem->stand && step->number < HIGHEST;
        if (!paid || step->extra > step->made)
            lay_mirror_groups(step, 0);
        return;
    }
    int face = face_at(colour, step->number), total = search->total[face];
    int64_t extra = step->extra;
    /* A mirror of one slot may be a group only, and its tile not to be replaced. */
    bool mirrored = step->number > search->problem->mirror_last && joker_left(step, M);
    for (int stay = 0; stay <= total - search->problem->must[face]; stay++) {
        step->extra = extra + stay * search->problem->weight[face];
        if (too_dear(step))
            break;
        int rest = total - stay, usual = least(rest, step->runs[colour]);
        for (int turn = 0; turn <= rest; turn++) {
            step->quota[colour] = turn <= usual ? usual - turn : turn;
            step->in_groups[colour] = rest - step->quota[colour];
            step->busy[colour] = stay > 0 || (step->in_groups[colour] > 0 && !mirrored);
            int left = jokers;
            if (!quota_fits(step, colour, &left))
                continue;
            share_out(step, colour + 1, left);
            if (step->found)
                return;
        }
    }
    step->extra = extra;
}

#endif
