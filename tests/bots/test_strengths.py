"""Measured strengths: the file of the package is read as it was written, and is up to date."""

from __future__ import annotations

from typing import Any

import pytest

from tilerummy.bots.roster import BOTS, OFFERED
from tilerummy.bots.strengths import REMEASURE, Strength, read_strengths, stored, strength_of
from tilerummy.lab.ladder import FORMAT, SCHEMA, outdated_bots
from tilerummy.rules.editions import CLASSIC, EDITIONS

WINS = {"mean": 0.7, "low": 0.6, "high": 0.8}


def row(bot: str, against: str, **wins: float | None) -> dict[str, Any]:
    return {"bot": bot, "against": against, "games": 40, "wins": {**WINS, **wins}}


def one_edition_each(data: dict[str, Any]) -> dict[str, Any]:
    """The same data with one edition for each bot, so that the test is quick; the editions take
    turns."""
    bots = list(dict.fromkeys(bot for part in data["measured"] for bot in part["bots"]))
    chosen = {}
    for number, bot in enumerate(bots):
        parts = [place for place, part in enumerate(data["measured"]) if bot in part["bots"]]
        chosen[bot] = parts[number % len(parts)]
    measured = [
        {**part, "bots": {bot: print_ for bot, print_ in part["bots"].items() if chosen[bot] == n}}
        for n, part in enumerate(data["measured"])
    ]
    return {**data, "measured": measured}


def check(data: dict[str, Any]) -> None:
    outdated = outdated_bots(data)
    assert not outdated, f"{outdated} play differently than when measured: run `{REMEASURE}`"


def test_no_bot_plays_differently_than_when_it_was_measured() -> None:
    check(one_edition_each(stored()))


@pytest.mark.soak
def test_no_bot_plays_differently_in_any_edition() -> None:
    check(stored())


def test_a_bot_that_plays_differently_is_found() -> None:
    part = next(part for part in stored()["measured"] if "chick" in part["bots"])
    data = {**stored(), "measured": [{**part, "bots": {"chick": "0" * 12}}]}
    with pytest.raises(AssertionError, match=r"chick.*tilerummy lab ladder"):
        check(data)


def test_the_file_names_bots_and_editions_that_exist() -> None:
    data = stored()
    assert (data["format"], data["schema"]) == (FORMAT, SCHEMA)
    for part in data["measured"]:
        assert part["edition"] in EDITIONS
        assert {*part["bots"]} <= {*BOTS}
        for found in part["strengths"]:
            assert {found["bot"], found["against"]} <= {*part["bots"]}


def test_every_bot_that_people_can_choose_was_measured_in_classic() -> None:
    for spec in OFFERED:
        found = strength_of(spec.id, CLASSIC.name, 2)
        assert found is not None, f"{spec.id}: run `{REMEASURE}`"
        assert 0 <= found.wins <= 100


def test_the_level_below_comes_before_the_yardstick() -> None:
    rows = [row("puppy", "chick"), row("chick", "owl", low=None), row("puppy", "owl", mean=0.1)]
    data = {"measured": [{"edition": "classic", "players": 2, "strengths": rows}]}
    assert read_strengths(data) == {
        ("puppy", "classic", 2): Strength("chick", 70, 60, 80, 40),
        ("chick", "classic", 2): Strength("owl", 70, None, 80, 40),
    }


def test_a_bot_that_was_not_measured_has_no_strength() -> None:
    assert strength_of("chick", "classic", 5) is None
