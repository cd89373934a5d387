"""Throughput of the referee: rows, turns and a stream of JSON Lines, on one core.

The peer in the same run is the brute-force transcription of the rules that the tests compare
with: it answers the same questions, so the ratio does not depend on the machine.

    python -m benchmarks.rules [--lines 1000000]
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.positions import in_faces
from tests import oracle
from tilerummy.bots.simple import SimpleBot
from tilerummy.play.driver import MatchDriver
from tilerummy.play.game import Game, Phase
from tilerummy.play.match import Match
from tilerummy.rules.editions import CLASSIC, EDITIONS, TWIST, Edition
from tilerummy.rules.position import Position
from tilerummy.rules.rows import RowReader
from tilerummy.rules.tiles import FACE_TEXT, Faces, Table, faces_of, parse_faces, unidentified
from tilerummy.rules.turns import judge_turn
from tilerummy.solver.turns.best_turn import can_play

SECONDS = 2.0


def rate(run: Callable[[], int]) -> float:
    """Calls per second of processor time, measured over about SECONDS."""
    done, began = 0, time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        done += run()
    return done / spent


def near_rows(edition: Edition, count: int) -> list[Faces]:
    """Rows as people lay them, valid and invalid, with and without jokers."""
    rng = random.Random(2026)
    cases = (oracle.random_set_case(rng, edition.name) for _ in range(count))
    return [parse_faces(case["row"]) for case in cases]


def benchmark_rows(edition: Edition) -> None:
    rows = list(dict.fromkeys(near_rows(edition, 6000)))
    texts = [[FACE_TEXT[face] for face in row] for row in rows]

    def fresh() -> int:
        reader = RowReader(edition)  # with an empty cache: every row is a cache miss
        for row in rows:
            reader.readings(row)
        return len(rows)

    cached_reader = RowReader(edition)

    def cached() -> int:
        for row in rows:
            cached_reader.readings(row)
        return len(rows)

    def peer() -> int:
        oracle.readings.cache_clear()
        for text in texts[:300]:
            oracle.set_verdict(edition.name, text)
        return 300

    slow, fast, best = rate(peer), rate(fresh), rate(cached)
    print(
        f"rows {edition.name:<9} {fast:>10,.0f}/s uncached, {best:>12,.0f}/s cached; "
        f"brute force {slow:>8,.0f}/s, ratio {fast / slow:,.0f}"
    )


def dense_turns(edition: Edition) -> Iterator[tuple[Position, Table]]:
    """Turns that bots play while about sixty tiles lie on the table."""
    rng, bot = random.Random(7), SimpleBot()
    while True:
        driver = MatchDriver(Match(edition, ("a", "b", "c", "d")), can_play)
        game: Game = driver.new_game(rng.randbytes(32).hex(), 0)
        while game.phase is Phase.PLAYING:
            seat = game.current
            position = game.position(seat)
            game = driver.apply(bot.choose(driver.view(seat)), 0)
            if 55 <= sum(map(len, position.table)) <= 65 and game.table != position.table:
                yield position, game.table


def benchmark_turns(edition: Edition) -> None:
    source = dense_turns(edition)
    turns = [next(source) for _ in range(100)]

    def with_ids() -> int:
        for position, after in turns:
            judge_turn(position, after)
        return len(turns)

    bare = [
        (in_faces(position), tuple([unidentified(faces_of(row)) for row in after]))
        for position, after in turns
    ]

    def without_ids() -> int:
        for position, after in bare:
            judge_turn(position, after)
        return len(bare)

    rows = list(dict.fromkeys(faces_of(row) for position, _ in bare for row in position.table))

    def fresh_rows() -> int:
        reader = RowReader(edition)
        for row in rows:
            reader.readings(row)
        return len(rows)

    print(
        f"turns {edition.name:<8} {rate(with_ids):>10,.0f}/s with tile ids, "
        f"{rate(without_ids):>8,.0f}/s without, on tables of 55 to 65 tiles; "
        f"their rows {rate(fresh_rows):>9,.0f}/s uncached"
    )


MEASURE = """
import resource, sys
from tilerummy.cli.main import run
sys.argv = ["tilerummy", "check", "set", "--json"]
try:
    run()
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def benchmark_stream(lines: int) -> None:
    """Peak memory of `check set --json` for a short and a long stream."""
    peaks = []
    for count in (lines // 100, lines):
        began = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-c", MEASURE],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=Path(__file__).parent.parent,
        ) as process:
            assert process.stdin is not None
            assert process.stderr is not None
            rng = random.Random(3)
            for _ in range(count):
                row = ",".join(f'"{rng.choice("rbko")}{rng.randint(1, 13)}"' for _ in range(4))
                process.stdin.write(b'{"edition":"classic","set":[%s]}\n' % row.encode())
            process.stdin.close()
            peak = int(process.stderr.read().split()[-1])
        spent = time.perf_counter() - began
        peaks.append(peak)
        print(
            f"stream {count:>9,} lines: {count / spent:>9,.0f}/s, peak memory {peak / 1024:.0f} MiB"
        )
    print(f"stream memory, long against short: {peaks[1] / peaks[0]:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--lines", type=int, default=200_000, help="lines of the long stream")
    lines = parser.parse_args().lines
    for edition in (CLASSIC, TWIST):
        benchmark_rows(edition)
    for edition in EDITIONS.values():
        benchmark_turns(edition)
    benchmark_stream(lines)


if __name__ == "__main__":
    main()
