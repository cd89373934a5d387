/* The lesser and the greater of two numbers. */
#ifndef TILERUMMY_NUMBERS_H
#define TILERUMMY_NUMBERS_H

#include <stdint.h>

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

static inline int most(int a, int b)
{
    return a > b ? a : b;
}

static inline int64_t lower(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t higher(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
