/* The general kernel: every kind of joker, every option, openings.
 *
 * STATES. Numbers are dealt with from 1 to 13. Between two numbers a state holds the open rows (the
 * runs and mirror runs that may still grow) as a sorted list of small integers, and how many jokers
 * of each kind are used. A run is known by its colour, how many tiles it still lacks, and whether a
 * double already fills its next slot ("covered"). A mirror run is a pair of halves that grow
 * together; M is spent when the pair opens. Colours are guessed early: a run that a joker opens
 * picks its colour at once, and after a colour change the colour of the next segment is picked at
 * once, so every open half has exactly one colour. Groups and mirror groups live within one number.
 *
 * SEARCH. A* on the loss, last in first out among equals. A state is expanded for one additional
 * loss at a time: first the successors that cost nothing, and only if the search comes back to it
 * those of the next loss; most answers lose little, so most successors are never made. At a number
 * the groups are chosen first, then what mirrors take, then runs, colour by colour. States with the
 * same open rows are chained, and one that has used more jokers at no less loss is dropped; so is
 * one for which a state is known with a run further on (`outdone`). What is lost in any case is
 * bounded by the tiles that only jokers can place and by what the jokers left can serve
 * (`still_lost`, `bound_losses`), and in a search that lasts by prices (`loss_by_prices`).
 *
 * TWO MODES. The full mode places every joker wherever the rules let it and is exact by
 * construction. The lean mode comes first, where the options are the usual ones: J, D and C are
 * free and optional, so only rows matter from which no joker can be taken away; afterwards the
 * jokers left over are put at free ends of runs and into groups of three. If all find a place, the
 * answer is exact: the lean loss is a lower bound. If not, the full mode decides. M always counts
 * in full. What lean mode may omit is said where it does so; it rests on four remarks:
 *   1. A joker at an end of a run of four or more tiles can be taken away.
 *   2. A joker between two parts that are runs by themselves can be taken away.
 *   3. A leading joker of a run of three can go to its end unless the run would pass 13.
 *   4. A joker never stands for a tile in a run while that tile lies in a group or on the rack:
 *      they change places.
 *
 * OPENINGS. With `stand` jokers also cost what they stand for below 13; with `floor` the value so
 * far is part of the state, once the best rows without the floor turn out to be worth too little.
 */
#include "limit.h"
#include "problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    KINDS = 4, /* of jokers */
    J = 0,
    D,
    C,
    M,
    LAYERS = HIGHEST + 1,
    MOST_OPEN = 48, /* open rows: a tile of each at the last number, or a double over it */
    VECTORS = 625,  /* how many tiles of each colour go to groups: 5^4 */
    NO_FACE = 255,
};

/* ---- Open rows ------------------------------------------------------------------------------ */

typedef uint32_t Row;

/* How far a run is. Beyond THREE only in lean mode, where a joker after a complete run must be a
 * bridge to one or two more tiles (remarks 1 and 2). */
enum { ONE = 1, TWO, THREE, BRIDGE, BEYOND, DONE };

typedef struct {
    uint8_t colour, stage, covered;
    uint8_t change; /* whether C was the last tile, or what follows from it */
    uint8_t naturals, jokers;
    uint8_t led; /* a joker came first, so the run must go on to the end of the board */
} Run;

/* Jokers between two tiles may lie in any order (unless two C may not be neighbours), so C goes
 * last: a tile follows it, or another C; or the row ends, which is decided with the C. */
enum { TILE_FOLLOWS = 1, CHANGE_FOLLOWS };

typedef struct {
    uint8_t colour, covered, tiles, natural, after_change;
} Half;

typedef struct {
    Half half[2];
    uint8_t slots, naturals, jokers;
} Pair;

/* In lean mode nobody counts the jokers of a mirror row; `jokers` says that it ends instead. */
enum { ENDS = 31 };

/* Pairs sort before runs. */
#define RUN_BIT (1u << 31)

static inline bool is_pair(Row row) { return row < RUN_BIT; }

static inline Row pack_run(const Run *run) {
    return RUN_BIT | (Row)run->colour << 29 | (Row)run->stage << 26 | (Row)run->covered << 25 |
           (Row)run->change << 23 | (Row)run->naturals << 19 | (Row)run->jokers << 14 |
           (Row)run->led << 13;
}

static inline Run unpack_run(Row row) {
    return (Run){row >> 29 & 3,  row >> 26 & 7,  row >> 25 & 1, row >> 23 & 3,
                 row >> 19 & 15, row >> 14 & 31, row >> 13 & 1};
}

static inline Row pack_half(const Half *half) {
    return (Row)half->colour << 5 | (Row)half->covered << 4 | (Row)half->tiles << 2 |
           (Row)half->natural << 1 | half->after_change;
}

static inline Half unpack_half(Row bits) {
    return (Half){bits >> 5 & 3, bits >> 4 & 1, bits >> 2 & 3, bits >> 1 & 1, bits & 1};
}

/* The halves of a mirror can change sides: the smaller goes first. */
static inline Row pack_pair(const Pair *pair, bool *turned) {
    Row a = pack_half(&pair->half[0]), b = pack_half(&pair->half[1]);
    *turned = a > b;
    if (*turned) {
        Row swap = a;
        a = b;
        b = swap;
    }
    return a << 24 | b << 17 | (Row)pair->slots << 13 | (Row)pair->naturals << 9 |
           (Row)pair->jokers << 4;
}

static inline Pair unpack_pair(Row row) {
    return (Pair){{unpack_half(row >> 24 & 127), unpack_half(row >> 17 & 127)},
                  row >> 13 & 15, row >> 9 & 15, row >> 4 & 31};
}

/* ---- The search ------------------------------------------------------------------------------ */

typedef struct {
    int64_t loss;
    int64_t made; /* successors of at most this additional loss */
    uint32_t parent;
    uint32_t chain; /* the next state with the same open rows */
    uint32_t rows;  /* where its open rows begin in the pool */
    uint32_t hash;
    int32_t value;
    uint8_t number; /* the next number to deal with */
    uint8_t count;  /* of open rows */
    uint8_t used[KINDS];
    bool dropped;
} State;

typedef struct {
    int64_t loss;
    uint32_t order;
    uint32_t state;
} Entry;

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

typedef struct Pricing Pricing;

typedef struct {
    const Problem *problem;
    uint8_t total[FACES];
    uint8_t jokers[KINDS];
    bool lean;        /* J, D and C are free; see above */
    bool valued;      /* the value so far is part of the state */
    bool count_jokers; /* max_jokers binds */
    bool ordered;     /* C goes last among jokers that lie together */
    bool joinable;    /* two runs that meet may always be joined: max_jokers does not bind */
    int64_t bound[LAYERS + 2];     /* what is lost from here on, whatever came before */
    bool needy[NUMBERED];          /* no row of numbered tiles alone can hold the tile */
    int pieces[LAYERS + 2];        /* twice the pieces of runs and groups that needy tiles make */
    int links[KINDS][LAYERS + 2];  /* where one joker can serve two of them */
    int spare[LAYERS + 2];         /* needy tiles on the rack */
    int64_t cheapest[LAYERS + 2];  /* of these */
    int32_t potential[LAYERS + 2]; /* what numbered tiles from here on are worth */

    Pricing *pricing;
    int priced;           /* how many prices there are for a face */
    int64_t scale;        /* of prices */
    int64_t stake;        /* more than everything that can be lost */
    uint64_t more_prices; /* after so many nodes */

    State *states;
    uint32_t states_used, states_room;
    Row *pool;
    uint32_t pool_used, pool_room;
    Entry *heap;
    uint32_t heap_used, heap_room;
    uint32_t *table;
    uint32_t table_room;
    uint32_t order;
    uint32_t goal;
    uint64_t nodes;
    Limit limit;
    int64_t everything; /* no answer loses more */
    int64_t proven;     /* nothing that is open loses less */
    int64_t willing;    /* in a hurry, so much may be lost */
    bool stopped;       /* by the limit */
    bool no_memory;
    uint8_t group_memo[VECTORS][MOST_COPIES + 1][MOST_COPIES + 1];
} Search;

#define NONE UINT32_MAX

/* A mirror group: `both` colours show a tile on both sides, `left` only on the right, and so on. */
typedef struct {
    uint8_t colours_both, colours_left, colours_right; /* masks; a joker faces the tile */
    uint8_t zero;                                      /* slots with jokers on both sides */
    uint8_t doubles_left, doubles_right;
} MirrorGroup;

/* One way to deal with one number: choices so far, and what comes of them. */
typedef struct {
    Search *search;
    uint32_t parent;
    int number;
    const Row *rows;
    int count;
    int64_t level; /* make the successors of at most this additional loss */
    int64_t made;  /* those of at most this were made before */
    int64_t next;  /* the least additional loss seen beyond it */
    int64_t extra;
    int32_t value;
    bool busy[COLOURS];  /* tiles of the colour lie in groups or on the rack */
    int quota[COLOURS];  /* numbered tiles for runs and mirror runs: all are taken */
    int taken[COLOURS];  /* of them so far */
    int closed[COLOURS]; /* runs that could have gone on */
    int stood[COLOURS];  /* J in runs of the colour */
    bool short_stood[COLOURS]; /* J in a run of fewer than three tiles */
    int pairs;           /* open ones; they come first */
    int runs[COLOURS];   /* open ones that are not covered */
    int shorts[COLOURS]; /* of them those that must go on */
    int used[KINDS];
    int in_groups[COLOURS];
    int group_j, group_d;
    /* What was done, for the replay. */
    int open;
    Row out[MOST_OPEN];
    uint8_t source[MOST_OPEN];     /* which row it was; NO_FACE = new */
    uint8_t tile[MOST_OPEN][2];    /* what each half took; NO_FACE = nothing */
    bool turned[MOST_OPEN];
    uint8_t order[MOST_OPEN];      /* after `tidy`: which of `out` each kept row is */
    uint8_t mirror_groups;
    MirrorGroup mirror_group[MOST_COPIES];
    /* The replay looks for one successor. */
    uint32_t wanted;
    bool found;
} Step;

static inline int face_at(int colour, int number) { return HIGHEST * colour + number - 1; }

static inline int joker_left(const Step *step, int kind) {
    return step->search->jokers[kind] - step->used[kind];
}

static inline int least(int a, int b) { return a < b ? a : b; }
static inline int most(int a, int b) { return a > b ? a : b; }

static bool grow(void **array, uint32_t *room, uint32_t needed, size_t size) {
    uint32_t wider = *room ? *room : 256;
    while (wider < needed) wider *= 2;
    void *moved = realloc(*array, (size_t)wider * size);
    if (!moved) return false;
    *array = moved;
    *room = wider;
    return true;
}

/* ---- Heap ------------------------------------------------------------------------------------ */

static inline bool before(const Entry *a, const Entry *b) {
    return a->loss != b->loss ? a->loss < b->loss : a->order > b->order;
}

static void heap_push(Search *search, int64_t loss, uint32_t state) {
    if (search->heap_used == search->heap_room &&
        !grow((void **)&search->heap, &search->heap_room, search->heap_used + 1, sizeof(Entry))) {
        search->no_memory = true;
        return;
    }
    Entry entry = {loss, search->order++, state}, *heap = search->heap;
    uint32_t at = search->heap_used++;
    while (at && before(&entry, &heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = entry;
}

static Entry heap_pop(Search *search) {
    Entry *heap = search->heap, top = heap[0], last = heap[--search->heap_used];
    uint32_t at = 0, size = search->heap_used;
    for (uint32_t child; (child = 2 * at + 1) < size; at = child) {
        if (child + 1 < size && before(&heap[child + 1], &heap[child])) child++;
        if (!before(&heap[child], &last)) break;
        heap[at] = heap[child];
    }
    if (size) heap[at] = last;
    return top;
}

/* ---- States ---------------------------------------------------------------------------------- */

static uint32_t hash_of(int number, const Row *rows, int count, const int used[KINDS], bool lean) {
    uint64_t hash = (uint64_t)number << 8 | (uint64_t)used[M];
    if (!lean) hash |= (uint64_t)used[J] << 16 | (uint64_t)used[D] << 20 | (uint64_t)used[C] << 24;
    for (int i = 0; i < count; i++) hash = (hash ^ rows[i]) * 0x9E3779B97F4A7C15u + (hash >> 29);
    hash *= 0xD6E8FEB86659FD93u;
    return (uint32_t)(hash >> 32);
}

static bool same_key(const Search *search, const State *state, int number, const Row *rows,
                     int count, const int used[KINDS]) {
    if (state->number != number || state->count != count || state->used[M] != used[M]) return false;
    if (!search->lean && (state->used[J] != used[J] || state->used[D] != used[D] ||
                          state->used[C] != used[C]))
        return false;
    return !memcmp(search->pool + state->rows, rows, (size_t)count * sizeof(Row));
}

static bool widen_table(Search *search) {
    uint32_t room = search->table_room ? search->table_room * 2 : 1024;
    uint32_t *table = malloc(room * sizeof *table);
    if (!table) return false;
    memset(table, 0xFF, room * sizeof *table);
    for (uint32_t i = 0; i < search->table_room; i++) {
        uint32_t state = search->table[i];
        if (state == NONE) continue;
        uint32_t at = search->states[state].hash & (room - 1);
        while (table[at] != NONE) at = (at + 1) & (room - 1);
        table[at] = state;
    }
    free(search->table);
    search->table = table;
    search->table_room = room;
    return true;
}

/* Whether a is as good as b for everything that can follow; both have the same open rows. */
static inline bool no_worse(const uint8_t a_used[KINDS], int64_t a_loss, int32_t a_value,
                            const uint8_t b_used[KINDS], int64_t b_loss, int32_t b_value) {
    return a_loss <= b_loss && a_value >= b_value && a_used[J] <= b_used[J] &&
           a_used[D] <= b_used[D] && a_used[C] <= b_used[C];
}

/* Where states with these open rows are in the table, or would be. */
static uint32_t place_of(const Search *search, uint32_t hash, int number, const Row *rows,
                         int count, const int used[KINDS]) {
    uint32_t mask = search->table_room - 1, at = hash & mask;
    for (; search->table[at] != NONE; at = (at + 1) & mask) {
        const State *state = &search->states[search->table[at]];
        if (state->hash == hash && same_key(search, state, number, rows, count, used)) break;
    }
    return at;
}

/* Whether a state with these open rows is known that is as good as the given one. */
static bool known(const Search *search, const State *state, const Row *rows, int count) {
    int used[KINDS];
    for (int kind = 0; kind < KINDS; kind++) used[kind] = state->used[kind];
    uint32_t hash = hash_of(state->number, rows, count, used, search->lean);
    uint32_t at = place_of(search, hash, state->number, rows, count, used);
    for (uint32_t i = search->table[at]; i != NONE; i = search->states[i].chain) {
        const State *other = &search->states[i];
        if (no_worse(other->used, other->loss, other->value, state->used, state->loss,
                     state->value))
            return true;
    }
    return false;
}

/* Whether a state is known that has one run further on, or one more that is complete. */
static bool outdone(const Search *search, const State *state) {
    Row rows[MOST_OPEN + 1];
    const Row *own = search->pool + state->rows;
    int count = state->count;
    if (search->count_jokers) return false;
    for (int i = 0; i < count; i++) {
        if (is_pair(own[i]) || (i && own[i] == own[i - 1])) continue;
        Run run = unpack_run(own[i]);
        if (run.covered || run.stage == THREE || run.change || run.led) continue;
        int reached = run.stage < THREE ? run.stage + 1 : THREE;
        for (int stage = THREE; stage >= reached; stage--) {
            run.stage = (uint8_t)stage;
            Row better = pack_run(&run);
            int at = 0;
            for (int k = 0, put = 0; k <= count; k++) {
                if (!put && (k == count || own[k] > better)) {
                    rows[at++] = better;
                    put = 1;
                }
                if (k < count && k != i) rows[at++] = own[k];
            }
            if (known(search, state, rows, count)) return true;
        }
    }
    return false;
}

/* The name of the new state, or NONE if one as good was known. */
static uint32_t add_state(Search *search, uint32_t parent, int64_t loss, int32_t value, int number,
                          const Row *rows, int count, const int used[KINDS]) {
    if (search->states_used * 2 >= search->table_room && !widen_table(search)) goto failed;
    uint32_t hash = hash_of(number, rows, count, used, search->lean);
    uint32_t at = place_of(search, hash, number, rows, count, used), head = search->table[at];
    uint8_t small[KINDS] = {(uint8_t)used[J], (uint8_t)used[D], (uint8_t)used[C], (uint8_t)used[M]};
    for (uint32_t i = head; i != NONE; i = search->states[i].chain) {
        State *other = &search->states[i];
        if (!other->dropped && no_worse(other->used, other->loss, other->value, small, loss, value))
            return NONE;
    }
    for (uint32_t i = head; i != NONE; i = search->states[i].chain) {
        State *other = &search->states[i];
        if (!other->dropped && no_worse(small, loss, value, other->used, other->loss, other->value))
            other->dropped = true;
    }
    if (search->states_used == search->states_room &&
        !grow((void **)&search->states, &search->states_room, search->states_used + 1,
              sizeof(State)))
        goto failed;
    if (search->pool_used + (uint32_t)count > search->pool_room &&
        !grow((void **)&search->pool, &search->pool_room, search->pool_used + (uint32_t)count,
              sizeof(Row)))
        goto failed;
    uint32_t name = search->states_used++;
    State *state = &search->states[name];
    *state = (State){.loss = loss, .parent = parent, .chain = head, .rows = search->pool_used,
                     .hash = hash, .made = -1, .value = value, .number = (uint8_t)number,
                     .count = (uint8_t)count};
    memcpy(state->used, small, sizeof small);
    memcpy(search->pool + search->pool_used, rows, (size_t)count * sizeof(Row));
    search->pool_used += (uint32_t)count;
    search->table[at] = name;
    return name;
failed:
    search->no_memory = true;
    return NONE;
}

/* ---- Prices ---------------------------------------------------------------------------------- */

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

enum {
    MOST_PRICES = 8,
    FIRST_PATIENCE = 32, /* states before there are any prices */
    PATIENCE = 100,      /* and before there are more */
    MOST_ROUNDS = 200,   /* of bargaining */
    FINEST_SCALE = 1024,
};

#define FAR (INT64_MAX / 8)
#define DEAREST (INT64_C(1) << 46) /* of all that can be lost; beyond it, no prices */

static inline int64_t lower(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t higher(int64_t a, int64_t b) { return a > b ? a : b; }

static inline int64_t plus(int64_t a, int64_t b) { return a >= FAR || b >= FAR ? FAR : a + b; }

/* What it costs to leave a tile on the rack; more than anything else if it lies on the table. */
static inline int64_t cost_to_stay(const Search *search, int face) {
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

static JokerCosts joker_costs(const Search *search, const Prices *prices) {
    int64_t cost[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        cost[kind] = search->jokers[kind] ? -prices->face[JOKER + kind] : FAR;
    JokerCosts costs = {.j = cost[J], .d = cost[D], .c = cost[C], .m = cost[M]};
    costs.one = lower(lower(costs.j, costs.d), costs.c);
    costs.slot = lower(costs.j, costs.d < FAR ? costs.d / 2 : FAR);
    return costs;
}

/* The tables beyond 13. */
static void begin_tables(Prices *prices) {
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
static void fill_tables(const Search *search, Prices *prices, const JokerCosts *costs, int n) {
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
            if (search->total[face]) rest = lower(rest, plus(after, -prices->face[face]));
            rest = lower(rest, plus(after, costs->j));
            if (n < HIGHEST) rest = lower(rest, plus(prices->run[n + 2][c][t], costs->d));
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
        if (total >= 2) rest = lower(rest, after - 2 * price);
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
                              int n, int set, int *colours) {
    int64_t worth = 0, cheaper = lower(costs->j, costs->d);
    *colours = 0;
    for (int c = 0; c < COLOURS; c++) {
        if (!(set >> c & 1)) continue;
        if (!search->total[face_at(c, n)]) return 0;
        worth += prices->face[face_at(c, n)];
        ++*colours;
    }
    int64_t fill = *colours >= 3 ? 0 : *colours == 2 ? cheaper : plus(costs->j, cheaper);
    return fill < FAR ? worth - fill : 0;
}

/* Half of a sum, rounded down. */
static inline int64_t halved(int64_t sum) { return sum >= 0 ? sum / 2 : -((1 - sum) / 2); }

/* The highest price of a face such that no run or mirror run that begins with it is worth
 * anything. Jokers may lie before it in a run; in a mirror they would only cost. */
static int64_t price_as_first(const Search *search, const Prices *prices, const JokerCosts *costs,
                              int c, int n) {
    const int64_t *rest = prices->run[n + 1][c];
    int64_t price = rest[ONE];
    if (n > 1) price = lower(price, plus(costs->one, rest[TWO]));
    if (n > 2) price = lower(price, plus(2 * lower(costs->one, FAR / 2), rest[THREE]));
    if (costs->m == FAR) return price;
    int64_t pair = costs->m + prices->pair[n + 1][c];
    if (search->total[face_at(c, n)] >= 2) price = lower(price, halved(pair));
    price = lower(price, plus(costs->slot, pair));
    return lower(price, plus(costs->c, costs->m + prices->any_pair[n + 1]));
}

/* What a colour adds at best to a mirror group; `both` sides or one. */
static int64_t gain_in_mirror(const Search *search, const Prices *prices, const JokerCosts *costs,
                              int face, bool *both) {
    int64_t price = prices->face[face], total = search->total[face];
    int64_t one = total && costs->slot < FAR ? price - costs->slot : -FAR;
    int64_t two = total >= 2 ? 2 * price : -FAR;
    *both = two >= one;
    return higher(one, two);
}

/* Lower the prices of a number until none of its groups is worth anything. */
static void settle_groups(const Search *search, Prices *prices, const JokerCosts *costs, int n) {
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
    if (costs->m == FAR) return;
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
        if (!gainers || over <= 0) return;
        for (int c = 0; c < COLOURS; c++) {
            int64_t own = gain_in_mirror(search, prices, costs, face_at(c, n), &both);
            if (own <= 0) continue;
            int64_t part = lower(own, (over + gainers - 1) / gainers);
            prices->face[face_at(c, n)] -= part; /* the gain falls as much, or twice as much */
            over -= part;
            gainers--;
        }
    }
}

/* Make prices right: lower what is too high, and fill the tables. */
static void settle(const Search *search, Prices *prices) {
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
static int64_t cost_of_rest(const Prices *prices, Row row, int next) {
    if (is_pair(row)) {
        Pair pair = unpack_pair(row);
        int c = pair.half[0].colour, covered = pair.half[0].covered + pair.half[1].covered;
        if (pair.half[1].colour != c)
            return covered == 1 ? prices->any_half[next] : prices->any_pair[next + covered / 2];
        return covered == 1 ? prices->half[next][c] : prices->pair[next + covered / 2][c];
    }
    Run run = unpack_run(row);
    int stage = run.stage == BRIDGE ? TWO : run.stage == BEYOND ? THREE : run.stage;
    if (run.change == CHANGE_FOLLOWS) return prices->any_run[next][stage];
    return prices->run[next + run.covered][run.colour][stage];
}

/* What left jokers of a kind are worth. */
static int64_t worth_of_jokers(const Search *search, const Prices *prices, int kind, int left) {
    int face = JOKER + kind;
    int64_t price = prices->face[face];
    if (search->lean && kind < M) return left * lower(price, 0);
    int may = least(left, search->problem->may[face]);
    return (left - may) * price + may * lower(price, cost_to_stay(search, face));
}

/* ---- Bargaining ------------------------------------------------------------------------------ */

enum {
    MOST_EQUATIONS = NUMBERED + KINDS + MOST_OPEN,
    MOST_COLUMNS = HIGHEST * (COLOURS + 2) + MOST_OPEN,
    COLUMN_ROOM = 2 * HIGHEST + 6,
};

/* The linear program, for one state. Equations: of each face, what lies in rows and what stays are
 * all there is; each open row is completed once. Columns are rows: how much they take of each. The
 * simplex method with columns made when needed: the tables tell which rows are worth something at
 * the prices of now. It reckons in floating point, as its prices are settled afterwards. */
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
    int opens; /* different open rows; their equations come last */
    double limit[MOST_EQUATIONS];  /* what it costs not to lay one */
    double price[MOST_EQUATIONS];
    double amount[MOST_EQUATIONS]; /* of the columns in the basis */
    double inverse[MOST_EQUATIONS][MOST_EQUATIONS];
    int columns;
    Column column[MOST_COLUMNS];
    Prices prices;
} Program;

static void add_to_column(const Program *program, Column *column, int face, double amount) {
    column->equation[column->size] = program->of_face[face];
    column->amount[column->size++] = amount;
}

static void add_one(const Program *program, Column *column, const JokerCosts *costs, int times) {
    int kind = costs->one == costs->j ? J : costs->one == costs->d ? D : C;
    if (times) add_to_column(program, column, JOKER + kind, times);
}

static void add_slots(const Program *program, Column *column, const JokerCosts *costs, int times) {
    bool is_j = costs->slot == costs->j;
    add_to_column(program, column, is_j ? JOKER : DOUBLE, is_j ? times : times * 0.5);
}

/* The cheapest rest of a run, by the way that the tables went. */
static void add_run(const Program *program, Column *column, const JokerCosts *costs, int n, int c,
                    int s) {
    const Prices *prices = &program->prices;
    for (;;) {
        int64_t rest = prices->run[n][c][s];
        int t = least(s + 1, THREE), face = n <= HIGHEST ? face_at(c, n) : 0;
        if ((s == THREE && rest == 0) || n > HIGHEST) return;
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
            while (other == c || rest != plus(prices->run[n + 1][other][t], costs->c)) other++;
            add_to_column(program, column, CHANGE, 1);
            c = other;
        }
        n++;
        s = t;
    }
}

static int any_colour(const int64_t values[COLOURS], int64_t value) {
    int c = 0;
    while (values[c] != value) c++;
    return c;
}

/* The same for a pair; c = COLOURS for any. */
static void add_pair(const Program *program, Column *column, const JokerCosts *costs, int n,
                     int c) {
    const Prices *prices = &program->prices;
    for (; n <= HIGHEST; n++) {
        if (c == COLOURS) c = any_colour(prices->pair[n], prices->any_pair[n]);
        int face = face_at(c, n), total = program->search->total[face];
        int64_t rest = prices->pair[n][c], price = prices->face[face];
        int64_t after = prices->pair[n + 1][c], any = prices->any_pair[n + 1];
        if (rest == 0) return;
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

static void add_half(const Program *program, Column *column, const JokerCosts *costs, int n,
                     int c) {
    const Prices *prices = &program->prices;
    if (c == COLOURS) c = any_colour(prices->half[n], prices->any_half[n]);
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
static void add_rest(const Program *program, Column *column, const JokerCosts *costs, Row row) {
    const Prices *prices = &program->prices;
    int next = program->number;
    if (is_pair(row)) {
        Pair pair = unpack_pair(row);
        int c = pair.half[0].colour, covered = pair.half[0].covered + pair.half[1].covered;
        if (pair.half[1].colour != c) c = COLOURS;
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
        while (prices->run[next][c][stage] != prices->any_run[next][stage]) c++;
    }
    add_run(program, column, costs, next + run.covered, c, stage);
}

static Column *new_column(Program *program) {
    Column *column = &program->column[program->columns++];
    column->size = 0;
    return column;
}

/* Rows that begin with a face and are worth something: the best. */
static void offer_rows(Program *program, const JokerCosts *costs, int n, int c) {
    const Search *search = program->search;
    const Prices *prices = &program->prices;
    int face = face_at(c, n);
    int64_t price = prices->face[face], limit = price_as_first(search, prices, costs, c, n);
    if (!search->total[face] || price <= limit) return;
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

static void offer_groups(Program *program, const JokerCosts *costs, int n) {
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
            if (chosen >> c & 1) add_to_column(program, column, face_at(c, n), 1);
        if (colours == 1) add_to_column(program, column, JOKER, 1);
        if (colours < 3) add_to_column(program, column, costs->j <= costs->d ? JOKER : DOUBLE, 1);
    }
    if (costs->m == FAR) return;
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
    if (!chosen || best <= 0) return;
    Column *column = new_column(program);
    add_to_column(program, column, MIRROR, 1);
    for (int c = 0; c < COLOURS; c++) {
        int face = face_at(c, n);
        if (!(chosen >> c & 1)) continue;
        gain_in_mirror(search, &program->prices, costs, face, &both);
        add_to_column(program, column, face, both ? 2 : 1);
        if (!both) add_slots(program, column, costs, 1);
    }
}

/* Take a column into the basis if it is worth something at the prices of now. */
static bool enter(Program *program, const Column *column, double cost, double worth_while) {
    int equations = program->equations, leaving = -1;
    double worth = -cost, change[MOST_EQUATIONS], ratio = 0;
    for (int k = 0; k < column->size; k++)
        worth += column->amount[k] * program->price[column->equation[k]];
    if (worth <= worth_while) return false;
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
    if (leaving < 0) return false;
    double *pivot = program->inverse[leaving], by = 1 / change[leaving];
    for (int k = 0; k < equations; k++) {
        pivot[k] *= by;
        program->price[k] -= worth * pivot[k];
    }
    for (int i = 0; i < equations; i++) {
        if (i == leaving) continue;
        program->amount[i] -= ratio * change[i];
        if (program->amount[i] < 0) program->amount[i] = 0;
        if (change[i] == 0) continue;
        double *own = program->inverse[i];
        for (int k = 0; k < equations; k++) own[k] -= change[i] * pivot[k];
    }
    program->amount[leaving] = ratio;
    return true;
}

/* Not below -16 * most, even if it is no number at all. */
static inline int64_t as_price(double price, double most) {
    return (int64_t)(price > most ? most : price > -16 * most ? price : -16 * most);
}

/* The equations of a state, and nothing laid yet. A little less of every joker than there is makes
 * them cost something where they could be free: the prices serve other states as well. */
static void begin_program(Program *program, const Search *search, const State *state) {
    const Row *rows = search->pool + state->rows;
    const double fewer = 0.3, more = 0.0005;
    program->search = search;
    program->number = state->number;
    program->equations = program->opens = 0;
    memset(program->of_face, NO_FACE, sizeof program->of_face);
    for (int face = 0; face < FACES; face++) {
        int total = search->total[face], at = program->equations;
        if (!total || (face < JOKER && face % HIGHEST + 1 < state->number)) continue;
        program->of_face[face] = (uint8_t)program->equations++;
        program->limit[at] = (double)cost_to_stay(search, face);
        program->amount[at] = total + more * (1 + face % 16 / 64.0); /* no two alike */
        if (face < JOKER) continue;
        int left = total - state->used[face - JOKER];
        program->amount[at] = left ? left - fewer : fewer;
        if (face < MIRROR) program->limit[at] = 0;
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
static void offer(Program *program, double most) {
    const Search *search = program->search;
    Prices *prices = &program->prices;
    int faces = program->equations - program->opens;
    for (int face = 0; face < FACES; face++) {
        int at = program->of_face[face];
        prices->face[face] = at == NO_FACE ? 0 : as_price(program->price[at], most);
        if (face >= JOKER && face < MIRROR) prices->face[face] = lower(prices->face[face], 0);
    }
    JokerCosts costs = joker_costs(search, prices);
    program->columns = 0;
    begin_tables(prices);
    for (int n = HIGHEST; n >= program->number; n--) {
        for (int c = 0; c < COLOURS; c++) offer_rows(program, &costs, n, c);
        offer_groups(program, &costs, n);
        fill_tables(search, prices, &costs, n);
    }
    for (int i = 0; i < program->opens; i++) {
        int64_t rest = cost_of_rest(prices, program->open[i], program->number);
        if (rest >= FAR || program->price[faces + i] <= (double)rest) continue;
        Column *column = new_column(program);
        column->equation[column->size] = (uint8_t)(faces + i);
        column->amount[column->size++] = 1;
        add_rest(program, column, &costs, program->open[i]);
    }
}

/* Good prices for a state: rows enter as long as they are worth something. */
static void bargain(Program *program, const Search *search, const State *state, Prices *prices) {
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

/* What can stay on the rack from a number on: sums of the cheapest and of the dearest tiles. */
typedef struct {
    int tiles;
    int64_t cheapest[MOST_TILES + 1], dearest[MOST_TILES + 1];
} Rack;

struct Pricing {
    Prices prices[MOST_PRICES];
    Rack rack[LAYERS + 1];
    Program program;
};

/* False where sums could grow too large. */
static bool weigh_rack(Search *search) {
    const Problem *problem = search->problem;
    int64_t weight[MOST_TILES], stake = 0;
    int count = 0;
    for (int number = HIGHEST + 1; number >= 1; number--) {
        for (int i = 0; i < COLOURS; i++) { /* as many kinds as colours */
            int face = number > HIGHEST ? JOKER + i : face_at(i, number);
            if (number > HIGHEST && search->lean && i < M) continue;
            int stays = least(problem->may[face], search->total[face]);
            if (stays && problem->weight[face] > DEAREST) return false;
            for (; stays; stays--) {
                int at = count++;
                for (; at && weight[at - 1] > problem->weight[face]; at--)
                    weight[at] = weight[at - 1];
                weight[at] = problem->weight[face];
                stake += weight[at];
            }
        }
        Rack *rack = &search->pricing->rack[number];
        rack->tiles = count;
        rack->cheapest[0] = rack->dearest[0] = 0;
        for (int i = 0; i < count; i++) {
            rack->cheapest[i + 1] = rack->cheapest[i] + weight[i];
            rack->dearest[i + 1] = rack->dearest[i] + weight[count - 1 - i];
        }
    }
    if (stake >= DEAREST) return false;
    search->stake = stake + 1;
    search->scale = 1;
    while (search->scale < FINEST_SCALE && search->stake * search->scale * 2 <= DEAREST)
        search->scale *= 2;
    return true;
}

/* What is lost at least from the next number on; INT64_MAX if the table cannot be laid. */
static int64_t loss_by_prices(const Search *search, int next, const Row *rows, int count,
                              const uint8_t used[KINDS]) {
    int64_t best = 0;
    if (next > HIGHEST) return 0;
    for (int i = 0; i < search->priced; i++) {
        const Prices *prices = &search->pricing->prices[i];
        int64_t sum = prices->base[next];
        for (int kind = 0; kind < KINDS; kind++)
            sum += worth_of_jokers(search, prices, kind, search->jokers[kind] - used[kind]);
        for (int k = 0; k < count; k++) {
            int64_t rest = cost_of_rest(prices, rows[k], next);
            if (rest >= FAR) return INT64_MAX;
            sum += rest;
        }
        best = higher(best, sum);
    }
    if (best <= 0) return 0;
    /* So many tiles stay at least, and these are the cheapest. */
    const Rack *rack = &search->pricing->rack[next];
    int tiles = 0;
    best = (best + search->scale - 1) / search->scale;
    while (tiles <= rack->tiles && rack->dearest[tiles] < best) tiles++;
    return tiles > rack->tiles ? INT64_MAX : higher(best, rack->cheapest[tiles]);
}

/* Now and then, better prices: first for all that lies ahead, then for a state that is reached. */
static void improve_prices(Search *search, uint32_t name) {
    search->more_prices = search->nodes + PATIENCE;
    if (!search->pricing) {
        search->pricing = malloc(sizeof *search->pricing);
        if (!search->pricing || !weigh_rack(search)) {
            search->more_prices = UINT64_MAX;
            return;
        }
        name = 0;
    }
    Pricing *pricing = search->pricing;
    bargain(&pricing->program, search, &search->states[name], &pricing->prices[search->priced]);
    if (++search->priced == MOST_PRICES) search->more_prices = UINT64_MAX;
}

/* ---- Groups ---------------------------------------------------------------------------------- */

static inline int vector_of(const int tiles[COLOURS]) {
    return ((tiles[0] * 5 + tiles[1]) * 5 + tiles[2]) * 5 + tiles[3];
}

/* How the first group of a vector is laid: colours, J and D; 1 = cannot be, 0 = not known yet. */
enum { UNKNOWN = 0, CANNOT = 1, NOTHING = 2, WAY = 3 };

static inline uint8_t pack_way(int colours, int jokers, int doubles) {
    return (uint8_t)(WAY + (colours * 5 + jokers) * 2 + doubles);
}

/* Whether exactly these tiles can be laid in groups. Colours with most tiles go first: some group
 * holds one of them. */
static uint8_t group_way(Search *search, int tiles[COLOURS], int jokers, int doubles) {
    uint8_t *memo = &search->group_memo[vector_of(tiles)][jokers][doubles];
    if (*memo) return *memo;
    int first = 0, sum = 0;
    for (int c = 0; c < COLOURS; c++) {
        sum += tiles[c];
        if (tiles[c] > tiles[first]) first = c;
    }
    if (sum + jokers + doubles == 0) return *memo = NOTHING;
    const Problem *problem = search->problem;
    *memo = CANNOT;
    if (sum + jokers + doubles < 3) return CANNOT;
    for (int colours = (1 << COLOURS) - 1; colours >= 0; colours--) {
        if (sum && !(colours >> first & 1)) continue;
        int naturals = 0;
        bool there = true;
        for (int c = 0; c < COLOURS; c++)
            if (colours >> c & 1) {
                naturals++;
                there &= tiles[c] > 0;
            }
        if (!there || naturals < problem->min_natural) continue;
        for (int d = 0; d <= least(doubles, 1); d++)
            for (int j = most(0, 3 - naturals - d); j <= jokers && naturals + j + 2 * d <= 4; j++) {
                if (j + d > problem->max_jokers) continue;
                for (int c = 0; c < COLOURS; c++) tiles[c] -= colours >> c & 1;
                bool rest = group_way(search, tiles, jokers - j, doubles - d) != CANNOT;
                for (int c = 0; c < COLOURS; c++) tiles[c] += colours >> c & 1;
                if (rest) return *memo = pack_way(colours, j, d);
            }
    }
    return CANNOT;
}

/* ---- One number ------------------------------------------------------------------------------ */

static inline bool run_complete(const Search *search, const Run *run) {
    return (run->stage == THREE || run->stage == BEYOND) && !run->covered &&
           !run->led && !(search->ordered && run->change) &&
           run->naturals >= search->problem->min_natural;
}

static inline bool pair_complete(const Search *search, const Pair *pair) {
    const Problem *problem = search->problem;
    return !pair->half[0].covered && !pair->half[1].covered &&
           pair->slots >= problem->mirror_min_side && pair->naturals >= problem->min_natural;
}

static bool too_dear(Step *step) {
    if (step->extra <= step->level) return false;
    if (step->extra < step->next) step->next = step->extra;
    return true;
}

/* Drop open rows that cannot grow, and tell whether the others can still be completed. */
static bool tidy(Step *step, Row kept[MOST_OPEN], int *count) {
    const Search *search = step->search;
    const Problem *problem = search->problem;
    int next = step->number + 1, n = 0;
    int singles = joker_left(step, J) + joker_left(step, D) + joker_left(step, C);
    int slots = singles + joker_left(step, D), missing = 0;
    int stock[COLOURS], later[COLOURS], one[COLOURS] = {0}, due[COLOURS] = {0}, full[COLOURS] = {0};
    for (int c = 0; c < COLOURS; c++) {
        stock[c] = next <= HIGHEST ? search->total[face_at(c, next)] : 0;
        later[c] = next < HIGHEST ? search->total[face_at(c, next + 1)] : 0;
    }
    uint64_t sorted[MOST_OPEN];
    for (int i = 0; i < step->open; i++) {
        uint64_t item = (uint64_t)step->out[i] << 8 | (unsigned)i;
        int at = i;
        for (; at && sorted[at - 1] > item; at--) sorted[at] = sorted[at - 1];
        sorted[at] = item;
    }
    for (int i = 0; i < step->open; i++) {
        Row row = (Row)(sorted[i] >> 8);
        if (is_pair(row)) {
            Pair pair = unpack_pair(row);
            bool complete = pair_complete(search, &pair);
            if (search->lean && pair.jokers == ENDS) continue;
            if (next > problem->mirror_last) {
                if (!complete) return false;
                continue;
            }
            if (complete && !singles && (pair.half[0].colour != pair.half[1].colour ||
                                         stock[pair.half[0].colour] < 2))
                continue;
        } else {
            Run run = unpack_run(row);
            int c = run.colour;
            if (run.stage == DONE) continue;
            if (run_complete(search, &run)) {
                if (next > HIGHEST) continue;
                if (run.stage == BEYOND && !stock[c]) continue;
                if (search->joinable && full[c] >= stock[c] + singles) continue;
                full[c]++;
            } else {
                if (next + run.covered > HIGHEST) {
                    if (!(run.stage == THREE && run.covered && next == HIGHEST &&
                          run.naturals >= problem->min_natural))
                        return false;
                } else if (run.stage == ONE && next + run.covered >= HIGHEST) {
                    return false;
                }
                if (!run.covered) {
                    due[c]++;
                    one[c] += run.stage == ONE;
                }
            }
        }
        step->order[n] = (uint8_t)(sorted[i] & 255);
        kept[n++] = row;
    }
    for (int c = 0; c < COLOURS; c++) {
        missing += most(0, due[c] - stock[c]);
        if (!joker_left(step, C)) missing += most(0, one[c] - later[c]);
    }
    *count = n;
    return missing <= slots;
}

/* What remains to be paid when 13 is dealt with: jokers that stay on the rack. */
static bool pay_jokers(Step *step) {
    const Search *search = step->search;
    const Problem *problem = search->problem;
    for (int kind = search->lean ? M : J; kind < KINDS; kind++) {
        int face = JOKER + kind, left = joker_left(step, kind);
        if (left > problem->may[face]) return false;
        step->extra += left * problem->weight[face];
    }
    return !search->valued || step->value >= problem->floor;
}

static void explore(Search *search, uint32_t name, int64_t least_loss);

#define MOST_LOSS (INT64_MAX / 4)

static inline bool needy_at(const Search *search, int colour, int number) {
    return number <= HIGHEST && search->needy[face_at(colour, number)];
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
static int64_t still_lost(const Step *step, const Row *rows, int count) {
    const Search *search = step->search;
    int next = step->number + 1, served = 0;
    if (!search->pieces[next]) return search->bound[next];
    for (int kind = J; kind <= C; kind++) {
        int left = joker_left(step, kind);
        served += left + least(left, search->links[kind][next]);
    }
    served += 2 * least(joker_left(step, M), search->links[M][next]);
    if (2 * served >= search->pieces[next]) return search->bound[next];
    for (int i = 0; i < count && next <= HIGHEST; i++) {
        if (is_pair(rows[i])) {
            served += 2;
        } else {
            Run run = unpack_run(rows[i]);
            int number = next + run.covered;
            served += needy_at(search, run.colour, number) ||
                      needy_at(search, run.colour, number + 1);
        }
    }
    int lost = (search->pieces[next] - 2 * served + 1) / 2;
    if (lost <= 0) return search->bound[next];
    if (lost > search->spare[next]) return INT64_MAX;
    int64_t loss = lost * search->cheapest[next];
    return loss > search->bound[next] ? loss : search->bound[next];
}

static void emit(Step *step) {
    Search *search = step->search;
    if (search->no_memory || step->found) return;
    Row kept[MOST_OPEN];
    int count;
    if (!tidy(step, kept, &count)) return;
    int32_t value = 0;
    if (search->valued) {
        int left = 0;
        value = step->value;
        for (int kind = J; kind <= C; kind++)
            left += joker_left(step, kind) * (kind == D ? 2 : 1) * HIGHEST;
        /* A covered slot was counted when its double was laid. */
        if (value + search->potential[step->number + 1] + left < search->problem->floor) return;
        value = least(value, search->problem->floor);
    }
    int64_t extra = step->extra;
    if (step->number == HIGHEST && !pay_jokers(step)) {
        step->extra = extra;
        return;
    }
    bool skip = too_dear(step) || step->extra <= step->made;
    int64_t total = step->extra;
    step->extra = extra;
    if (skip) return;
    if (step->wanted == NONE) {
        int64_t lost = still_lost(step, kept, count), loss = search->states[step->parent].loss;
        if (lost > MOST_LOSS) return;
        if (search->priced) {
            uint8_t used[KINDS];
            for (int kind = 0; kind < KINDS; kind++) used[kind] = (uint8_t)step->used[kind];
            lost = higher(lost, loss_by_prices(search, step->number + 1, kept, count, used));
            if (lost > MOST_LOSS) return;
        }
        uint32_t name = add_state(search, step->parent, loss + total, value, step->number + 1, kept,
                                  count, step->used);
        if (name == NONE) return;
        int64_t now = loss + step->level + search->bound[step->number + 1];
        if (loss + total + lost <= now)
            explore(search, name, now);
        else
            heap_push(search, loss + total + lost, name);
        step->found = search->goal != NONE || search->stopped;
        return;
    }
    const State *wanted = &search->states[step->wanted];
    step->found = same_key(search, wanted, step->number + 1, kept, count, step->used) &&
                  wanted->used[J] == step->used[J] && wanted->used[D] == step->used[D] &&
                  wanted->used[C] == step->used[C] && wanted->value == value;
}

static void deal_with_pairs(Step *step, int at);

/* Groups of exactly `in_groups`, with any jokers that fit; in lean mode no more than needed. */
static void lay_groups(Step *step) {
    Search *search = step->search;
    int *tiles = step->in_groups;
    int most_j = joker_left(step, J), most_d = joker_left(step, D), least_j = most_j + 1;
    int64_t extra = step->extra;
    int32_t value = step->value;
    int sum = tiles[0] + tiles[1] + tiles[2] + tiles[3];
    for (int d = 0; d <= most_d && !step->found; d++)
        for (int j = 0; j <= most_j && !step->found; j++) {
            if (search->lean && j >= least_j) break;
            if (group_way(search, tiles, j, d) == CANNOT) continue;
            least_j = j;
            int slots = j + 2 * d;
            step->extra = extra + search->problem->stand * slots * (HIGHEST - step->number);
            step->value = value + (sum + slots) * step->number;
            step->used[J] += j;
            step->used[D] += d;
            step->group_j = j;
            step->group_d = d;
            if (!too_dear(step)) deal_with_pairs(step, 0);
            if (step->found) return;
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
                              int code) {
    Search *search = step->search;
    const Problem *problem = search->problem;
    /* One slot is a mirror run as well, and made there. */
    int least_side = most(problem->mirror_min_side, step->number > problem->mirror_last ? 1 : 2);
    int shown = both + left + right, naturals = 2 * both + left + right;
    int64_t extra = step->extra;
    int32_t value = step->value;
    if (right > left || naturals < problem->min_natural) return;
    for (int zero = 0; shown + zero <= COLOURS; zero++) {
        if (shown + zero < least_side) continue;
        if (search->lean && zero) break; /* can be taken away */
        for (int dl = 0; 2 * dl <= left + zero; dl++)
            for (int dr = 0; 2 * dr <= right + zero; dr++) {
                int d = dl + dr, j = left + right + 2 * zero - 2 * d, slots = j + 2 * d;
                if (d > joker_left(step, D) || j > joker_left(step, J)) continue;
                if (j + d + 1 > problem->max_jokers) continue;
                group.zero = (uint8_t)zero;
                group.doubles_left = (uint8_t)dl;
                group.doubles_right = (uint8_t)dr;
                step->mirror_group[step->mirror_groups++] = group;
                step->used[J] += j;
                step->used[D] += d;
                step->used[M]++;
                step->extra = extra + problem->stand * slots * (HIGHEST - step->number);
                step->value = value + (naturals + slots) * step->number;
                if (!too_dear(step)) lay_mirror_groups(step, code);
                if (step->found) return;
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
                                int right, int code, int floor) {
    if (colour == COLOURS) {
        if (code >= floor) fill_mirror_group(step, group, both, left, right, code);
        return;
    }
    int *tiles = &step->in_groups[colour];
    uint8_t bit = (uint8_t)(1 << colour);
    MirrorGroup wider = group;
    code *= 4;
    choose_mirror_group(step, group, colour + 1, both, left, right, code, floor);
    if (step->found) return;
    if (*tiles >= 2) {
        wider.colours_both |= bit;
        *tiles -= 2;
        choose_mirror_group(step, wider, colour + 1, both + 1, left, right, code + 1, floor);
        if (step->found) return;
        *tiles += 2;
    }
    if (*tiles >= 1 && joker_left(step, J) + joker_left(step, D)) {
        *tiles -= 1;
        wider = group;
        wider.colours_left |= bit;
        choose_mirror_group(step, wider, colour + 1, both, left + 1, right, code + 2, floor);
        if (step->found) return;
        wider = group;
        wider.colours_right |= bit;
        choose_mirror_group(step, wider, colour + 1, both, left, right + 1, code + 3, floor);
        if (step->found) return;
        *tiles += 1;
    }
}

static void lay_mirror_groups(Step *step, int floor) {
    const Problem *problem = step->search->problem;
    lay_groups(step);
    if (step->found || !joker_left(step, M) || step->mirror_groups == MOST_COPIES) return;
    int sum = 0;
    for (int c = 0; c < COLOURS; c++) sum += step->in_groups[c];
    if (sum < problem->min_natural) return;
    choose_mirror_group(step, (MirrorGroup){0}, 0, 0, 0, 0, 0, floor);
}

static inline int stock_at(const Search *search, int colour, int number) {
    return number <= HIGHEST ? search->total[face_at(colour, number)] : 0;
}

/* Whether runs of a colour can do with their quota: those that must go on without a tile need
 * jokers, and tiles that no open row can take begin runs, which need two more. */
static bool quota_fits(const Step *step, int colour, int *jokers) {
    const Search *search = step->search;
    int quota = step->quota[colour], n = step->number;
    *jokers -= most(0, step->shorts[colour] - quota);
    if (*jokers < 0) return false;
    int begins = quota - step->runs[colour] - 2 * (step->pairs + joker_left(step, M));
    if (begins <= 0) return true;
    int singles = joker_left(step, J) + joker_left(step, D) + joker_left(step, C);
    return n <= HIGHEST - 2 && begins <= stock_at(search, colour, n + 1) + singles &&
           (joker_left(step, C) ||
            begins <= stock_at(search, colour, n + 2) + singles + joker_left(step, D));
}

/* Share out the tiles of a number, colour by colour: some to groups, some stay on the rack, and the
 * rest is what runs must take. First as many for runs as can go on. */
static void share_out(Step *step, int colour, int jokers) {
    const Search *search = step->search;
    if (colour == COLOURS) {
        bool paid = !search->problem->stand && step->number < HIGHEST;
        if (!paid || step->extra > step->made) lay_mirror_groups(step, 0);
        return;
    }
    int face = face_at(colour, step->number), total = search->total[face];
    int64_t extra = step->extra;
    /* A mirror of one slot may be a group only, and its tile not to be replaced. */
    bool mirrored = step->number > search->problem->mirror_last && joker_left(step, M);
    for (int stay = 0; stay <= total - search->problem->must[face]; stay++) {
        step->extra = extra + stay * search->problem->weight[face];
        if (too_dear(step)) break;
        int rest = total - stay, usual = least(rest, step->runs[colour]);
        for (int turn = 0; turn <= rest; turn++) {
            step->quota[colour] = turn <= usual ? usual - turn : turn;
            step->in_groups[colour] = rest - step->quota[colour];
            step->busy[colour] = stay > 0 || (step->in_groups[colour] > 0 && !mirrored);
            int left = jokers;
            if (!quota_fits(step, colour, &left)) continue;
            share_out(step, colour + 1, left);
            if (step->found) return;
        }
    }
    step->extra = extra;
}

static inline void put_row(Step *step, Row row, int source, int tile, int other, bool turned) {
    int at = step->open++;
    step->out[at] = row;
    step->source[at] = (uint8_t)source;
    step->tile[at][0] = (uint8_t)tile;
    step->tile[at][1] = (uint8_t)other;
    step->turned[at] = turned;
}

/* Take or give back one tile at this number; for a double also the slot at the next. */
static bool take(Step *step, int tile, int sign) {
    const Problem *problem = step->search->problem;
    int n = step->number;
    if (tile == NO_FACE) return true;
    if (tile < NUMBERED) {
        step->taken[tile / HIGHEST] += sign;
        step->value += sign * n;
        return true;
    }
    step->used[tile - JOKER] += sign;
    if (tile == MIRROR) return true;
    int slots = tile == DOUBLE ? 2 : 1, points = tile == DOUBLE ? 2 * n + 1 : n;
    step->extra += sign * problem->stand * (HIGHEST * slots - points);
    step->value += sign * points;
    return sign < 0 || !too_dear(step);
}

static bool available(const Step *step, int tile, int last) {
    if (tile < NUMBERED)
        return step->taken[tile / HIGHEST] < step->quota[tile / HIGHEST];
    if (tile == DOUBLE && step->number + 1 > last) return false;
    return joker_left(step, tile - JOKER) > 0;
}

static void open_pairs(Step *step, int floor);

/* A leading joker can go to the end of its run, where it stands for more, unless the run would pass
 * 13: a run that begins with J or C ends at 13, one that begins with D at 12 or 13. */
enum { LED_TO = HIGHEST - 1 };

/* What the next row does with a tile: the run afterwards. False if lean mode can do without. */
static bool grow_run(const Search *search, Run *run, int tile, int number) {
    bool joker = tile >= JOKER;
    run->covered = tile == DOUBLE;
    run->change = tile == CHANGE ? TILE_FOLLOWS : 0;
    if (number + run->covered >= LED_TO) run->led = 0;
    if (!joker) run->naturals = (uint8_t)least(run->naturals + 1, search->problem->min_natural);
    if (joker && search->count_jokers && ++run->jokers > search->problem->max_jokers) return false;
    if (!search->lean) {
        run->stage = (uint8_t)least(run->stage + 1, THREE);
        return true;
    }
    switch (run->stage) {
    case THREE:
        run->stage = joker ? BRIDGE : THREE;
        return true;
    case BRIDGE:
        run->stage = joker ? BRIDGE : BEYOND;
        return true;
    case BEYOND:
        run->stage = DONE;
        return !joker;
    default:
        run->stage++;
        return run->stage < THREE || run->naturals > 0; /* at least one tile among three */
    }
}

static void deal_with_runs(Step *step, int at, int colour, int floor);
static void open_joker_runs(Step *step, int floor);

enum { NEW_PAIR = 64 };

static void go_on(Step *step, int source, int choice);

/* Lay a tile to a run, leave the run as `grown`, and go on with the next row. */
static void lay(Step *step, const Run *grown, int source, int tile, int choice) {
    int open = step->open;
    if (take(step, tile, 1)) {
        put_row(step, pack_run(grown), source, tile, NO_FACE, false);
        go_on(step, source, choice);
        if (step->found) return;
        step->open = open;
    }
    take(step, tile, -1);
}

/* A colour change, with what follows it. */
static void lay_change(Step *step, const Run *run, Run grown, int source, int choice) {
    const Search *search = step->search;
    bool any = run->stage == 0 || run->change == CHANGE_FOLLOWS;
    if (!search->ordered) {
        for (int other = 0; other < COLOURS && !step->found; other++) {
            if (!any && other == run->colour) continue;
            grown.colour = (uint8_t)other;
            lay(step, &grown, source, CHANGE, choice);
        }
        return;
    }
    for (int other = 0; other < COLOURS && !step->found; other++) {
        if (!any && other == run->colour) continue;
        if (!stock_at(search, other, step->number + 1)) continue;
        grown.colour = (uint8_t)other;
        lay(step, &grown, source, CHANGE, choice);
    }
    grown.colour = run->colour;
    if (joker_left(step, C) >= 2 && step->number < HIGHEST && !step->found) {
        grown.change = CHANGE_FOLLOWS;
        lay(step, &grown, source, CHANGE, choice);
    }
    grown.change = 0;
    if (run_complete(search, &grown) && !step->found) {
        grown.stage = DONE;
        lay(step, &grown, source, CHANGE, choice);
    }
}

/* Whether lean mode can do without this joker in a run. */
static bool idle_joker(const Step *step, const Run *run, const Run *grown, int tile) {
    const Search *search = step->search;
    int c = run->colour, n = step->number;
    /* Remark 4; the same holds for tiles that another run takes after this one. */
    if (tile == JOKER && (step->busy[c] || step->taken[c] < step->quota[c])) return true;
    if (grown->stage != BRIDGE || tile == CHANGE) return false;
    int singles = joker_left(step, J) + joker_left(step, D) + joker_left(step, C);
    return !stock_at(search, c, n + (tile == DOUBLE ? 2 : 1)) && singles < 2;
}

/* Give a tile to an open run (or open one: source NO_FACE), then go on with the next row. */
static void extend_run(Step *step, Run run, int source, int tile, int choice) {
    const Search *search = step->search;
    int colour = run.colour;
    bool short_stood = step->short_stood[colour];
    if (!available(step, tile, HIGHEST)) return;
    if (run.change && search->ordered) {
        if (tile >= JOKER ? tile != CHANGE : run.change == CHANGE_FOLLOWS) return;
    } else if (run.change && tile == CHANGE) {
        return;
    }
    Run grown = run;
    if (!grow_run(search, &grown, tile, step->number)) return;
    if (search->lean && tile >= JOKER && idle_joker(step, &run, &grown, tile)) return;
    if (tile == JOKER) {
        step->stood[colour]++;
        if (run.stage < THREE) step->short_stood[colour] = true;
    }
    if (tile == CHANGE)
        lay_change(step, &run, grown, source, choice);
    else
        lay(step, &grown, source, tile, choice);
    if (step->found) return;
    if (tile == JOKER) {
        step->stood[colour]--;
        step->short_stood[colour] = short_stood;
    }
}

/* After a row that was open, or new (source NO_FACE; `choice` says of which kind): the next. */
static void go_on(Step *step, int source, int choice) {
    if (source < step->pairs) {
        deal_with_pairs(step, source + 1);
    } else if (source < step->count) {
        bool same = source + 1 < step->count && step->rows[source + 1] == step->rows[source];
        deal_with_runs(step, source + 1, (int)(step->rows[source] >> 29 & 3), same ? choice : 0);
    } else if (choice < NEW_PAIR) {
        open_joker_runs(step, choice);
    } else {
        open_pairs(step, choice - NEW_PAIR);
    }
}

/* Choices for a run, in the order in which equal runs must take them. */
enum { BY_TILE, CLOSE, BY_JOKER, BY_DOUBLE, BY_CHANGE };

static void deal_with_run(Step *step, int at, int floor) {
    const Search *search = step->search;
    Run run = unpack_run(step->rows[at]);
    int c = run.colour, tile = face_at(c, step->number);
    bool complete = run_complete(search, &run);
    if (run.covered) {
        run.covered = 0;
        put_row(step, pack_run(&run), at, NO_FACE, NO_FACE, false);
        go_on(step, at, 0);
        if (!step->found) step->open--;
        return;
    }
    /* A J and a tile for two runs of one colour: the shorter run takes the tile, so that a run of
     * three or more with its tile bars a J in a shorter one. */
    bool barred = step->short_stood[c] && complete && search->joinable;
    if (floor <= BY_TILE && !barred) extend_run(step, run, at, tile, BY_TILE);
    if (step->found) return;
    if (complete && floor <= CLOSE) {
        step->closed[c]++;
        go_on(step, at, CLOSE);
        if (step->found) return;
        step->closed[c]--;
    }
    if (floor <= BY_JOKER) extend_run(step, run, at, JOKER, BY_JOKER);
    if (step->found) return;
    if (floor <= BY_DOUBLE) extend_run(step, run, at, DOUBLE, BY_DOUBLE);
    if (step->found) return;
    extend_run(step, run, at, CHANGE, BY_CHANGE);
}

/* What one half of a mirror takes: nothing if covered; a tile; the colour afterwards. */
typedef struct {
    uint8_t tile, colour;
} Move;

static int half_moves(const Step *step, const Half *half, bool first, Move moves[8]) {
    int count = 0, tile = face_at(half->colour, step->number);
    int last = step->search->problem->mirror_last;
    if (half->covered) {
        moves[0] = (Move){NO_FACE, half->colour};
        return 1;
    }
    if (available(step, tile, last)) moves[count++] = (Move){(uint8_t)tile, half->colour};
    if (available(step, JOKER, last)) moves[count++] = (Move){JOKER, half->colour};
    if (available(step, DOUBLE, last)) moves[count++] = (Move){DOUBLE, half->colour};
    if (available(step, CHANGE, last) && !half->after_change)
        for (int c = 0; c < COLOURS; c++)
            if (first || c != half->colour) moves[count++] = (Move){CHANGE, (uint8_t)c};
    return count;
}

static void grow_half(const Search *search, Half *half, Move move) {
    const Problem *problem = search->problem;
    if (move.tile == NO_FACE) {
        half->covered = 0;
        return;
    }
    half->colour = move.colour;
    half->covered = move.tile == DOUBLE;
    half->after_change = move.tile == CHANGE && !problem->adjacent_c;
    half->tiles = (uint8_t)least(half->tiles + 1, 3);
    if (move.tile < NUMBERED) half->natural = 1;
}

/* Whether both halves are runs by themselves, so that more numbered tiles would be a mirror of
 * their own: such rows are never needed. */
static bool can_split(const Search *search, const Pair *pair) {
    const Problem *problem = search->problem;
    if (problem->mirror_min_side > 1 || problem->min_natural > 1) return false;
    for (int side = 0; side < 2; side++) {
        const Half *half = &pair->half[side];
        if (half->covered || half->tiles < 3 || half->natural < problem->min_natural) return false;
    }
    return true;
}

/* Whether lean mode needs this slot of a mirror; one half has taken its tile, the other not yet. A
 * slot with a C on one side only must be followed by another C, or be the last; a slot of jokers
 * only must be followed by more. */
static bool lean_pair(const Step *step, const Pair *pair, Pair *grown, int one, int two) {
    const Search *search = step->search;
    int changes = joker_left(step, C) - (two == CHANGE);
    bool covered = grown->half[0].covered || grown->half[1].covered;
    bool natural = one < NUMBERED || two < NUMBERED || one == NO_FACE || two == NO_FACE;
    bool agree = grown->half[0].colour == grown->half[1].colour;
    if (!agree && changes == 0) {
        if (covered || !natural || !grown->naturals) return false;
        for (int side = 0; side < 2; side++) { /* one colour for all that end here */
            int tile = side ? two : one, first = pair->half[side].colour == 0;
            if (tile == CHANGE && grown->half[side].colour != first) return false;
        }
        grown->jokers = ENDS;
        return true;
    }
    if (covered || natural) return true;
    int singles = joker_left(step, J) + joker_left(step, D) + changes;
    singles -= (two == JOKER) + (two == DOUBLE);
    return stock_at(search, grown->half[0].colour, step->number + 1) || singles > 0;
}

/* Grow a pair (or open one: source NO_FACE) by one slot on both sides. */
static void extend_pair(Step *step, Pair pair, int source, int choice) {
    Search *search = step->search;
    const Problem *problem = search->problem;
    bool opening = pair.slots == 0, splits = can_split(search, &pair);
    bool equal = pack_half(&pair.half[0]) == pack_half(&pair.half[1]);
    int open = step->open;
    if (splits && search->lean) return;
    Move ours[8], theirs[8];
    int our_count = half_moves(step, &pair.half[0], opening, ours);
    for (int a = 0; a < our_count; a++) {
        Move one = ours[a];
        int stood = step->stood[pair.half[0].colour];
        if (!take(step, one.tile, 1)) {
            take(step, one.tile, -1);
            continue;
        }
        int their_count = half_moves(step, &pair.half[1], opening, theirs);
        for (int b = 0; b < their_count; b++) {
            Move two = theirs[b];
            bool our_c = one.tile == CHANGE, their_c = two.tile == CHANGE;
            int our_joker = one.tile >= JOKER && one.tile != NO_FACE;
            int their_joker = two.tile >= JOKER && two.tile != NO_FACE;
            bool natural = one.tile < NUMBERED || two.tile < NUMBERED;
            if (equal && (two.tile >= JOKER ? two.tile : 0) < (one.tile >= JOKER ? one.tile : 0))
                continue;
            if (equal && our_c && their_c && two.colour < one.colour) continue;
            if (!our_c && !their_c && pair.half[0].colour != pair.half[1].colour) continue;
            if (problem->mirror_c_needs_c && our_c != their_c) continue;
            if (splits && natural) continue;
            if (opening && our_c && their_c && pair.half[0].colour) continue; /* no colour yet */
            /* Remark 1 for mirrors: an outermost slot of jokers only can be taken away. */
            if (opening && search->lean && !natural && (one.tile == DOUBLE) == (two.tile == DOUBLE))
                continue;
            Pair grown = pair;
            grow_half(search, &grown.half[0], one);
            grow_half(search, &grown.half[1], two);
            grown.slots = (uint8_t)least(pair.slots + 1, problem->mirror_min_side);
            grown.naturals = (uint8_t)least(
                pair.naturals + (one.tile < NUMBERED) + (two.tile < NUMBERED),
                problem->min_natural);
            if (search->lean && !lean_pair(step, &pair, &grown, one.tile, two.tile)) continue;
            if (search->count_jokers) {
                grown.jokers = (uint8_t)(pair.jokers + our_joker + their_joker);
                if (grown.jokers > problem->max_jokers) continue;
            }
            if (take(step, two.tile, 1)) {
                bool turned;
                Row row = pack_pair(&grown, &turned);
                step->stood[pair.half[0].colour] = stood + (one.tile == JOKER || two.tile == JOKER);
                put_row(step, row, source, one.tile, two.tile, turned);
                go_on(step, source, choice);
                if (step->found) return;
                step->open = open;
                step->stood[pair.half[0].colour] = stood;
            }
            take(step, two.tile, -1);
        }
        take(step, one.tile, -1);
    }
}

static void deal_with_pairs(Step *step, int at) {
    if (at == step->pairs) {
        open_pairs(step, 0);
        return;
    }
    Pair pair = unpack_pair(step->rows[at]);
    if (pair_complete(step->search, &pair)) deal_with_pairs(step, at + 1);
    if (!step->found) extend_pair(step, pair, at, 0);
}

/* The open runs of a colour, then new ones with what is left of its quota. None may begin where
 * another run of the colour ends: they would be one run, which is never worse than two unless
 * jokers are counted. */
static void deal_with_runs(Step *step, int at, int colour, int floor) {
    const Search *search = step->search;
    if (colour == COLOURS) {
        open_joker_runs(step, 0);
        return;
    }
    if (at < step->count && (int)(step->rows[at] >> 29 & 3) == colour) {
        deal_with_run(step, at, floor);
        return;
    }
    int begins = step->quota[colour] - step->taken[colour], open = step->open;
    if (begins && (step->number > HIGHEST - 2 || (search->joinable && step->closed[colour])))
        return;
    int tile = face_at(colour, step->number);
    Run run = {.colour = (uint8_t)colour};
    grow_run(search, &run, tile, step->number);
    for (int i = 0; i < begins; i++) {
        take(step, tile, 1);
        put_row(step, pack_run(&run), NO_FACE, tile, NO_FACE, false);
    }
    deal_with_runs(step, at, colour + 1, 0);
    if (step->found) return;
    for (int i = 0; i < begins; i++) take(step, tile, -1);
    step->open = open;
}

/* Whether a run that a joker begins can go on to the end of the board. */
static bool can_lead(const Step *step, int colour) {
    int slots = joker_left(step, J) + 2 * joker_left(step, D) + joker_left(step, C), gaps = 0;
    if (joker_left(step, C)) return true;
    for (int number = step->number + 1; number <= LED_TO; number++)
        gaps += !stock_at(step->search, colour, number);
    return gaps < slots;
}

/* Runs that begin with a joker: 12 choices of a kind and the colour of what follows it. In lean
 * mode only where the joker could not as well go to the end of three tiles (remarks 1 and 3). */
static void open_joker_runs(Step *step, int floor) {
    const Search *search = step->search;
    emit(step);
    if (step->found) return;
    for (int choice = floor; choice < 3 * COLOURS; choice++) {
        int kind = choice / COLOURS;
        if (!joker_left(step, kind)) continue;
        if (search->lean && step->number < (kind == D ? 8 : 10)) continue;
        if (kind == C && choice % COLOURS) break; /* it picks the colour itself */
        Run run = {.colour = (uint8_t)(choice % COLOURS)};
        if (!search->lean && (kind != C || search->ordered)) {
            if (!can_lead(step, run.colour)) continue;
            run.led = 1;
        }
        extend_run(step, run, NO_FACE, JOKER + kind, choice);
        if (step->found) return;
    }
}

/* Mirror runs, those of one colour after those of the colour before. */
static void open_pairs(Step *step, int floor) {
    const Search *search = step->search;
    deal_with_runs(step, step->pairs, 0, 0);
    if (step->found || !joker_left(step, M) || step->number > search->problem->mirror_last) return;
    if (search->count_jokers && search->problem->max_jokers < 1) return;
    step->used[M]++;
    for (int c = floor; c < COLOURS; c++) {
        Half half = {.colour = (uint8_t)c};
        Pair pair = {.half = {half, half}, .jokers = search->count_jokers};
        extend_pair(step, pair, NO_FACE, NEW_PAIR + c);
        if (step->found) return;
    }
    step->used[M]--;
}

static void expand(Search *search, uint32_t state, int64_t level, int64_t made, Step *step,
                   uint32_t wanted) {
    const State *from = &search->states[state];
    memset(step, 0, offsetof(Step, out));
    step->search = search;
    step->parent = state;
    step->number = from->number;
    step->count = from->count;
    step->level = level;
    step->made = made;
    step->next = INT64_MAX;
    step->value = from->value;
    step->mirror_groups = 0;
    step->wanted = wanted;
    step->found = false;
    for (int kind = 0; kind < KINDS; kind++) step->used[kind] = from->used[kind];
    Row rows[MOST_OPEN]; /* the pool may move while successors are added */
    memcpy(rows, search->pool + from->rows, from->count * sizeof(Row));
    step->rows = rows;
    for (int i = 0; i < step->count; i++) {
        if (is_pair(rows[i])) {
            step->pairs++;
            continue;
        }
        Run run = unpack_run(rows[i]);
        if (run.covered) continue;
        step->runs[run.colour]++;
        step->shorts[run.colour] += !run_complete(search, &run);
    }
    share_out(step, 0, joker_left(step, J) + joker_left(step, D) + joker_left(step, C));
    step->rows = NULL;
}

/* Whether the prices of now tell that a state loses more than that; it is kept for later. */
static bool put_off(Search *search, uint32_t name, int64_t least_loss) {
    const State *state = &search->states[name];
    if (!search->priced) return false;
    int64_t lost = loss_by_prices(search, state->number, search->pool + state->rows, state->count,
                                  state->used);
    if (lost > MOST_LOSS) return true;
    if (state->loss + lost <= least_loss) return false;
    heap_push(search, state->loss + lost, name);
    return true;
}

/* False when the search has to stop. */
static bool keep_pace(Search *search) {
    switch (pace(&search->limit, search->nodes)) {
    case GO_ON:
        break;
    case HURRY:
        search->willing = search->proven + willing_to_lose(&search->limit, search->everything);
        break;
    case STOP:
        search->stopped = true;
        return false;
    }
    return true;
}

/* Expand a state as far as the whole loss may be `least_loss`. Successors are explored as soon as
 * they are made, so the first goal that is reached is the answer, and what lies beside the way to
 * it is never made. */
static void explore(Search *search, uint32_t name, int64_t least_loss) {
    int64_t loss = search->states[name].loss;
    if (search->states[name].number > HIGHEST) {
        search->goal = name;
        return;
    }
    if (!keep_pace(search)) return;
    if (least_loss < search->willing) least_loss = search->willing;
    if (outdone(search, &search->states[name])) return;
    if (search->nodes >= search->more_prices) {
        improve_prices(search, name);
        if (put_off(search, name, least_loss)) return;
    }
    search->nodes++;
    int64_t after = loss + search->bound[search->states[name].number + 1];
    int64_t level = least_loss - after, made = search->states[name].made;
    search->states[name].made = level;
    Step step;
    expand(search, name, level, made, &step, NONE);
    if (step.next < INT64_MAX && search->goal == NONE) heap_push(search, after + step.next, name);
}

static CoverStatus search_rows(Search *search) {
    const int nothing[KINDS] = {0};
    const Row no_rows[1] = {0};
    if (!grow((void **)&search->pool, &search->pool_room, 1, sizeof(Row))) return COVER_NO_MEMORY;
    add_state(search, NONE, 0, 0, 1, no_rows, 0, nothing);
    search->proven = search->bound[1];
    if (!search->no_memory) explore(search, 0, search->proven);
    while (search->goal == NONE && search->heap_used && !search->stopped && !search->no_memory) {
        Entry entry = heap_pop(search);
        if (search->states[entry.state].dropped) continue;
        search->proven = entry.loss;
        if (!put_off(search, entry.state, entry.loss)) explore(search, entry.state, entry.loss);
    }
    if (search->no_memory) return COVER_NO_MEMORY;
    if (search->goal == NONE) return search->stopped ? COVER_STOPPED : COVER_NONE;
    return search->states[search->goal].loss <= search->proven ? COVER_EXACT : COVER_STOPPED;
}

/* ---- From states to rows --------------------------------------------------------------------- */

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

static void add_tile(Laid *laid, int side, int tile) {
    if (tile == NO_FACE) return;
    laid->side[side][laid->tiles[side]++] = (uint8_t)tile;
    if (side == 0) laid->slots = (uint8_t)(laid->slots + (tile == DOUBLE ? 2 : 1));
}

static void finish(Layout *layout, const Laid *laid) { layout->row[layout->rows++] = *laid; }

static void finish_group(Layout *layout, int number, int colours, int jokers, int doubles) {
    Laid laid = {.kind = A_GROUP, .first = (uint8_t)number};
    for (int c = 0; c < COLOURS; c++)
        if (colours >> c & 1) add_tile(&laid, 0, face_at(c, number));
    while (jokers--) add_tile(&laid, 0, JOKER);
    while (doubles--) add_tile(&laid, 0, DOUBLE);
    finish(layout, &laid);
}

/* Slots from the outside: shown on both sides, jokers left, jokers on both sides, jokers right; so
 * the joker slots of a side lie together and doubles fit. */
static void finish_mirror_group(Layout *layout, int number, const MirrorGroup *group) {
    Laid laid = {.kind = A_MIRROR, .first = (uint8_t)number};
    int shown[3] = {group->colours_both, group->colours_left, group->colours_right};
    int blank[2] = {group->zero, group->zero}, doubles[2] = {group->doubles_left,
                                                             group->doubles_right};
    for (int c = 0; c < COLOURS; c++) {
        blank[0] += group->colours_left >> c & 1;
        blank[1] += group->colours_right >> c & 1;
    }
    for (int side = 0; side < 2; side++) {
        for (int part = 0; part < 2; part++)
            for (int c = 0; c < COLOURS; c++)
                if ((part == 0 ? shown[0] : side == 1 ? shown[1] : 0) >> c & 1)
                    add_tile(&laid, side, face_at(c, number));
        for (int d = 0; d < doubles[side]; d++) add_tile(&laid, side, DOUBLE);
        for (int j = 2 * doubles[side]; j < blank[side]; j++) add_tile(&laid, side, JOKER);
        if (side == 0)
            for (int c = 0; c < COLOURS; c++)
                if (shown[2] >> c & 1) add_tile(&laid, side, face_at(c, number));
    }
    finish(layout, &laid);
}

static void finish_groups(Layout *layout, Search *search, const Step *step) {
    int tiles[COLOURS], jokers = step->group_j, doubles = step->group_d;
    memcpy(tiles, step->in_groups, sizeof tiles);
    for (uint8_t way; (way = group_way(search, tiles, jokers, doubles)) >= WAY;) {
        int code = way - WAY, d = code % 2, j = code / 2 % 5, colours = code / 10;
        finish_group(layout, step->number, colours, j, d);
        for (int c = 0; c < COLOURS; c++) tiles[c] -= colours >> c & 1;
        jokers -= j;
        doubles -= d;
    }
    for (int i = 0; i < step->mirror_groups; i++)
        finish_mirror_group(layout, step->number, &step->mirror_group[i]);
}

/* Walk from the first state to the goal again, and note what was done. */
static void replay(Search *search, Layout *layout) {
    uint32_t path[LAYERS];
    uint32_t at = search->goal;
    for (int i = LAYERS - 1; i >= 0; i--, at = search->states[at].parent) path[i] = at;
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
        for (int k = 0; k < to->count; k++) kept[step.order[k]] = true;
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
            if (!kept[k]) finish(layout, &laid);
        }
        for (int k = 0; k < count; k++)
            if (!went_on[k]) finish(layout, &open[k]);
        finish_groups(layout, search, &step);
        count = to->count;
        for (int k = 0; k < count; k++) open[k] = grown[step.order[k]];
    }
}

static void write_cover(const Layout *layout, Cover *cover) {
    cover->rows = layout->rows;
    cover->tiles = 0;
    for (int i = 0; i < layout->rows; i++) {
        const Laid *laid = &layout->row[i];
        int start = cover->tiles;
        for (int k = 0; k < laid->tiles[0]; k++) cover->face[cover->tiles++] = laid->side[0][k];
        if (laid->kind == A_MIRROR) {
            cover->face[cover->tiles++] = MIRROR;
            for (int k = laid->tiles[1]; k--;) cover->face[cover->tiles++] = laid->side[1][k];
        }
        cover->length[i] = (uint8_t)(cover->tiles - start);
    }
}

/* ---- Jokers left over in lean mode ----------------------------------------------------------- */

static inline int slots_of(int tile) { return tile == DOUBLE ? 2 : 1; }

static inline int free_before(const Laid *laid) { return laid->first - 1; }
static inline int free_after(const Laid *laid) { return HIGHEST + 1 - laid->first - laid->slots; }

static void add_in_front(Laid *laid, int tile) {
    memmove(laid->side[0] + 1, laid->side[0], laid->tiles[0]);
    laid->side[0][0] = (uint8_t)tile;
    laid->tiles[0]++;
    laid->first = (uint8_t)(laid->first - slots_of(tile));
    laid->slots = (uint8_t)(laid->slots + slots_of(tile));
}

/* Put a joker at the roomiest free end of a run. */
static bool add_to_run(Layout *layout, int tile) {
    int best = slots_of(tile) - 1;
    Laid *at = NULL;
    bool front = false;
    for (int i = 0; i < layout->rows; i++) {
        Laid *laid = &layout->row[i];
        if (laid->kind != A_RUN) continue;
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
    if (!at) return false;
    if (front)
        add_in_front(at, tile);
    else
        add_tile(at, 0, tile);
    return true;
}

/* Cut a run in two, one of which takes the joker at the cut: three tiles each with it. */
static bool add_by_cutting(Layout *layout, int tile) {
    if (layout->rows > MOST_ROWS) return false;
    for (int i = 0; i < layout->rows; i++) {
        Laid *laid = &layout->row[i];
        if (laid->kind != A_RUN || laid->tiles[0] < 5) continue;
        for (int cut = 2; cut <= laid->tiles[0] - 2; cut++) {
            Laid low = {.kind = A_RUN, .first = laid->first}, high = {.kind = A_RUN};
            int naturals[2] = {0};
            for (int k = 0; k < laid->tiles[0]; k++) {
                add_tile(k < cut ? &low : &high, 0, laid->side[0][k]);
                naturals[k >= cut] += laid->side[0][k] < NUMBERED;
            }
            high.first = (uint8_t)(low.first + low.slots);
            if (!naturals[0] || !naturals[1]) continue;
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
static Laid *four_with(Layout *layout, int face, int *at) {
    for (int i = 0; i < layout->rows; i++) {
        Laid *laid = &layout->row[i];
        if (laid->kind != A_GROUP || laid->tiles[0] != 4) continue;
        for (*at = 0; *at < 4; ++*at)
            if (laid->side[0][*at] == face) return laid;
    }
    return NULL;
}

/* Two neighbours from groups of four make a run with the joker. */
static bool add_by_borrowing(Layout *layout, int tile) {
    if (layout->rows > MOST_ROWS) return false;
    for (int face = 0; face + 1 < NUMBERED; face++) {
        int at[2];
        if (face % HIGHEST + 1 == HIGHEST) continue;
        Laid *fours[2] = {four_with(layout, face, &at[0]), four_with(layout, face + 1, &at[1])};
        if (!fours[0] || !fours[1]) continue;
        Laid run = {.kind = A_RUN, .first = (uint8_t)(face % HIGHEST + 1)};
        int naturals = 0;
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < 4; i++) naturals += fours[k]->side[0][i] < NUMBERED && i != at[k];
            if (!naturals) break; /* the rest would have no numbered tile */
            naturals = 0;
            add_tile(&run, 0, face + k);
        }
        if (run.tiles[0] < 2) continue;
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

static bool add_somewhere(Layout *layout, int tile) {
    return add_to_run(layout, tile) || add_by_cutting(layout, tile) ||
           add_by_borrowing(layout, tile);
}

static bool add_to_group(Layout *layout, int tile) {
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
static bool trade_in_group(Layout *layout) {
    for (int i = 0; i < layout->rows; i++) {
        Laid *laid = &layout->row[i];
        if (laid->kind != A_GROUP || laid->slots != 3 || laid->side[0][2] != JOKER) continue;
        laid->side[0][2] = DOUBLE;
        laid->slots = 4;
        return true;
    }
    return false;
}

static bool place_left_over(Search *search, Layout *layout) {
    const Problem *problem = search->problem;
    int left[KINDS];
    for (int kind = J; kind <= C; kind++) {
        left[kind] = search->jokers[kind] - search->states[search->goal].used[kind];
        if (problem->weight[JOKER + kind] == 0) left[kind] -= problem->may[JOKER + kind];
    }
    for (; left[D] > 0; left[D]--) {
        if (add_somewhere(layout, DOUBLE)) continue;
        if (!trade_in_group(layout)) return false;
        left[J]++;
    }
    for (; left[C] > 0; left[C]--)
        if (!add_somewhere(layout, CHANGE)) return false;
    for (; left[J] > 0; left[J]--)
        if (!add_to_group(layout, JOKER) && !add_somewhere(layout, JOKER)) return false;
    return true;
}

/* ---- Entry ----------------------------------------------------------------------------------- */

static void begin(Search *search, const Problem *problem, bool lean, bool valued) {
    int jokers = 0;
    memset(search, 0, sizeof *search);
    search->problem = problem;
    search->lean = lean;
    search->valued = valued;
    search->goal = NONE;
    search->limit = limit_of(problem);
    for (int face = 0; face < FACES; face++) {
        search->total[face] = (uint8_t)(problem->must[face] + problem->may[face]);
        search->everything += problem->may[face] * problem->weight[face];
    }
    for (int kind = 0; kind < KINDS; kind++) {
        jokers += search->jokers[kind] = search->total[JOKER + kind];
        search->everything += problem->stand * HIGHEST * 2 * search->jokers[kind];
    }
    search->count_jokers = problem->max_jokers < jokers;
    search->joinable = !search->count_jokers;
    search->ordered = problem->adjacent_c;
    for (int number = HIGHEST; number >= 1; number--) {
        search->potential[number] = search->potential[number + 1];
        for (int c = 0; c < COLOURS; c++)
            search->potential[number] += number * search->total[face_at(c, number)];
    }
}

/* How many jokers a row needs at least that holds this tile: 0, 1, or 2 for more. It may be told
 * too small. A row with one joker has a neighbour of the tile within reach of that joker. */
static int least_jokers(const Search *search, int face) {
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
    for (int other = 0; other < COLOURS; other++) colours += search->total[face_at(other, n)] > 0;
    if (colours >= 3) return 0;
    if ((same[1] && same[2]) || (same[2] && same[4]) || (same[4] && same[5])) return 0;
    around = same[2] || same[4];
    const uint8_t *jokers = search->jokers;
    if (jokers[J] && (colours >= 2 || around || same[1] || same[5])) return 1;
    if (jokers[D] && (colours >= 2 || around || same[0] || same[6])) return 1;
    if (jokers[C] && (around || other_at_two)) return 1;
    if (jokers[M] && search->total[face] >= 2) return 1;
    return 2;
}

/* Take tiles away that no row can hold, at the cost in `base`. False if one lies on the table. */
static bool remove_hopeless(Search *search, int64_t *base) {
    const Problem *problem = search->problem;
    int jokers = 0;
    for (int kind = 0; kind < KINDS; kind++) jokers += search->jokers[kind];
    if (jokers >= 2 || problem->min_natural < 1) return true;
    for (bool again = true; again;) {
        again = false;
        for (int face = 0; face < NUMBERED; face++) {
            if (!search->total[face] || least_jokers(search, face) <= jokers) continue;
            if (problem->must[face]) return false;
            *base += search->total[face] * problem->weight[face];
            search->total[face] = 0;
            again = true;
        }
    }
    return true;
}

/* Tiles that need two jokers each, apart from those that the jokers can serve: two tiles of a row
 * that need two have two between them, so no more than there are jokers. */
static void bound_losses(Search *search) {
    const Problem *problem = search->problem;
    int jokers = 0, served;
    int64_t dearest[KINDS * MOST_COPIES] = {0}, sum = 0, spared = 0;
    for (int kind = 0; kind < KINDS; kind++) jokers += search->jokers[kind];
    served = jokers / 2 * 2;
    for (int number = HIGHEST; number >= 1; number--) {
        for (int c = 0; c < COLOURS; c++) {
            int face = face_at(c, number);
            if (!search->total[face] || least_jokers(search, face) < 2) continue;
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
        for (int k = 0; k < served; k++) spared += dearest[k];
        search->bound[number] = sum - spared;
    }
}

/* The needy tiles from each number on; see `still_lost`. */
static void count_pieces(Search *search) {
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
            if (!search->needy[face]) continue;
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

static void end(Search *search) {
    free(search->states);
    free(search->pool);
    free(search->heap);
    free(search->table);
    free(search->pricing);
}

static CoverStatus solve(const Problem *problem, bool lean, bool valued, Cover *cover) {
    Search *search = malloc(sizeof *search);
    Layout *layout = malloc(sizeof *layout);
    CoverStatus status = COVER_NO_MEMORY;
    if (search && layout) {
        int64_t base = 0;
        begin(search, problem, lean, valued);
        search->nodes = cover->nodes;
        search->more_prices = search->nodes + FIRST_PATIENCE;
        if (problem->min_natural < 1) search->more_prices = UINT64_MAX; /* rows of jokers only */
        status = COVER_NONE;
        if (remove_hopeless(search, &base)) {
            bound_losses(search);
            count_pieces(search);
            status = search_rows(search);
        }
        cover->nodes = search->nodes;
        if (search->goal != NONE && !search->no_memory) {
            replay(search, layout);
            if (search->no_memory) {
                status = COVER_NO_MEMORY;
            } else if (lean && !place_left_over(search, layout)) {
                status = COVER_STOPPED;
            } else if (!valued && layout->value < problem->floor) {
                status = COVER_STOPPED;
            } else {
                cover->loss = base + search->states[search->goal].loss;
                write_cover(layout, cover);
            }
        }
        end(search);
    }
    free(layout);
    free(search);
    return status;
}

CoverStatus general_cover(const Problem *problem, Cover *cover) {
    int jokers = 0;
    *cover = (Cover){.loss = -1};
    for (int face = 0; face < FACES; face++) {
        int total = problem->must[face] + problem->may[face];
        if (total > MOST_COPIES) return COVER_NONE;
        if (face >= JOKER) jokers += total;
    }
    bool usual = problem->min_natural == 1 && problem->max_jokers >= jokers &&
                 problem->mirror_min_side == 1 && problem->adjacent_c && !problem->stand;
    /* The mode that comes first is cheap, the last one decides. */
    CoverStatus status = solve(problem, usual, false, cover);
    if (status == COVER_STOPPED && cover->loss < 0 && (usual || problem->floor))
        status = solve(problem, false, problem->floor > 0, cover);
    return status;
}
