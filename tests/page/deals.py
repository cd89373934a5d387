"""Deals of finished games as the page proves them, made by `play`.

`web/tests/game/fairness.test.ts` computes them again.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from tests.play.wild import wild_game
from tilerummy.play.commit_reveal import CancelledDeal
from tilerummy.play.game import Game
from tilerummy.rules.editions import EDITIONS, Edition, edition
from tilerummy.rules.tiles import tile_text, tile_texts

OPTIONS: list[dict[str, object]] = [
    {},
    {"tournament.redeal_doubles": 3},
    {"hand_size": 10, "starter.keep_tile": True},
]


def dealt_game(rng: random.Random, rules: Edition) -> Game:
    """A game right after its deal, with whatever happened before it."""
    wild = wild_game(rng, rules, mischief=0.0)
    for _ in wild.steps():
        if not wild.game.is_waiting:
            break
    return wild.game


def proof_of(game: Game) -> dict[str, Any]:
    """The input of `dealFault`."""
    assert game.dealt is not None
    last = CancelledDeal(
        game.secret,
        game.commitment,
        game.transcript,
        game.commitments,
        game.sources,
        game.seeds,
    )
    return {
        **_inputs(last),
        "game": game.number,
        "rules": {"edition": game.edition.name, "options": game.edition.changed_options()},
        "version": game.shuffle_version,
        "cancelled": [_inputs(deal) for deal in game.cancelled],
        "draws": [[seat, tile_text(tile)] for seat, tile in game.starter_draws],
        "starter": game.starter,
        "racks": [tile_texts(rack) for rack in game.dealt.racks],
        "pool": tile_texts(game.dealt.pool),
    }


def _inputs(deal: CancelledDeal) -> dict[str, Any]:
    return {
        "secret": deal.secret,
        "commitment": deal.commitment,
        "commitments": deal.commitments,
        "sources": deal.sources,
        "seeds": deal.seeds,
    }


def write(path: Path, count: int) -> int:
    """Write deals of all editions; returns how many deals were cancelled before them."""
    cancelled = 0
    with path.open("w", encoding="utf-8") as file:
        for name in EDITIONS:
            for options in OPTIONS:
                for number in range(count):
                    rng = random.Random(f"deal {name} {sorted(options)} {number}")
                    game = dealt_game(rng, edition(name, options))
                    cancelled += len(game.cancelled)
                    file.write(json.dumps(proof_of(game)) + "\n")
    return cancelled
