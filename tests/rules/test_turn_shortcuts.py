"""Shortcuts of the judge: the verdict on a turn is the same with and without them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tilerummy.lab.greedy import deal_tiles, play_greedily
from tilerummy.rules import turn_jokers, turns
from tilerummy.rules.editions import CLASSIC, SABRA, TAIWAN, TWIST, Edition
from tilerummy.rules.errors import PositionError
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import Table, parse_row, parse_table
from tilerummy.rules.turns import TurnVerdict, judge_turn
from tilerummy.solver import Solution

EDITIONS = {
    "classic": CLASSIC,
    "other set": CLASSIC.with_options({"joker.reuse": "other_set"}),
    "rack tiles": CLASSIC.with_options({"joker.reuse": "new_set_rack2"}),
    "taiwan": TAIWAN,
    "twist": TWIST,
    "sabra": SABRA,
}


def turns_of(edition: Edition, games: int, seed: int) -> Iterator[tuple[Position, Table]]:
    """Turns of greedy players whom no joker rule binds, and the same turns spoiled at random."""
    rng = random.Random(seed)
    free = TWIST if edition.has_specials else TAIWAN
    found: list[tuple[Position, Solution]] = []
    for _ in range(games):
        deal = deal_tiles(free, 4, rng)
        play_greedily(free, deal, 0, lambda _, position, turn: found.append((position, turn)))
    for position, turn in found:
        if turn.plays:
            judged = replace(position, edition=edition)
            yield judged, turn.table
            yield judged, spoiled(turn.table, rng)


def spoiled(table: Table, rng: random.Random) -> Table:
    """One tile in another place: mostly illegal, and sometimes another legal turn."""
    rows = [[*row] for row in table]
    tile = rng.choice([row for row in rows if row]).pop()
    rng.choice([*rows, rows[0]]).append(tile)
    return tuple([tuple(row) for row in rows if row])


@pytest.mark.parametrize("name", EDITIONS)
def test_the_verdict_is_the_same_without_shortcuts(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = [*turns_of(EDITIONS[name], games=4, seed=3)]
    fast = [judge_turn(position, table) for position, table in cases]
    monkeypatch.setattr(turns, "_judge_changes", lambda *_: None)
    monkeypatch.setattr(turn_jokers, "_obviously_obeys", lambda *_: False)
    monkeypatch.setattr(turn_jokers, "_obviously_keeps_locks", lambda *_: False)
    slow = [judge_turn(position, table) for position, table in cases]
    assert any(verdict.legal for verdict in fast)
    assert not all(verdict.legal for verdict in fast)
    assert [parts(verdict) for verdict in fast] == [parts(verdict) for verdict in slow]


@pytest.mark.parametrize("name", EDITIONS)
def test_what_keeps_the_joker_rules_is_legal(name: str) -> None:
    edition, seen = EDITIONS[name], 0
    for position, table in turns_of(edition, games=4, seed=5):
        if position.opened and _is_laid(position, table):
            kept = turn_jokers.keeps_joker_rules(edition, position.table, table)
            assert judge_turn(position, table).legal or not kept
            seen += kept
    assert seen >= 10


def test_rows_that_are_no_sets_keep_no_rules() -> None:
    bad, good = parse_table("r1 b2 J"), parse_table("r1 b2 J r5")
    assert not turn_jokers.keeps_joker_rules(CLASSIC, bad, good)


def _is_laid(position: Position, table: Table) -> bool:
    """Whether tiles of the rack are laid and every row is a set, whatever the joker rules say."""
    free = TWIST.with_options({"twist.special_exchange_ban": False})
    edition = free if position.edition.has_specials else TAIWAN
    return judge_turn(replace(position, edition=edition), table).legal


def parts(verdict: TurnVerdict) -> tuple[object, ...]:
    return verdict.reasons, verdict.played, verdict.value, verdict.table, verdict.declared


def test_an_old_row_that_is_no_set_is_an_error_even_if_it_stands() -> None:
    bad = parse_table("r1 b2 k3")
    position = Position(CLASSIC, bad, parse_row("r5 b5 k5"), opened=True)
    with pytest.raises(PositionError):
        judge_turn(position, (*bad, parse_row("r5 b5 k5")))
