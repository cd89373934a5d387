from typing import Any

import pytest

from tilerummy.locales.rulebook.conditions import fact, holds
from tilerummy.rules.editions import CLASSIC, SABRA, TWIST, Edition


@pytest.mark.parametrize(
    ("when", "edition", "true"),
    [
        ({}, CLASSIC, True),
        ({"joker.reuse": "new_set"}, CLASSIC, True),
        ({"joker.reuse": "new_set"}, TWIST, False),
        ({"joker.reuse": ["any", "other_set"]}, TWIST, True),
        ({"joker.locked_sets": True}, SABRA, True),
        ({"joker.locked_sets": True, "timer.seconds": 60}, SABRA, False),
        ({"timer.seconds": {"ge": 61}}, SABRA, True),
        ({"timer.seconds": {"ge": 61, "le": 100}}, SABRA, False),
        ({"joker.max_per_set": "null"}, CLASSIC, True),
        ({"joker.max_per_set": {"ge": 0}}, CLASSIC, False),
        ({"joker.max_per_set": ["null", {"ge": 2}]}, CLASSIC, True),
        ({"match.games_per_round": {"ge": 1}}, CLASSIC, False),
        ({"match.games_per_round": {"ge": 1}}, SABRA, True),
        ({"set.min_natural": 1}, CLASSIC, True),
        ({"set.min_natural": True}, CLASSIC, False),
        ({"box.D": {"ge": 1}}, TWIST, True),
        ({"box.D": {"ge": 1}}, CLASSIC, False),
        ({"edition": "twist"}, TWIST, True),
        ({"edition": ["classic", "sabra"]}, TWIST, False),
        ([{"box.D": 2}, {"joker.reuse": "new_set"}], CLASSIC, True),
        ([{"box.D": 2}, {"joker.reuse": "any"}], CLASSIC, False),
    ],
)
def test_a_condition_is_read_from_the_options(when: Any, edition: Edition, true: bool) -> None:
    assert holds(when, edition) is true


def test_the_box_is_counted() -> None:
    assert [fact(TWIST, f"box.{name}") for name in ("J", "D", "C", "M", "jokers", "specials")] == [
        2,
        2,
        2,
        2,
        8,
        6,
    ]
