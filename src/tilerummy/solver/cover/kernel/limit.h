/* The limit of a kernel: how many nodes and how much time it may spend.
 *
 * A kernel that reaches its limit does not stop at once: it hurries. It then takes the first answer
 * that it finds, and what it is willing to lose grows every few nodes, up to everything. Only if
 * even that finds none does it stop without an answer. After a deadline it also stops after so
 * many choices, in the middle of a node if need be: a single node can take long.
 */
#ifndef TILERUMMY_LIMIT_H
#define TILERUMMY_LIMIT_H

#include <stdbool.h>

#include "problem.h"

typedef enum { GO_ON, HURRY, STOP } Pace;

typedef struct {
    uint64_t nodes;   /* the limit; UINT64_MAX = none */
    int64_t deadline; /* INT64_MAX = none */
    uint32_t choices; /* so many were made within nodes */
    int late;         /* how often it looked after the deadline */
    uint64_t look;    /* after so many nodes there is something to decide */
    int hurries;      /* how often it hurried more */
} Limit;

Limit limit_of(const Problem *problem);

/* What to do after so many nodes, where that is due. */
Pace look_again(Limit *limit, uint64_t nodes);

static inline Pace pace(Limit *limit, uint64_t nodes)
{
    return nodes < limit->look ? GO_ON : look_again(limit, nodes);
}

bool is_long_over(Limit *limit);

enum { CHOICES_BETWEEN_LOOKS = 1024 };

/* Whether to stop within a node. Cheap: it looks at the clock now and then. */
static inline bool must_stop(Limit *limit)
{
    return limit->deadline < INT64_MAX && !(++limit->choices % CHOICES_BETWEEN_LOOKS) &&
           is_long_over(limit);
}

/* What a hurrying kernel is willing to lose of all that it can lose, beyond the least. */
int64_t willing_to_lose(const Limit *limit, int64_t everything);

/* The deadline so many nanoseconds from now; 0 for 0, which is none. */
int64_t deadline_in(int64_t nanoseconds);

/* Whether a deadline of `deadline_in` has passed. */
bool is_past(int64_t deadline);

#endif
