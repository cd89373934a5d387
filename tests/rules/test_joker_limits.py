"""What the joker rules say of a part of the new table agrees with what they say of the whole."""

from __future__ import annotations

from collections import Counter

from tilerummy.rules.editions import CLASSIC, SABRA, TWIST, Edition
from tilerummy.rules.joker_limits import (
    exchange_bonds,
    free_replacements,
    is_locked,
    wants_whole_rows,
)
from tilerummy.rules.jokers import LaidRow, lay
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.tiles import JOKER, parse_faces, unidentified


def faces(text: str) -> Faces:
    return parse_faces(text.split())


def laid(edition: Edition, *rows: str) -> list[LaidRow]:
    read = reader(edition).readings
    return lay([(unidentified(faces(row)), read(faces(row))) for row in rows])


def test_only_one_rule_wants_whole_rows() -> None:
    assert wants_whole_rows(CLASSIC.with_options({"joker.reuse": "new_set_rack2"}))
    assert not wants_whole_rows(CLASSIC.with_options({"joker.reuse": "new_set"}))


def test_the_exchange_ban_binds_a_joker_to_the_rest_of_its_row() -> None:
    assert TWIST.twist_special_exchange_ban
    (bond,) = exchange_bonds(TWIST, laid(TWIST, "r1 r2 J", "b1 b2 b3"))
    assert bond.joker == JOKER
    assert bond.tiles == Counter(faces("r1 r2"))
    assert exchange_bonds(CLASSIC, laid(CLASSIC, "r1 r2 J")) == []


def test_rows_with_jokers_are_locked_where_the_edition_says_so() -> None:
    assert SABRA.joker_locked_sets
    assert is_locked(SABRA, faces("r1 r2 J"))
    assert not is_locked(SABRA, faces("r1 r2 r3"))
    assert not is_locked(CLASSIC, faces("r1 r2 J"))


def test_tiles_of_the_table_replace_jokers_only_where_any_tile_may() -> None:
    rows = "r1 r2 J", "b1 b2 b3"
    of_any = SABRA.with_options({"joker.replace_from": "any"})
    assert free_replacements(of_any, laid(of_any, *rows)) == Counter(faces("b1 b2 b3"))
    of_rack = SABRA.with_options({"joker.replace_from": "rack"})
    assert not free_replacements(of_rack, laid(of_rack, *rows))
