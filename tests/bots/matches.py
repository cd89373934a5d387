"""Whole matches of bots."""

from __future__ import annotations

import random

from tilerummy.bots.seats import play_match
from tilerummy.bots.simple import SimpleBot
from tilerummy.play.driver import MatchDriver
from tilerummy.play.match import Match
from tilerummy.rules.editions import Edition
from tilerummy.solver.turns.best_turn import can_play


def played_match(rules: Edition, players: int, seed: int = 1, rounds: int = 1) -> MatchDriver:
    """A whole match of beginners."""
    rng = random.Random(seed)
    names = tuple(f"bot {number}" for number in range(1, players + 1))
    driver = MatchDriver(Match(rules, names, rounds), can_play)
    bots = [SimpleBot() for _ in range(players)]
    play_match(driver, list(bots), lambda: rng.randbytes(32).hex())
    return driver
