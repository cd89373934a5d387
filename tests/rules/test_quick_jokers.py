"""The quick verdicts of the joker rules agree with the rules themselves."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.rules.test_joker_limits import faces, laid
from tilerummy.rules.editions import CLASSIC, SABRA, TWIST, Edition
from tilerummy.rules.jokers import LaidRow, joker_problem, lay
from tilerummy.rules.quick_jokers import QuickJokers, Watch, face_set, freeing, survives
from tilerummy.rules.rows import reader
from tilerummy.rules.tiles import FACES, Face, unidentified


def counted(text: str) -> bytes:
    counts = bytearray(FACES)
    for face in faces(text):
        counts[face] += 1
    return bytes(counts)


def copies(before: list[LaidRow], rack: str) -> Counter[Face]:
    return Counter([face for row in before for face in row.faces] + list(faces(rack)))


@pytest.mark.parametrize(
    ("reuse", "row", "rack", "forbidden"),
    [
        ("new_set", "r1 r2 r3 J", "r3", True),  # the row from which the joker came
        ("new_set", "b7 k7 J", "b7 k7", False),  # a new row
        ("new_set", "r1 r2 J", "", False),  # it stayed what it was
        ("new_set_rack2", "b7 r2 J r4", "b7", True),
        ("new_set_rack2", "b7 k7 J", "b7 k7", False),
        ("any", "r1 r2 r3 J", "r3", False),
        ("new_set", "r1 r2 r3 J", "r3 J", False),  # a joker of the rack may be meant
    ],
)
def test_a_retrieved_joker_in_a_forbidden_row(
    reuse: str, row: str, rack: str, forbidden: bool
) -> None:
    edition = CLASSIC.with_options({"joker.reuse": reuse})
    before = laid(edition, "r1 r2 J")
    quick = QuickJokers(edition, before)
    found = quick.forbids(faces(row), counted(rack), copies(before, rack))
    assert found is forbidden
    if forbidden:
        after = laid(edition, row)
        if all(read.readings for read in after):
            assert not joker_problem(edition, before, after).solvable()


@pytest.mark.parametrize(
    ("old", "new", "does"),
    [
        ("r4 J r6", "r3 r4 J r6 b7", True),
        ("r4 J r6", "J r4 r5 r6", False),
        ("r5 b5 J", "b5 k5 J r5", True),  # a group, in any order
        ("r5 J J", "J r5 b5 J", False),  # it may be a run
        ("J r5 J", "k6 J r5 J M J r5 J k6", False),  # a mirror turns rows round
    ],
)
def test_an_old_row_survives_in_a_new_one(old: str, new: str, does: bool) -> None:
    assert survives(faces(old), faces(new)) is does


@pytest.mark.parametrize(
    ("edition", "before", "after", "rack", "verdict"),
    [
        (CLASSIC, ["r1 r2 J"], ["r1 r2 r3", "b7 k7 J"], "r3 b7 k7", True),
        (CLASSIC, ["r1 r2 J"], ["r1 r2 r3 J"], "r3", None),
        (CLASSIC, ["r1 r2 J"], ["r1 r2 J r4"], "r4", True),
        (SABRA, ["r1 r2 J"], ["r1 r2 J r4"], "r4", True),
        (SABRA, ["r1 r2 J"], ["r1 r2 r3", "b7 k7 J"], "r3 b7 k7", True),
        (SABRA, ["r1 r2 J", "b1 b2 J"], ["r1 r2 r3", "b1 b2 J b4", "b7 k7 J"], "r3 b4 b7 k7", True),
        (SABRA, ["r1 J J"], ["r1 r2 J", "b7 k7 J"], "r2 b7 k7", None),
        (SABRA, ["r5 b5 J", "r5 k5 J"], ["r5 b5 o5", "r5 k5 J J"], "o5", True),
        (SABRA, ["r1 r2 J", "r3 r4 r5 r6"], ["r1 r2 r3", "r4 r5 r6 J"], "", False),
        (TWIST, ["r1 r2 J"], ["r1 r2 D", "b7 k7 J"], "D b7 k7", None),
    ],
)
def test_verdicts_on_tables(
    edition: Edition, before: list[str], after: list[str], rack: str, verdict: bool | None
) -> None:
    old, new = laid(edition, *before), laid(edition, *after)
    found = QuickJokers(edition, old).verdict([row.faces for row in new], face_set(faces(rack)))
    assert found is verdict
    if verdict is not None and all(row.readings for row in new):
        assert joker_problem(edition, old, new).solvable() is verdict


@pytest.mark.parametrize(
    ("options", "row", "ways"),
    [
        ({}, "r1 J r3", ["r2"]),
        ({}, "r5 b5 J", ["k5", "o5"]),
        ({"joker.group3_needs_both": True}, "r5 b5 J", ["k5 o5"]),
        ({}, "J r2 J", ["r1 r3", "b2 k2", "b2 o2", "k2 b2", "k2 o2", "o2 b2", "o2 k2"]),
        ({"set.min_natural": 0}, "J J J", []),  # too many to be listed
    ],
)
def test_tiles_that_free_a_locked_row(
    options: dict[str, object], row: str, ways: list[str]
) -> None:
    edition = SABRA.with_options(options)
    found = freeing(reader(edition), faces(row))
    assert sorted(found) == sorted(map(faces, ways))
    before = laid(edition, row)
    for way in [(), *found]:
        new = [(face,) for face in (*faces(row), *way)]  # no tile lies with another
        after = lay([(unidentified(one), ()) for one in new])
        freed = QuickJokers(edition, before).frees([0], new)
        assert freed is (way in found)
        assert freed is joker_problem(edition, before, after).solvable()


def test_each_locked_row_is_freed_by_tiles_of_its_own() -> None:
    before = laid(SABRA, "r5 b5 J", "r5 b5 J")
    for played, freed in (("o5", False), ("o5 o5", True), ("k5 o5", True), ("r1 r2 r3", False)):
        new = [faces("r5 r5 b5 b5 J J"), faces(played)]
        assert QuickJokers(SABRA, before).frees([0, 1], new) is freed
        assert QuickJokers(SABRA, before).frees([1], new) is (played != "r1 r2 r3")
    both_rules = SABRA.with_options({"joker.reuse": "new_set"})
    assert not QuickJokers(both_rules, before).frees([0], [faces("r5 r5 b5 b5 J J"), faces("o5")])


def test_the_watch_gives_what_may_break_a_rule() -> None:
    row = unidentified(faces("r1 r2 J"))
    remainder, rest = face_set(faces("r1 r2")), {face_set(faces("r1 r2"))}
    assert Watch(CLASSIC)(row) == (remainder,)
    assert Watch(SABRA)(row) is None
    assert set(Watch(TWIST)(row) or ()) == rest
    assert Watch(CLASSIC.with_options({"joker.reuse": "new_set_rack2"}))(row) is None
    assert Watch(CLASSIC)(unidentified(faces("b1 b2 b3"))) == (face_set(faces("b1 b2 b3")),)
