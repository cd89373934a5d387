/* Rows: read off the way to the goal, and written into a cover. */
#ifndef TILERUMMY_PLAIN_ROWS_H
#define TILERUMMY_PLAIN_ROWS_H

#include "choices.h"

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

static void write_row(const Row *row, Cover *cover)
{
    uint8_t *face = cover->face + cover->tiles;
    if (row->is_run) {
        for (int place = row->length - 1; place >= 0; place--)
            *face++ = row->jokers >> place & 1
                          ? JOKER
                          : (uint8_t)face_down(row->colours, row->first + place);
    } else {
        for (int colour = 0; colour < COLOURS; colour++)
            if (row->colours >> colour & 1)
                *face++ = (uint8_t)face_down(colour, row->first);
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

#endif
