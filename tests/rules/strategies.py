"""Tiles, rows and turns for property tests."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from hypothesis import strategies as st

from tests.faces import CHANGE, DOUBLE, MIRROR
from tilerummy.rules.editions import EDITIONS, SPECS, TWIST, Edition, edition
from tilerummy.rules.errors import OptionError
from tilerummy.rules.options import Spec
from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import ALL_FACES, HIGHEST, JOKER, NUMBER, Face, numbered

editions = st.sampled_from(list(EDITIONS.values()))
randoms = st.integers(0, 2**32 - 1).map(random.Random)


@st.composite
def valid_rows(draw: st.DrawFn, rules: Edition = TWIST) -> Faces:
    """A row of any kind that was built to be one, with jokers put in."""
    return random_row(draw(randoms), rules)


def random_row(rng: random.Random, rules: Edition = TWIST) -> Faces:
    if rules.jokers[3] and rng.random() < 0.35:
        half = _run(rng, 1, 6, rules) if rng.random() < 0.6 else _group(rng, 1)
        other = half[::-1]
        return (*_with_jokers(rng, half, 1), MIRROR, *_with_jokers(rng, other, 1, backwards=True))
    row = _run(rng, 3, 13, rules) if rng.random() < 0.6 else _group(rng, 3)
    return _with_jokers(rng, row, 2)


def _run(rng: random.Random, low: int, high: int, rules: Edition) -> Faces:
    length = rng.randint(low, high)
    start = rng.randint(1, HIGHEST + 1 - length)
    colour = rng.randrange(4)
    row: list[Face] = []
    for place in range(length):
        if rules.jokers[2] and rng.random() < 0.1 and row.count(CHANGE) < 2:
            row.append(CHANGE)
            colour = (colour + rng.randint(1, 3)) % 4
        else:
            row.append(numbered(colour, start + place))
    return tuple(row)


def _group(rng: random.Random, low: int) -> Faces:
    number = rng.randint(1, HIGHEST)
    colours = rng.sample(range(4), rng.randint(low, 4))
    return tuple(numbered(colour, number) for colour in colours)


def _with_jokers(rng: random.Random, row: Faces, most: int, *, backwards: bool = False) -> Faces:
    """Some tiles become jokers, some neighbours a double joker; not always a valid row."""
    faces = list(row)
    for _ in range(rng.randint(0, most)):
        place = rng.randrange(len(faces))
        if faces[place] < JOKER:
            faces[place] = JOKER
    if len(faces) > 3 - backwards and rng.random() < 0.3:
        place = rng.randrange(len(faces) - 1)
        if faces[place] < JOKER and faces[place + 1] < JOKER:
            faces[place : place + 2] = [DOUBLE]
    return tuple(faces)


any_faces = st.lists(st.sampled_from(ALL_FACES), max_size=16).map(tuple)


@st.composite
def near_rows(draw: st.DrawFn, rules: Edition = TWIST) -> Faces:
    """Rows that are valid or nearly so: shuffled, shortened, with a tile exchanged."""
    rng = draw(randoms)
    row = list(random_row(rng, rules))
    for _ in range(rng.randint(0, 2)):
        what = rng.randrange(4)
        if what == 0:
            rng.shuffle(row)
        elif what == 1 and len(row) > 1:
            row.pop(rng.randrange(len(row)))
        elif what == 2:
            row[rng.randrange(len(row))] = rng.choice(ALL_FACES)
        else:
            row.insert(rng.randrange(len(row) + 1), rng.choice([*row, rng.choice(ALL_FACES)]))
    return tuple(row)


def fits_box(rules: Edition, faces: Sequence[Face]) -> bool:
    box = rules.box()
    return all(count <= box.count(face) for face, count in Counter(faces).items())


# Options

_SMALL: dict[str, tuple[object, ...]] = {
    "copies": (1, 2, 3, 4),
    "players.min": (2,),
    "players.max": (2, 3, 4, 5, 6),
    "hand_size": (1, 3, 7, 14, 14, 14, 20),
    "initial.min": (0, 1, 10, 30, 30, 50),
    "timer.seconds": (0, 1, 60, 60, 86_400),
    "penalty.tiles": (1, 1, 3, 7),
    "joker.max_per_set": (None, 0, 1, 2, 4),
    "joker.rack_penalty": (0, 25, 30, 1000),
    "set.min_natural": (0, 1, 2, 3),
    "twist.mirror_min_side": (1, 2, 3),
    "match.games_per_round": ("players", 1, 2, 3),
    "tournament.redeal_doubles": (0, 0, 1, 3),
    "tournament.unopened_penalty": (0, 100),
}


def option_values(spec: Spec) -> tuple[object, ...]:
    """Values of an option that are worth trying together with others."""
    if spec.key in _SMALL:
        return _SMALL[spec.key]
    if spec.kind == "bool":
        return (False, True)
    if spec.kind == "jokers":
        return ("J0", "J1", "J2", "J4", "J2 D2 C2 M2", "J4 D4 C4 M4", "D1", "J1 C3 M1")
    return spec.choices


def random_edition(rng: random.Random, name: str | None = None, changes: int = 5) -> Edition:
    """An edition with some options changed, never an impossible combination."""
    name = name or rng.choice(list(EDITIONS))
    rules = edition(name)
    for _ in range(rng.randint(0, changes)):
        spec = rng.choice(list(SPECS.values()))
        try:
            rules = rules.with_options({spec.key: rng.choice(option_values(spec))})
            edition(name, rules.changed_options())
        except OptionError:
            continue
    return rules


any_editions = randoms.map(random_edition)


def is_natural(face: Face) -> bool:
    return NUMBER[face] > 0
