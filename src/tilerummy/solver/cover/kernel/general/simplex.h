/* The simplex method with column generation: good prices for one state.
 *
 * Columns are made when needed, as the tables of the prices tell which rows are worth something. It
 * computes in floating point: `settle` makes its prices right afterwards. */
#ifndef TILERUMMY_GENERAL_SIMPLEX_H
#define TILERUMMY_GENERAL_SIMPLEX_H

#include <string.h>

#include "columns.h"

enum { MOST_ROUNDS = 200 };

/* Take a column into the basis if it is worth something at the prices of now. */
static bool enter(Program *program, const Column *column, double cost, double worth_while)
{
    int equations = program->equations, leaving = -1;
    double worth = -cost, change[MOST_EQUATIONS], ratio = 0;
    for (int k = 0; k < column->size; k++)
        worth += column->amount[k] * program->price[column->equation[k]];
    if (worth <= worth_while)
        return false;
    for (int i = 0; i < equations; i++) {
        double sum = 0;
        for (int k = 0; k < column->size; k++)
            sum += column->amount[k] * program->inverse[i][column->equation[k]];
        change[i] = sum;
        if (sum > 1e-7) {
            double now = program->amount[i] / sum;
            if (leaving < 0 || now < ratio || (now == ratio && sum > change[leaving])) {
                ratio = now;
                leaving = i;
            }
        }
    }
    if (leaving < 0)
        return false;
    double *pivot = program->inverse[leaving], by = 1 / change[leaving];
    for (int k = 0; k < equations; k++) {
        pivot[k] *= by;
        program->price[k] -= worth * pivot[k];
    }
    for (int i = 0; i < equations; i++) {
        if (i == leaving)
            continue;
        program->amount[i] -= ratio * change[i];
        if (program->amount[i] < 0)
            program->amount[i] = 0;
        if (change[i] == 0)
            continue;
        double *own = program->inverse[i];
        for (int k = 0; k < equations; k++)
            own[k] -= change[i] * pivot[k];
    }
    program->amount[leaving] = ratio;
    return true;
}

/* Not below -16 * most, even if it is not a number. */
static inline int64_t as_price(double price, double most)
{
    return (int64_t)(price > most ? most : price > -16 * most ? price : -16 * most);
}

/* The equations of a state, and nothing laid yet. A little less of every joker than there is makes
 * them cost something where they could be free: the prices serve other states as well. */
static void begin_program(Program *program, const Search *search, const State *state)
{
    const Row *rows = search->pool + state->rows;
    const double fewer = 0.3, more = 0.0005;
    program->search = search;
    program->number = state->number;
    program->equations = program->opens = 0;
    memset(program->of_face, NO_FACE, sizeof program->of_face);
    for (int face = 0; face < FACES; face++) {
        int total = search->total[face], at = program->equations;
        if (!total || (face < JOKER && face % HIGHEST + 1 < state->number))
            continue;
        program->of_face[face] = (uint8_t)program->equations++;
        program->limit[at] = (double)cost_to_stay(search, face);
        program->amount[at] = total + more * (1 + face % 16 / 64.0); /* no two alike */
        if (face < JOKER)
            continue;
        int left = total - state->used[face - JOKER];
        program->amount[at] = left ? left - fewer : fewer;
        if (face < MIRROR)
            program->limit[at] = 0;
    }
    for (int i = 0; i < state->count; i++) {
        if (!i || rows[i] != rows[i - 1]) {
            program->open[program->opens++] = rows[i];
            program->limit[program->equations] = (double)search->stake * (double)search->scale;
            program->amount[program->equations++] = more;
        }
        program->amount[program->equations - 1] += 1;
    }
    for (int i = 0; i < program->equations; i++) {
        memset(program->inverse[i], 0, (size_t)program->equations * sizeof(double));
        program->inverse[i][i] = 1;
        program->price[i] = program->limit[i];
    }
}

/* Collect rows that are worth something at the prices of now. */
static void offer(Program *program, double most)
{
    const Search *search = program->search;
    Prices *prices = &program->prices;
    int faces = program->equations - program->opens;
    for (int face = 0; face < FACES; face++) {
        int at = program->of_face[face];
        prices->face[face] = at == NO_FACE ? 0 : as_price(program->price[at], most);
        if (face >= JOKER && face < MIRROR)
            prices->face[face] = lower(prices->face[face], 0);
    }
    JokerCosts costs = joker_costs(search, prices);
    program->columns = 0;
    begin_tables(prices);
    for (int n = HIGHEST; n >= program->number; n--) {
        for (int c = 0; c < COLOURS; c++)
            offer_rows(program, &costs, n, c);
        offer_groups(program, &costs, n);
        fill_tables(search, prices, &costs, n);
    }
    for (int i = 0; i < program->opens; i++) {
        int64_t rest = cost_of_rest(prices, program->open[i], program->number);
        if (rest >= FAR || program->price[faces + i] <= (double)rest)
            continue;
        Column *column = new_column(program);
        column->equation[column->size] = (uint8_t)(faces + i);
        column->amount[column->size++] = 1;
        add_rest(program, column, &costs, program->open[i]);
    }
}

/* Good prices for a state: rows enter as long as they are worth something. */
static void bargain(Program *program, const Search *search, const State *state, Prices *prices)
{
    double most = (double)search->stake * (double)search->scale, tolerance = most * 1e-6;
    begin_program(program, search, state);
    bool entered = true;
    for (int round = 0; round < MOST_ROUNDS && entered; round++) {
        offer(program, most);
        entered = false;
        for (int i = 0; i < program->columns; i++)
            entered |= enter(program, &program->column[i], 0, tolerance);
        for (int i = 0; i < program->equations; i++) {
            Column unit = {.size = 1, .equation = {(uint8_t)i}, .amount = {1}};
            entered |= enter(program, &unit, program->limit[i], tolerance);
        }
    }
    for (int face = 0; face < FACES; face++) {
        int at = program->of_face[face];
        prices->face[face] =
            at == NO_FACE ? cost_to_stay(search, face) : as_price(program->price[at], most);
    }
    settle(search, prices);
}

#endif
