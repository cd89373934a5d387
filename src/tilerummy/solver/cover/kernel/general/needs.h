/* Tiles that need jokers, and what is lost as there are too few. */
#ifndef TILERUMMY_GENERAL_NEEDS_H
#define TILERUMMY_GENERAL_NEEDS_H

#include "../numbers.h"
#include "step.h"

static inline bool needy_at(const Search *search, int colour, int number)
{
    return number <= HIGHEST && search->needy[face_at(colour, number)];
}

/* How many jokers a row needs at least that holds this tile: 0, 1, or 2 for more. The result may be
 * too small. A row with one joker has a neighbour of the tile within reach of that joker. */
static int least_jokers(const Search *search, int face)
{
    int c = face / HIGHEST, n = face % HIGHEST + 1, colours = 0, around = 0;
    bool same[7], other_at_two = false;
    for (int step = -3; step <= 3; step++) {
        int number = n + step;
        bool inside = number >= 1 && number <= HIGHEST;
        same[step + 3] = inside && search->total[face_at(c, number)];
        for (int other = 0; inside && other < COLOURS; other++)
            if ((step == 2 || step == -2) && search->total[face_at(other, number)])
                other_at_two = true;
    }
    for (int other = 0; other < COLOURS; other++)
        colours += search->total[face_at(other, n)] > 0;
    if (colours >= 3)
        return 0;
    if ((same[1] && same[2]) || (same[2] && same[4]) || (same[4] && same[5]))
        return 0;
    around = same[2] || same[4];
    const uint8_t *jokers = search->jokers;
    if (jokers[J] && (colours >= 2 || around || same[1] || same[5]))
        return 1;
    if (jokers[D] && (colours >= 2 || around || same[0] || same[6]))
        return 1;
    if (jokers[C] && (around || other_at_two))
        return 1;
    if (jokers[M] && search->total[face] >= 2)
        return 1;
    return 2;
}

/* Take tiles away that no row can hold, at the cost in `base`. False if one lies on the table. */
static bool remove_hopeless(Search *search, int64_t *base)
{
    const Problem *problem = search->problem;
    int jokers = 0;
    for (int kind = 0; kind < KINDS; kind++)
        jokers += search->jokers[kind];
    if (jokers >= 2 || problem->min_natural < 1)
        return true;
    for (bool again = true; again;) {
        again = false;
        for (int face = 0; face < NUMBERED; face++) {
            if (!search->total[face] || least_jokers(search, face) <= jokers)
                continue;
            if (problem->must[face])
                return false;
            *base += search->total[face] * problem->weight[face];
            search->total[face] = 0;
            again = true;
        }
    }
    return true;
}

/* Tiles that need two jokers each, apart from those that the jokers can serve: two tiles of a row
 * that need two have two between them, so no more than there are jokers. */
static void bound_losses(Search *search)
{
    const Problem *problem = search->problem;
    int jokers = 0, served;
    int64_t dearest[KINDS * MOST_COPIES] = {0}, sum = 0, spared = 0;
    for (int kind = 0; kind < KINDS; kind++)
        jokers += search->jokers[kind];
    served = jokers / 2 * 2;
    for (int number = HIGHEST; number >= 1; number--) {
        for (int c = 0; c < COLOURS; c++) {
            int face = face_at(c, number);
            if (!search->total[face] || least_jokers(search, face) < 2)
                continue;
            for (int i = problem->must[face]; i < search->total[face]; i++) {
                int64_t weight = problem->weight[face];
                sum += weight;
                for (int k = 0; k < served; k++)
                    if (weight > dearest[k]) {
                        int64_t swap = dearest[k];
                        dearest[k] = weight;
                        weight = swap;
                    }
            }
        }
        spared = 0;
        for (int k = 0; k < served; k++)
            spared += dearest[k];
        search->bound[number] = sum - spared;
    }
}

/* The needy tiles from each number on; see `still_lost`. */
static void count_pieces(Search *search)
{
    const Problem *problem = search->problem;
    for (int face = 0; face < NUMBERED; face++)
        search->needy[face] = search->total[face] && least_jokers(search, face) > 0;
    for (int number = HIGHEST; number >= 1; number--) {
        int *pieces = &search->pieces[number], *spare = &search->spare[number];
        int64_t *cheapest = &search->cheapest[number];
        *pieces = pieces[1];
        *spare = spare[1];
        for (int kind = 0; kind < KINDS; kind++)
            search->links[kind][number] = search->links[kind][number + 1];
        *cheapest = number < HIGHEST ? cheapest[1] : MOST_LOSS / MOST_TILES;
        for (int c = 0; c < COLOURS; c++) {
            int face = face_at(c, number), total = search->total[face];
            if (!search->needy[face])
                continue;
            bool partner = (number > 1 && search->needy[face - 1]) ||
                           (number < HIGHEST && search->needy[face + 1]);
            for (int other = 0; other < COLOURS; other++)
                partner |= other != c && search->needy[face_at(other, number)];
            *pieces += (partner ? 1 : 2) * total;
            for (int gap = 2; gap <= 4; gap++)
                for (int other = 0; other < COLOURS; other++)
                    search->links[other == c ? J : C][number] +=
                        total * needy_at(search, other, number + gap);
            for (int gap = 3; gap <= 5; gap++)
                search->links[D][number] += total * needy_at(search, c, number + gap);
            search->links[M][number] += total / 2;
            *spare += total - problem->must[face];
            if (total > problem->must[face] && problem->weight[face] < *cheapest)
                *cheapest = problem->weight[face];
        }
    }
}

/* What is lost at least from the next number on, given the open rows and the jokers left; more than
 * MOST_LOSS if the table cannot be laid.
 *
 * Jokers cut a row into pieces of numbered tiles. A needy tile lies in a piece beside a joker, with
 * one other needy tile at most: three would make a row without jokers. A row with j jokers has no
 * more than j needy pieces, and one more only if a single joker links two of them: J those two
 * apart, D three, C two apart and of different colours, or up to two more from one needy tile to
 * the other, for others may lie between. M serves nothing unless a needy tile has a twin, and two
 * pieces then. An open row serves one piece without a further joker if its next tile is needy or
 * the one after it: a third would again make a row without jokers. */
static int64_t still_lost(const Step *step, const Row *rows, int count)
{
    const Search *search = step->search;
    int next = step->number + 1, served = 0;
    if (!search->pieces[next])
        return search->bound[next];
    for (int kind = J; kind <= C; kind++) {
        int left = joker_left(step, kind);
        served += left + least(left, search->links[kind][next]);
    }
    served += 2 * least(joker_left(step, M), search->links[M][next]);
    if (2 * served >= search->pieces[next])
        return search->bound[next];
    for (int i = 0; i < count && next <= HIGHEST; i++) {
        if (is_pair(rows[i])) {
            served += 2;
        } else {
            Run run = unpack_run(rows[i]);
            int number = next + run.covered;
            served +=
                needy_at(search, run.colour, number) || needy_at(search, run.colour, number + 1);
        }
    }
    int lost = (search->pieces[next] - 2 * served + 1) / 2;
    if (lost <= 0)
        return search->bound[next];
    if (lost > search->spare[next])
        return INT64_MAX;
    int64_t loss = lost * search->cheapest[next];
    return loss > search->bound[next] ? loss : search->bound[next];
}

#endif
