"""The row reader, on every example of the rules and by its properties."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.faces import CHANGE, DOUBLE, MIRROR
from tests.rules.examples import examples
from tests.rules.strategies import (
    any_editions,
    any_faces,
    near_rows,
    option_values,
    random_row,
    valid_rows,
)
from tilerummy.rules.editions import CLASSIC, EDITIONS, SIXPLAYER, SPECS, TWIST, Edition, edition
from tilerummy.rules.errors import OptionError
from tilerummy.rules.faults import judge_row
from tilerummy.rules.rows import Faces, Kind, Reading, RowReader, best_kind, reader, stands_for
from tilerummy.rules.tiles import (
    FACES,
    HIGHEST,
    JOKER,
    NUMBER,
    NUMBERED_FACES,
    RUN_FROM,
    SLOTS,
    Face,
    faces_of,
    numbered,
    parse_faces,
    parse_row,
)

EXAMPLES = examples()


def read(text: str, rules: Edition = TWIST) -> tuple[Reading, ...]:
    return reader(rules).readings(faces_of(parse_row(text)))


def unlimited(rules: Edition = TWIST) -> Edition:
    """The same rules in a box with plenty of every tile."""
    return rules.with_options({"copies": 4, "jokers": "J4 D4 C4 M4"})


def test_the_rules_have_178_examples() -> None:
    assert len(EXAMPLES) == 178


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])
def test_example_of_the_rules(example: dict[str, Any]) -> None:
    verdict = judge_row(EDITIONS[example["edition"]], parse_faces(example["set"]))
    assert verdict.valid is example["valid"]
    assert verdict.value == example["value"]
    if example["valid"]:
        assert verdict.kind == example["kind"]
        assert not verdict.reasons
    else:
        assert verdict.kind is None
        assert verdict.reasons[0].code == example["kind"]
    if "readings" in example:
        wanted = [(reading["value"], reading["kind"]) for reading in example["readings"]]
        assert sorted((r.value, str(r.kind)) for r in verdict.readings) == sorted(wanted)
        assert verdict.readings[0].value == wanted[0][0]


# Properties (section C1 of the rules)


@given(valid_rows(), st.data())
def test_a_joker_may_be_replaced_by_any_tile_it_stands_for(row: Faces, data: st.DataObject) -> None:
    rows = reader(unlimited())
    for reading in rows.readings(row):
        for index, faces in reading.stands:
            if row[index] != JOKER:
                continue
            face = data.draw(st.sampled_from(sorted(faces)))
            replaced = (*row[:index], face, *row[index + 1 :])
            assert _same_reading(reading, rows.readings(replaced)), (row, replaced)


@given(valid_rows(), st.data())
def test_a_double_joker_may_be_replaced_by_two_tiles_it_stands_for(
    row: Faces, data: st.DataObject
) -> None:
    rows = reader(unlimited())
    for reading in rows.readings(row):
        for index, faces in reading.stands:
            if row[index] != DOUBLE:
                continue
            pairs = list(_pairs(reading.kind, faces, backwards=MIRROR in row[:index]))
            assert pairs, (row, reading)
            two = data.draw(st.sampled_from(pairs))
            orders = (two, two[::-1]) if reading.kind is Kind.MIRROR_GROUP else (two,)
            replaced = [(*row[:index], *order, *row[index + 1 :]) for order in orders]
            found = [_same_reading(reading, rows.readings(one)) for one in replaced]
            assert any(found), (row, replaced)


def _same_reading(old: Reading, new: tuple[Reading, ...]) -> bool:
    return any(reading.kind == old.kind and reading.value == old.value for reading in new)


def _pairs(kind: Kind, faces: frozenset[Face], *, backwards: bool) -> list[Faces]:
    if kind in (Kind.GROUP, Kind.MIRROR_GROUP):
        return [(a, b) for a in sorted(faces) for b in sorted(faces) if a != b]
    pairs = [RUN_FROM[low][:2] for low in sorted(faces) if NUMBER[low] < HIGHEST]
    ascending = [pair for pair in pairs if pair[1] in faces]
    return [two[::-1] if backwards else two for two in ascending]


@given(valid_rows())
def test_a_mirror_row_read_backwards_is_the_same_row(row: Faces) -> None:
    if MIRROR not in row:
        return
    rows = reader(unlimited())
    forwards = {(r.kind, r.value) for r in rows.readings(row)}
    backwards = {(r.kind, r.value) for r in rows.readings(row[::-1])}
    assert forwards == backwards


@given(near_rows(), near_rows())
def test_no_row_holds_two_mirrors(row: Faces, other: Faces) -> None:
    for both in ((*row, MIRROR, *other), (MIRROR, *row, MIRROR), (*row, MIRROR, *row[::-1])):
        if both.count(MIRROR) > 1:
            assert not reader(unlimited()).readings(both)


@given(st.one_of(near_rows(), any_faces), any_editions)
def test_no_row_is_longer_than_the_numbers_allow(row: Faces, rules: Edition) -> None:
    if reader(rules).readings(row):
        slots = sum(SLOTS[face] for face in row)
        assert 3 <= len(row) <= (27 if MIRROR in row else 13)
        assert slots <= (26 if MIRROR in row else 13)


def test_the_longest_rows_are_valid() -> None:
    run = tuple(numbered(0, number) for number in range(1, 14))
    assert reader(TWIST).readings(run)[0].value == 91
    assert reader(TWIST).readings((*run, MIRROR, *run[::-1]))[0].value == 182


# Independent reading by trying every meaning of every joker


def _expansions(row: Faces) -> list[Faces]:
    """Every way to write J and D as numbered tiles; C and M stay."""
    found: list[Faces] = [()]
    for face in row:
        if face == JOKER:
            found = [(*start, n) for start in found for n in NUMBERED_FACES]
        elif face == DOUBLE:
            found = [
                (*start, a, b) for start in found for a in NUMBERED_FACES for b in NUMBERED_FACES
            ]
        else:
            found = [(*start, face) for start in found]
    return found


def _is_plain_run(row: Faces) -> bool:
    """Numbers counted from the row itself, C filling its own number."""
    places = [(place, face) for place, face in enumerate(row) if face != CHANGE]
    starts = {NUMBER[face] - place for place, face in places}
    if len(starts) != 1 or min(starts) < 1 or max(starts) + len(row) - 1 > HIGHEST:
        return False
    segments: list[set[int]] = [set()]
    for face in row:
        if face == CHANGE:
            segments.append(set())
        else:
            segments[-1].add(face // HIGHEST)
    if any(len(segment) > 1 for segment in segments):
        return False
    return all(not a or not b or a != b for a, b in pairwise(segments))


def _is_plain_group(row: Faces) -> bool:
    numbers = {NUMBER[face] for face in row}
    return CHANGE not in row and len(numbers) == 1 and len(set(row)) == len(row) <= 4


@given(near_rows())
def test_rows_without_mirror_agree_with_trying_every_meaning(row: Faces) -> None:
    jokers = row.count(JOKER) + 2 * row.count(DOUBLE)
    rows = reader(unlimited())
    if MIRROR in row or jokers > 2 or len(row) < 3 or not rows.composition_allowed(row):
        return
    expanded = _expansions(row)
    kinds = set()
    if any(_is_plain_run(one) for one in expanded):
        kinds.add(Kind.RUN)
    if any(_is_plain_group(one) for one in expanded):
        kinds.add(Kind.GROUP)
    assert {reading.kind for reading in rows.readings(row)} == kinds


# Single rules


def test_a_group_joker_stands_for_either_missing_colour() -> None:
    readings = read("r7 b7 J", CLASSIC)
    assert stands_for(readings, 2) == {numbered(2, 7), numbered(3, 7)}


def test_an_ambiguous_joker_keeps_all_its_meanings() -> None:
    readings = read("r8 J J", CLASSIC)
    assert stands_for(readings, 1) == {*faces_of(parse_row("b8 k8 o8 r9"))}


def test_a_mirror_stands_for_nothing() -> None:
    assert stands_for(read("r7 M r7"), 1) == frozenset()


def test_a_mirror_row_of_single_tiles_is_run_and_group_at_once() -> None:
    readings = read("r7 M J")
    assert best_kind(faces_of(parse_row("r7 M J")), readings) is Kind.MIRROR
    assert {reading.kind for reading in readings} == {Kind.MIRROR_RUN, Kind.MIRROR_GROUP}


def test_a_colour_change_stands_for_its_number_in_every_colour() -> None:
    assert stands_for(read("r5 C b7"), 1) == set(faces_of(parse_row("r6 b6 k6 o6")))


def test_a_joker_after_a_colour_change_is_of_any_other_colour() -> None:
    assert stands_for(read("r5 C J"), 2) == set(faces_of(parse_row("b7 k7 o7")))


def test_readings_come_with_the_most_valuable_first() -> None:
    for row in ("r8 J J", "J J r8", "r3 J D", "D r7 J", "r3 D M D r3"):
        values = [reading.value for reading in read(row)]
        assert values == sorted(values, reverse=True)
        assert len(values) == 2


@pytest.mark.parametrize(
    ("option", "row", "code"),
    [
        ({"set.min_natural": 2}, "r5 J J", "too-few-number-tiles"),
        ({"joker.max_per_set": 1}, "r5 J J", "too-many-jokers"),
        ({"joker.max_per_set": 0}, "r5 r6 J", "too-many-jokers"),
        ({"twist.mirror_min_side": 2}, "r7 M r7", "half-too-short"),
        ({"twist.mirror_min_side": 3}, "r7 r8 M r8 r7", "half-too-short"),
        ({"twist.mirror_c_needs_c": True}, "r4 C M r5 r4", "asymmetric"),
        ({"twist.mirror_number": "next"}, "r12 r13 M r13 r12", "out-of-range"),
        ({"twist.adjacent_c": False}, "r6 C C b9", "adjacent-changes"),
        ({"jokers": "J1 D2 C2 M2"}, "r5 J J", "inventory"),
    ],
)
def test_option_forbids_a_row(option: dict[str, object], row: str, code: str) -> None:
    faces = faces_of(parse_row(row))
    assert judge_row(TWIST, faces).valid
    verdict = judge_row(edition("twist", option), faces)
    assert [reason.code for reason in verdict.reasons] == [code]


def test_without_a_minimum_of_numbered_tiles_jokers_alone_are_a_row() -> None:
    rules = edition("sixplayer", {"set.min_natural": 0})
    assert read("J J J", rules)[0].value == 39
    assert not read("J J J", SIXPLAYER)


@given(any_faces, any_editions)
def test_every_row_is_either_read_or_faulted(row: Faces, rules: Edition) -> None:
    verdict = judge_row(rules, row)
    assert bool(verdict.readings) is not bool(verdict.reasons)
    assert verdict.valid is bool(verdict.readings)
    for reading in verdict.readings:
        jokers = [index for index, face in enumerate(row) if face >= JOKER]
        assert [index for index, _ in reading.stands] == jokers
        assert all(0 <= face < FACES for _, faces in reading.stands for face in faces)


# What is remembered


@pytest.mark.parametrize("key", SPECS)
def test_readings_are_shared_only_where_no_option_changes_them(key: str) -> None:
    rng = random.Random(key)
    rows = [random_row(rng) for _ in range(300)]
    for value in option_values(SPECS[key]):
        try:
            rules = TWIST.with_options({key: value})
        except OptionError:
            continue
        alone = RowReader(rules)
        for row in rows:
            assert reader(rules).readings(row) == (alone._read(row) if len(row) >= 3 else ())


def test_the_clock_changes_no_readings() -> None:
    row = parse_faces(["r1", "r2", "r3"])
    slow, quick = (RowReader(CLASSIC.with_options({"timer.seconds": each})) for each in (30, 90))
    assert slow.readings(row) is quick.readings(row)
