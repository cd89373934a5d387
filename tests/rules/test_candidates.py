"""Rows that some tiles could form: those around a tile, and those that need not be cut."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.faces import CHANGE, DOUBLE, MIRROR
from tilerummy.rules import EDITIONS
from tilerummy.rules.bonds import Bond
from tilerummy.rules.candidates import _groups, _list_rows, _runs, all_rows
from tilerummy.rules.editions import CLASSIC, Edition
from tilerummy.rules.known_rows import plain_rows
from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import (
    FACE_OF,
    HIGHEST,
    JOKER,
    NUMBERED_FACES,
    Face,
    faces_of,
    parse_row,
)

TWIST = EDITIONS["twist"]


def is_bound(bonds: list[Bond], one: Faces, two: Faces) -> bool:
    """Whether one part holds the tiles of a bond and a special joker, and the other its joker."""
    return any(
        bond.joker in other
        and bond.joker not in part
        and bond.tiles <= Counter(part)
        and (DOUBLE in part or CHANGE in part)
        for bond in bonds
        for part, other in ((one, two), (two, one))
    )


def can_be_cut(row: Faces, least: int, bonds: list[Bond]) -> bool:
    return any(
        min(sum(face < JOKER for face in part) for part in (row[:cut], row[cut:])) >= least
        and not is_bound(bonds, row[:cut], row[cut:])
        for cut in range(3, len(row) - 2)
    )


def draw(rng: random.Random) -> tuple[Edition, Counter[Face], list[Bond]]:
    edition = TWIST.with_options({"set.min_natural": rng.choice([1, 1, 2])})
    numbers = range(rng.randint(0, 5), 13)
    box = [FACE_OF[tile] for tile in edition.box().tiles() if FACE_OF[tile] != MIRROR]
    near = [face for face in box if face < JOKER and face % 13 in numbers]
    stock = Counter(rng.sample(near, 12) + rng.sample([f for f in box if f >= JOKER], 3))
    bonds = []
    for joker in (JOKER, DOUBLE, CHANGE):
        low = rng.choice([face for face in stock if face < JOKER])
        mate = rng.choice([face for face in stock if face < JOKER and face != low])
        bonds.append(Bond(Counter([low, mate]), joker))
    return edition, stock, bonds


@pytest.mark.parametrize("seed", range(40))
def test_only_rows_that_need_not_be_cut_are_listed_and_all_of_them(seed: int) -> None:
    edition, stock, bonds = draw(random.Random(seed))
    whole = all_rows(edition, stock, whole=True)
    needed = {row for row in whole if not can_be_cut(row, edition.set_min_natural, bonds)}
    assert set(all_rows(edition, stock, bonds=bonds)) == needed
    for face in stock:
        found = all_rows(edition, stock, face, bonds=bonds)
        assert sorted(found) == sorted(row for row in needed if face in row)


def test_tiles_of_a_bond_may_come_after_a_cut() -> None:
    row = faces_of(parse_row("k1 C C J D o7 o8"))
    bond = Bond(Counter(faces_of(parse_row("o7 o8"))), CHANGE)
    for face in set(row):
        assert row in all_rows(TWIST, Counter(row), face, bonds=[bond])
        assert row not in all_rows(TWIST, Counter(row), face)


def test_mirrors_around_a_tile_are_those_of_all_that_hold_it() -> None:
    rng = random.Random(3)
    for _ in range(20):
        faces = [FACE_OF[tile] for tile in TWIST.box().tiles()]
        stock = Counter(rng.sample([face for face in faces if face < JOKER], 24))
        stock.update([MIRROR, *rng.sample([JOKER, DOUBLE, CHANGE], 2)])
        rows = {min(row, row[::-1]) for row in all_rows(TWIST, stock) if MIRROR in row}
        for face in rng.sample(sorted(stock), 6):
            found = [row for row in all_rows(TWIST, stock, face) if MIRROR in row]
            assert {min(row, row[::-1]) for row in found} == {row for row in rows if face in row}


@pytest.mark.parametrize("options", [{}, {"set.min_natural": 2}, {"set.min_natural": 0}])
def test_known_rows_are_those_that_are_listed(options: dict[str, int]) -> None:
    rng = random.Random(str(options))
    rules = CLASSIC.with_options(options)
    for _ in range(20):
        stock = Counter(rng.choices(NUMBERED_FACES, k=rng.randrange(5, 60)))
        stock[JOKER] = rng.randrange(3)
        for face in (None, JOKER, rng.choice(list(stock))):
            known, listed = all_rows(rules, stock, face), _list_rows(rules, stock, face)
            assert sorted(known) == sorted(listed)


@pytest.mark.parametrize("minimum", [0, 1, 4, 7, HIGHEST + 1])
def test_rows_without_jokers_are_listed_as_with_some(minimum: int) -> None:
    rng = random.Random(minimum)
    for count in (3, 12, 30, 80) * 5:
        stock = Counter(rng.choices(NUMBERED_FACES, k=count))
        step_by_step = [*_groups(stock, 0), *_runs(stock, None, minimum, (), None)]
        assert list(plain_rows(stock, minimum)) == step_by_step
