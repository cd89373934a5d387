"""Fingerprints of bots: a hash of how a bot plays, which changes when its play does."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import lru_cache

from tilerummy.bots.protocol import Budget
from tilerummy.lab.bot_games import DealKey, play_bots
from tilerummy.play.event_json import to_dict
from tilerummy.rules.editions import Edition

GAMES = 2
SEED = 0
MOST_SAMPLES = 8
"""A change of a search shows in few samples, and these games are played at every start."""


@lru_cache(256)
def fingerprint(bot: str, edition: Edition, budget: Budget) -> str:
    """Twelve hexadecimal digits of all turns of a few games that the bot plays against itself."""
    digest = hashlib.sha256()
    if budget.samples is not None:
        budget = replace(budget, samples=min(budget.samples, MOST_SAMPLES))
    players = (bot,) * edition.players_min
    for number in range(GAMES):
        for _, events in play_bots(edition, players, DealKey(SEED, number), budget):
            digest.update(json.dumps([to_dict(event) for event in events]).encode())
    return digest.hexdigest()[:12]
