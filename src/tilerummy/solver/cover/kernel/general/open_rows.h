/* Open rows: runs and mirror runs that may still grow, each packed into 32 bits. */
#ifndef TILERUMMY_GENERAL_OPEN_ROWS_H
#define TILERUMMY_GENERAL_OPEN_ROWS_H

#include <stdbool.h>
#include <stdint.h>

enum { MOST_OPEN = 48 }; /* open rows: a tile of each at the last number, or a double over it */

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

/* Lean mode does not count the jokers of a mirror row; `jokers` says that it ends instead. */
enum { ENDS = 31 };

/* Pairs sort before runs. */
#define RUN_BIT (1u << 31)

static inline bool is_pair(Row row)
{
    return row < RUN_BIT;
}

static inline Row pack_run(const Run *run)
{
    return RUN_BIT | (Row)run->colour << 29 | (Row)run->stage << 26 | (Row)run->covered << 25 |
           (Row)run->change << 23 | (Row)run->naturals << 19 | (Row)run->jokers << 14 |
           (Row)run->led << 13;
}

static inline Run unpack_run(Row row)
{
    return (Run){row >> 29 & 3,  row >> 26 & 7,  row >> 25 & 1, row >> 23 & 3,
                 row >> 19 & 15, row >> 14 & 31, row >> 13 & 1};
}

static inline Row pack_half(const Half *half)
{
    return (Row)half->colour << 5 | (Row)half->covered << 4 | (Row)half->tiles << 2 |
           (Row)half->natural << 1 | half->after_change;
}

static inline Half unpack_half(Row bits)
{
    return (Half){bits >> 5 & 3, bits >> 4 & 1, bits >> 2 & 3, bits >> 1 & 1, bits & 1};
}

/* The halves of a mirror can change sides: the smaller goes first. */
static inline Row pack_pair(const Pair *pair, bool *turned)
{
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

static inline Pair unpack_pair(Row row)
{
    return (Pair){{unpack_half(row >> 24 & 127), unpack_half(row >> 17 & 127)},
                  row >> 13 & 15,
                  row >> 9 & 15,
                  row >> 4 & 31};
}

#endif
