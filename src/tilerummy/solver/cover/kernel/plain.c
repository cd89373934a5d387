/* The plain kernel: numbered tiles and J, every row anywhere.
 *
 * The walk. Numbers are taken one after another, from 13 down to 1: runs read the same from both
 * ends, and high tiles mostly weigh most, so that what stays is known early. All that matters of
 * the rows begun so far is, for each colour, how many runs are open with one tile, with two, and
 * with three or more (`OPEN`). Runs with one or two tiles have to go on, longer ones may. At each
 * number, and for each colour, a tile goes on with a run, starts a run, lies in a group, or stays
 * on the rack. How many lie in groups is one vector for all four colours (`Deal`); the rest each
 * colour settles for itself (`Choice`). A node is a number, four open states and the jokers left;
 * an edge costs what stays.
 *
 * What need not be looked at, because changing the rows never costs more:
 *   (1) No new run starts while one of three or more ends: join the two. So the number of tiles
 *       that go into runs says everything: short runs first, then long ones, then new ones.
 *   (2) No tile stays on the rack while a run of its colour goes without one, or holds a joker in
 *       its place, or while a group of its number lacks its colour: put it there. So tiles stay
 *       only where all open runs have one, and where the colour lies in each group.
 *   (3) s tiles, at most m of a colour, make k = max(m, ceil(s/4)) groups: dealt round, sizes
 *       differ by one at most, and max(0, 3k - s) jokers fill them. More groups need more jokers.
 *   (4) A group needs no second joker: x J J also is a run, and an open one is worth more. So
 *       s >= 2k.
 *   (5) No run begins with a joker unless its first tile is a 2 or a 1: J x y may be x y J. There
 *       it needs one, or two, before it.
 *   (6) A long run goes over a joker only to a tile of the next number: a run that needs two to
 *       reach a tile may as well end, and the tile takes both (x J J, J 2 J, J J 1).
 *   (7) Long runs beyond those that the next number can feed are as good as ended.
 *
 * Spare jokers. (2), (4), (5) and (6) free jokers, so the walk lets any number of them stay: it
 * answers the question in which jokers cost nothing. Afterwards `place_spares` adds them to the
 * rows, and what it gives is best, because nothing could cost less than the walk. Wherever there is
 * a run all fit: it has 13 - length free places, and from six tiles on it can be cut in two. Only
 * where all rows are groups the answer may depend on the jokers. Then it is the better of two:
 * groups alone, number by number with the jokers counted out (`groups_only`), or a walk that has to
 * start a run, for which (1) to (7) hold as they stand as none of them takes the last run away.
 *
 * The search is A*: what costs no more than the best so far lies on a stack, the rest in a heap, so
 * it dives, and most questions are answered on the way down. A node follows its deals one by one,
 * and ways that cost more are put off until something that cheap is wanted. Nodes that another
 * beats are dropped: it has no fewer jokers, its runs are no shorter, and it costs no more. A search
 * that lasts computes a bound for what is ahead (`Bound`), and a better one when it still lasts. Any
 * lower bound will do: the goal is taken only when nothing open may cost less, and a node found
 * cheaper is opened again.
 *
 * Limits: at most 4 tiles of each face and 7 J, else there is no answer; all weights together stay
 * below 2^50.
 */
#include "limit.h"
#include "problem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    STATES = 35,    /* of the open runs of one colour, at most four */
    MOST_DEALS = 485,
    WORDS = (MOST_DEALS + 63) / 64,
    MOST_CHOICES = 25,
    MOST_JOKERS = 7, /* as a node holds three bits of them */
    FIRST_PATIENCE = 180,
    COMPARED = 32,   /* nodes, at most, that another is compared with */
    FIRST_NODES = 192,
    FIRST_SLOTS = 512,
    FIRST_HEAP = 256,
    FIRST_BYTES = 24 << 10,
    BLOCK_BYTES = 256 << 10,
};

#define NEVER INT64_MAX
#define UNLISTED UINT32_MAX

/* Numbers are counted from 0 and from 13 down. */
static inline int face_at(int number, int colour)
{
    return colour * HIGHEST + HIGHEST - 1 - number;
}

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

/* How many tiles of each colour lie in groups of one number. */
typedef struct {
    uint8_t take[COLOURS];
    uint8_t groups;
    uint8_t jokers; /* the least they need */
} Deal;

/* All deals, and as sets of bits those that take so many of a colour, those with a colour in every
 * group, and those within a number of jokers. */
typedef struct {
    const Deal *deal;
    const uint64_t *taking; /* [colour][take][word] */
    const uint64_t *everywhere; /* [colour][word] */
    const uint64_t *within; /* [jokers][word] */
    int words;
    int count;
} Deals;

/* Those with at most two copies, as they would be built below. */
static const Deal PAIR_DEAL[61] = {
    {{0, 0, 0, 0}, 0, 0}, {{0, 0, 1, 1}, 1, 1}, {{0, 0, 2, 2}, 2, 2}, {{0, 1, 0, 1}, 1, 1},
    {{0, 1, 1, 0}, 1, 1}, {{0, 1, 1, 1}, 1, 0}, {{0, 1, 1, 2}, 2, 2}, {{0, 1, 2, 1}, 2, 2},
    {{0, 1, 2, 2}, 2, 1}, {{0, 2, 0, 2}, 2, 2}, {{0, 2, 1, 1}, 2, 2}, {{0, 2, 1, 2}, 2, 1},
    {{0, 2, 2, 0}, 2, 2}, {{0, 2, 2, 1}, 2, 1}, {{0, 2, 2, 2}, 2, 0}, {{1, 0, 0, 1}, 1, 1},
    {{1, 0, 1, 0}, 1, 1}, {{1, 0, 1, 1}, 1, 0}, {{1, 0, 1, 2}, 2, 2}, {{1, 0, 2, 1}, 2, 2},
    {{1, 0, 2, 2}, 2, 1}, {{1, 1, 0, 0}, 1, 1}, {{1, 1, 0, 1}, 1, 0}, {{1, 1, 0, 2}, 2, 2},
    {{1, 1, 1, 0}, 1, 0}, {{1, 1, 1, 1}, 1, 0}, {{1, 1, 1, 2}, 2, 1}, {{1, 1, 2, 0}, 2, 2},
    {{1, 1, 2, 1}, 2, 1}, {{1, 1, 2, 2}, 2, 0}, {{1, 2, 0, 1}, 2, 2}, {{1, 2, 0, 2}, 2, 1},
    {{1, 2, 1, 0}, 2, 2}, {{1, 2, 1, 1}, 2, 1}, {{1, 2, 1, 2}, 2, 0}, {{1, 2, 2, 0}, 2, 1},
    {{1, 2, 2, 1}, 2, 0}, {{1, 2, 2, 2}, 2, 0}, {{2, 0, 0, 2}, 2, 2}, {{2, 0, 1, 1}, 2, 2},
    {{2, 0, 1, 2}, 2, 1}, {{2, 0, 2, 0}, 2, 2}, {{2, 0, 2, 1}, 2, 1}, {{2, 0, 2, 2}, 2, 0},
    {{2, 1, 0, 1}, 2, 2}, {{2, 1, 0, 2}, 2, 1}, {{2, 1, 1, 0}, 2, 2}, {{2, 1, 1, 1}, 2, 1},
    {{2, 1, 1, 2}, 2, 0}, {{2, 1, 2, 0}, 2, 1}, {{2, 1, 2, 1}, 2, 0}, {{2, 1, 2, 2}, 2, 0},
    {{2, 2, 0, 0}, 2, 2}, {{2, 2, 0, 1}, 2, 1}, {{2, 2, 0, 2}, 2, 0}, {{2, 2, 1, 0}, 2, 1},
    {{2, 2, 1, 1}, 2, 0}, {{2, 2, 1, 2}, 2, 0}, {{2, 2, 2, 0}, 2, 0}, {{2, 2, 2, 1}, 2, 0},
    {{2, 2, 2, 2}, 2, 0},
};
static const uint64_t PAIR_TAKING[COLOURS * (MOST_COPIES + 1)] = {
    0x0000000000007fff, 0x0000003fffff8000, 0x1fffffc000000000, 0, 0,
    0x00000fc0001f8007, 0x000ff0003fe001f8, 0x1ff0003fc0007e00, 0, 0,
    0x00703040c0e08209, 0x0381c18707070c72, 0x1c0e0e3838187184, 0, 0,
    0x0492420909211011, 0x09249492524aa4aa, 0x12492964a4944b44, 0, 0,
};
static const uint64_t PAIR_EVERYWHERE[COLOURS] = {
    0x1fffffc003638001, 0x1ff0003fc3607e39, 0x1c0e0e383b1b71b7, 0x12492964a6d6cb6f,
};
static const uint64_t PAIR_WITHIN[MOST_JOKERS + 1] = {
    0x1f4d083423424021, 0x1fefad3eb773e93b, 0x1fffffffffffffff, 0x1fffffffffffffff,
    0x1fffffffffffffff, 0x1fffffffffffffff, 0x1fffffffffffffff, 0x1fffffffffffffff,
};

/* One way in which a colour settles its tiles of one number, those in groups aside.
 *
 * The small fields lie in one word so that those of four colours are added at once; the states go
 * to places of their own. */
typedef struct {
    int64_t loss;
    uint64_t fields;
} Choice;

enum {
    STATE_BITS = 6,   /* of the open runs afterwards */
    JOKERS_AT = 24,   /* in these runs */
    LEAVES_AT = 32,   /* whether a tile stays on the rack */
    RUNS_AT = 40,     /* tiles in these runs */
};

static inline int choice_jokers(uint64_t fields)
{
    return fields >> JOKERS_AT & 255;
}

static inline int choice_leaves(uint64_t fields)
{
    return fields >> LEAVES_AT & 255;
}

static inline int choice_runs(uint64_t fields)
{
    return fields >> RUNS_AT & 255;
}

/* Choices one after another: first those that leave no tile, then the others. */
typedef struct {
    uint8_t from, spotless, end;
} Span;

/* All ways of a colour from one open state with so many jokers left: first with no tile in groups,
 * then with one, and so on; among these first those that leave no tile. */
typedef struct {
    uint64_t fits;                       /* the first 64 deals for which there is a choice */
    const uint64_t *all_fits;            /* all of them */
    Span span[MOST_COPIES + 1];          /* by the number of tiles in groups */
    Choice choice[];
} Choices;

/* Node keys: four states of six bits, jokers left, number, whether there is a run. */
enum { JOKER_SHIFT = 24, NUMBER_SHIFT = 27, RUN_SHIFT = 31 };

typedef struct {
    int64_t loss;
    int64_t ahead;   /* the bound of what is to come */
    int64_t later;   /* least cost of the ways put off */
    uint32_t key;
    uint32_t parent;
    uint32_t way;    /* what led here from there: a choice of each colour, eight bits each, */
    uint16_t deal;   /* and a deal */
    uint16_t next_deal; /* to follow from here */
    uint16_t level;     /* of the bound that gave `ahead` */
    uint16_t stage;
    uint32_t earlier;   /* expanded at this number, + 1; or UNLISTED */
    uint64_t worth;     /* as `worth_of` has it, once it was looked at */
} Node;

/* A node first follows its deals one by one, and only where that costs no more than anything else
 * would. What costs more is put off together, and mostly for good. */
enum { NEW, FOLLOWING, PUT_OFF, DONE };

typedef struct {
    int64_t cost;
    uint32_t node;
    uint32_t turn; /* later goes first among equals */
} Waiting;

typedef struct Block {
    struct Block *next;
} Block;

typedef struct Bound Bound;

typedef struct {
    const Problem *problem;
    uint8_t tiles[HIGHEST + 2][COLOURS]; /* that may lie in rows; none beyond the last number */
    uint8_t may[HIGHEST][COLOURS];       /* how many of them may stay */
    uint8_t groupable[HIGHEST];          /* colours of a number, if enough for a group */
    int jokers;
    int copies;
    int states;
    Deals deals;
    int64_t base; /* cost of tiles that no row can hold */
    int64_t total; /* of all other tiles that may stay */
    int64_t mean;  /* of one */

    /* Memory that lives as long as the call. */
    char *free_bytes, *end_bytes;
    Block *blocks;
    bool out_of_memory;

    uint64_t known[HIGHEST][COLOURS][MOST_JOKERS + 1]; /* states whose choices are computed */
    Choices **choices;
    Choices *nothing[COLOURS]; /* of a colour without a tile and without an open run */
    Bound *bound; /* once the search is hard */

    Node *node;
    uint32_t nodes, node_room;
    uint32_t *slot; /* hash of the keys: node + 1 */
    uint32_t slots;
    int slot_shift;
    uint32_t *stack;
    uint32_t stacked, stack_room;
    Waiting *heap;
    uint32_t waiting, heap_room, turn;

    int64_t cost;    /* of what lies on the stack */
    int64_t proven;  /* nothing that is open costs less */
    int64_t willing; /* in a hurry, so much may be lost */
    Limit limit;
    int64_t cutoff;  /* nothing that costs as much is of use */
    bool needs_run;
    int level;       /* how often the bound was computed */
    uint64_t expanded;
    uint32_t latest[HIGHEST]; /* expanded of each number, + 1 */
    uint32_t goal; /* node + 1 */
} Search;

/* Memory ------------------------------------------------------------------------------------- */

static void *take_bytes(Search *search, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if ((size_t)(search->end_bytes - search->free_bytes) < size) {
        size_t room = size + sizeof(Block) + 16 > BLOCK_BYTES ? size + sizeof(Block) + 16
                                                              : (size_t)BLOCK_BYTES;
        Block *block = malloc(room);
        if (!block) {
            search->out_of_memory = true;
            return NULL;
        }
        block->next = search->blocks;
        search->blocks = block;
        search->free_bytes = (char *)block + 16;
        search->end_bytes = (char *)block + room;
    }
    void *taken = search->free_bytes;
    search->free_bytes += size;
    return taken;
}

/* A larger copy of an array; the old one stays until the call ends, so at most doubles it all. */
static void *grow(Search *search, const void *old, uint32_t *room, size_t item)
{
    void *larger = take_bytes(search, (size_t)*room * 4 * item);
    if (larger) {
        memcpy(larger, old, (size_t)*room * item);
        *room *= 4;
    }
    return larger;
}

/* Deals -------------------------------------------------------------------------------------- */

static bool deal_of(const uint8_t take[COLOURS], Deal *deal)
{
    int sum = 0, most = 0;
    for (int colour = 0; colour < COLOURS; colour++) {
        sum += take[colour];
        most = take[colour] > most ? take[colour] : most;
    }
    int groups = most > (sum + 3) / 4 ? most : (sum + 3) / 4;
    if (sum < 2 * groups)
        return false;
    memcpy(deal->take, take, COLOURS);
    deal->groups = (uint8_t)groups;
    deal->jokers = (uint8_t)(sum < 3 * groups ? 3 * groups - sum : 0);
    return true;
}

/* The deals of three or four copies. */
static bool build_deals(Search *search)
{
    Deal *deal = take_bytes(search, MOST_DEALS * sizeof(Deal));
    uint64_t *taking = take_bytes(search, sizeof(uint64_t) * COLOURS * (MOST_COPIES + 1) * WORDS);
    uint64_t *everywhere = take_bytes(search, sizeof(uint64_t) * COLOURS * WORDS);
    uint64_t *within = take_bytes(search, sizeof(uint64_t) * (MOST_JOKERS + 1) * WORDS);
    if (!deal || !taking || !everywhere || !within)
        return false;
    int count = 0, most = search->copies;
    uint8_t take[COLOURS];
    for (take[0] = 0; take[0] <= most; take[0]++)
        for (take[1] = 0; take[1] <= most; take[1]++)
            for (take[2] = 0; take[2] <= most; take[2]++)
                for (take[3] = 0; take[3] <= most; take[3]++)
                    count += deal_of(take, &deal[count]);
    int words = (count + 63) / 64;
    memset(taking, 0, sizeof(uint64_t) * COLOURS * (MOST_COPIES + 1) * (size_t)words);
    memset(everywhere, 0, sizeof(uint64_t) * COLOURS * (size_t)words);
    memset(within, 0, sizeof(uint64_t) * (MOST_JOKERS + 1) * (size_t)words);
    for (int i = 0; i < count; i++) {
        uint64_t bit = (uint64_t)1 << (i & 63);
        for (int colour = 0; colour < COLOURS; colour++) {
            taking[(colour * (MOST_COPIES + 1) + deal[i].take[colour]) * words + i / 64] |= bit;
            if (deal[i].take[colour] == deal[i].groups)
                everywhere[colour * words + i / 64] |= bit;
        }
        for (int jokers = deal[i].jokers; jokers <= MOST_JOKERS; jokers++)
            within[jokers * words + i / 64] |= bit;
    }
    search->deals = (Deals){deal, taking, everywhere, within, words, count};
    return true;
}

/* Choices of one colour ---------------------------------------------------------------------- */

typedef struct {
    int number, colour;
    int jokers;                  /* left */
    int next_tiles, after_tiles; /* of the two numbers that follow */
    Open open;
} Listing;

/* Adds a choice if the next two numbers and the jokers can carry its short runs to three tiles;
 * returns the end of all. */
static inline Choice *add_choice(Listing list, Choice *end, int jokers, int runs, int64_t loss,
                                 bool leaves, int one, int two, int long_)
{
    int rest = list.jokers - jokers;
    if (list.number < HIGHEST - 1) {
        int short_now = one + two - list.next_tiles, short_then = one - list.after_tiles;
        int lacking = (short_now > 0 ? short_now : 0) + (short_then > 0 ? short_then : 0);
        if (lacking > rest || (one > 0 && list.number == HIGHEST - 2))
            return end;
        int bridges = list.after_tiles < rest ? list.after_tiles : rest;
        int room = bridges - short_now;
        room = room > 0 ? room : 0;
        long_ = long_ < room ? long_ : room;
    } else {
        if (one + two > 0)
            return end;
        long_ = 0;
    }
    end->loss = loss;
    end->fields = (uint64_t)open_state(one, two, long_) << STATE_BITS * list.colour |
                  (uint64_t)jokers << JOKERS_AT | (uint64_t)leaves << LEAVES_AT |
                  (uint64_t)runs << RUNS_AT;
    return end + 1;
}

/* Jokers before a run whose first tile has this number. */
static inline int jokers_before(int number)
{
    return number > HIGHEST - 3 ? number - (HIGHEST - 3) : 0;
}

/* All open runs have a tile, and others begin. */
static inline Choice *add_start(Listing list, Choice *end, int starts, int64_t loss, bool leaves)
{
    Open open = list.open;
    int runs = open.one + open.two + open.long_ + starts;
    int before = jokers_before(list.number), jokers = before * starts;
    if (jokers > list.jokers)
        return end;
    return add_choice(list, end, jokers, runs, loss, leaves, before == 0 ? starts : 0,
                      open.one + (before == 1 ? starts : 0), open.two + open.long_);
}

/* There are no more tiles than open runs: jokers for the short ones, or to go over a gap. */
static inline Choice *add_fills(Listing list, Choice *end, int tiles)
{
    Open open = list.open;
    int brief = open.one + open.two;
    int least = brief > tiles ? brief - tiles : 0;
    int most = brief + open.long_ - tiles;
    most = most < least + list.next_tiles ? most : least + list.next_tiles;
    most = most < list.jokers ? most : list.jokers;
    for (int jokers = least; jokers <= most; jokers++)
        end = add_choice(list, end, jokers, tiles, 0, false, 0, open.one,
                         open.two + tiles + jokers - brief);
    return end;
}

static Choices *list_choices(Search *search, int number, int colour, int state, int jokers)
{
    size_t most_size =
        sizeof(Choices) + MOST_CHOICES * sizeof(Choice) + WORDS * sizeof(uint64_t);
    Choices *choices = take_bytes(search, most_size);
    if (!choices)
        return NULL;
    Listing list = {
        .number = number,
        .colour = colour,
        .jokers = jokers,
        .next_tiles = search->tiles[number + 1][colour],
        .after_tiles = search->tiles[number + 2][colour],
        .open = OPEN[state],
    };
    Choice *end = choices->choice;
    int tiles = search->tiles[number][colour], may = search->may[number][colour];
    int runs = list.open.one + list.open.two + list.open.long_;
    int takes = search->groupable[number] + (jokers > 0) >= 3 ? tiles : 0;
    int64_t weight = search->problem->weight[face_at(number, colour)];
    for (int take = 0; take <= takes; take++) {
        int more = tiles - take - runs;
        const Choice *from = end, *spotless;
        if (more > 0) {
            spotless = end = add_start(list, end, more, 0, false);
            for (int left = 1; left <= may && left <= more; left++)
                end = add_start(list, end, more - left, weight * left, true);
        } else {
            spotless = end = add_fills(list, end, tiles - take);
        }
        choices->span[take] = (Span){(uint8_t)(from - choices->choice),
                                     (uint8_t)(spotless - choices->choice),
                                     (uint8_t)(end - choices->choice)};
    }

    int words = search->deals.words;
    const uint64_t *taking = search->deals.taking + colour * (MOST_COPIES + 1) * words;
    const uint64_t *everywhere = search->deals.everywhere + colour * words;
    uint64_t *fits = (uint64_t *)end;
    for (int word = 0; word < words; word++) {
        uint64_t all = 0;
        for (int take = 0; take <= takes; take++) {
            Span span = choices->span[take];
            if (span.from < span.spotless)
                all |= taking[take * words + word];
            else if (span.from < span.end)
                all |= taking[take * words + word] & everywhere[word];
        }
        fits[word] = all;
    }
    choices->fits = fits[0];
    choices->all_fits = fits;
    /* Give back what was not needed. */
    search->free_bytes = (char *)(((uintptr_t)(fits + words) + 15) & ~(uintptr_t)15);
    return choices;
}

/* Without a tile and without an open run there is one choice: nothing happens. */
static bool list_nothing(Search *search)
{
    int words = search->deals.words;
    for (int colour = 0; colour < COLOURS; colour++) {
        Choices *choices = take_bytes(search, sizeof(Choices) + sizeof(Choice));
        if (!choices)
            return false;
        const uint64_t *fits = search->deals.taking + colour * (MOST_COPIES + 1) * words;
        *choices = (Choices){.fits = fits[0], .all_fits = fits, .span = {{0, 1, 1}}};
        choices->choice[0] = (Choice){0, 0};
        search->nothing[colour] = choices;
    }
    return true;
}

static inline Choices *choices_of(Search *search, int number, int colour, int state, int jokers)
{
    if (!state && !search->tiles[number][colour])
        return search->nothing[colour];
    uint64_t *known = &search->known[number][colour][jokers];
    Choices **place =
        &search->choices[((number * COLOURS + colour) * (search->jokers + 1) + jokers) *
                             search->states +
                         state];
    if (!(*known >> state & 1)) {
        Choices *made = list_choices(search, number, colour, state, jokers);
        if (!made)
            return NULL;
        *place = made;
        *known |= (uint64_t)1 << state;
    }
    return *place;
}

/* The bound ahead ---------------------------------------------------------------------------- */

/* The bound is a Lagrangian one. What binds the colours is the deal of each number and the jokers.
 * Instead, a joker has a price, and a colour pays a fee for what it puts into groups, by number,
 * count, and whether a tile of it stays (which asks for a place in every group). The deals get the
 * fees and pay for their jokers. Then every colour has its own cheapest way, each number its
 * cheapest deal, and whatever the fees are their sum is a lower bound.
 *
 * Listed choices are too many for this. From a state, so many runs fed, be it with tiles or with
 * jokers, lead to one other (`Move`), and what that costs depends on how many are fed and how many
 * of them begin. */
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

static inline int64_t lesser(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

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
    int64_t weight = search->problem->weight[face_at(number, colour)], filled = FAR;
    for (int fed = 0; fed <= search->copies; fed++) {
        int rest = tiles - fed;
        int64_t used = rest >= 0 && rest <= takes ? fees->fee[rest][0] : FAR, natural = used;
        for (int take = rest > may ? rest - may : 0; take < rest && take <= takes; take++)
            natural = lesser(natural, weight * (rest - take) + fees->fee[take][1]);
        filled = search->jokers ? lesser(used, filled + bound->price) : used;
        cost[feed_of(fed, SOME_FED)] = filled;
        cost[feed_of(fed, ALL_FED)] = lesser(filled, natural);
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
        ahead[move[i].from] = lesser(ahead[move[i].from], cost[move[i].feed] + next[move[i].to]);
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
        next[move[i].to] = lesser(next[move[i].to], cost[move[i].feed] + behind[move[i].from]);
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
        past[move[i].feed] =
            lesser(past[move[i].feed], behind[move[i].from] + ahead[move[i].to]);
    for (int fed = copies; fed >= 0; fed--) {
        filled[fed] = lesser(past[feed_of(fed, SOME_FED)], past[feed_of(fed, ALL_FED)]);
        if (search->jokers && fed < copies)
            filled[fed] = lesser(filled[fed], filled[fed + 1] + bound->price);
        natural[fed] = past[feed_of(fed, ALL_FED)];
        for (int begun = 1; begun <= fed && before * begun <= search->jokers; begun++)
            natural[fed] = lesser(natural[fed], past[feed_of(fed, ALL_FED + begun)] +
                                                    before * begun * bound->price);
    }
    const Fees *fees = &bound->fees[number][colour];
    int tiles = search->tiles[number][colour], may = search->may[number][colour];
    int64_t weight = search->problem->weight[face_at(number, colour)], least = FAR;
    for (int take = 0; take <= copies; take++) {
        int rest = tiles - take;
        int64_t used = FAR, stays = FAR;
        if (rest >= 0)
            used = lesser(filled[rest], natural[rest]) + fees->fee[take][0];
        for (int left = 1; left <= may && left <= rest; left++)
            stays = lesser(stays, natural[rest - left] + weight * left + fees->fee[take][1]);
        extra->fee[take][0] = used;
        extra->fee[take][1] = stays;
        least = lesser(least, lesser(used, stays));
    }
    for (int take = 0; take <= copies; take++)
        for (int stays = 0; stays < 2; stays++)
            extra->fee[take][stays] = lesser(extra->fee[take][stays] - least, bound->cap);
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
                part[colour] = deal->take[colour] == deal->groups ? lesser(of[0], of[1]) : of[0];
                total += part[colour];
            }
            cheapest = lesser(cheapest, total);
            for (int colour = 0; colour < COLOURS; colour++) {
                const int64_t *of = worth[colour].fee[deal->take[colour]];
                int64_t *to = least[colour].fee[deal->take[colour]];
                int64_t others = total - part[colour];
                to[0] = lesser(to[0], others + of[0]);
                if (deal->take[colour] == deal->groups)
                    to[1] = lesser(to[1], others + of[1]);
            }
        }
    for (int colour = 0; colour < COLOURS; colour++)
        for (int take = 0; take <= copies; take++)
            for (int stays = 0; stays < 2; stays++)
                fees[colour].fee[take][stays] +=
                    lesser(least[colour].fee[take][stays] - cheapest, bound->cap) / 4;
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
    Bound *bound = search->bound = take_bytes(search, sizeof(Bound));
    int states = search->states;
    int64_t *costs =
        take_bytes(search, sizeof(int64_t) * 2 * (HIGHEST + 1) * COLOURS * (size_t)states);
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
    return !search->out_of_memory;
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

/* Open nodes --------------------------------------------------------------------------------- */

static inline bool goes_before(const Waiting *a, const Waiting *b)
{
    return a->cost < b->cost || (a->cost == b->cost && a->turn > b->turn);
}

static bool wait_in_heap(Search *search, uint32_t at, int64_t cost)
{
    if (search->waiting == search->heap_room) {
        Waiting *larger = grow(search, search->heap, &search->heap_room, sizeof(Waiting));
        if (!larger)
            return false;
        search->heap = larger;
    }
    Waiting entry = {cost, at, search->turn++};
    uint32_t place = search->waiting++;
    while (place > 0 && goes_before(&entry, &search->heap[(place - 1) / 2])) {
        search->heap[place] = search->heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    search->heap[place] = entry;
    return true;
}

static Waiting pop_heap(Search *search)
{
    Waiting *heap = search->heap, top = heap[0], last = heap[--search->waiting];
    uint32_t place = 0, count = search->waiting;
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        if (child + 1 < count && goes_before(&heap[child + 1], &heap[child]))
            child++;
        if (!goes_before(&heap[child], &last))
            break;
        heap[place] = heap[child];
    }
    heap[place] = last;
    return top;
}

static bool put_on_stack(Search *search, uint32_t at)
{
    if (search->stacked == search->stack_room) {
        uint32_t *larger = grow(search, search->stack, &search->stack_room, sizeof(uint32_t));
        if (!larger)
            return false;
        search->stack = larger;
    }
    search->stack[search->stacked++] = at;
    return true;
}

static inline bool put_open(Search *search, uint32_t at)
{
    int64_t cost = search->node[at].loss + search->node[at].ahead;
    return cost <= search->cost ? put_on_stack(search, at) : wait_in_heap(search, at, cost);
}

/* The next node that is worth a look; false if there is none. */
static bool next_open(Search *search, uint32_t *at)
{
    if (search->stacked > 0) {
        *at = search->stack[--search->stacked];
        return true;
    }
    if (search->waiting == 0)
        return false;
    Waiting top = pop_heap(search);
    search->proven = top.cost;
    search->cost = top.cost > search->willing ? top.cost : search->willing;
    *at = top.node;
    return true;
}

/* Known nodes -------------------------------------------------------------------------------- */

static inline uint32_t slot_of(const Search *search, uint32_t key)
{
    uint32_t mask = search->slots - 1;
    uint32_t place = key * UINT32_C(0x9E3779B1) >> search->slot_shift;
    while (search->slot[place] && search->node[search->slot[place] - 1].key != key)
        place = (place + 1) & mask;
    return place;
}

static bool more_slots(Search *search)
{
    uint32_t slots = search->slots * 4;
    uint32_t *slot = take_bytes(search, (size_t)slots * sizeof(uint32_t));
    if (!slot)
        return false;
    memset(slot, 0, (size_t)slots * sizeof(uint32_t));
    search->slot = slot;
    search->slots = slots;
    search->slot_shift -= 2;
    for (uint32_t at = 0; at < search->nodes; at++)
        slot[slot_of(search, search->node[at].key)] = at + 1;
    return true;
}

/* What is good about a node, so that one beats another if it has no less of anything: its jokers,
 * and for each colour the open runs, how few have one tile, and how few have one or two. Every
 * number has four bits, the highest of which is free. */
static const uint16_t WORTH[STATES] = { /* of a colour */
    0x440, 0x331, 0x341, 0x441, 0x222, 0x232, 0x332,
    0x242, 0x342, 0x442, 0x113, 0x123, 0x223, 0x133,
    0x233, 0x333, 0x143, 0x243, 0x343, 0x443, 0x004,
    0x014, 0x114, 0x024, 0x124, 0x224, 0x034, 0x134,
    0x234, 0x334, 0x044, 0x144, 0x244, 0x344, 0x444,
};

static inline uint64_t worth_of(uint32_t key)
{
    uint64_t worth = (uint64_t)(key >> JOKER_SHIFT & 7) << 48 | (uint64_t)(key >> RUN_SHIFT) << 52;
    for (int colour = 0; colour < COLOURS; colour++)
        worth |= (uint64_t)WORTH[key >> 6 * colour & 63] << 12 * colour;
    return worth;
}

#define FREE_BITS UINT64_C(0x0088888888888888)

static inline bool beats(const Node *one, const Node *other)
{
    return one->loss <= other->loss &&
           (((one->worth | FREE_BITS) - other->worth) & FREE_BITS) == FREE_BITS;
}

/* Whether one of the last nodes of this number beats it. */
static bool is_dominated(const Search *search, const Node *node)
{
    uint32_t at = search->latest[node->key >> NUMBER_SHIFT & 15];
    for (int tries = COMPARED; at && tries > 0; tries--) {
        const Node *other = &search->node[at - 1];
        if (beats(other, node) && other != node)
            return true;
        at = other->earlier;
    }
    return false;
}

/* The walk ----------------------------------------------------------------------------------- */

/* The ways of one node at one time: all up to a cost. */
typedef struct {
    uint32_t at;
    int number, jokers;
    bool has_run;
    int64_t loss, most;
    int64_t later; /* least cost of those that were put off */
    const Choices *choices[COLOURS];
} Step;

static inline bool is_put_off(Step *step, int64_t loss)
{
    if (loss <= step->most)
        return false;
    if (loss < step->later)
        step->later = loss;
    return true;
}

/* A new node, or NULL without memory. */
static Node *new_node(Search *search, uint32_t place)
{
    if (search->nodes == search->node_room) {
        Node *larger = grow(search, search->node, &search->node_room, sizeof(Node));
        if (!larger)
            return NULL;
        search->node = larger;
    }
    search->slot[place] = ++search->nodes;
    if (search->nodes * 2 > search->slots && !more_slots(search))
        return NULL;
    return &search->node[search->nodes - 1];
}

/* Takes note of a way to a node, or puts it off. */
static bool offer(Search *search, Step *step, uint32_t key, int64_t loss, int deal, uint32_t way)
{
    uint32_t place = slot_of(search, key);
    Node *node;
    if (search->slot[place]) {
        node = &search->node[search->slot[place] - 1];
        if (node->loss <= loss || node->ahead == NEVER || is_put_off(step, loss + node->ahead))
            return true;
    } else {
        int64_t ahead = search->level ? bound_of(search, key) : 0;
        if (ahead == NEVER || is_put_off(step, loss + ahead))
            return true;
        node = new_node(search, place);
        if (!node)
            return false;
        node->key = key;
        node->ahead = ahead;
        node->level = (uint16_t)search->level;
        node->earlier = UNLISTED;
    }
    node->loss = loss;
    node->later = NEVER;
    node->parent = step->at;
    node->way = way;
    node->deal = (uint16_t)deal;
    node->next_deal = 0;
    node->stage = NEW;
    uint32_t at = (uint32_t)(node - search->node);
    if (key >> NUMBER_SHIFT == HIGHEST + (search->needs_run ? 16 : 0) && loss <= search->cost)
        search->goal = at + 1;
    return put_open(search, at);
}

/* All choices of the four colours with one deal. */
static bool follow_deal(Search *search, Step *step, int index)
{
    const Deal *deal = &search->deals.deal[index];
    const Choice *all[COLOURS];
    uint32_t from[COLOURS], end[COLOURS];
    int64_t cheapest = step->loss;
    for (int colour = 0; colour < COLOURS; colour++) {
        const Choices *choices = step->choices[colour];
        int take = deal->take[colour];
        Span span = choices->span[take];
        all[colour] = choices->choice;
        from[colour] = span.from;
        end[colour] = take == deal->groups ? span.end : span.spotless;
        cheapest += all[colour][from[colour]].loss;
    }
    if (is_put_off(step, cheapest))
        return true;
    int jokers = step->jokers - deal->jokers;
    uint32_t number = (uint32_t)(step->number + 1) << NUMBER_SHIFT;
    bool last = step->number == HIGHEST - 1;
    for (uint32_t a = from[0]; a < end[0]; a++) {
        int64_t loss_a = step->loss + all[0][a].loss;
        uint64_t fields_a = all[0][a].fields;
        if (choice_jokers(fields_a) > jokers || is_put_off(step, loss_a))
            continue;
        for (uint32_t b = from[1]; b < end[1]; b++) {
            int64_t loss_b = loss_a + all[1][b].loss;
            uint64_t fields_b = fields_a + all[1][b].fields;
            if (choice_jokers(fields_b) > jokers || is_put_off(step, loss_b))
                continue;
            for (uint32_t c = from[2]; c < end[2]; c++) {
                int64_t loss_c = loss_b + all[2][c].loss;
                uint64_t fields_c = fields_b + all[2][c].fields;
                if (choice_jokers(fields_c) > jokers || is_put_off(step, loss_c))
                    continue;
                for (uint32_t d = from[3]; d < end[3]; d++) {
                    int64_t loss = loss_c + all[3][d].loss;
                    uint64_t fields = fields_c + all[3][d].fields;
                    if (choice_jokers(fields) > jokers || is_put_off(step, loss) ||
                        choice_leaves(fields) > 2) /* they would make a group */
                        continue;
                    uint32_t key = number;
                    if (!last)
                        key |= (uint32_t)(jokers - choice_jokers(fields)) << JOKER_SHIFT |
                               ((uint32_t)fields & ((UINT32_C(1) << JOKER_SHIFT) - 1));
                    if (search->needs_run && (step->has_run || choice_runs(fields)))
                        key |= UINT32_C(1) << RUN_SHIFT;
                    uint32_t way = a | b << 8 | c << 16 | d << 24;
                    if (!offer(search, step, key, loss, index, way))
                        return false;
                    if (search->goal)
                        return true;
                }
            }
        }
    }
    return true;
}

static inline bool start_step(Search *search, Step *step, uint32_t at)
{
    const Node *node = &search->node[at];
    uint32_t key = node->key;
    step->at = at;
    step->number = key >> NUMBER_SHIFT & 15;
    step->jokers = key >> JOKER_SHIFT & 7;
    step->has_run = key >> RUN_SHIFT;
    step->loss = node->loss;
    step->later = node->later;
    for (int colour = 0; colour < COLOURS; colour++) {
        step->choices[colour] =
            choices_of(search, step->number, colour, key >> 6 * colour & 63, step->jokers);
        if (!step->choices[colour])
            return false;
    }
    return true;
}

/* The first deal from the given one on that all colours and the jokers allow, or -1. */
static inline int next_deal(const Search *search, const Step *step, int from)
{
    const Choices *const *choices = step->choices;
    int words = search->deals.words;
    const uint64_t *within = search->deals.within + step->jokers * words;
    if (words == 1) {
        uint64_t fits = within[0] & choices[0]->fits & choices[1]->fits & choices[2]->fits &
                        choices[3]->fits & ~(uint64_t)0 << from;
        return fits ? __builtin_ctzll(fits) : -1;
    }
    uint64_t mask = ~(uint64_t)0 << (from & 63);
    for (int word = from >> 6; word < words; word++, mask = ~(uint64_t)0) {
        uint64_t fits = mask & within[word] & choices[0]->all_fits[word] &
                        choices[1]->all_fits[word] & choices[2]->all_fits[word] &
                        choices[3]->all_fits[word];
        if (fits)
            return word * 64 + __builtin_ctzll(fits);
    }
    return -1;
}

/* Follows deals of a node until one leads somewhere at no more cost. */
static bool follow_next(Search *search, uint32_t at)
{
    Step step;
    if (!start_step(search, &step, at) || !put_on_stack(search, at)) /* below what it leads to */
        return false;
    step.most = search->cost;
    uint32_t top = search->stacked;
    int deal = next_deal(search, &step, search->node[at].next_deal);
    while (deal >= 0 && search->stacked == top) {
        if (!follow_deal(search, &step, deal))
            return false;
        deal = next_deal(search, &step, deal + 1);
    }
    Node *node = &search->node[at];
    node->later = step.later;
    if (deal >= 0) {
        node->next_deal = (uint16_t)deal;
        return true;
    }
    node->stage = PUT_OFF;
    node->next_deal = 0;
    if (search->stacked == top)
        search->stacked--;
    return node->later >= search->cutoff || wait_in_heap(search, at, node->later);
}

/* Follows what was put off and now costs no more than anything else, and a little beyond: each time
 * twice as far. */
static bool follow_rest(Search *search, uint32_t at)
{
    Node *node = &search->node[at];
    Step step;
    if (!start_step(search, &step, at))
        return false;
    int times = node->next_deal++;
    int64_t most = times < 8 ? search->cost + (search->mean << times) : NEVER;
    step.most = most < search->cutoff ? most : search->cutoff - 1;
    step.later = NEVER;
    for (int deal = next_deal(search, &step, 0); deal >= 0 && !search->goal;
         deal = next_deal(search, &step, deal + 1))
        if (!follow_deal(search, &step, deal))
            return false;
    search->node[at].later = step.later;
    return step.later >= search->cutoff || wait_in_heap(search, at, step.later);
}

/* Brings the bound of a node up to date; whether the node still is the first to look at. */
static bool is_still_first(Search *search, uint32_t at, bool *ok)
{
    Node *node = &search->node[at];
    if (node->level < search->level) {
        int64_t ahead = bound_of(search, node->key);
        node->level = (uint16_t)search->level;
        if (ahead > node->ahead) {
            node->ahead = ahead;
            if (ahead == NEVER)
                node->stage = DONE;
            else
                *ok = put_open(search, at);
            return false;
        }
    }
    return node->loss + node->ahead <= search->cost; /* else it waits elsewhere */
}

/* False when the search has to stop. */
static bool keep_pace(Search *search)
{
    Pace now = pace(&search->limit, search->expanded);
    if (now == HURRY)
        search->cost = search->willing =
            search->proven + willing_to_lose(&search->limit, search->total);
    return now != STOP;
}

/* Takes a node that costs no more than any other, unless another beats it. */
static CoverStatus visit(Search *search, uint32_t at)
{
    /* How long to go on before a bound, or a better one, is worth its time. */
    static const uint64_t PATIENCE[] = {FIRST_PATIENCE, 1024, 8192, UINT64_MAX};
    Node *node = &search->node[at];
    node->worth = worth_of(node->key);
    if (is_dominated(search, node)) {
        node->stage = DONE;
        return COVER_EXACT;
    }
    if (!keep_pace(search))
        return COVER_STOPPED;
    node->stage = FOLLOWING;
    if (node->earlier == UNLISTED) {
        uint32_t *latest = &search->latest[node->key >> NUMBER_SHIFT & 15];
        node->earlier = *latest;
        *latest = at + 1;
    }
    if (++search->expanded >= PATIENCE[search->level] && !improve_bound(search))
        return COVER_NO_MEMORY;
    return COVER_EXACT;
}

/* Finds the cheapest way through all numbers: the goal is set if there is one. In a hurry there may
 * be a goal that is not the cheapest. */
static CoverStatus walk(Search *search, bool needs_run, int64_t cutoff)
{
    search->nodes = search->stacked = search->waiting = search->turn = search->goal = 0;
    search->cost = search->proven = search->willing = 0;
    search->limit = limit_of(search->problem);
    search->needs_run = needs_run;
    memset(search->latest, 0, sizeof search->latest);
    search->cutoff = cutoff;
    memset(search->slot, 0, sizeof(uint32_t) * search->slots);
    Step none = {.most = NEVER};
    bool ok = offer(search, &none, (uint32_t)search->jokers << JOKER_SHIFT, 0, 0, 0);
    uint32_t at;
    while (ok && !search->goal && next_open(search, &at)) {
        Node *node = &search->node[at];
        if (node->stage == NEW) {
            if (!is_still_first(search, at, &ok))
                continue;
            if ((node->key >> NUMBER_SHIFT & 15) == HIGHEST) {
                if (!needs_run || node->key >> RUN_SHIFT)
                    search->goal = at + 1;
                continue;
            }
            CoverStatus status = visit(search, at);
            if (status != COVER_EXACT)
                return status;
        }
        if (node->stage == FOLLOWING)
            ok = follow_next(search, at);
        else if (node->stage == PUT_OFF && node->later <= search->cost)
            ok = follow_rest(search, at);
    }
    if (!ok || search->out_of_memory)
        return COVER_NO_MEMORY;
    if (!search->goal)
        return COVER_NONE;
    return search->node[search->goal - 1].loss <= search->proven ? COVER_EXACT : COVER_STOPPED;
}

/* Rows --------------------------------------------------------------------------------------- */

typedef struct {
    bool is_run;
    uint8_t colours; /* that of a run, those of a group as bits */
    uint8_t first;   /* number, counted from 0 */
    uint8_t length;
    uint16_t jokers; /* places in a run as bits, their number in a group */
} Row;

typedef struct {
    Row row[MOST_ROWS];
    int count;
} Rows;

/* Deals tiles of one number round to so many groups, jokers first to those that lack most. */
static void deal_groups(Rows *rows, int number, const uint8_t take[COLOURS], int groups, int jokers)
{
    Row *first = &rows->row[rows->count];
    for (int i = 0; i < groups; i++)
        first[i] = (Row){.first = (uint8_t)number};
    rows->count += groups;
    int to = 0;
    for (int colour = 0; colour < COLOURS; colour++)
        for (int i = 0; i < take[colour]; i++, to = (to + 1) % groups) {
            first[to].colours |= (uint8_t)(1 << colour);
            first[to].length++;
        }
    for (int size = 1; jokers > 0 && size < 4; size++)
        for (int i = 0; i < groups && jokers > 0; i++)
            if (first[i].length == size) {
                first[i].length++;
                first[i].jokers++;
                jokers--;
            }
}

/* The runs of one colour while rows are read off the way. */
typedef struct {
    Row *row[MOST_COPIES];
    int count;
} Going;

/* Gives tiles, then jokers, to the short runs, then to the long ones, and starts runs with the
 * rest. Long runs may be more than their state says, as it leaves out those of no use. */
static void extend_runs(Rows *rows, Going *going, int colour, int number, int state,
                        uint64_t fields)
{
    Open open = OPEN[state];
    int runs = open.one + open.two + open.long_, tiles = choice_runs(fields);
    int starts = tiles > runs ? tiles - runs : 0;
    int fed = starts ? runs : tiles + choice_jokers(fields);
    tiles -= starts;
    Row *next[MOST_COPIES];
    int count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < going->count && count < fed; i++) {
            Row *row = going->row[i];
            if ((row->length >= 3) != pass || row->first + row->length > number)
                continue;
            if (count >= tiles)
                row->jokers |= (uint16_t)(1 << row->length);
            row->length++;
            next[count++] = row;
        }
    for (int before = jokers_before(number); starts > 0; starts--) {
        Row *row = &rows->row[rows->count++];
        *row = (Row){
            .is_run = true,
            .colours = (uint8_t)colour,
            .first = (uint8_t)(number - before),
            .length = (uint8_t)(before + 1),
            .jokers = (uint16_t)((1 << before) - 1),
        };
        next[count++] = row;
    }
    going->count = count;
    for (int i = 0; i < count; i++)
        going->row[i] = next[i];
}

/* The rows of the way to the goal; returns the jokers that are left. */
static int read_rows(Search *search, Rows *rows)
{
    uint32_t way[HIGHEST + 1];
    uint32_t at = search->goal - 1;
    for (int number = HIGHEST; number >= 0; number--, at = search->node[at].parent)
        way[number] = at;
    Going going[COLOURS] = {{.count = 0}};
    int spare = search->jokers;
    rows->count = 0;
    for (int number = 0; number < HIGHEST; number++) {
        uint32_t key = search->node[way[number]].key;
        const Node *after = &search->node[way[number + 1]];
        int jokers = key >> JOKER_SHIFT & 7;
        for (int colour = 0; colour < COLOURS; colour++) {
            int state = key >> 6 * colour & 63;
            uint64_t fields = choices_of(search, number, colour, state, jokers)
                                  ->choice[after->way >> 8 * colour & 255]
                                  .fields;
            extend_runs(rows, &going[colour], colour, number, state, fields);
            spare -= choice_jokers(fields);
        }
        const Deal *deal = &search->deals.deal[after->deal];
        if (deal->groups)
            deal_groups(rows, number, deal->take, deal->groups, deal->jokers);
        spare -= deal->jokers;
    }
    return spare;
}

/* Spare jokers ------------------------------------------------------------------------------- */

static bool lengthen(Row *row)
{
    if (!row->is_run) {
        if (row->length == 4)
            return false;
        row->length++;
        row->jokers++;
        return true;
    }
    if (row->length == HIGHEST)
        return false;
    if (row->first + row->length < HIGHEST) {
        row->jokers |= (uint16_t)(1 << row->length);
    } else {
        row->first--;
        row->jokers = (uint16_t)(row->jokers << 1 | 1);
    }
    row->length++;
    return true;
}

/* Cuts a run from 1 to 13 where both parts keep a numbered tile. */
static bool cut_in_two(Rows *rows, int index)
{
    Row *row = &rows->row[index];
    for (int cut = 3; row->is_run && row->length == HIGHEST && cut <= HIGHEST - 3; cut++) {
        int all = (1 << cut) - 1;
        if ((row->jokers & all) == all || row->jokers >> cut == (1 << (HIGHEST - cut)) - 1)
            continue;
        Row *tail = &rows->row[rows->count++];
        *tail = *row;
        tail->first = (uint8_t)cut;
        tail->length = (uint8_t)(HIGHEST - cut);
        tail->jokers = (uint16_t)(row->jokers >> cut);
        row->length = (uint8_t)cut;
        row->jokers &= (uint16_t)all;
        return true;
    }
    return false;
}

/* One group more of a number, if the spare jokers are enough for it; returns how many it took. */
static int regroup(Rows *rows, int number, int spare)
{
    uint8_t take[COLOURS] = {0};
    int groups = 0, tiles = 0, jokers = 0;
    for (int i = 0; i < rows->count; i++) {
        const Row *row = &rows->row[i];
        if (row->is_run || row->first != number)
            continue;
        groups++;
        tiles += row->length - row->jokers;
        jokers += row->jokers;
        for (int colour = 0; colour < COLOURS; colour++)
            take[colour] += row->colours >> colour & 1;
    }
    int room = 4 * (groups + 1) - tiles - jokers;
    int taken = spare < room ? spare : room;
    if (groups == 0 || tiles < groups + 1 || tiles + jokers + taken < 3 * (groups + 1))
        return 0;
    int kept = 0;
    for (int i = 0; i < rows->count; i++)
        if (rows->row[i].is_run || rows->row[i].first != number)
            rows->row[kept++] = rows->row[i];
    rows->count = kept;
    deal_groups(rows, number, take, groups + 1, jokers + taken);
    return taken;
}

/* Adds jokers to rows until none is left or nothing takes one; returns those left. */
static int place_spares(Rows *rows, int spare)
{
    for (int i = 0; spare > 0 && i < rows->count; i++)
        while (spare > 0 && lengthen(&rows->row[i]))
            spare--;
    for (int i = 0; spare > 0 && i < rows->count; i++)
        if (cut_in_two(rows, i))
            return place_spares(rows, spare);
    for (int number = 0; spare > 0 && number < HIGHEST; number++)
        spare -= regroup(rows, number, spare);
    return spare;
}

/* Lays three jokers or more by themselves, where a row needs no numbered tile. */
static bool is_row_of_jokers(const Problem *problem, int jokers)
{
    return problem->min_natural <= 0 && jokers >= 3 && jokers <= HIGHEST;
}

/* Groups alone: the cheapest with every number of jokers in them. */
typedef struct {
    int64_t loss;
    uint8_t take[COLOURS];
    uint8_t groups;
    uint8_t jokers;
} Grouping;

typedef struct {
    Grouping best[HIGHEST + 1][MOST_JOKERS + 1]; /* of the numbers before; by jokers used */
} Groupings;

static void try_groups(const Search *search, Groupings *all, int number,
                       const uint8_t take[COLOURS])
{
    int tiles = 0, most = 0;
    int64_t loss = 0;
    for (int colour = 0; colour < COLOURS; colour++) {
        int left = search->tiles[number][colour] - take[colour];
        if (left > search->may[number][colour])
            return;
        loss += left * search->problem->weight[face_at(number, colour)];
        tiles += take[colour];
        most = take[colour] > most ? take[colour] : most;
    }
    for (int groups = most; groups <= tiles; groups++)
        for (int jokers = 0; jokers <= search->jokers; jokers++) {
            if (tiles + jokers < 3 * groups || tiles + jokers > 4 * groups)
                continue;
            for (int used = 0; used + jokers <= search->jokers; used++) {
                int64_t before = all->best[number][used].loss;
                Grouping *best = &all->best[number + 1][used + jokers];
                if (before == NEVER || before + loss >= best->loss)
                    continue;
                best->loss = before + loss;
                memcpy(best->take, take, COLOURS);
                best->groups = (uint8_t)groups;
                best->jokers = (uint8_t)jokers;
            }
        }
}

/* The cheapest rows without a run, jokers that stay included; NEVER if there are none. */
static int64_t groups_only(const Search *search, Rows *rows)
{
    const Problem *problem = search->problem;
    Groupings all;
    for (int number = 0; number <= HIGHEST; number++)
        for (int used = 0; used <= search->jokers; used++)
            all.best[number][used].loss = number || used ? NEVER : 0;
    for (int number = 0; number < HIGHEST; number++) {
        const uint8_t *tiles = search->tiles[number];
        uint8_t take[COLOURS];
        for (take[0] = 0; take[0] <= tiles[0]; take[0]++)
            for (take[1] = 0; take[1] <= tiles[1]; take[1]++)
                for (take[2] = 0; take[2] <= tiles[2]; take[2]++)
                    for (take[3] = 0; take[3] <= tiles[3]; take[3]++)
                        try_groups(search, &all, number, take);
    }
    int64_t least = NEVER;
    int chosen = 0;
    for (int used = 0; used <= search->jokers; used++) {
        int left = search->jokers - used;
        int64_t loss = all.best[HIGHEST][used].loss;
        if (loss == NEVER)
            continue;
        if (!is_row_of_jokers(problem, left)) {
            if (left > problem->may[JOKER])
                continue;
            loss += left * problem->weight[JOKER];
        }
        if (loss < least) {
            least = loss;
            chosen = used;
        }
    }
    rows->count = 0;
    if (least == NEVER)
        return NEVER;
    if (is_row_of_jokers(problem, search->jokers - chosen)) {
        int length = search->jokers - chosen;
        rows->row[rows->count++] = (Row){
            .is_run = true, .length = (uint8_t)length, .jokers = (uint16_t)((1 << length) - 1)};
    }
    for (int number = HIGHEST; number > 0; number--) {
        const Grouping *best = &all.best[number][chosen];
        if (best->groups)
            deal_groups(rows, number - 1, best->take, best->groups, best->jokers);
        chosen -= best->jokers;
    }
    return least;
}

/* The question ------------------------------------------------------------------------------- */

/* Takes the tiles in; those of the rack that no row can hold only cost. False if the table has such
 * a tile.
 *
 * Three numbers in a row hold a tile if they lack no more than there are jokers, as do the colours
 * of its number. */
static bool read_problem(Search *search)
{
    const Problem *problem = search->problem;
    int jokers = problem->must[JOKER] + problem->may[JOKER];
    uint32_t in_run[COLOURS], present[COLOURS];
    for (int colour = 0; colour < COLOURS; colour++) {
        uint32_t here = 0;
        for (int number = 0; number < HIGHEST; number++) {
            int face = face_at(number, colour);
            here |= (uint32_t)(problem->must[face] + problem->may[face] > 0) << number;
        }
        uint32_t next = here >> 1, after = here >> 2;
        uint32_t windows = jokers == 0 ? here & next & after
                                       : (here & next) | (here & after) | (next & after);
        windows = jokers > 1 ? 0x7ff : windows & 0x7ff;
        in_run[colour] = windows | windows << 1 | windows << 2;
        present[colour] = here;
    }
    uint32_t either = present[0] | present[1], both = present[0] & present[1];
    uint32_t or_else = present[2] | present[3], and_also = present[2] & present[3];
    uint32_t two = both | and_also | (either & or_else);
    uint32_t three = (both & or_else) | (either & and_also);
    uint32_t in_group = jokers == 0 ? three : two;
    int copies = 2, count = 1;
    memset(search->tiles[HIGHEST], 0, 2 * COLOURS);
    for (int number = 0; number < HIGHEST; number++) {
        uint8_t groupable = 0;
        for (int colour = 0; colour < COLOURS; colour++) {
            int face = face_at(number, colour), may = problem->may[face];
            int tiles = problem->must[face] + may;
            if (tiles && !((in_run[colour] | in_group) >> number & 1)) {
                if (problem->must[face])
                    return false;
                search->base += may * problem->weight[face];
                tiles = may = 0;
            }
            search->tiles[number][colour] = (uint8_t)tiles;
            search->may[number][colour] = (uint8_t)may;
            search->total += may * problem->weight[face];
            count += may;
            groupable += tiles > 0;
            copies = tiles > copies ? tiles : copies;
        }
        search->groupable[number] = groupable;
    }
    search->mean = search->total / count;
    search->jokers = jokers;
    search->copies = copies;
    search->states = STATES_BELOW[copies + 1];
    return true;
}

static bool prepare(Search *search)
{
    for (int number = 0; number < HIGHEST; number++)
        for (int colour = 0; colour < COLOURS; colour++)
            memset(search->known[number][colour], 0,
                   sizeof(uint64_t) * (size_t)(search->jokers + 1));
    search->choices = take_bytes(search, sizeof(Choices *) * HIGHEST * COLOURS *
                                             (size_t)(search->jokers + 1) * (size_t)search->states);
    if (!search->choices)
        return false;
    if (search->copies <= 2)
        search->deals = (Deals){PAIR_DEAL, PAIR_TAKING, PAIR_EVERYWHERE, PAIR_WITHIN, 1, 61};
    else if (!build_deals(search))
        return false;
    return list_nothing(search);
}

static void write_row(const Row *row, Cover *cover)
{
    uint8_t *face = cover->face + cover->tiles;
    if (row->is_run) {
        for (int place = row->length - 1; place >= 0; place--)
            *face++ = row->jokers >> place & 1
                          ? JOKER
                          : (uint8_t)face_at(row->first + place, row->colours);
    } else {
        for (int colour = 0; colour < COLOURS; colour++)
            if (row->colours >> colour & 1)
                *face++ = (uint8_t)face_at(row->first, colour);
        for (int joker = 0; joker < row->jokers; joker++)
            *face++ = JOKER;
    }
    cover->length[cover->rows++] = row->length;
    cover->tiles += row->length;
}

static void write_cover(const Search *search, const Rows *rows, int64_t loss, Cover *cover)
{
    cover->loss = search->base + loss;
    for (int i = 0; i < rows->count; i++)
        write_row(&rows->row[i], cover);
}

static CoverStatus solve(Search *search, Cover *cover)
{
    const Problem *problem = search->problem;
    Rows rows;
    CoverStatus status = walk(search, false, search->total + 1);
    if (status == COVER_NO_MEMORY || !search->goal)
        return status;
    int64_t loss = search->node[search->goal - 1].loss;
    int spare = place_spares(&rows, read_rows(search, &rows));
    if (spare == 0 || (spare <= problem->may[JOKER] && problem->weight[JOKER] == 0)) {
        write_cover(search, &rows, loss, cover);
        return status;
    }
    /* All rows are groups, and jokers were left over. */
    Rows groups;
    int64_t best = groups_only(search, &groups);
    if (best > loss) {
        status = walk(search, true, best < NEVER ? best : search->total + 1);
        if (status == COVER_NO_MEMORY)
            return status;
        if (search->goal) {
            place_spares(&rows, read_rows(search, &rows));
            write_cover(search, &rows, search->node[search->goal - 1].loss, cover);
            return status;
        }
    }
    if (best < NEVER)
        write_cover(search, &groups, best, cover);
    return status == COVER_STOPPED ? COVER_STOPPED : best < NEVER ? COVER_EXACT : COVER_NONE;
}

CoverStatus plain_cover(const Problem *problem, Cover *cover)
{
    Node node[FIRST_NODES];
    uint32_t slot[FIRST_SLOTS], stack[FIRST_NODES];
    Waiting heap[FIRST_HEAP];
    _Alignas(16) char bytes[FIRST_BYTES];
    Search search;
    search.problem = problem;
    search.base = 0;
    search.total = 0;
    search.free_bytes = bytes;
    search.end_bytes = bytes + sizeof bytes;
    search.blocks = NULL;
    search.out_of_memory = false;
    search.node = node;
    search.node_room = FIRST_NODES;
    search.slot = slot;
    search.slots = FIRST_SLOTS;
    search.slot_shift = 32 - 9;
    search.stack = stack;
    search.stack_room = FIRST_NODES;
    search.heap = heap;
    search.heap_room = FIRST_HEAP;
    search.bound = NULL;
    search.level = 0;
    search.expanded = 0;

    cover->loss = -1;
    cover->rows = cover->tiles = 0;
    CoverStatus status = COVER_NONE;
    if (read_problem(&search)) {
        if (search.copies > MOST_COPIES || search.jokers > MOST_JOKERS)
            status = COVER_STOPPED; /* not a box this was made for */
        else
            status = prepare(&search) ? solve(&search, cover) : COVER_NO_MEMORY;
    }
    cover->nodes = search.expanded;
    for (Block *block = search.blocks; block;) {
        Block *next = block->next;
        free(block);
        block = next;
    }
    return status;
}
