"""The quick verdicts of the joker rules agree with the rules themselves."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.rules.test_joker_limits import faces, laid
from tilerummy.rules.editions import CLASSIC, SABRA, TWIST, Edition
from tilerummy.rules.jokers import LaidRow, joker_problem
from tilerummy.rules.quick_jokers import QuickJokers, Watch, face_set, survives
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
        (SABRA, ["r1 r2 J"], ["r1 r2 r3", "b7 k7 J"], "r3 b7 k7", None),
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


def test_the_watch_gives_what_may_break_a_rule() -> None:
    row = unidentified(faces("r1 r2 J"))
    remainder, rest = face_set(faces("r1 r2")), {face_set(faces("r1 r2"))}
    assert Watch(CLASSIC)(row) == (remainder,)
    assert Watch(SABRA)(row) is None
    assert set(Watch(TWIST)(row) or ()) == rest
    assert Watch(CLASSIC.with_options({"joker.reuse": "new_set_rack2"}))(row) is None
    assert Watch(CLASSIC)(unidentified(faces("b1 b2 b3"))) == (face_set(faces("b1 b2 b3")),)
