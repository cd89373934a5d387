"""Positions to solve, drawn from a seed: `draw(family, seed, small)`.

A position is a plain dict in text notation, so that a failing one can be pasted anywhere:
`{"kind", "edition", "options", "opened", "rack": [...], "table": [[...]]}`. The small ones hold few
enough tiles to try every table.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from tests import oracle
from tests.faces import CHANGE, DOUBLE, MIRROR
from tests.rules.strategies import random_edition
from tilerummy.bots.simple import SimpleBot
from tilerummy.play.driver import MatchDriver
from tilerummy.play.game import Phase
from tilerummy.play.match import Match
from tilerummy.rules.editions import Edition, edition
from tilerummy.rules.errors import OptionError
from tilerummy.rules.position import Position
from tilerummy.rules.rows import reader, stands_for
from tilerummy.rules.tiles import (
    ALL_FACES,
    FACE_TEXT,
    JOKER,
    NUMBER,
    RUN_FROM,
    Face,
    faces_of,
    numbered,
    parse_faces,
    parse_tiles,
)
from tilerummy.solver.turns.best_turn import can_play

Item = dict[str, Any]
Faces = tuple[Face, ...]
Family = Callable[[random.Random, bool], Item]


def read(item: Mapping[str, Any]) -> Position:
    """The position that a dict describes."""
    return Position(
        edition(item["edition"], item.get("options") or None),
        tuple(parse_tiles(row) for row in item["table"]),
        parse_tiles(item["rack"]),
        bool(item["opened"]),
    )


def draw(family: str, seed: int, *, small: bool) -> Item:
    rng = random.Random(f"{family} {seed} {small}")
    return {**FAMILIES[family](rng, small), "kind": family}


def many(family: str, count: int, *, small: bool, start: int = 0) -> Iterator[Item]:
    for seed in range(start, start + count):
        yield draw(family, seed, small=small)


class Maker:
    """Takes tiles out of a box: rows for the table, then tiles for the rack."""

    def __init__(self, rng: random.Random, rules: Edition, window: Sequence[int]) -> None:
        self.rng, self.rules, self.window = rng, rules, window
        box = rules.box()
        self.box = Counter({face: box.count(face) for face in ALL_FACES if box.count(face)})
        self.table: list[Faces] = []
        self.rack: list[Face] = []

    def take(self, faces: Sequence[Face]) -> bool:
        need = Counter(faces)
        if not need <= self.box:
            return False
        self.box -= need
        return True

    def is_row(self, row: Faces) -> bool:
        return bool(reader(self.rules).readings(row))

    def row(self, jokers: float, kinds: str = "J", longest: int = 99) -> Faces | None:
        """A row out of the box: a shape with some of its tiles turned into jokers."""
        for _ in range(60):
            twist = self.box[CHANGE] > 0 or self.box[MIRROR] > 0
            shape = oracle._random_shape(self.rng, self.window, twist)
            for _ in range(4):
                if self.rng.random() < jokers:
                    shape = oracle._with_joker(self.rng, shape, self.rng.choice(kinds))
            row = parse_faces(shape)
            if len(row) <= longest and self.is_row(row) and Counter(row) <= self.box:
                return row
        return None

    def lay(self, count: int, jokers: float, kinds: str = "J", longest: int = 99) -> None:
        for _ in range(count):
            row = self.row(jokers, kinds, longest)
            if row is not None and self.take(row):
                self.table.append(row)

    def give(self, face: Face) -> bool:
        if not self.take([face]):
            return False
        self.rack.append(face)
        return True

    def give_some(self, count: int, jokers: float = 0.1) -> None:
        """Tiles that may be of use: near the table, the ones jokers stand for, or any."""
        rng = self.rng
        for _ in range(20 * count):
            if len(self.rack) >= count:
                return
            kind = rng.random()
            if kind < jokers:
                held = [face for face in self.box if face >= JOKER]
                if held:
                    self.give(rng.choice(held))
            elif kind < 0.25 + jokers and (wanted := self.stood_for()):
                self.give(rng.choice(wanted))
            elif kind < 0.75 and (self.table or self.rack):
                near = rng.choice([*self.table, tuple(self.rack) or self.table[0]])
                text = oracle._near_tile(rng, [FACE_TEXT[face] for face in near])
                self.give(parse_faces([text])[0])
            else:
                low, high = self.window[0], self.window[-1]
                faces = [face for face in self.box if low <= NUMBER[face] <= high]
                if faces:
                    self.give(rng.choice(faces))

    def stood_for(self) -> list[Face]:
        """The tiles that some joker on the table stands for."""
        found: set[Face] = set()
        for row in self.table:
            readings = reader(self.rules).readings(row)
            for place, face in enumerate(row):
                if face >= JOKER:
                    found |= stands_for(readings, place)
        return sorted(face for face in found if self.box[face])

    def item(self, opened: bool = True) -> Item:
        self.rng.shuffle(self.table)
        return {
            "edition": self.rules.name,
            "options": self.rules.changed_options(),
            "opened": opened,
            "rack": [FACE_TEXT[face] for face in sorted(self.rack)],
            "table": [[FACE_TEXT[face] for face in row] for row in self.table],
        }


def _window(rng: random.Random, small: bool) -> range:
    if not small and rng.random() < 0.7:
        return range(1, 14)
    width = rng.choice([3, 4, 4, 5, 5, 6, 8])
    first = rng.randint(1, 14 - width)
    return range(first, first + width)


def _sizes(rng: random.Random, small: bool) -> tuple[int, int, int]:
    """How many rows, how many tiles on the rack, the longest row."""
    if small:
        rows = rng.choice([1, 2, 2, 2, 3])
        return rows, rng.randint(1, 14 - 4 * rows) if rows < 3 else rng.randint(1, 4), 5
    return rng.choice([4, 6, 8, 10, 12]), rng.choice([3, 6, 9, 12, 14, 16]), 13


# --- the families


def _free(rng: random.Random, small: bool) -> Item:
    """No joker rule binds: the bare question of covering."""
    maker = Maker(rng, edition("taiwan"), _window(rng, small))
    rows, tiles, longest = _sizes(rng, small)
    maker.lay(rows, 0.2, longest=longest)
    maker.give_some(tiles)
    return maker.item()


def _dense(rng: random.Random, small: bool) -> Item:
    """A table with nearly everything in a few numbers, so that all rows touch each other."""
    width = 3 if small else rng.choice([5, 7, 9, 13])
    first = rng.randint(1, 14 - width)
    rules = edition(rng.choice(["taiwan", "sixplayer", "classic", "twist"]))
    maker = Maker(rng, rules, range(first, first + width))
    many_rows = 7 if rules.has_specials else 16
    maker.lay(3 if small else many_rows, 0.15, longest=4 if small else 13)
    maker.give_some(4 if small else rng.choice([6, 10, 14]), jokers=0.15)
    return maker.item()


def _six(rng: random.Random, small: bool) -> Item:
    """Three copies and four jokers."""
    maker = Maker(rng, edition("sixplayer"), _window(rng, small))
    rows, tiles, longest = _sizes(rng, small)
    maker.lay(rows, 0.35, longest=longest)
    maker.give_some(tiles, jokers=0.25)
    return maker.item()


def _jokers(rng: random.Random, small: bool) -> Item:
    """As many jokers as there are, under any way to use them again."""
    rules = edition(
        rng.choice(["classic", "taiwan", "sabra", "sixplayer"]),
        {"jokers": rng.choice(["J3", "J4"]), "joker.reuse": rng.choice(oracle.REUSES)},
    )
    maker = Maker(rng, rules, _window(rng, small))
    rows, tiles, longest = _sizes(rng, small)
    maker.lay(min(rows, 8), 0.5, longest=longest)
    maker.give_some(min(tiles, 10), jokers=0.3)
    return maker.item()


def _reuse(rng: random.Random, small: bool) -> Item:
    """Jokers on the table that are worth moving: Classic and its stricter cousins."""
    options: dict[str, object] = {}
    if rng.random() < 0.4:
        options["joker.reuse"] = rng.choice(["other_set", "new_set_rack2"])
    maker = Maker(rng, edition("classic", options), _window(rng, small))
    rows, tiles, longest = _sizes(rng, small)
    if rng.random() < 0.6:
        _tempt_reuse(maker)
        tiles = min(tiles, len(maker.rack) + rng.choice([0, 1, 1, 2, 3]))
    else:
        for _ in range(rng.choice([1, 2, 2])):
            maker.lay(1, 0.9, longest=longest)
    maker.lay(max(0, rows - len(maker.table)), 0.1, longest=longest)
    for face in rng.sample(found := maker.stood_for(), min(len(found), rng.choice([1, 1, 2]))):
        maker.give(face)
    maker.give_some(max(tiles, len(maker.rack)), jokers=0.05)
    return maker.item()


def _tempt_reuse(maker: Maker) -> None:
    """A row that has no room for the tile its joker stands for unless the joker moves on."""
    rng = maker.rng
    number, colour = rng.randint(1, 13), rng.randrange(4)
    if rng.random() < 0.5:
        row = [numbered(c, number) for c in range(4)]
    else:
        length = rng.choice([3, 3, 4, 5])
        first = min(number, 14 - length)
        row = list(RUN_FROM[numbered(colour, first)][:length])
    for place in rng.sample(range(len(row)), rng.choice([1, 1, 1, 2])):
        maker.give(row[place])
        row[place] = JOKER
    if maker.is_row(tuple(row)) and maker.take(row):
        maker.table.append(tuple(row))


def _twist(rng: random.Random, small: bool) -> Item:
    """Several special jokers on table and rack."""
    options: dict[str, object] = {}
    if rng.random() < 0.25:
        options = rng.choice(
            [
                {"twist.special_exchange_ban": False},
                {"twist.mirror_min_side": 2},
                {"twist.mirror_c_needs_c": True},
                {"twist.adjacent_c": False},
                {"twist.mirror_number": "next"},
                {"joker.max_per_set": rng.choice([1, 2])},
                {"set.min_natural": rng.choice([0, 2])},
                {"joker.reuse": rng.choice(["new_set", "other_set"])},
            ]
        )
    maker = Maker(rng, edition("twist", options), _window(rng, small))
    rows, tiles, _ = _sizes(rng, small)
    if small:
        maker.lay(rows, 0.45, "JJDCM", longest=6)
        maker.give_some(min(tiles, 5), jokers=0.35)
    else:
        maker.lay(rng.choice([3, 5, 7]), 0.35, "JDCM", longest=8)
        maker.give_some(rng.choice([3, 5, 8]), jokers=0.2)
    return maker.item()


def _exchange(rng: random.Random, small: bool) -> Item:
    """A special joker on the rack that would like the place of another joker."""
    maker = Maker(rng, edition("twist"), _window(rng, small))
    if rng.random() < 0.7:
        _tempt_exchange(maker)
    else:
        maker.lay(rng.choice([1, 1, 2]), 0.8, "JDC", longest=4 if small else 5)
        held = {face for row in maker.table for face in row if face >= JOKER}
        others = [face for face in (DOUBLE, CHANGE) if face not in held] or [DOUBLE, CHANGE]
        maker.give(rng.choice(others))
    maker.lay(rng.choice([0, 0, 1]) if small else rng.choice([1, 3, 5]), 0.1, longest=6)
    if rng.random() < 0.3:
        maker.give(rng.choice([DOUBLE, CHANGE, MIRROR, JOKER]))
    more = rng.choice([0, 1, 1, 2]) if small else rng.randint(1, 4)
    maker.give_some(len(maker.rack) + more, jokers=0.1)
    return maker.item()


def _tempt_exchange(maker: Maker) -> None:
    """A row whose joker two tiles of the rack need, and a special joker that fits its place."""
    rng = maker.rng
    number, colour = rng.randint(1, 9), rng.randrange(4)
    face, second, third, fourth = RUN_FROM[numbered(colour, number)][:4]
    mate, other = rng.sample([c for c in range(4) if c != colour], 2)
    high = rng.choice([n for n in range(1, 12) if abs(n - number) > 1])
    gap = [numbered(c := rng.randrange(4), high), numbered(c, high + 2)]
    pair = [numbered(c, high) for c in rng.sample(range(4), 2)]
    turn = [numbered(mate, high), numbered(other, high + 2)]
    row, needs, special = rng.choice(
        [
            ((face, second, JOKER), pair, CHANGE),
            ((face, numbered(mate, number), JOKER), gap, DOUBLE),
            ((face, second, CHANGE), turn, DOUBLE),
            ((CHANGE, second, third), turn, DOUBLE),
            ((face, second, DOUBLE), pair, CHANGE),
            ((face, second, JOKER, fourth), gap, DOUBLE),
            ((face, second, third, JOKER), gap, DOUBLE),
        ]
    )
    if maker.is_row(row) and maker.take(row):
        maker.table.append(row)
        for item in (special, *needs):
            maker.give(item)


def _locked_rules(rng: random.Random) -> Edition:
    options: dict[str, object] = {}
    if rng.random() < 0.4:
        options = rng.choice(
            [
                {"joker.group3_needs_both": True},
                {"joker.replace_from": "any"},
                {"joker.reuse": "new_set"},
                {"joker.group3_needs_both": True, "joker.replace_from": "any"},
                {"joker.reuse": "new_set_rack2"},
            ]
        )
    return edition("sabra", options)


def _locked(rng: random.Random, small: bool) -> Item:
    """Locked rows with one or two jokers, and the tiles that free them on the rack."""
    maker = Maker(rng, _locked_rules(rng), _window(rng, small))
    rows, tiles, longest = _sizes(rng, small)
    kind = rng.random()
    if kind < 0.3:  # a row of two meanings
        face = rng.choice([face for face in maker.box if NUMBER[face] in maker.window])
        row = rng.choice([(face, JOKER, JOKER), (JOKER, face, JOKER), (JOKER, JOKER, face)])
        if maker.is_row(row) and maker.take(row):
            maker.table.append(row)
    elif kind < 0.6:
        maker.lay(1, 0.95, longest=longest)
    else:
        maker.lay(2, 0.5, longest=longest)
    maker.lay(max(0, rows - len(maker.table)), 0.1, longest=longest)
    for face in rng.sample(found := maker.stood_for(), min(len(found), rng.choice([0, 1, 2, 2]))):
        maker.give(face)
    maker.give_some(max(tiles, len(maker.rack)), jokers=0.05)
    return maker.item()


def _opening_rack(maker: Maker, tiles: int, jokers: float) -> None:
    rng = maker.rng
    for _ in range(rng.choice([1, 1, 2, 2, 3])):
        row = maker.row(jokers, longest=4)
        if row is not None and len(maker.rack) + len(row) <= tiles and maker.take(row):
            maker.rack.extend(row)
    if maker.rack and rng.random() < 0.4:
        maker.box[maker.rack.pop(rng.randrange(len(maker.rack)))] += 1
    maker.give_some(max(tiles, len(maker.rack)), jokers=0.05)


def _opening(rng: random.Random, small: bool) -> Item:
    """Rows worth just enough to open, or just not."""
    options: dict[str, object] = {}
    if rng.random() < 0.5:
        options = rng.choice(
            [
                {"initial.single_set": True},
                {"initial.jokers": False},
                {"initial.min": rng.choice([0, 20, 25, 35, 40, 50])},
                {"initial.single_set": True, "initial.min": rng.choice([18, 24, 33])},
                {"initial.single_set": True, "initial.jokers": False},
            ]
        )
    rules = edition(rng.choice(["classic", "taiwan", "sixplayer", "twist", "twist"]), options)
    middle = rng.randint(3, 12)
    low, high = (max(1, middle - 3), min(13, middle + 3)) if small else (1, 13)
    maker = Maker(rng, rules, range(low, high + 1))
    maker.lay(rng.randint(0, 2), 0.2)
    most = 8 if rules.has_specials else 11
    tiles = rng.randint(5, most) if small else rng.choice([14, 14, 16, 20])
    _opening_rack(maker, tiles, 0.25)
    return maker.item(opened=False)


def _sabra_opening(rng: random.Random, small: bool) -> Item:
    """An opening after which the turn goes on."""
    rules = _locked_rules(rng)
    if rng.random() < 0.35:
        rules = rules.with_options(
            rng.choice(
                [
                    {"initial.single_set": True},
                    {"initial.jokers": False},
                    {"initial.min": rng.choice([0, 15, 24, 45])},
                ]
            )
        )
    if rng.random() < 0.15:
        rules = edition(rng.choice(["classic", "taiwan"]), {"initial.same_turn_manipulation": True})
    middle = rng.randint(6, 11)
    low, high = (max(1, middle - 3), min(13, middle + 3)) if small else (1, 13)
    maker = Maker(rng, rules, range(low, high + 1))
    maker.lay(1 if small else rng.choice([2, 4, 6]), 0.4, longest=4 if small else 13)
    _opening_rack(maker, rng.randint(5, 9) if small else rng.choice([10, 12, 14]), 0.15)
    return maker.item(opened=False)


def _mixed(rng: random.Random, small: bool) -> Item:
    """Any edition with any options together."""
    rules = _mixed_rules(rng)
    opened = rng.random() < 0.7
    maker = Maker(rng, rules, _window(rng, small))
    rows, tiles, longest = _sizes(rng, small)
    kinds = "".join(letter for letter, count in zip("JDCM", rules.jokers, strict=True) if count)
    heavy = rules.has_specials or sum(rules.jokers) > 4
    if heavy:
        rows, tiles, longest = min(rows, 5), min(tiles, 6), min(longest, 6)
    maker.lay(rows, 0.35, kinds or "J", longest)
    if opened:
        maker.give_some(tiles, jokers=0.15)
    else:
        _opening_rack(maker, max(5, min(tiles, 10)), 0.2)
    return maker.item(opened=opened)


def _mixed_rules(rng: random.Random) -> Edition:
    while True:
        rules = random_edition(rng, changes=8)
        changes: dict[str, object] = {"joker.declare": "position"}
        for options in (oracle.JOKER_OPTIONS, oracle.OPENING_OPTIONS):
            if rng.random() < 0.7:
                changes.update(rng.choice(options))
        try:
            rules = rules.with_options(changes)
            edition(rules.name, rules.changed_options())
        except OptionError:
            continue
        return rules


def _adversarial(rng: random.Random, small: bool) -> Item:
    """Made to mislead: equal copies, one number, long locked runs, rows that only jokers hold."""
    kind = rng.choice(["twins", "one number", "long run", "wedge"])
    names = ["classic", "sabra", "twist", "taiwan"]
    rules = edition(rng.choice(names[:2] if kind in ("twins", "long run") else names))
    if kind == "twins":  # both copies of the same row, one of them with a joker
        maker = Maker(rng, rules, _window(rng, True))
        maker.lay(1, 0.0, longest=4)
        if maker.table:
            twin = list(maker.table[0])
            twin[rng.randrange(len(twin))] = JOKER
            if maker.is_row(tuple(twin)) and maker.take(twin):
                maker.table.append(tuple(twin))
        maker.lay(0 if small else 4, 0.3)
        maker.give_some(rng.randint(2, 5) if small else 10)
    elif kind == "one number":
        number = rng.randint(2, 12)
        maker = Maker(rng, rules, range(number - 1, number + 2))
        maker.lay(2 if small else 5, 0.4, longest=4)
        maker.give_some(4 if small else 9, jokers=0.2)
    elif kind == "long run":
        first = rng.randint(1, 7 if small else 2)
        maker = Maker(rng, rules, range(1, 14))
        run = list(RUN_FROM[numbered(rng.randrange(4), first)])
        run = run[: 7 if small else 12]
        for place in rng.sample(range(len(run)), rng.choice([1, 2])):
            run[place] = JOKER
        if maker.is_row(tuple(run)) and maker.take(run):
            maker.table.append(tuple(run))
        maker.lay(0 if small else 5, 0.2)
        maker.give_some(rng.randint(2, 5) if small else 10)
    else:  # a rack whose tiles only fit if a joker comes out of its row
        maker = Maker(rng, rules, _window(rng, True))
        maker.lay(1, 0.9, longest=4)
        maker.lay(1 if small else 3, 0.5, longest=5)
        for _ in range(2):
            row = maker.row(0.0, longest=4)
            if row is not None:
                for face in row[:-1]:
                    maker.give(face)
        maker.give_some(min(len(maker.rack) + 1, 6 if small else 10), jokers=0.0)
    return maker.item()


@cache
def _games(name: str, seed: int, turns: int) -> list[Item]:
    """The first positions of a game between beginners, without ids."""
    rng = random.Random(f"{name} {seed}")
    rules = edition(name)
    players = rng.randint(2, 4) if name != "sixplayer" else rng.randint(2, 6)
    names = tuple(f"bot {number}" for number in range(1, players + 1))
    driver = MatchDriver(Match(rules, names), can_play)
    game = driver.new_game(rng.randbytes(32).hex(), 0)
    found: list[Item] = []
    now = 0
    while game.phase is Phase.PLAYING and len(found) < turns:
        now += 1000
        found.append(
            {
                "edition": name,
                "options": {},
                "opened": game.opened[game.current],
                "rack": [FACE_TEXT[face] for face in sorted(faces_of(game.racks[game.current]))],
                "table": [[FACE_TEXT[face] for face in faces_of(row)] for row in game.table],
            }
        )
        game = driver.apply(SimpleBot().choose(driver.view(game.current)), now)
    return found


def _played(rng: random.Random, small: bool) -> Item:
    """A turn of a real game; small ones come from its beginning."""
    name = rng.choice(oracle.EDITIONS)
    turns = _games(name, rng.randrange(40), 24 if small else 400)
    if small:
        few = [turn for turn in turns if 3 <= sum(map(len, turn["table"])) <= 9]
        item = dict(rng.choice([turn for turn in few if turn["opened"]] or few or turns[:1]))
        item["rack"] = sorted(rng.sample(item["rack"], min(7, len(item["rack"]))))
        return item
    return dict(rng.choice(turns))


FAMILIES: dict[str, Family] = {
    "free": _free,
    "dense": _dense,
    "six": _six,
    "jokers": _jokers,
    "reuse": _reuse,
    "twist": _twist,
    "exchange": _exchange,
    "locked": _locked,
    "opening": _opening,
    "sabra-opening": _sabra_opening,
    "mixed": _mixed,
    "adversarial": _adversarial,
    "played": _played,
}
