"""Options that a server refuses because their turns take too long to judge."""

from __future__ import annotations

from typing import Any

import pytest

from tilerummy.rules.editions import EDITIONS, edition
from tilerummy.rules.errors import OptionError
from tilerummy.server.rooms.option_costs import HIGHEST_MINIMUM, check_costs
from tilerummy.server.rooms.settings import Settings

GOES_ON = {"initial.same_turn_manipulation": True}
EXTREME = {
    **GOES_ON,
    "draw.mode": "until_playable",
    "initial.min": 200,
    "hand_size": 1,
    "copies": 4,
    "jokers": "J4 D4 C4 M4",
    "set.min_natural": 0,
    "set.order": "as_laid",
}


@pytest.mark.parametrize("name", EDITIONS)
def test_every_edition_is_played_as_it_is(name: str) -> None:
    check_costs(EDITIONS[name])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("twist", EXTREME),
        ("twist", GOES_ON),
        ("sabra", {"initial.min": HIGHEST_MINIMUM + 1}),
        ("sabra", {"jokers": "J1 D1"}),
    ],
)
def test_too_expensive(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="takes too long to judge"):
        check_costs(edition(name, options))
    Settings(edition=name, options=options, seats=2).check()  # old rooms still load


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("twist", {**EXTREME, "initial.same_turn_manipulation": False}),
        ("twist", {**GOES_ON, "initial.jokers": False}),
        ("twist", {**GOES_ON, "initial.min": 0}),
        ("sabra", {"initial.min": HIGHEST_MINIMUM, "jokers": "J4", "copies": 4}),
    ],
)
def test_what_is_left_is_bounded(name: str, options: dict[str, Any]) -> None:
    check_costs(edition(name, options))
