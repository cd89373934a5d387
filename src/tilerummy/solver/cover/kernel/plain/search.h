/* The data of one search: the question as the walk needs it, the nodes, and where they wait. */
#ifndef TILERUMMY_PLAIN_SEARCH_H
#define TILERUMMY_PLAIN_SEARCH_H

#include <stdbool.h>

#include "../arena.h"
#include "../heap.h"
#include "../limit.h"
#include "deals.h"
#include "open_runs.h"

enum {
    FIRST_PATIENCE = 180,
    COMPARED = 32, /* nodes, at most, that another is compared with */
};

#define NEVER INT64_MAX
#define UNLISTED UINT32_MAX

/* Numbers are counted from 0 and from 13 down. */
static inline int face_down(int colour, int number)
{
    return face_at(colour, HIGHEST - number);
}

typedef struct Choices Choices;
typedef struct Bound Bound;

/* Node keys: four states of six bits, jokers left, number, whether there is a run. */
enum { JOKER_SHIFT = 24, NUMBER_SHIFT = 27, RUN_SHIFT = 31 };

typedef struct {
    int64_t loss;
    int64_t ahead; /* the bound of what is to come */
    int64_t later; /* least cost of the ways put off */
    uint32_t key;
    uint32_t parent;
    uint32_t way;       /* what led here from there: a choice of each colour, eight bits each, */
    uint16_t deal;      /* and a deal */
    uint16_t next_deal; /* to follow from here */
    uint16_t level;     /* of the bound that gave `ahead` */
    uint16_t stage;
    uint32_t earlier; /* expanded at this number, + 1; or UNLISTED */
    uint64_t worth;   /* as `worth_of` has it, once it was looked at */
} Node;

/* A node first follows its deals one by one, and only where that costs no more than anything else
 * would. What costs more is put off together, and mostly for good. */
enum { NEW, FOLLOWING, PUT_OFF, DONE };

typedef struct {
    const Problem *problem;
    uint8_t tiles[HIGHEST + 2][COLOURS]; /* that may lie in rows; none beyond the last number */
    uint8_t may[HIGHEST][COLOURS];       /* how many of them may stay */
    uint8_t groupable[HIGHEST];          /* colours of a number, if enough for a group */
    int jokers;
    int copies;
    int states;
    Deals deals;
    int64_t base;  /* cost of tiles that no row can hold */
    int64_t total; /* of all other tiles that may stay */
    int64_t mean;  /* of one */

    Arena arena; /* memory that lives as long as the call */

    uint64_t known[HIGHEST][COLOURS][MOST_JOKERS + 1]; /* states whose choices are computed */
    Choices **choices;
    Choices *nothing[COLOURS]; /* of a colour without a tile and without an open run */
    Bound *bound;              /* once the search is hard */

    Node *node;
    uint32_t nodes, node_room;
    uint32_t *slot; /* hash of the keys: node + 1 */
    uint32_t slots;
    int slot_shift;
    uint32_t *stack;
    uint32_t stacked, stack_room;
    Heap heap;

    int64_t cost;    /* of what lies on the stack */
    int64_t proven;  /* nothing that is open costs less */
    int64_t willing; /* in a hurry, so much may be lost */
    Limit limit;
    int64_t cutoff; /* nothing that costs as much is of use */
    bool needs_run;
    int level; /* how often the bound was computed */
    uint64_t expanded;
    uint32_t latest[HIGHEST]; /* expanded of each number, + 1 */
    uint32_t goal;            /* node + 1 */
} Search;

#endif
