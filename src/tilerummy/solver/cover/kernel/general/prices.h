/* A bound by prices. Each face gets a price such that no row is worth more than nothing: the prices
 * of its tiles add up to 0 at most (J, D and C have prices below 0). What stays on the rack costs
 * its weight, and what lies in rows is worth nothing at best; so all tiles together, each at its
 * price or at its weight if that is less, are worth no more than what is lost. For a state, the
 * tiles from the next number on and the jokers left count, and what its open rows can take at best
 * goes off.
 *
 * All of that holds whatever the prices are, as `settle` lowers those that are too high. Its rows
 * are those of the rules, or more: options that forbid rows are left out, doubles in mirrors count
 * as two halves, and a mirror goes on in any colour after a C. Good prices solve a linear program,
 * the dual of laying rows by halves and thirds; see `bargain`. Prices are whole numbers, `scale` to
 * a unit of weight, so that nothing is rounded the wrong way. */
#ifndef TILERUMMY_GENERAL_PRICES_H
#define TILERUMMY_GENERAL_PRICES_H

#include "../numbers.h"
#include "search.h"

/* A price for each face, and what follows from them; see `settle`. */
typedef struct {
    int64_t face[FACES];
    int64_t run[LAYERS + 2][COLOURS][THREE + 1]; /* least cost of the rest, by the next number */
    int64_t any_run[LAYERS + 2][THREE + 1];      /* of any colour */
    int64_t pair[LAYERS + 2][COLOURS];
    int64_t any_pair[LAYERS + 2];
    int64_t half[LAYERS + 2][COLOURS]; /* of a pair, one half of which is covered */
    int64_t any_half[LAYERS + 2];
    int64_t base[LAYERS + 2]; /* what numbered tiles from here on are worth */
} Prices;

#define FAR (INT64_MAX / 8)

static inline int64_t plus(int64_t a, int64_t b)
{
    return a >= FAR || b >= FAR ? FAR : a + b;
}

/* What it costs to leave a tile on the rack; more than anything else if it lies on the table. */
static inline int64_t cost_to_stay(const Search *search, int face)
{
    const Problem *problem = search->problem;
    bool stays = search->total[face] && problem->may[face];
    return (stays ? problem->weight[face] : search->stake) * search->scale;
}

/* What jokers cost; FAR if there are none. */
typedef struct {
    int64_t j, d, c, m;
    int64_t one;  /* the cheapest but M */
    int64_t slot; /* the cheapest for a slot of a mirror that is not a C: J, or half a D */
} JokerCosts;

static JokerCosts joker_costs(const Search *search, const Prices *prices)
{
    int64_t cost[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        cost[kind] = search->jokers[kind] ? -prices->face[JOKER + kind] : FAR;
    JokerCosts costs = {.j = cost[J], .d = cost[D], .c = cost[C], .m = cost[M]};
    costs.one = lower(lower(costs.j, costs.d), costs.c);
    costs.slot = lower(costs.j, costs.d < FAR ? costs.d / 2 : FAR);
    return costs;
}

/* The tables beyond 13. */
static void begin_tables(Prices *prices)
{
    for (int n = LAYERS; n <= LAYERS + 1; n++) {
        for (int c = 0; c < COLOURS; c++) {
            prices->run[n][c][ONE] = prices->run[n][c][TWO] = FAR;
            prices->run[n][c][THREE] = 0;
            prices->pair[n][c] = 0;
            prices->half[n][c] = FAR;
        }
        prices->any_run[n][ONE] = prices->any_run[n][TWO] = FAR;
        prices->any_run[n][THREE] = 0;
        prices->any_pair[n] = 0;
        prices->any_half[n] = FAR;
        prices->base[n] = 0;
    }
}

/* The tables of a number from those of the next. */
static void fill_tables(const Search *search, Prices *prices, const JokerCosts *costs, int n)
{
    prices->base[n] = prices->base[n + 1];
    prices->any_pair[n] = prices->any_half[n] = FAR;
    for (int s = ONE; s <= THREE; s++) {
        int t = least(s + 1, THREE);
        int64_t first = FAR, second = FAR; /* cheapest after a C, by different colours */
        int from = -1;
        for (int c = 0; c < COLOURS; c++) {
            int64_t after = prices->run[n + 1][c][t];
            if (after < first) {
                second = first;
                first = after;
                from = c;
            } else if (after < second) {
                second = after;
            }
        }
        prices->any_run[n][s] = FAR;
        for (int c = 0; c < COLOURS; c++) {
            int face = face_at(c, n);
            int64_t after = prices->run[n + 1][c][t], rest = s == THREE ? 0 : FAR;
            if (search->total[face])
                rest = lower(rest, plus(after, -prices->face[face]));
            rest = lower(rest, plus(after, costs->j));
            if (n < HIGHEST)
                rest = lower(rest, plus(prices->run[n + 2][c][t], costs->d));
            rest = lower(rest, plus(c == from ? second : first, costs->c));
            prices->run[n][c][s] = rest;
            prices->any_run[n][s] = lower(prices->any_run[n][s], rest);
        }
    }
    for (int c = 0; c < COLOURS; c++) {
        int face = face_at(c, n), total = search->total[face];
        int64_t price = prices->face[face], slot = costs->slot, change = costs->c;
        int64_t after = prices->pair[n + 1][c], any = prices->any_pair[n + 1], rest = 0, half = FAR;
        if (total) {
            int must = search->problem->must[face];
            prices->base[n] += must * price;
            prices->base[n] += (total - must) * lower(price, cost_to_stay(search, face));
            rest = lower(rest, lower(plus(slot, after - price), plus(change, any - price)));
            half = after - price;
        }
        if (total >= 2)
            rest = lower(rest, after - 2 * price);
        if (slot < FAR) {
            rest = lower(rest, lower(after + 2 * slot, plus(change, any + slot)));
            half = lower(half, after + slot);
        }
        if (change < FAR) {
            rest = lower(rest, any + 2 * change);
            half = lower(half, any + change);
        }
        prices->pair[n][c] = rest;
        prices->half[n][c] = half;
        prices->any_pair[n] = lower(prices->any_pair[n], rest);
        prices->any_half[n] = lower(prices->any_half[n], half);
    }
}

/* What a group of these colours is worth with the jokers that it needs; 0 if it cannot be. */
static int64_t worth_of_group(const Search *search, const Prices *prices, const JokerCosts *costs,
                              int n, int set, int *colours)
{
    int64_t worth = 0, cheaper = lower(costs->j, costs->d);
    *colours = 0;
    for (int c = 0; c < COLOURS; c++) {
        if (!(set >> c & 1))
            continue;
        if (!search->total[face_at(c, n)])
            return 0;
        worth += prices->face[face_at(c, n)];
        ++*colours;
    }
    int64_t fill = *colours >= 3 ? 0 : *colours == 2 ? cheaper : plus(costs->j, cheaper);
    return fill < FAR ? worth - fill : 0;
}

/* Half of a sum, rounded down. */
static inline int64_t halved(int64_t sum)
{
    return sum >= 0 ? sum / 2 : -((1 - sum) / 2);
}

/* The highest price of a face such that no run or mirror run that begins with it is worth
 * anything. Jokers may lie before it in a run; in a mirror they would only cost. */
static int64_t price_as_first(const Search *search, const Prices *prices, const JokerCosts *costs,
                              int c, int n)
{
    const int64_t *rest = prices->run[n + 1][c];
    int64_t price = rest[ONE];
    if (n > 1)
        price = lower(price, plus(costs->one, rest[TWO]));
    if (n > 2)
        price = lower(price, plus(2 * lower(costs->one, FAR / 2), rest[THREE]));
    if (costs->m == FAR)
        return price;
    int64_t pair = costs->m + prices->pair[n + 1][c];
    if (search->total[face_at(c, n)] >= 2)
        price = lower(price, halved(pair));
    price = lower(price, plus(costs->slot, pair));
    return lower(price, plus(costs->c, costs->m + prices->any_pair[n + 1]));
}

/* What a colour adds at best to a mirror group; `both` sides or one. */
static int64_t gain_in_mirror(const Search *search, const Prices *prices, const JokerCosts *costs,
                              int face, bool *both)
{
    int64_t price = prices->face[face], total = search->total[face];
    int64_t one = total && costs->slot < FAR ? price - costs->slot : -FAR;
    int64_t two = total >= 2 ? 2 * price : -FAR;
    *both = two >= one;
    return higher(one, two);
}

/* Lower the prices of a number until none of its groups is worth anything. */
static void settle_groups(const Search *search, Prices *prices, const JokerCosts *costs, int n)
{
    for (int set = 1; set < 1 << COLOURS; set++) {
        int colours;
        int64_t over = worth_of_group(search, prices, costs, n, set, &colours);
        for (int c = 0; c < COLOURS && over > 0; c++)
            if (set >> c & 1) {
                int64_t part = (over + colours - 1) / colours;
                prices->face[face_at(c, n)] -= part;
                over -= part;
                colours--;
            }
    }
    if (costs->m == FAR)
        return;
    bool both;
    for (int c = 0; c < COLOURS; c++) { /* each colour by itself */
        int face = face_at(c, n);
        if (search->total[face] >= 2)
            prices->face[face] = lower(prices->face[face], halved(costs->m));
        if (search->total[face])
            prices->face[face] = lower(prices->face[face], plus(costs->slot, costs->m));
    }
    for (;;) {
        int64_t over = -costs->m;
        int gainers = 0;
        for (int c = 0; c < COLOURS; c++) {
            int64_t own = gain_in_mirror(search, prices, costs, face_at(c, n), &both);
            if (own > 0) {
                over += own;
                gainers++;
            }
        }
        if (!gainers || over <= 0)
            return;
        for (int c = 0; c < COLOURS; c++) {
            int64_t own = gain_in_mirror(search, prices, costs, face_at(c, n), &both);
            if (own <= 0)
                continue;
            int64_t part = lower(own, (over + gainers - 1) / gainers);
            prices->face[face_at(c, n)] -= part; /* the gain falls as much, or twice as much */
            over -= part;
            gainers--;
        }
    }
}

/* Make prices right: lower what is too high, and fill the tables. */
static void settle(const Search *search, Prices *prices)
{
    for (int kind = J; kind <= C; kind++)
        prices->face[JOKER + kind] = lower(prices->face[JOKER + kind], 0);
    JokerCosts costs = joker_costs(search, prices);
    begin_tables(prices);
    for (int n = HIGHEST; n >= 1; n--) {
        for (int c = 0; c < COLOURS; c++) {
            int64_t *price = &prices->face[face_at(c, n)];
            if (search->total[face_at(c, n)])
                *price = lower(*price, price_as_first(search, prices, &costs, c, n));
        }
        settle_groups(search, prices, &costs, n);
        fill_tables(search, prices, &costs, n);
    }
}

/* What an open row can take at best, as a cost: FAR if it cannot be completed. */
static int64_t cost_of_rest(const Prices *prices, Row row, int next)
{
    if (is_pair(row)) {
        Pair pair = unpack_pair(row);
        int c = pair.half[0].colour, covered = pair.half[0].covered + pair.half[1].covered;
        if (pair.half[1].colour != c)
            return covered == 1 ? prices->any_half[next] : prices->any_pair[next + covered / 2];
        return covered == 1 ? prices->half[next][c] : prices->pair[next + covered / 2][c];
    }
    Run run = unpack_run(row);
    int stage = run.stage == BRIDGE ? TWO : run.stage == BEYOND ? THREE : run.stage;
    if (run.change == CHANGE_FOLLOWS)
        return prices->any_run[next][stage];
    return prices->run[next + run.covered][run.colour][stage];
}

/* What left jokers of a kind are worth. */
static int64_t worth_of_jokers(const Search *search, const Prices *prices, int kind, int left)
{
    int face = JOKER + kind;
    int64_t price = prices->face[face];
    if (search->lean && kind < M)
        return left * lower(price, 0);
    int may = least(left, search->problem->may[face]);
    return (left - may) * price + may * lower(price, cost_to_stay(search, face));
}

#endif
