"""Benchmark positions for the solver, from a seed, in the format of `tilerummy solve --json`.

    python -m benchmarks.positions --kind real --seed 1 --count 500 > real.jsonl

Some kinds are turns of complete games in which everybody lays as many tiles as they can; the
others are random and harder than those of games.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from typing import Any

from tilerummy.lab.greedy import greedy_games
from tilerummy.rules.editions import CLASSIC, SABRA, SIXPLAYER, TAIWAN, TWIST, Edition, edition
from tilerummy.rules.position import Position
from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import (
    ALL_FACES,
    COLOURS,
    FACE_TEXT,
    HIGHEST,
    IS_JOKER,
    JOKER,
    JOKER_FACES,
    Face,
    Row,
    Table,
    faces_of,
    has_joker,
    numbered,
    parse_tiles,
    unidentified,
)
from tilerummy.solver import Solution

Item = dict[str, Any]
FROM_A_GAME = 4
"""Turns taken of one game, at most: neighbouring turns resemble each other."""
DENSE = range(80, 93)
"""Tiles on a dense table."""
HARD = Path(__file__).with_name("hard.jsonl")


def draw(kind: str, seed: int, count: int) -> list[Position]:
    """This many positions of a kind; the same seed gives the same positions."""
    return list(islice(KINDS[kind](random.Random(f"{kind} {seed}")), count))


def as_item(position: Position) -> Item:
    """A position in the format of `tilerummy solve --json`."""
    return {
        "edition": position.edition.name,
        "options": position.edition.changed_options(),
        "opened": position.opened,
        "rack": [FACE_TEXT[face] for face in sorted(faces_of(position.rack))],
        "table": [[FACE_TEXT[face] for face in faces_of(row)] for row in position.table],
    }


def as_position(item: Mapping[str, Any]) -> Position:
    return Position(
        edition(item["edition"], item.get("options")),
        tuple([parse_tiles(row) for row in item["table"]]),
        parse_tiles(item["rack"]),
        bool(item["opened"]),
    )


# Turns of games


def in_faces(position: Position) -> Position:
    """The position without ids of tiles, as most peers take it."""
    table = tuple([unidentified(faces_of(row)) for row in position.table])
    return replace(position, table=table, rack=unidentified(faces_of(position.rack)))


def turns(
    rules: Edition, wanted: Callable[[Position], bool], players: int = 4
) -> Callable[[random.Random], Iterator[Position]]:
    """A few wanted turns of every game."""

    def play(rng: random.Random) -> Iterator[Position]:
        while True:
            seen: list[Position] = []

            def note(_: int, position: Position, __: Solution, seen: list[Position] = seen) -> None:
                bare = in_faces(position)
                if bare.manipulation and wanted(bare):
                    seen.append(bare)

            for _ in greedy_games(rules, 1, rng.getrandbits(32), players, note):
                yield from rng.sample(seen, min(FROM_A_GAME, len(seen)))

    return play


def has_opened(position: Position) -> bool:
    return position.opened


def has_not_opened(position: Position) -> bool:
    return not position.opened


def has_table_joker(position: Position) -> bool:
    return position.opened and any(has_joker(faces_of(row)) for row in position.table)


def has_special_jokers(position: Position) -> bool:
    """Two or more of D, C and M where the player can reach them."""
    within = Counter(faces_of(position.rack))
    for row in position.table:
        within.update(faces_of(row))
    return position.opened and sum(within[face] for face in JOKER_FACES if face != JOKER) >= 2


# Tables at random


def plain_rows() -> list[Faces]:
    """Groups, and runs of three to six."""
    colours, numbers = range(len(COLOURS)), range(1, HIGHEST + 1)
    groups = [
        tuple([numbered(colour, number) for colour in chosen])
        for number in numbers
        for size in (3, 4)
        for chosen in combinations(colours, size)
    ]
    runs = [
        tuple([numbered(colour, number) for number in range(first, first + size)])
        for colour in colours
        for size in (3, 4, 5, 6)
        for first in range(1, HIGHEST + 2 - size)
    ]
    return groups + runs


ROWS = plain_rows()


def lay(
    rng: random.Random, box: Counter[Face], most: int, jokers: int
) -> tuple[Table, Counter[Face]]:
    """Rows with a limit of tiles and an exact number of jokers, and the rest of the box."""
    left, table, size = Counter(box), [], 0
    for row in rng.sample(ROWS, len(ROWS)) * 2:
        if jokers:
            place = rng.randrange(len(row))
            row = (*row[:place], JOKER, *row[place + 1 :])
        if size + len(row) > most or any(not left[face] for face in row):
            continue
        jokers -= JOKER in row
        left.subtract(row)
        table.append(row)
        size += len(row)
    rng.shuffle(table)
    return tuple(map(unidentified, table)), left


def pick(rng: random.Random, left: Counter[Face], size: int) -> Row:
    tiles = sorted(left.elements())
    return unidentified(sorted(rng.sample(tiles, min(size, len(tiles)))))


def whole_box(rules: Edition) -> Counter[Face]:
    box = rules.box()
    return Counter({face: box.count(face) for face in ALL_FACES})


def dense(rng: random.Random) -> Iterator[Position]:
    while True:
        table, left = lay(rng, whole_box(TAIWAN), rng.choice(DENSE), rng.randint(0, 2))
        if sum(map(len, table)) in DENSE:
            yield Position(TAIWAN, table, pick(rng, left, rng.randint(3, 14)), True)


def adversarial(rng: random.Random) -> Iterator[Position]:
    """Three copies, four jokers, and racks of all sizes of what fits together badly.

    First come a few that were found by changing such positions for as long as they got harder.
    """
    for line in HARD.read_text(encoding="utf-8").splitlines():
        yield as_position(json.loads(line))
    while True:
        box = whole_box(SIXPLAYER)
        table, left = lay(rng, box, rng.randint(0, 130), rng.randint(0, 4))
        size = rng.randint(10, 60)
        match rng.randrange(4):
            case 0:  # anything
                rack = pick(rng, left, size)
            case 1:  # pairs and gaps: two numbers of three
                skipped = rng.randrange(3)
                near = {f: n for f, n in left.items() if IS_JOKER[f] or f % HIGHEST % 3 != skipped}
                rack = pick(rng, Counter(near), size)
            case 2:  # three of one number in two colours, runs cut short
                near = {f: n for f, n in left.items() if IS_JOKER[f] or (f // 13 + f % 13) % 2}
                rack = pick(rng, Counter(near), size)
            case _:  # every joker left and the middle of the board
                near = {f: n for f, n in left.items() if not IS_JOKER[f] and 3 <= f % HIGHEST <= 10}
                jokers = unidentified((JOKER,) * left[JOKER])
                rack = (*pick(rng, Counter(near), size), *jokers)
        if rack:
            yield Position(SIXPLAYER, table, rack, True)


KINDS: dict[str, Callable[[random.Random], Iterator[Position]]] = {
    "real": turns(TAIWAN, has_opened),
    "dense": dense,
    "opening": turns(TAIWAN, has_not_opened),
    "six": turns(SIXPLAYER, has_opened, players=6),
    "adversarial": adversarial,
    "twist": turns(TWIST, has_special_jokers),
    "classic": turns(CLASSIC, has_table_joker),
    "sabra": turns(SABRA, has_table_joker),
}


def write(positions: Iterable[Position]) -> None:
    for position in positions:
        sys.stdout.write(json.dumps(as_item(position), separators=(",", ":")) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kind", choices=KINDS, default="real")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    given = parser.parse_args()
    write(draw(given.kind, given.seed, given.count))


if __name__ == "__main__":
    main()
