"""Whole games of random players, legal and illegal turns mixed, by every edition and option."""

from __future__ import annotations

import os
import random
import sys
import time

import pytest
from hypothesis import given, settings

from tests.play.invariants import play_and_check
from tests.play.wild import wild_game
from tests.rules.strategies import random_edition, randoms
from tilerummy.play.events import Drew, Passed, Played
from tilerummy.rules.editions import EDITIONS

SOAK_GAMES = int(os.environ.get("SOAK_GAMES", "10000"))
PARTS = 4
"""A soak test is cut in parts, so that several processes share it."""


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", EDITIONS)
def test_a_game_of_an_edition_keeps_its_invariants(name: str, seed: int) -> None:
    play_and_check(wild_game(random.Random(f"{name} {seed}"), EDITIONS[name]))


@settings(max_examples=15)
@given(randoms)
def test_a_game_by_any_options_keeps_its_invariants(rng: random.Random) -> None:
    play_and_check(wild_game(rng, random_edition(rng)))


def test_random_games_see_everything_that_can_happen() -> None:
    kinds: set[tuple[str, str]] = set()
    for seed in range(12):
        rng = random.Random(f"everything {seed}")
        rules = EDITIONS["classic"].with_options({"strict_submit": True, "hand_size": 20})
        wild = wild_game(rng, rules)
        play_and_check(wild)
        for event in wild.events:
            if isinstance(event, Played):
                kinds.add(("played", "clock" if event.by_clock else "choice"))
            elif isinstance(event, Drew | Passed):
                kinds.add((event.type, event.why))
    assert {("played", "choice"), ("played", "clock")} <= kinds
    assert {("drew", why) for why in ("choice", "clock", "penalty", "illegal")} <= kinds
    assert ("passed", "choice") in kinds


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", [*EDITIONS, "options"])
def test_many_games_keep_their_invariants(
    name: str, part: int, capfd: pytest.CaptureFixture[str]
) -> None:
    def say(text: str) -> None:
        with capfd.disabled():
            print(text, file=sys.stderr, flush=True)

    began = time.monotonic()
    games = range(part, SOAK_GAMES, PARTS)
    for count, seed in enumerate(games, 1):
        rng = random.Random(f"soak {name} {seed}")
        rules = random_edition(rng) if name == "options" else EDITIONS[name]
        try:
            play_and_check(wild_game(rng, rules))
        except BaseException:
            say(f"{name}: game {seed} failed ({rules.changed_options()})")
            raise
        if count % 100 == 0 or count == len(games):
            spent = time.monotonic() - began
            say(f"{name}, part {part + 1} of {PARTS}: {count} of {len(games)}, {spent:.0f} s")
