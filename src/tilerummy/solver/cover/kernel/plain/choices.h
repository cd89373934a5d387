/* Choices: the ways in which one colour settles its tiles of one number. Made when needed. */
#ifndef TILERUMMY_PLAIN_CHOICES_H
#define TILERUMMY_PLAIN_CHOICES_H

#include "search.h"

/* One way in which a colour settles its tiles of one number, those in groups aside.
 *
 * The small fields lie in one word so that those of four colours are added at once; the states go
 * to places of their own. */
typedef struct {
    int64_t loss;
    uint64_t fields;
} Choice;

enum {
    MOST_CHOICES = 25,
    STATE_BITS = 6, /* of the open runs afterwards */
    JOKERS_AT = 24, /* in these runs */
    LEAVES_AT = 32, /* whether a tile stays on the rack */
    RUNS_AT = 40,   /* tiles in these runs */
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
struct Choices {
    uint64_t fits;              /* the first 64 deals for which there is a choice */
    const uint64_t *all_fits;   /* all of them */
    Span span[MOST_COPIES + 1]; /* by the number of tiles in groups */
    Choice choice[];
};

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
    size_t most_size = sizeof(Choices) + MOST_CHOICES * sizeof(Choice) + WORDS * sizeof(uint64_t);
    Choices *choices = arena_take(&search->arena, most_size);
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
    int64_t weight = search->problem->weight[face_down(colour, number)];
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
        choices->span[take] =
            (Span){(uint8_t)(from - choices->choice), (uint8_t)(spotless - choices->choice),
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
    arena_give_back(&search->arena, fits + words);
    return choices;
}

/* Without a tile and without an open run there is one choice: nothing happens. */
static bool list_nothing(Search *search)
{
    int words = search->deals.words;
    for (int colour = 0; colour < COLOURS; colour++) {
        Choices *choices = arena_take(&search->arena, sizeof(Choices) + sizeof(Choice));
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

#endif
