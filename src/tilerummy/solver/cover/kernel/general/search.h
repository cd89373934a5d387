/* The data of one search: the question as the walk needs it, the states, and where they wait. */
#ifndef TILERUMMY_GENERAL_SEARCH_H
#define TILERUMMY_GENERAL_SEARCH_H

#include <stdbool.h>

#include "../arena.h"
#include "../heap.h"
#include "../limit.h"
#include "../problem.h"
#include "open_rows.h"

enum {
    KINDS = 4, /* of jokers */
    J = 0,
    D,
    C,
    M,
    LAYERS = HIGHEST + 1,
    VECTORS = 625, /* how many tiles of each colour go to groups: 5^4 */
    NO_FACE = 255,
    FIRST_ROOM = 256, /* of states, of open rows, and of the heap */
    FIRST_TABLE = 1024,
};

#define NONE UINT32_MAX           /* no state */
#define MOST_LOSS (INT64_MAX / 4) /* whatever loses more cannot be */

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

typedef struct Pricing Pricing;

typedef struct {
    const Problem *problem;
    uint8_t total[FACES];
    uint8_t jokers[KINDS];
    bool lean;         /* J, D and C are free; see above */
    bool valued;       /* the value so far is part of the state */
    bool count_jokers; /* max_jokers binds */
    bool ordered;      /* C goes last among jokers that lie together */
    bool joinable;     /* two runs that meet may always be joined: max_jokers does not bind */
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

    Arena arena; /* memory that lives as long as the search */
    State *states;
    uint32_t states_used, states_room;
    Row *pool;
    uint32_t pool_used, pool_room;
    Heap heap;
    uint32_t *table;
    uint32_t table_room;
    uint32_t goal;
    uint64_t nodes;
    Limit limit;
    int64_t everything; /* no answer loses more */
    int64_t cutoff;     /* nothing that loses as much is of use */
    int64_t proven;     /* nothing that is open loses less */
    int64_t willing;    /* in a hurry, so much may be lost */
    bool stopped;       /* by the limit */
    uint8_t group_memo[VECTORS][MOST_COPIES + 1][MOST_COPIES + 1];
} Search;

static void put_in_heap(Search *search, int64_t loss, uint32_t state)
{
    heap_push(&search->heap, &search->arena, loss, state);
}

static inline int stock_at(const Search *search, int colour, int number)
{
    return number <= HIGHEST ? search->total[face_at(colour, number)] : 0;
}

#endif
