"""Measured strengths: how often each bot wins, from the data file of the package.

`tilerummy lab ladder` writes the file. A bot without a row in it has not been measured.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

FILE = "strengths.json"
"""In this package."""
REMEASURE = (
    "tilerummy lab ladder src/tilerummy/bots/strengths.json --against owl --players 2,4,6 "
    "--games 400 --samples 48 --search-every 4 --force"
)
"""The command that measures all bots and writes the file."""


class Strength(NamedTuple):
    """How often a bot wins alone against another one that has all other seats, in per cent, with
    its 95 % interval, which is None where there were too few deals for one."""

    against: str
    wins: float
    low: float | None
    high: float | None
    games: int


def strength_of(bot: str, edition: str, players: int) -> Strength | None:
    """The measured strength of a bot: against the level below it, or else against the yardstick.

    None if it has not been measured with so many players in this edition.
    """
    return strengths().get((bot, edition, players))


@cache
def strengths() -> Mapping[tuple[str, str, int], Strength]:
    """All measured strengths, by bot, edition and number of players."""
    return read_strengths(stored())


def read_strengths(data: Mapping[str, Any]) -> dict[tuple[str, str, int], Strength]:
    """The strengths in the data of such a file. The first row of a bot is that against the bot
    below it."""
    found: dict[tuple[str, str, int], Strength] = {}
    for part in data["measured"]:
        for row in part["strengths"]:
            share = row["wins"]
            low, high = [_percent(share[each]) for each in ("low", "high")]
            key = row["bot"], part["edition"], part["players"]
            found.setdefault(
                key, Strength(row["against"], 100 * share["mean"], low, high, row["games"])
            )
    return found


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def stored() -> dict[str, Any]:
    """The data of the file in the package, ready for `lab.ladder.outdated_bots`."""
    text = (files("tilerummy.bots") / FILE).read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    return data
