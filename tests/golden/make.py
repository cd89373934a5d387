"""Makes the golden games: complete matches, the same byte for byte every time.

    python -m tests.golden.make

A plain player and random ones sit at each table, so that rows are rearranged, jokers change hands,
time runs out and penalties are paid. A bot steps in only where the rules force a play that they do
not see, so these games change with the rules and hardly ever with a bot.
When a rule changes on purpose, make them anew and read what changed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.play.wild import WildGame, as_seen
from tilerummy.bots.simple import SimpleBot
from tilerummy.play.driver import MatchDriver
from tilerummy.play.game import Game, Phase
from tilerummy.play.match import Match
from tilerummy.play.notation import to_text
from tilerummy.play.record import Record, to_jsonl
from tilerummy.play.refusals import Refused
from tilerummy.rules.editions import edition
from tilerummy.solver.turns.best_turn import can_play

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Table:
    """Who plays a golden match by which rules."""

    edition: str
    players: tuple[str, ...]
    options: dict[str, object] = field(default_factory=dict)


TABLES = {
    "classic.txt": Table("classic", ("Ann", "Ben")),
    "taiwan.txt": Table("taiwan", ("陳大文", "林小美", "Cem")),
    "sixplayer.txt": Table(
        "sixplayer", ("Ann", "Ben", "Cem", "Dee", "Eve"), {"match.games_per_round": 1}
    ),
    "twist.txt": Table("twist", ("Ann", "Ben")),
    "sabra.txt": Table("sabra", ("Ann", "Ben", 'Cem "the cat"')),
    "house.jsonl": Table(
        "twist",
        ("Ann 🀄", "Ben / Bob", "Cem"),
        {
            "direction": "ccw",
            "empty_pool.end": "final_round",
            "initial.min": 20,
            "joker.declare": "explicit",
            "joker.reuse": "other_set",
            "match.games_per_round": 2,
            "match.next_starter": "rotate",
            "penalty.mode": "leftover_count",
            "set.order": "normalise",
            "strict_submit": True,
            "timer.seconds": 30,
        },
    ),
}


def match_of(name: str) -> Record:
    """Play the match of that name."""
    table = TABLES[name]
    rng = random.Random(f"golden {name}")
    match = Match(edition(table.edition, table.options), table.players)
    driver = MatchDriver(match, can_play)
    now = 0
    while not driver.match.is_over:
        seeds = {seat: rng.randbytes(16).hex() for seat in range(1, len(table.players))}
        dealt = driver.new_game(rng.randbytes(32).hex(), now, seeds)
        for game in _turns(driver, dealt, rng):
            now = game.last.at if game.last else now
    return driver.record


def _turns(driver: MatchDriver, game: Game, rng: random.Random) -> Iterator[Game]:
    wild = WildGame(rng, game, as_seen, eagerness=0.9)
    while game.phase is Phase.PLAYING:
        wild.game, wild.now = game, game.turn_began
        plain = game.current == 0 or rng.random() < 0.2
        try:
            game = driver.apply(*(wild.plain() if plain else wild.mistaken()))
        except Refused:
            try:
                game = driver.apply(*wild.fallback())
            except Refused:  # a play that the plain player does not see must be made
                turn = SimpleBot().choose(driver.view(game.current))
                game = driver.apply(turn, game.turn_began)
        yield game


def content(name: str) -> str:
    record = match_of(name)
    return to_jsonl(record) if name.endswith(".jsonl") else to_text(record)


def main() -> None:
    for name in TABLES:
        (HERE / name).write_text(content(name), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
