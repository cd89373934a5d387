"""Extreme positions: many jokers, many copies, and the options that make a search long."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

from tests.solver.positions import Maker
from tilerummy.rules.editions import edition
from tilerummy.rules.errors import OptionError
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import Face, Row, parse_row, tile, unidentified

JOKERS = ("J2 D2 C2 M2", "J4 D4 C4 M4", "J4 D2 C1 M1", "J4")
OPTIONS: dict[str, tuple[object, ...]] = {
    "joker.reuse": ("any", "other_set", "new_set", "new_set_rack2", "new_set_rack2"),
    "joker.locked_sets": (False, True),
    "joker.replace_from": ("rack", "any"),
    "joker.declare": ("position", "position", "kind", "explicit"),
    "initial.same_turn_manipulation": (False, True, True),
    "initial.single_set": (False, False, True),
    "initial.min": (0, 30, 50, 200),
    "copies": (2, 4),
    "set.min_natural": (0, 1),
    "set.order": ("normalise", "as_laid"),
}

KNOWN = Position(
    edition("twist", {"jokers": "J2 D2 C2 M2", "joker.reuse": "new_set_rack2"}),
    tuple(parse_row(row) for row in ("o5 o6 J", "b8 k8 o8", "b3 J k3")),
    parse_row("D D C C M M o3 o13 b7 r9 r6 b3 k13 k8 r1 r5 k7 o12 o1 o2"),
    opened=True,
)
"""A position for which a limit of 50 ms once took 4.4 s."""


def extreme(seed: int) -> Position:
    """A hard position, the same for the same seed."""
    rng = random.Random(f"extreme {seed}")
    while True:
        options = {key: rng.choice(values) for key, values in OPTIONS.items()}
        options["jokers"] = rng.choice(JOKERS)
        name = rng.choice(("twist", "twist", "sabra"))
        try:
            rules = edition(name, options)
        except OptionError:
            for key in ("joker.replace_from", "initial.single_set", "set.min_natural"):
                options.pop(key)
            try:
                rules = edition(name, options)
            except OptionError:
                continue
        maker = Maker(rng, rules, range(1, 14))
        kinds = "".join(part[0] for part in str(options["jokers"]).split())
        maker.lay(rng.randint(0, 12), 0.3, kinds)
        maker.give_some(rng.randint(5, 30), rng.choice((0.1, 0.3, 0.6)))
        opened = rng.random() < 0.6
        name_tiles = _with_ids() if seed % 2 else unidentified
        table = tuple([name_tiles(row) for row in maker.table])
        return Position(rules, table, name_tiles(maker.rack), opened)


def _with_ids() -> Callable[[Sequence[Face]], Row]:
    """Names tiles as a box does: the first of a face, the second, and so on."""
    copies: Counter[Face] = Counter()

    def named(faces: Sequence[Face]) -> Row:
        found = []
        for face in faces:
            copies[face] += 1
            found.append(tile(face, copies[face]))
        return tuple(found)

    return named
