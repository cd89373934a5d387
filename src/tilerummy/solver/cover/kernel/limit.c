#define _POSIX_C_SOURCE 199309L

#include "limit.h"

#include <time.h>

enum {
    NODES_BETWEEN_LOOKS = 64, /* at the clock */
    NODES_IN_A_HURRY = 32,    /* before more may be lost */
    MOST_HURRIES = 24,
    HURRIES_TO_LOSE_ALL = 10,
    MOST_LATE_LOOKS = 64, /* each after CHOICES_BETWEEN_LOOKS */
};

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t deadline_in(int64_t nanoseconds)
{
    return nanoseconds ? now() + nanoseconds : 0;
}

Limit limit_of(const Problem *problem)
{
    Limit limit = {
        .nodes = problem->node_limit ? problem->node_limit : UINT64_MAX,
        .deadline = problem->deadline ? problem->deadline : INT64_MAX,
    };
    limit.look = problem->deadline ? 0 : limit.nodes;
    return limit;
}

bool is_past(int64_t deadline)
{
    return deadline && now() >= deadline;
}

static bool is_over(const Limit *limit, uint64_t nodes)
{
    return nodes >= limit->nodes || (limit->deadline < INT64_MAX && now() >= limit->deadline);
}

bool is_long_over(Limit *limit)
{
    return now() >= limit->deadline && ++limit->late > MOST_LATE_LOOKS;
}

Pace look_again(Limit *limit, uint64_t nodes)
{
    if (!limit->hurries && !is_over(limit, nodes)) {
        uint64_t next = nodes + NODES_BETWEEN_LOOKS;
        limit->look = next < limit->nodes ? next : limit->nodes;
        return GO_ON;
    }
    if (limit->hurries == MOST_HURRIES)
        return STOP;
    limit->hurries++;
    limit->look = nodes + NODES_IN_A_HURRY;
    return HURRY;
}

int64_t willing_to_lose(const Limit *limit, int64_t everything)
{
    int halvings = HURRIES_TO_LOSE_ALL - limit->hurries;
    return halvings > 0 ? everything >> halvings : everything;
}
