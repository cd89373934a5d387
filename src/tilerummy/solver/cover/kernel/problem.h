/* The covering problem that every kernel answers.
 *
 * Some tiles lie on the table, others on a rack. Lay all tiles of the table and any of the rack in
 * valid rows so that what stays on the rack costs least. Faces are numbered as in rules/tiles.py:
 * 13 * colour + number - 1, then one face for each kind of joker.
 */
#ifndef TILERUMMY_PROBLEM_H
#define TILERUMMY_PROBLEM_H

#include <stdint.h>

/* The kinds of jokers as in rules/joker_kinds.py, one for each mechanism of the searches: face,
 * letter, slots, wild, in groups, changes colour, mirrors. `cover/abi.py` compares them. */
#define JOKER_KINDS(KIND)            \
    KIND(JOKER, "J", 1, 1, 1, 0, 0)  \
    KIND(DOUBLE, "D", 2, 1, 1, 0, 0) \
    KIND(CHANGE, "C", 1, 1, 0, 1, 0) \
    KIND(MIRROR, "M", 0, 0, 1, 0, 1)

#define JOKER_FACE(face, ...) face,
enum {
    COLOURS = 4,
    HIGHEST = 13,
    NUMBERED = COLOURS * HIGHEST,
    BEFORE_JOKERS = NUMBERED - 1,
    JOKER_KINDS(JOKER_FACE) FACES,
    MOST_COPIES = 4, /* of a face in any box */
    MOST_TILES = MOST_COPIES * FACES,
    MOST_ROWS = MOST_TILES / 3,
};

/* The face of a numbered tile; numbers are 1 to 13. */
static inline int face_at(int colour, int number)
{
    return HIGHEST * colour + number - 1;
}

typedef struct {
    uint8_t must[FACES];   /* how many of each face lie on the table: all are used */
    uint8_t may[FACES];    /* how many lie on the rack: each may be used */
    int64_t weight[FACES]; /* what one of them costs that stays there; never negative */

    /* What a row is (the options of an edition). */
    int32_t min_natural;      /* least numbered tiles of a row */
    int32_t max_jokers;       /* most jokers of a row */
    int32_t mirror_min_side;  /* least slots on each side of a mirror */
    int32_t mirror_last;      /* highest number in half a mirror run: 13, or 12 */
    int32_t mirror_c_needs_c; /* a colour change is mirrored by another only */
    int32_t adjacent_c;       /* two colour changes may lie side by side */

    /* What an opening asks for. */
    int64_t stand; /* cost of each point by which a joker stands for less than 13 a slot */
    int32_t floor; /* least value of all rows together */

    int64_t below; /* only answers that lose less count; 0 = all */

    uint64_t node_limit; /* hurry after so many expanded states; 0 = never */
    int64_t deadline;    /* hurry from this time on, as `limit.h` gives it; 0 = never */
} Problem;

typedef enum {
    COVER_NONE,    /* the tiles of the table cannot be laid, or not so that it loses less */
    COVER_EXACT,   /* nothing costs less */
    COVER_STOPPED, /* a limit was reached: an answer if loss >= 0, but there may be a better one */
    COVER_NO_MEMORY,
} CoverStatus;

typedef struct {
    int64_t loss; /* what stays on the rack costs, and what jokers stand below 13; -1 = no answer */
    uint64_t nodes;
    int32_t rows;
    int32_t tiles;
    uint8_t length[MOST_ROWS]; /* of each row */
    uint8_t face[MOST_TILES];  /* the rows one after another, each as it would lie on the table */
} Cover;

/* Numbered tiles and J under the usual options: no D, C, M, min_natural <= 1, no limit on jokers,
 * no stand, no floor. */
CoverStatus plain_cover(const Problem *problem, Cover *cover);

/* Everything. */
CoverStatus general_cover(const Problem *problem, Cover *cover);

#endif
