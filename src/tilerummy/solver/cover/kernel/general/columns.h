/* Columns of the linear program: rows that are worth something at the prices of now.
 *
 * The program is that of one state. Equations: of each face, what lies in rows and what stays are
 * all there is; each open row is completed once. Columns are rows: how much they take of each. */
#ifndef TILERUMMY_GENERAL_COLUMNS_H
#define TILERUMMY_GENERAL_COLUMNS_H

#include "prices.h"

enum {
    MOST_EQUATIONS = NUMBERED + KINDS + MOST_OPEN,
    MOST_COLUMNS = HIGHEST * (COLOURS + 2) + MOST_OPEN,
    COLUMN_ROOM = 2 * HIGHEST + 6,
};

typedef struct {
    int size;
    uint8_t equation[COLUMN_ROOM];
    double amount[COLUMN_ROOM];
} Column;

typedef struct {
    const Search *search;
    int number; /* the first */
    int equations;
    uint8_t of_face[FACES]; /* its equation, or NO_FACE */
    Row open[MOST_OPEN];
    int opens;                    /* different open rows; their equations come last */
    double limit[MOST_EQUATIONS]; /* what it costs not to lay one */
    double price[MOST_EQUATIONS];
    double amount[MOST_EQUATIONS]; /* of the columns in the basis */
    double inverse[MOST_EQUATIONS][MOST_EQUATIONS];
    int columns;
    Column column[MOST_COLUMNS];
    Prices prices;
} Program;

static void add_to_column(const Program *program, Column *column, int face, double amount)
{
    column->equation[column->size] = program->of_face[face];
    column->amount[column->size++] = amount;
}

static void add_one(const Program *program, Column *column, const JokerCosts *costs, int times)
{
    int kind = costs->one == costs->j ? J : costs->one == costs->d ? D : C;
    if (times)
        add_to_column(program, column, JOKER + kind, times);
}

static void add_slots(const Program *program, Column *column, const JokerCosts *costs, int times)
{
    bool is_j = costs->slot == costs->j;
    add_to_column(program, column, is_j ? JOKER : DOUBLE, is_j ? times : times * 0.5);
}

/* The cheapest rest of a run, by the way that the tables went. */
static void add_run(const Program *program, Column *column, const JokerCosts *costs, int n, int c,
                    int s)
{
    const Prices *prices = &program->prices;
    for (;;) {
        int64_t rest = prices->run[n][c][s];
        int t = least(s + 1, THREE), face = n <= HIGHEST ? face_at(c, n) : 0;
        if ((s == THREE && rest == 0) || n > HIGHEST)
            return;
        int64_t after = prices->run[n + 1][c][t];
        if (program->search->total[face] && rest == plus(after, -prices->face[face])) {
            add_to_column(program, column, face, 1);
        } else if (rest == plus(after, costs->j)) {
            add_to_column(program, column, JOKER, 1);
        } else if (n < HIGHEST && rest == plus(prices->run[n + 2][c][t], costs->d)) {
            add_to_column(program, column, DOUBLE, 1);
            n++;
        } else {
            int other = 0;
            while (other == c || rest != plus(prices->run[n + 1][other][t], costs->c))
                other++;
            add_to_column(program, column, CHANGE, 1);
            c = other;
        }
        n++;
        s = t;
    }
}

static int any_colour(const int64_t values[COLOURS], int64_t value)
{
    int c = 0;
    while (values[c] != value)
        c++;
    return c;
}

/* The same for a pair; c = COLOURS for any. */
static void add_pair(const Program *program, Column *column, const JokerCosts *costs, int n, int c)
{
    const Prices *prices = &program->prices;
    for (; n <= HIGHEST; n++) {
        if (c == COLOURS)
            c = any_colour(prices->pair[n], prices->any_pair[n]);
        int face = face_at(c, n), total = program->search->total[face];
        int64_t rest = prices->pair[n][c], price = prices->face[face];
        int64_t after = prices->pair[n + 1][c], any = prices->any_pair[n + 1];
        if (rest == 0)
            return;
        if (total >= 2 && rest == after - 2 * price) {
            add_to_column(program, column, face, 2);
        } else if (total && rest == plus(costs->slot, after - price)) {
            add_to_column(program, column, face, 1);
            add_slots(program, column, costs, 1);
        } else if (total && rest == plus(costs->c, any - price)) {
            add_to_column(program, column, face, 1);
            add_to_column(program, column, CHANGE, 1);
            c = COLOURS;
        } else if (costs->slot < FAR && rest == after + 2 * costs->slot) {
            add_slots(program, column, costs, 2);
        } else if (costs->slot < FAR && rest == plus(costs->c, any + costs->slot)) {
            add_slots(program, column, costs, 1);
            add_to_column(program, column, CHANGE, 1);
            c = COLOURS;
        } else {
            add_to_column(program, column, CHANGE, 2);
            c = COLOURS;
        }
    }
}

static void add_half(const Program *program, Column *column, const JokerCosts *costs, int n, int c)
{
    const Prices *prices = &program->prices;
    if (c == COLOURS)
        c = any_colour(prices->half[n], prices->any_half[n]);
    int face = face_at(c, n);
    int64_t rest = prices->half[n][c], after = prices->pair[n + 1][c];
    if (program->search->total[face] && rest == after - prices->face[face]) {
        add_to_column(program, column, face, 1);
    } else if (costs->slot < FAR && rest == after + costs->slot) {
        add_slots(program, column, costs, 1);
    } else {
        add_to_column(program, column, CHANGE, 1);
        c = COLOURS;
    }
    add_pair(program, column, costs, n + 1, c);
}

/* What completes an open row. */
static void add_rest(const Program *program, Column *column, const JokerCosts *costs, Row row)
{
    const Prices *prices = &program->prices;
    int next = program->number;
    if (is_pair(row)) {
        Pair pair = unpack_pair(row);
        int c = pair.half[0].colour, covered = pair.half[0].covered + pair.half[1].covered;
        if (pair.half[1].colour != c)
            c = COLOURS;
        if (covered == 1)
            add_half(program, column, costs, next, c);
        else
            add_pair(program, column, costs, next + covered / 2, c);
        return;
    }
    Run run = unpack_run(row);
    int stage = run.stage == BRIDGE ? TWO : run.stage == BEYOND ? THREE : run.stage;
    int c = run.colour;
    if (run.change == CHANGE_FOLLOWS) {
        c = 0;
        while (prices->run[next][c][stage] != prices->any_run[next][stage])
            c++;
    }
    add_run(program, column, costs, next + run.covered, c, stage);
}

static Column *new_column(Program *program)
{
    Column *column = &program->column[program->columns++];
    column->size = 0;
    return column;
}

/* Rows that begin with a face and are worth something: the best. */
static void offer_rows(Program *program, const JokerCosts *costs, int n, int c)
{
    const Search *search = program->search;
    const Prices *prices = &program->prices;
    int face = face_at(c, n);
    int64_t price = prices->face[face], limit = price_as_first(search, prices, costs, c, n);
    if (!search->total[face] || price <= limit)
        return;
    Column *column = new_column(program);
    const int64_t *rest = prices->run[n + 1][c];
    add_to_column(program, column, face, 1);
    if (limit == rest[ONE]) {
        add_run(program, column, costs, n + 1, c, ONE);
    } else if (n > 1 && limit == plus(costs->one, rest[TWO])) {
        add_one(program, column, costs, 1);
        add_run(program, column, costs, n + 1, c, TWO);
    } else if (n > 2 && limit == plus(2 * lower(costs->one, FAR / 2), rest[THREE])) {
        add_one(program, column, costs, 2);
        add_run(program, column, costs, n + 1, c, THREE);
    } else {
        int64_t pair = costs->m + prices->pair[n + 1][c];
        add_to_column(program, column, MIRROR, 1);
        if (search->total[face] >= 2 && limit == halved(pair)) {
            column->amount[0] = 2;
        } else if (limit == plus(costs->slot, pair)) {
            add_slots(program, column, costs, 1);
        } else {
            add_to_column(program, column, CHANGE, 1);
            c = COLOURS;
        }
        add_pair(program, column, costs, n + 1, c);
    }
}

static void offer_groups(Program *program, const JokerCosts *costs, int n)
{
    const Search *search = program->search;
    int64_t best = 0;
    int chosen = 0, colours;
    for (int set = 1; set < 1 << COLOURS; set++) {
        int64_t worth = worth_of_group(search, &program->prices, costs, n, set, &colours);
        if (worth > best) {
            best = worth;
            chosen = set;
        }
    }
    if (chosen) {
        Column *column = new_column(program);
        worth_of_group(search, &program->prices, costs, n, chosen, &colours);
        for (int c = 0; c < COLOURS; c++)
            if (chosen >> c & 1)
                add_to_column(program, column, face_at(c, n), 1);
        if (colours == 1)
            add_to_column(program, column, JOKER, 1);
        if (colours < 3)
            add_to_column(program, column, costs->j <= costs->d ? JOKER : DOUBLE, 1);
    }
    if (costs->m == FAR)
        return;
    best = -costs->m;
    chosen = 0;
    bool both;
    for (int c = 0; c < COLOURS; c++) {
        int64_t gain = gain_in_mirror(search, &program->prices, costs, face_at(c, n), &both);
        if (gain > 0) {
            best += gain;
            chosen |= 1 << c;
        }
    }
    if (!chosen || best <= 0)
        return;
    Column *column = new_column(program);
    add_to_column(program, column, MIRROR, 1);
    for (int c = 0; c < COLOURS; c++) {
        int face = face_at(c, n);
        if (!(chosen >> c & 1))
            continue;
        gain_in_mirror(search, &program->prices, costs, face, &both);
        add_to_column(program, column, face, both ? 2 : 1);
        if (!both)
            add_slots(program, column, costs, 1);
    }
}

#endif
