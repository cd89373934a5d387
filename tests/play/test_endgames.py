"""Whole games, and whether each ended when the rules say so: never early, never late.

`make soak` plays thousands; SOAK_GAMES says how many.
"""

from __future__ import annotations

import os
import random
import sys
import time

import pytest

from tests.play.endgames import endgame, random_rules
from tilerummy.rules.editions import EDITIONS, Edition

SOAK_GAMES = int(os.environ.get("SOAK_GAMES", "10000"))
PARTS = 8
"""A soak test is cut in parts, so that several processes share it."""


def rules_of(rng: random.Random, name: str) -> Edition:
    return random_rules(rng) if name == "options" else EDITIONS[name]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", EDITIONS)
def test_a_game_of_an_edition_ends_when_the_rules_say_so(name: str, seed: int) -> None:
    endgame(random.Random(f"ends {name} {seed}"), EDITIONS[name]).play()


def test_games_by_any_options_end_when_the_rules_say_so() -> None:
    seen: set[str] = set()
    for seed in range(60):
        rng = random.Random(f"ends {seed}")
        game = endgame(rng, random_rules(rng))
        game.play()
        seen |= game.seen
    assert {"out", "nobody_can", "first_unable", "final_round", "all_passed"} <= seen
    assert {"passed choice", "passed clock", "passed penalty", "unproven"} <= seen


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_soak_many_games_end_when_the_rules_say_so(
    part: int, capfd: pytest.CaptureFixture[str]
) -> None:
    began = time.monotonic()
    games = range(part, SOAK_GAMES, PARTS)
    for count, seed in enumerate(games, 1):
        name = [*EDITIONS, *["options"] * 5][seed // PARTS % 10]
        rng = random.Random(f"soak ends {seed}")
        rules = rules_of(rng, name)
        try:
            endgame(rng, rules).play()
        except BaseException:
            with capfd.disabled():
                print(f"game {seed} failed: {rules.name} {rules.changed_options()}", flush=True)
            raise
        if count % 100 == 0 or count == len(games):
            with capfd.disabled():
                spent = time.monotonic() - began
                done = f"{count} of {len(games)}, {spent:.0f} s"
                print(f"endings, part {part + 1} of {PARTS}: {done}", file=sys.stderr, flush=True)
