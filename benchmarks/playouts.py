"""Speed of playouts: the compiled lane beside the real `Game`, on the same deals in one process.

Both play every game to its end with the same result, which is compared. They take turns in going
first, so the ratio depends neither on the machine nor on caches that the other has filled. Games a
second are of processor time. How many turns there are, how many questions the lane asks the kernel
and how many turns it leaves to Python are deterministic.

    python -m benchmarks.playouts [--games 200] [--editions classic,sabra] [--json]
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from tilerummy.bots.solver import WHOLE_RACK
from tilerummy.lab.greedy import deal_tiles
from tilerummy.playouts import Outcome, Start, play_out
from tilerummy.playouts.by_game import play_by_game
from tilerummy.playouts.lane import play_on
from tilerummy.rules.editions import EDITIONS, Edition

SEED = 1
PLAYERS = (2, 4)
POLICIES = {"club": 1, "hold": WHOLE_RACK}


@dataclass(frozen=True, slots=True)
class Row:
    """One edition, number of players and policy; times in seconds of all games."""

    edition: str
    players: int
    policy: str
    games: int
    lane: float
    game: float
    turns: int
    searches: int
    calls: int
    differences: int

    def __str__(self) -> str:
        per = self.games
        return (
            f"{self.edition:<10}{self.players:>2} {self.policy:<5}"
            f"{per / self.lane:>10,.0f}{per / self.game:>10,.0f}{self.game / self.lane:>8.1f}"
            f"{self.turns / per:>9.1f}{self.searches / per:>10.1f}{self.calls / per:>8.2f}"
            f"{self.differences:>9}"
        )


HEAD = (
    f"{'':<17} {'lane':>10}{'Game':>10}{'ratio':>8}{'turns':>9}{'searches':>10}{'Python':>8}"
    f"{'differ':>9}"
)


def measure(edition: Edition, players: int, policy: str, games: int) -> Row:
    """Play the same games both ways."""
    rng = random.Random(SEED)
    least = (POLICIES[policy],) * players
    ways: list[Callable[[Edition, Start, Sequence[int]], Outcome]] = [play_out, play_by_game]
    seconds = dict.fromkeys(ways, 0.0)
    turns = searches = calls = differences = 0
    for number in range(games):
        start = deal(edition, players, rng)
        outcomes = {}
        for way in ways if number % 2 else reversed(ways):
            began = time.process_time()
            outcomes[way] = way(edition, start, least)
            seconds[way] += time.process_time() - began
        ours, real = (outcomes[way] for way in ways)
        reached = play_on(edition, start, least)
        turns += ours.turns
        searches += reached.searches
        calls += reached.calls
        differences += ours != real
    lane, game = (seconds[way] for way in ways)
    return Row(
        edition.name, players, policy, games, lane, game, turns, searches, calls, differences
    )


def deal(edition: Edition, players: int, rng: random.Random) -> Start:
    """A random deal with a random starter."""
    tiles = deal_tiles(edition, players, rng)
    starter = rng.randrange(players)
    return Start((), tiles.racks, tiles.pool, (False,) * players, starter, starter=starter)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=200, help="of each kind")
    parser.add_argument("--editions", default=",".join(EDITIONS))
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    if not given.json:
        print("games a second, and per game: turns, questions to the kernel, turns in Python")
        print(HEAD)
    rows = []
    for name in given.editions.split(","):
        for players in PLAYERS:
            for policy in POLICIES:
                rows.append(measure(EDITIONS[name], players, policy, given.games))
                if not given.json:
                    print(rows[-1], flush=True)
    if given.json:
        print(json.dumps([asdict(row) for row in rows]))


if __name__ == "__main__":
    main()
