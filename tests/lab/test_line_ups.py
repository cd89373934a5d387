"""Which bots meet, and in which orders they sit."""

from __future__ import annotations

from collections import Counter

import pytest

from tilerummy.bots.roster import BOTS
from tilerummy.lab.errors import LabError
from tilerummy.lab.line_ups import MOST_SEATINGS, check_line_up, pair_line_ups, seatings
from tilerummy.rules.editions import edition


@pytest.mark.parametrize(
    ("line_up", "count"),
    [
        (("a", "b"), 2),
        (("a", "b", "b", "b"), 4),
        (("a", "a", "b", "b"), 6),
        (("a", "b", "c", "d"), 24),
        (("a", "a", "a", "a"), 1),
        (("a", "b", "c", "d", "e", "f"), 6),
    ],
)
def test_every_bot_has_every_seat_equally_often(line_up: tuple[str, ...], count: int) -> None:
    found = seatings(line_up)
    assert len(found) == count <= MOST_SEATINGS
    assert len({*found}) == count
    assert all(sorted(seating) == sorted(line_up) for seating in found)
    for bot in line_up:
        seats = Counter(
            seat for seating in found for seat, name in enumerate(seating) if name == bot
        )
        assert {*seats} == {*range(len(line_up))}
        assert len({*seats.values()}) == 1


def test_with_all_orders_every_bot_sits_behind_every_other_equally_often() -> None:
    behind = Counter(
        (seating[seat], seating[seat - 1])
        for seating in seatings(("a", "b", "c", "d"))
        for seat in range(4)
    )
    assert len(behind) == 12
    assert {*behind.values()} == {8}


def test_a_cross_table_of_two_players_has_each_pair_once() -> None:
    assert pair_line_ups(("a", "b", "c"), 2) == (("a", "b"), ("a", "c"), ("b", "c"))


def test_with_more_players_each_bot_is_alone_against_each_other() -> None:
    assert pair_line_ups(("a", "b", "a"), 3) == (("a", "b", "b"), ("b", "a", "a"))


def test_a_cross_table_needs_two_different_bots() -> None:
    with pytest.raises(LabError, match="two different bots"):
        pair_line_ups(("a", "a"), 2)


def test_an_unknown_bot_is_answered_with_the_roster() -> None:
    with pytest.raises(LabError, match="no bot 'solvr'") as refused:
        check_line_up(edition("classic"), ("solvr", "simple"))
    assert all(bot in str(refused.value) for bot in BOTS)


@pytest.mark.parametrize("count", [1, 5])
def test_too_few_or_too_many_bots_are_refused(count: int) -> None:
    with pytest.raises(LabError, match="2 to 4 players"):
        check_line_up(edition("classic"), ("simple",) * count)
