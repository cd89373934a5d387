/* The open runs of one colour, as one of 35 states. */
#ifndef TILERUMMY_PLAIN_OPEN_RUNS_H
#define TILERUMMY_PLAIN_OPEN_RUNS_H

#include "../problem.h"

enum { STATES = 35 }; /* with at most four runs */

/* The open runs of a colour, by how many tiles they have. */
typedef struct {
    uint8_t one, two, long_;
} Open;

static const Open OPEN[STATES] = {
    {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0}, {1, 1, 0}, {1, 0, 1},
    {0, 2, 0}, {0, 1, 1}, {0, 0, 2}, {3, 0, 0}, {2, 1, 0}, {2, 0, 1}, {1, 2, 0},
    {1, 1, 1}, {1, 0, 2}, {0, 3, 0}, {0, 2, 1}, {0, 1, 2}, {0, 0, 3}, {4, 0, 0},
    {3, 1, 0}, {3, 0, 1}, {2, 2, 0}, {2, 1, 1}, {2, 0, 2}, {1, 3, 0}, {1, 2, 1},
    {1, 1, 2}, {1, 0, 3}, {0, 4, 0}, {0, 3, 1}, {0, 2, 2}, {0, 1, 3}, {0, 0, 4},
};
/* How many states have fewer runs: those with n copies of each tile are a prefix. */
static const uint8_t STATES_BELOW[MOST_COPIES + 2] = {0, 1, 4, 10, 20, 35};

static inline uint8_t open_state(int one, int two, int long_)
{
    int settled = two + long_;
    return (uint8_t)(STATES_BELOW[one + settled] + settled * (settled + 1) / 2 + long_);
}

#endif
