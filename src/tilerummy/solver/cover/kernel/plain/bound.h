/* The bound ahead: a Lagrangian lower bound of what is still to be lost.
 *
 * What binds the colours is the deal of each number and the jokers. Instead, a joker has a price,
 * and a colour pays a fee for what it puts into groups, by number, count, and whether a tile of it
 * stays (which asks for a place in every group). The deals get the fees and pay for their jokers.
 * Then every colour has its own cheapest way, each number its cheapest deal, and whatever the fees
 * are their sum is a lower bound.
 *
 * Listed choices are too many for this. From a state, so many runs fed, be it with tiles or with
 * jokers, lead to one other (`Move`), and what that costs depends on how many are fed and how many
 * of them begin. */
#ifndef TILERUMMY_PLAIN_BOUND_H
#define TILERUMMY_PLAIN_BOUND_H

#include "../numbers.h"
#include "choices.h"
#include "search.h"

typedef struct {
    int64_t fee[MOST_COPIES + 1][2]; /* [1] = a tile stays */
} Fees;

enum {
    SOME_FED, /* some runs are fed, */
    ALL_FED,  /* or all; more is for the runs that begin */
    FEEDS = (MOST_COPIES + 1) * (MOST_COPIES + 2),
    MOST_MOVES = 105,
};

static inline int feed_of(int fed, int how)
{
    return fed * (MOST_COPIES + 2) + how;
}

typedef struct {
    uint8_t from, to, feed;
} Move;

struct Bound {
    int64_t price; /* of a joker */
    int64_t cap;   /* more than anything may cost */
    int moves;
    Move move[3][MOST_MOVES]; /* by the jokers before a run that begins */
    Fees fees[HIGHEST][COLOURS];
    uint64_t possible[HIGHEST][WORDS];     /* deals */
    int64_t deals[HIGHEST + 1];            /* the cheapest, from each number on */
    int64_t *behind[HIGHEST + 1][COLOURS]; /* the cheapest way to each state, */
    int64_t *ahead[HIGHEST + 1][COLOURS];  /* and from it */
};

#define FAR ((int64_t)1 << 60) /* no way at all */

static inline bool has_groups(const Search *search, int number)
{
    return search->groupable[number] + (search->jokers > 0) >= 3;
}

static void list_moves(Bound *bound, int states, int copies)
{
    bound->moves = 0;
    for (int state = 0; state < states; state++) {
        Open open = OPEN[state];
        int runs = open.one + open.two + open.long_, brief = open.one + open.two;
        for (int fed = brief; fed <= copies; fed++, bound->moves++) {
            int begun = fed > runs ? fed - runs : 0;
            int settled = fed - open.one - begun;
            uint8_t feed = (uint8_t)feed_of(fed, fed < runs ? SOME_FED : ALL_FED + begun);
            for (int before = 0; before < 3; before++) {
                int one = before == 0 ? begun : 0, two = open.one + (before == 1 ? begun : 0);
                int long_ = settled + (before == 2 ? begun : 0);
                bound->move[before][bound->moves] =
                    (Move){(uint8_t)state, open_state(one, two, long_), feed};
            }
        }
    }
}

/* What a colour pays for each way to feed its runs. */
static void price_feeds(const Search *search, int number, int colour, int64_t cost[FEEDS])
{
    const Bound *bound = search->bound;
    const Fees *fees = &bound->fees[number][colour];
    int tiles = search->tiles[number][colour], may = search->may[number][colour];
    int takes = has_groups(search, number) ? tiles : 0, before = jokers_before(number);
    int64_t weight = search->problem->weight[face_down(colour, number)], filled = FAR;
    for (int fed = 0; fed <= search->copies; fed++) {
        int rest = tiles - fed;
        int64_t used = rest >= 0 && rest <= takes ? fees->fee[rest][0] : FAR, natural = used;
        for (int take = rest > may ? rest - may : 0; take < rest && take <= takes; take++)
            natural = lower(natural, weight * (rest - take) + fees->fee[take][1]);
        filled = search->jokers ? lower(used, filled + bound->price) : used;
        cost[feed_of(fed, SOME_FED)] = filled;
        cost[feed_of(fed, ALL_FED)] = lower(filled, natural);
        for (int begun = 1; begun <= fed; begun++)
            cost[feed_of(fed, ALL_FED + begun)] =
                before * begun <= search->jokers ? natural + before * begun * bound->price : FAR;
    }
}

/* The cheapest ways from the states of a number. */
static void look_ahead(const Search *search, int number, int colour)
{
    const Bound *bound = search->bound;
    const Move *move = bound->move[jokers_before(number)];
    const int64_t *next = bound->ahead[number + 1][colour];
    int64_t *ahead = bound->ahead[number][colour], cost[FEEDS];
    price_feeds(search, number, colour, cost);
    for (int state = 0; state < search->states; state++)
        ahead[state] = FAR;
    for (int i = 0; i < bound->moves; i++)
        ahead[move[i].from] = lower(ahead[move[i].from], cost[move[i].feed] + next[move[i].to]);
}

/* The cheapest ways to the states of the next number. */
static void look_behind(const Search *search, int number, int colour)
{
    const Bound *bound = search->bound;
    const Move *move = bound->move[jokers_before(number)];
    const int64_t *behind = bound->behind[number][colour];
    int64_t *next = bound->behind[number + 1][colour], cost[FEEDS];
    price_feeds(search, number, colour, cost);
    for (int state = 0; state < search->states; state++)
        next[state] = FAR;
    for (int i = 0; i < bound->moves; i++)
        next[move[i].to] = lower(next[move[i].to], cost[move[i].feed] + behind[move[i].from]);
}

/* How much more a colour pays on its cheapest way with each thing it may put into groups. */
static void extra_cost(const Search *search, int number, int colour, Fees *extra)
{
    const Bound *bound = search->bound;
    int before = jokers_before(number), copies = search->copies;
    const Move *move = bound->move[before];
    const int64_t *behind = bound->behind[number][colour];
    const int64_t *ahead = bound->ahead[number + 1][colour];
    int64_t past[FEEDS], filled[MOST_COPIES + 1], natural[MOST_COPIES + 1];
    for (int i = 0; i < feed_of(copies + 1, 0); i++)
        past[i] = FAR;
    for (int i = 0; i < bound->moves; i++)
        past[move[i].feed] = lower(past[move[i].feed], behind[move[i].from] + ahead[move[i].to]);
    for (int fed = copies; fed >= 0; fed--) {
        filled[fed] = lower(past[feed_of(fed, SOME_FED)], past[feed_of(fed, ALL_FED)]);
        if (search->jokers && fed < copies)
            filled[fed] = lower(filled[fed], filled[fed + 1] + bound->price);
        natural[fed] = past[feed_of(fed, ALL_FED)];
        for (int begun = 1; begun <= fed && before * begun <= search->jokers; begun++)
            natural[fed] = lower(natural[fed], past[feed_of(fed, ALL_FED + begun)] +
                                                   before * begun * bound->price);
    }
    const Fees *fees = &bound->fees[number][colour];
    int tiles = search->tiles[number][colour], may = search->may[number][colour];
    int64_t weight = search->problem->weight[face_down(colour, number)], least = FAR;
    for (int take = 0; take <= copies; take++) {
        int rest = tiles - take;
        int64_t used = FAR, stays = FAR;
        if (rest >= 0)
            used = lower(filled[rest], natural[rest]) + fees->fee[take][0];
        for (int left = 1; left <= may && left <= rest; left++)
            stays = lower(stays, natural[rest - left] + weight * left + fees->fee[take][1]);
        extra->fee[take][0] = used;
        extra->fee[take][1] = stays;
        least = lower(least, lower(used, stays));
    }
    for (int take = 0; take <= copies; take++)
        for (int stays = 0; stays < 2; stays++)
            extra->fee[take][stays] = lower(extra->fee[take][stays] - least, bound->cap);
}

/* Moves the fees of a number so that its deals and its colours agree: all that colours pay more for
 * one thing than for another goes to the deals, a quarter of what these then cost more comes back
 * to each colour. Neither lowers the bound; the cheapest deal is returned. */
static int64_t settle_fees(Search *search, int number)
{
    Bound *bound = search->bound;
    Fees *fees = bound->fees[number];
    Fees worth[COLOURS], least[COLOURS];
    int copies = search->copies;
    if (!has_groups(search, number))
        return 0;
    for (int colour = 0; colour < COLOURS; colour++) {
        extra_cost(search, number, colour, &worth[colour]);
        for (int take = 0; take <= copies; take++)
            for (int stays = 0; stays < 2; stays++) {
                fees[colour].fee[take][stays] -= worth[colour].fee[take][stays];
                worth[colour].fee[take][stays] = -fees[colour].fee[take][stays];
                least[colour].fee[take][stays] = FAR;
            }
    }
    int64_t cheapest = FAR;
    for (int word = 0; word < search->deals.words; word++)
        for (uint64_t left = bound->possible[number][word]; left; left &= left - 1) {
            const Deal *deal = &search->deals.deal[word * 64 + __builtin_ctzll(left)];
            int64_t total = bound->price * deal->jokers, part[COLOURS];
            for (int colour = 0; colour < COLOURS; colour++) {
                const int64_t *of = worth[colour].fee[deal->take[colour]];
                part[colour] = deal->take[colour] == deal->groups ? lower(of[0], of[1]) : of[0];
                total += part[colour];
            }
            cheapest = lower(cheapest, total);
            for (int colour = 0; colour < COLOURS; colour++) {
                const int64_t *of = worth[colour].fee[deal->take[colour]];
                int64_t *to = least[colour].fee[deal->take[colour]];
                int64_t others = total - part[colour];
                to[0] = lower(to[0], others + of[0]);
                if (deal->take[colour] == deal->groups)
                    to[1] = lower(to[1], others + of[1]);
            }
        }
    for (int colour = 0; colour < COLOURS; colour++)
        for (int take = 0; take <= copies; take++)
            for (int stays = 0; stays < 2; stays++)
                fees[colour].fee[take][stays] +=
                    lower(least[colour].fee[take][stays] - cheapest, bound->cap) / 4;
    return cheapest;
}

/* The deals of a number that its tiles and the jokers allow. */
static void find_possible(const Search *search, int number)
{
    const Deals *deals = &search->deals;
    for (int word = 0; word < deals->words; word++) {
        uint64_t possible = deals->within[search->jokers * deals->words + word];
        for (int colour = 0; colour < COLOURS; colour++) {
            uint64_t taking = 0;
            for (int take = 0; take <= search->tiles[number][colour]; take++)
                taking |= deals->taking[(colour * (MOST_COPIES + 1) + take) * deals->words + word];
            possible &= taking;
        }
        search->bound->possible[number][word] = possible;
    }
}

/* No fees, and the cheapest ways to all states. */
static bool build_bound(Search *search)
{
    Bound *bound = search->bound = arena_take(&search->arena, sizeof(Bound));
    int states = search->states;
    int64_t *costs =
        arena_take(&search->arena, sizeof(int64_t) * 2 * (HIGHEST + 1) * COLOURS * (size_t)states);
    if (!bound || !costs)
        return false;
    bound->price = 2 * search->mean + 16; /* about what a joker saves */
    bound->cap = 4 * (search->total + bound->price * search->jokers) + 1024;
    bound->deals[HIGHEST] = 0;
    list_moves(bound, states, search->copies);
    for (int number = 0; number <= HIGHEST; number++)
        for (int colour = 0; colour < COLOURS; colour++, costs += 2 * states) {
            bound->behind[number][colour] = costs;
            bound->ahead[number][colour] = costs + states;
        }
    for (int colour = 0; colour < COLOURS; colour++)
        for (int state = 0; state < states; state++) {
            bound->behind[0][colour][state] = state ? FAR : 0;
            bound->ahead[HIGHEST][colour][state] = OPEN[state].one + OPEN[state].two ? FAR : 0;
        }
    memset(bound->fees, 0, sizeof bound->fees);
    for (int number = 0; number < HIGHEST; number++) {
        find_possible(search, number);
        for (int colour = 0; colour < COLOURS; colour++)
            look_behind(search, number, colour);
    }
    return true;
}

static void settle_upwards(Search *search)
{
    for (int number = 0; number < HIGHEST; number++) {
        settle_fees(search, number);
        for (int colour = 0; colour < COLOURS; colour++)
            look_behind(search, number, colour);
    }
}

static void settle_downwards(Search *search)
{
    Bound *bound = search->bound;
    for (int number = HIGHEST - 1; number >= 0; number--) {
        bound->deals[number] = bound->deals[number + 1] + settle_fees(search, number);
        for (int colour = 0; colour < COLOURS; colour++)
            look_ahead(search, number, colour);
    }
}

/* Computes the bound, or a better one, going through all numbers up and down. */
static bool improve_bound(Search *search)
{
    static const int ROUNDS[] = {1, 6, 24};
    int rounds = ROUNDS[search->level++];
    if (!search->bound) {
        if (!build_bound(search))
            return false;
    } else {
        settle_upwards(search);
    }
    settle_downwards(search);
    while (--rounds > 0) {
        settle_upwards(search);
        settle_downwards(search);
    }
    return !search->arena.out_of_memory;
}

static int64_t bound_of(const Search *search, uint32_t key)
{
    int number = key >> NUMBER_SHIFT & 15, jokers = key >> JOKER_SHIFT & 7;
    int64_t total = search->bound->deals[number] - search->bound->price * jokers;
    for (int colour = 0; colour < COLOURS; colour++) {
        int64_t ahead = search->bound->ahead[number][colour][key >> 6 * colour & 63];
        if (ahead >= FAR / 2)
            return NEVER;
        total += ahead;
    }
    return total > 0 ? total : 0;
}

#endif
