"""Turns, legal or nearly so, with the tiles of a box.

Three sources: turns of games that random players play, turns that were made up for the oracle, and
drafts made by moving tiles about, as a player at the page does.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests import oracle
from tests.faces import CHANGE, DOUBLE
from tests.play.wild import wild_game
from tests.rules.examples import positions, tiles
from tests.rules.strategies import random_edition, random_row
from tilerummy.play.commands import Play, TimeOut
from tilerummy.play.game import Phase
from tilerummy.rules.declarations import Declaration, Declared, relaid
from tilerummy.rules.editions import EDITIONS, Edition, edition
from tilerummy.rules.errors import OptionError
from tilerummy.rules.namings import ways
from tilerummy.rules.orders import settled
from tilerummy.rules.rows import Faces, Kind, reader
from tilerummy.rules.tiles import (
    ALL_FACES,
    FACE_OF,
    FACES,
    HIGHEST,
    JOKER,
    MOST_COPIES,
    NUMBER,
    NUMBERED_FACES,
    Face,
    Row,
    Table,
    Tile,
    faces_of,
    numbered,
    parse_tiles,
    tile,
)

MOST_PLAYED = 11
"""With more tiles there are too many openings to try, where one may go on in the same turn."""


@dataclass(frozen=True, slots=True)
class Turn:
    opened: bool
    rack: Row
    before: Table
    after: Table
    manipulation: bool = True
    declared_before: Declared = field(default_factory=dict)
    declared: Declared = field(default_factory=dict)


def turns_of(rng: random.Random, count: int) -> Iterator[tuple[Edition, Turn]]:
    yield from _of_the_rules(rng)
    for name in EDITIONS:
        for _ in range(count // 150):
            case = oracle.random_turn_case(rng, name)
            before, after = _table(case["before"]), _table(case["after"])
            rules = edition(name, case["options"])
            yield rules, _with_ids(rng, case["opened"], parse_tiles(case["rack"]), before, after)
    for found in range(count // 5):
        if found % 100 == 0:
            game = _of_a_game(rng, rng.choice(list(EDITIONS)))
        turn = next(game, None)
        while turn is None:
            game = _of_a_game(rng, rng.choice(list(EDITIONS)))
            turn = next(game, None)
        yield turn
    rules = edition("classic")
    for number in range(3 * count // 5):
        if number % 40 == 0:
            rules = _some_edition(rng)
        yield rules, Draft(rng, rules).turn()
    for _ in range(3 * count // 20):
        yield Draft(rng, rng.choice(_GO_ON)).tight_opening()


def _table(rows: list[list[str]]) -> Table:
    return tuple(parse_tiles(row) for row in rows)


def _of_the_rules(rng: random.Random) -> Iterator[tuple[Edition, Turn]]:
    for case in positions("turn"):
        for name in case["legal"]:
            rules = edition(name, case["options"].get(name, {}))
            before, after = tiles(case["table_before"]), tiles(case["table_after"])
            rack = parse_tiles(case["rack_before"])
            yield rules, _with_ids(rng, case["opened_before"], rack, before, after)


def _with_ids(rng: random.Random, opened: bool, rack: Row, before: Table, after: Table) -> Turn:
    """The same turn with some way of telling equal tiles apart."""
    copies = {face: list(range(1, MOST_COPIES + 3)) for face in ALL_FACES}
    own: dict[Face, list[Tile]] = {}

    def fresh(face: Face) -> Tile:
        one = tile(face, copies[face].pop(0))
        own.setdefault(face, []).append(one)
        return one

    old = tuple(tuple(fresh(face) for face in faces_of(row)) for row in before)
    held = tuple(fresh(face) for face in faces_of(rack))
    spare = {face: list(tiles) for face, tiles in own.items()}
    new = []
    for row in after:
        laid = []
        for face in faces_of(row):
            some = spare.get(face) or own.get(face) or [tile(face, 1)]
            one = some[0] if rng.random() < 0.8 else rng.choice(some)
            laid.append(one)
            if one in spare.get(face, ()):
                spare[face].remove(one)
        new.append(tuple(laid))
    return Turn(opened, held, old, tuple(new))


def _of_a_game(rng: random.Random, name: str) -> Iterator[tuple[Edition, Turn]]:
    rules = random_edition(rng, name, changes=3)
    for step in wild_game(rng, rules).steps():
        game, command = step.before, step.command
        table = command.table if isinstance(command, Play) else None
        if isinstance(command, TimeOut):
            table = command.draft
        if game.phase is not Phase.PLAYING or not table or len(table) > 40:
            continue
        if any(not 0 <= tile < FACES * 9 for row in table for tile in row):
            continue
        yield (
            rules,
            Turn(
                game.opened[game.current],
                game.racks[game.current],
                game.table,
                table,
                game.manipulation,
                game.declared,
                command.declared if isinstance(command, Play | TimeOut) else {},
            ),
        )


_TURN_OPTIONS: tuple[dict[str, object], ...] = (
    {},
    {"joker.reuse": "any"},
    {"joker.reuse": "other_set"},
    {"joker.reuse": "new_set"},
    {"joker.reuse": "new_set_rack2"},
    {"joker.locked_sets": True},
    {"joker.locked_sets": True, "joker.replace_from": "any"},
    {"joker.locked_sets": True, "joker.reuse": "new_set"},
    {"initial.single_set": True, "initial.min": 24},
    {"initial.jokers": False},
    {"initial.min": 0},
    {"initial.same_turn_manipulation": True},
    {"initial.same_turn_manipulation": True, "initial.min": 12, "initial.jokers": False},
    {"initial.same_turn_manipulation": True, "initial.single_set": True, "initial.min": 20},
    {"initial.same_turn_manipulation": True, "initial.min": 0, "initial.jokers": False},
    {"joker.declare": "kind"},
    {"joker.declare": "explicit"},
    {"joker.declare": "explicit", "joker.reuse": "new_set"},
    {"joker.declare": "explicit", "set.order": "as_laid"},
    {"set.order": "normalise"},
    {"set.min_natural": 2},
    {"twist.special_exchange_ban": False},
)


_GO_ON = (
    EDITIONS["sabra"],
    EDITIONS["sabra"],
    edition("sabra", {"joker.replace_from": "any"}),
    edition("sabra", {"jokers": "J3", "initial.single_set": True}),
    edition("taiwan", {"initial.same_turn_manipulation": True}),
    edition("classic", {"initial.same_turn_manipulation": True}),
    edition("twist", {"initial.same_turn_manipulation": True}),
    edition("twist", {"initial.same_turn_manipulation": True, "joker.locked_sets": True}),
    edition("twist", {"initial.same_turn_manipulation": True, "initial.jokers": False}),
)
"""Where one may open and rearrange the table in the same turn."""


def _some_edition(rng: random.Random) -> Edition:
    rules = EDITIONS[rng.choice(list(EDITIONS))]
    for options in rng.sample(_TURN_OPTIONS, rng.choice([0, 1, 1, 2])):
        try:
            rules = rules.with_options(options)
        except OptionError:
            continue
    return rules


class Draft:
    """A table that is changed at random, mostly towards sets."""

    def __init__(self, rng: random.Random, rules: Edition) -> None:
        self.rng = rng
        self.rules = rules
        self.box = list(rules.box().tiles())
        rng.shuffle(self.box)
        self.rows: list[list[Tile]] = []
        self.rack: list[Tile] = []
        self.played: list[Tile] = []

    def turn(self) -> Turn:
        rng = self.rng
        opened = rng.random() < 0.6
        for _ in range(rng.choice([0, 1, 2, 2, 3, 4])):
            row = self._set(jokers=True)
            if row is not None:
                self.rows.append(row)
        before = tuple(tuple(row) for row in self.rows)
        said = self._said(before, 0.7)
        self.rack = [self.box.pop() for _ in range(rng.randint(0, 4)) if self.box]
        for _ in range(0 if opened and rng.random() < 0.7 else rng.choice([1, 1, 1, 2, 3])):
            self._lay()
        free = opened or self.rules.initial_same_turn_manipulation
        for _ in range(rng.choice([1, 1, 2, 3]) if free else rng.choice([0, 0, 0, 1])):
            rng.choice([self._extend, self._replace, self._replace, self._borrow, self._split])()
        for _ in range(rng.choice([0, 0, 0, 0, 1, 2])):
            rng.choice([self._shuffle, self._move, self._take, self._drop, self._join])()
        if not self.played and rng.random() < 0.9:
            rng.choice([self._lay, self._extend])()
        rng.shuffle(self.rows)
        after = tuple(tuple(row) for row in self.rows if row or rng.random() < 0.02)
        rng.shuffle(self.rack)
        anew = {} if rng.random() < 0.3 else self._said(after, 0.8, mistakes=0.1)
        manipulation = rng.random() < 0.8
        rack = (*self.rack, *self.played)
        return Turn(opened, rack, before, after, manipulation, said, anew)

    def tight_opening(self) -> tuple[Edition, Turn]:
        """Rows are laid, the minimum is what they are worth, and then they may be hidden."""
        rng = self.rng
        for _ in range(rng.choice([0, 1, 1, 2])):
            row = self._set(jokers=rng.random() < 0.3)
            if row is not None:
                self.rows.append(row)
        before = tuple(tuple(row) for row in self.rows)
        for _ in range(rng.choice([1, 1, 1, 2])):
            self._lay(jokers=0.7)
        readings = [reader(self.rules).readings(faces_of(row)) for row in self.rows[len(before) :]]
        values = [found[0].value for found in readings] or [30]
        worth = max(values) if self.rules.initial_single_set else sum(values)
        minimum = worth + rng.choice([-1, 0, 0, 0, 0, 1])
        self.rules = self.rules.with_options({"initial.min": minimum})
        ways = [self._borrow, self._borrow, self._extend, self._replace, self._slide, self._split]
        for _ in range(rng.choice([0, 1, 1, 2])):
            rng.choice(ways)()
        rng.shuffle(self.rows)
        after = tuple(tuple(row) for row in self.rows)
        rack = (*self.played, *self.box[:3])
        return self.rules, Turn(False, rack, before, after)

    def _said(self, table: Table, chance: float, mistakes: float = 0) -> dict[Row, Declaration]:
        rng, said = self.rng, dict[Row, Declaration]()
        for row in table:
            counts = settled(self.rules, row)
            possible = ways(self.rules, faces_of(counts)) if counts else ()
            if len(possible) < 2 or counts is None or rng.random() >= chance:
                continue
            way = rng.choice(possible)
            names = list(relaid(way.names, counts, row))
            if rng.random() < mistakes:
                names[rng.randrange(len(names))] = rng.randrange(FACES)
            is_named = self.rules.joker_declare == "explicit" and rng.random() < 0.9
            kind = rng.choice(list(Kind)) if rng.random() < mistakes else way.kind
            said[row] = tuple(names) if is_named else kind
        return said

    def _tile(self, face: Face) -> Tile | None:
        """A tile of a face from the box, if there is one left."""
        found = next((tile for tile in self.box if FACE_OF[tile] == face), None)
        if found is not None:
            self.box.remove(found)
        return found

    def _set(self, *, jokers: bool) -> list[Tile] | None:
        for _ in range(8):
            row = random_row(self.rng, self.rules)
            if jokers and self.rules.joker_declare != "position" and self.rng.random() < 0.5:
                row = (self.rng.choice(NUMBERED_FACES), JOKER, JOKER)  # mostly a group and a run
            has_joker = max(row) >= JOKER
            if len(row) > 8 or (has_joker and not jokers) or not self._is_set(row):
                continue
            if not has_joker and jokers and self.rng.random() < 0.5:
                continue
            tiles = [self._tile(face) for face in row]
            found = [tile for tile in tiles if tile is not None]
            if len(found) == len(row):
                return found
            self.box += found
        return None

    def _is_set(self, row: Faces) -> bool:
        return bool(reader(self.rules).readings(row))

    def _lay(self, jokers: float = 0.4) -> None:
        """A new set from the rack."""
        row = self._set(jokers=self.rng.random() < jokers)
        if row is not None and len(self.played) + len(row) <= MOST_PLAYED:
            self.rows.append(row)
            self.played += row

    def _extend(self) -> None:
        if not self.rows or len(self.played) >= MOST_PLAYED:
            return
        row = self.rng.choice(self.rows)
        options = [face for face in ALL_FACES if self.rng.random() < 0.5]
        self.rng.shuffle(options)
        for face in options:
            shown = faces_of(row)
            for longer in ((*shown, face), (face, *shown)):
                if self._is_set(longer):
                    tile = self._tile(face)
                    if tile is not None:
                        row.insert(0 if longer[0] == face else len(row), tile)
                        self.played.append(tile)
                        return

    def _replace(self) -> None:
        """Put what a joker stands for in its place, and the joker into some row."""
        rows = [row for row in self.rows if any(FACE_OF[tile] >= JOKER for tile in row)]
        if not rows or len(self.played) >= MOST_PLAYED - 2:
            return
        row = self.rng.choice(rows)
        place = self.rng.choice([n for n, tile in enumerate(row) if FACE_OF[tile] >= JOKER])
        readings = reader(self.rules).readings(faces_of(row))
        stands = [faces for reading in readings for at, faces in reading.stands if at == place]
        choices = sorted({face for faces in stands for face in faces})
        if self.rng.random() < 0.3:
            choices = [JOKER, DOUBLE, CHANGE]
        tile = self._tile(self.rng.choice(choices)) if choices else None
        if tile is None:
            return
        joker, row[place] = row[place], tile
        self.played.append(tile)
        for other in self.rng.sample(self.rows, len(self.rows)):
            for longer in ([*other, joker], [joker, *other]):
                if self.rng.random() < 0.5 and self._is_set(faces_of(longer)):
                    other[:] = longer
                    return
        colour, start = self.rng.randrange(4), self.rng.randint(1, HIGHEST - 2)
        pair = [self._tile(numbered(colour, number)) for number in (start, start + 1)]
        found = [tile for tile in pair if tile is not None]
        self.played += found
        self.rows.append([*found, joker])

    def _borrow(self) -> None:
        """The last or first tile of a row goes to another, where it fits."""
        for row in self.rng.sample(self.rows, len(self.rows)):
            for other in self.rows:
                for place in (0, -1):
                    if other is row or len(row) < 4:
                        continue
                    tile = row[place]
                    for longer in ([*other, tile], [tile, *other]):
                        if self._is_set(faces_of(longer)):
                            row.pop(place)
                            other[:] = longer
                            return

    def _slide(self) -> None:
        """A tile from one end of its row to the other, where that is a set too."""
        for row in self.rng.sample(self.rows, len(self.rows)):
            for slid in ([*row[1:], row[0]], [row[-1], *row[:-1]]):
                if self._is_set(faces_of(slid)):
                    row[:] = slid
                    return

    def _split(self) -> None:
        long = [row for row in self.rows if len(row) >= 6]
        if long:
            row = self.rng.choice(long)
            cut = self.rng.randint(3, len(row) - 3)
            self.rows.append(row[cut:])
            del row[cut:]

    # What mostly makes things wrong

    def _shuffle(self) -> None:
        if self.rows:
            self.rng.shuffle(self.rng.choice(self.rows))

    def _move(self) -> None:
        if self.rows:
            row = self.rng.choice(self.rows)
            if row:
                tile = row.pop(self.rng.randrange(len(row)))
                self.rng.choice([*self.rows, self.rack]).append(tile)

    def _take(self) -> None:
        """A tile of the rack, somewhere."""
        if self.rack:
            tile = self.rack.pop()
            self.played.append(tile)
            if self.rows and self.rng.random() < 0.6:
                row = self.rng.choice(self.rows)
                row.insert(self.rng.randint(0, len(row)), tile)
            else:
                self.rows.append([tile])

    def _drop(self) -> None:
        if self.rows:
            self.rows.remove(self.rng.choice(self.rows))

    def _join(self) -> None:
        if len(self.rows) > 1:
            first, second = self.rng.sample(self.rows, 2)
            self.rows = [row for row in self.rows if row is not second]
            first += sorted(second, key=lambda tile: NUMBER[FACE_OF[tile]])
