"""The table of joker kinds is the one place that knows them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.faces import CHANGE, DOUBLE, JOKER, MIRROR
from tilerummy.rules import tiles
from tilerummy.rules.joker_kinds import JOKER_KINDS
from tilerummy.rules.options import joker_counts
from tilerummy.rules.tiles import Faces, parse_faces

ROOT = Path(__file__).parents[2]
LETTER = rf"[\"'][{tiles.JOKER_LETTERS}][\"']"
BY_LETTER = re.compile(rf"[!=]==?\s*{LETTER}|{LETTER}\s*[!=]==?|\b(?:DOUBLE|CHANGE|MIRROR)\b")
KERNELS = ROOT / "src" / "tilerummy" / "solver" / "cover"
"""The searches implement the mechanisms, and name them (`mechanisms.py`)."""


def test_each_kind_has_its_own_letter_and_the_regular_joker_goes_first() -> None:
    assert tiles.JOKER_LETTERS == "JDCM"
    assert len({*tiles.JOKER_LETTERS}) == len(JOKER_KINDS)
    assert [kind.letter for kind in JOKER_KINDS if not kind.special] == ["J"]
    assert tiles.JOKER_FACES == (JOKER, DOUBLE, CHANGE, MIRROR) == (52, 53, 54, 55)


def test_numbered_faces_have_the_properties_of_no_joker() -> None:
    for face in tiles.NUMBERED_FACES:
        assert tiles.SLOTS[face] == 1
        assert tiles.IN_GROUPS[face]
        for table in (
            tiles.IS_JOKER,
            tiles.IS_WILD,
            tiles.CHANGES_COLOUR,
            tiles.IS_MIRROR,
            tiles.IS_SPECIAL,
        ):
            assert not table[face]


def test_jokers_by_their_properties() -> None:
    def where(table: tiles.ByFace[bool]) -> Faces:
        return tuple([face for face in tiles.JOKER_FACES if table[face]])

    assert [tiles.SLOTS[face] for face in tiles.JOKER_FACES] == [1, 2, 1, 0]
    assert where(tiles.IS_WILD) == tiles.WILD_FACES == (JOKER, DOUBLE, CHANGE)
    assert where(tiles.IN_GROUPS) == (JOKER, DOUBLE, MIRROR)
    assert where(tiles.CHANGES_COLOUR) == tiles.COLOUR_CHANGES == (CHANGE,)
    assert where(tiles.IS_MIRROR) == tiles.MIRRORS == (MIRROR,)
    assert where(tiles.IS_SPECIAL) == (DOUBLE, CHANGE, MIRROR)
    assert tiles.SPECIAL_WILDS == (DOUBLE, CHANGE)
    assert {DOUBLE} == tiles.TWO_SLOTS


def test_questions_about_a_row() -> None:
    plain, changed, mirrored = (parse_faces(row.split()) for row in ("r1 D r4", "r1 C", "r1 J M D"))
    assert [tiles.has_mirror(row) for row in (plain, changed, mirrored)] == [False, False, True]
    assert [tiles.has_colour_change(row) for row in (plain, changed)] == [False, True]
    assert [tiles.may_be_group(row) for row in (plain, changed, mirrored)] == [True, False, True]
    assert tiles.mirror_at(mirrored) == 2
    assert tiles.mirrors_in((*mirrored, MIRROR)) == 2


def test_counts_of_jokers_by_their_letters() -> None:
    assert joker_counts(M=1, J=2) == (2, 0, 0, 1)
    with pytest.raises(ValueError, match="letter X"):
        joker_counts(X=1)


def _sources() -> list[Path]:
    python = (ROOT / "src" / "tilerummy").rglob("*.py")
    page = [*(ROOT / "web" / "src").rglob("*.ts"), *(ROOT / "web" / "src").rglob("*.tsx")]
    return [path for path in (*python, *page) if KERNELS not in path.parents]


def test_nothing_outside_the_kernels_asks_for_a_joker_by_its_letter() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in _sources()
        for line in path.read_text("utf-8").splitlines()
        if BY_LETTER.search(line) and "Kind.MIRROR" not in line and 'MIRROR = "mirror"' not in line
    ]
    assert found == [], "ask for a property of the joker: see JOKER_KINDS"
