"""Server throughput and latency: moves per second and time to the last update, beside boardgame.io.

A move counts when the last of the four seats of its room has received it, each over its own socket.
The next player moves at once, in enough rooms to keep the server busy. A server is one process and
all its clients are another, so that each can use one of two processors. The servers run one after
the other in the same run, several times, and the best run of each counts. That filters out the
noise of other processes, and so does the processor time per move.

The work is not the same; where it differs, the peer has less to do:

- Ours is `tilerummy serve` as it is, only with higher limits. Every move is refereed by the rules
  of the game, hidden from those who must not see it, and on the disk (SQLite, WAL,
  synchronous=FULL) before it is broadcast. At the end the server is killed, and all moves that
  it acknowledged must be in its file. Its clients ask the solver for the best turn.
- The peer is boardgame.io's own server with a minimal game: a turn draws a number. It has no
  rules, no secrets and no accounts, and undo is off. In memory it stores nothing. With FlatFile,
  its bundled store, it writes files after the broadcast and does not sync them. Its node-persist
  is 3.1.0, for which FlatFile was written: later versions queue writes. Its clients are bare
  sockets.

The time between two games counts, but it has no moves: in ours four seats ask for another game and
seed it, in theirs four enter a new match. Games of both have about the same number of turns.

Not measured: servers that share a store (see `benchmarks.cluster`), and network latency. The files
are in the temporary directory; set TMPDIR if that is not on a disk.

    python -m benchmarks.server [--rooms 150] [--seconds 10] [--rounds 2] [--quick] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families

import tilerummy

BOARDGAME = Path(__file__).parent / "boardgame"
WARM_UP = 3.0
"""Warm-up in seconds, not measured."""
CROWD, EVERY = 250, 8.0
"""The rooms of the measurement of latency, and the seconds between two moves of a seat."""
PATIENCE = 60.0
"""Seconds for a server to start or for clients to end."""
ADDRESS = re.compile(r"http://\S+")
SQLITE, MEMORY, FLATFILE = "tilerummy", "boardgame.io, memory", "boardgame.io, FlatFile"
ABOUT = {
    SQLITE: "refereed, stored before broadcast",
    MEMORY: "no rules, not stored",
    FLATFILE: "no rules, stored after broadcast, not synced",
}
RATE_GOAL, LATENCY_GOAL = 1_500, 50
RATIO_GOALS = {MEMORY: 1.2, FLATFILE: 4}
MOVES = frozenset(("play", "draw", "pass"))
"""The commands that are moves."""
COUNT_MOVES = """
    SELECT count(*) FROM events
    WHERE json_extract(CAST(data AS TEXT), '$.type') IN ('played', 'drew', 'passed')
"""


class Size(NamedTuple):
    """How much is measured."""

    rooms: int
    seconds: float
    every: float = 0.0
    """Seconds between two moves of a seat; 0 is at once."""
    warm_up: float = WARM_UP

    @property
    def duration(self) -> float:
        return self.every + self.warm_up + self.seconds


@dataclass(frozen=True, slots=True)
class Run:
    """The result of one server."""

    name: str
    rooms: int
    moves: int
    moves_per_second: float
    told_ms: dict[str, float]
    """From sending a move until every seat has received it."""
    cpu_ms: float | None
    """Processor time of the server per move, if known."""
    games: int = 0
    refused: int = 0
    answered: int = 0
    """Acknowledged moves, including those before and after the measurement."""
    kept: int = 0
    """Moves in its file after it was killed."""

    @staticmethod
    def of(name: str, figures: Mapping[str, Any], cpu_ms: float | None) -> Run:
        return Run(
            name,
            figures["rooms"],
            figures["moves"],
            figures["moves_per_second"],
            figures["all_told_ms"],
            cpu_ms,
            figures["games"],
            figures.get("refused", 0),
        )

    def __str__(self) -> str:
        cpu = "" if self.cpu_ms is None else f"{self.cpu_ms:.3f}"
        told = f"{self.told_ms['median']:>10.1f} {self.told_ms['p99']:>10.1f}"
        return f"{'  ' + self.name:<26} {self.moves_per_second:>10,.0f} {told} {cpu:>10}"


# Processes


@contextmanager
def serving(
    command: Sequence[str], settings: Mapping[str, str], folder: Path
) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A server in its own process, and the addresses that it prints."""
    complaints = folder / "complaints"
    with complaints.open("w") as errors:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, **settings},
            text=True,
        )
    try:
        assert process.stdout is not None
        addresses = ADDRESS.findall(process.stdout.readline())
        if not addresses:
            raise SystemExit(f"the server did not start: {complaints.read_text()[-2000:]}")
        yield process, addresses
    finally:
        process.terminate()
        try:
            process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def clients(
    command: Sequence[str],
    settings: Mapping[str, str],
    seconds: float,
    meanwhile: Callable[[], None] | None = None,
) -> Any:
    """The measurements of clients in their own process, which run about this long."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env={**os.environ, **settings}, text=True
    ) as process:
        try:
            if meanwhile is not None:
                meanwhile()
            out, _ = process.communicate(timeout=seconds + PATIENCE)
        except BaseException as error:
            process.kill()
            if isinstance(error, subprocess.TimeoutExpired):
                raise SystemExit("the clients did not come to an end") from error
            raise
    if process.returncode:
        raise SystemExit(f"the clients failed with code {process.returncode}")
    return json.loads(out)


# Ours


class Moment(NamedTuple):
    """The counters of our server at one moment."""

    moves: int
    cpu: float
    """Processor seconds, 0 if the system does not report them."""

    @staticmethod
    def read(metrics: str) -> Moment:
        """Reads them from its metrics."""
        moves, cpu = 0.0, 0.0
        for family in text_string_to_metric_families(metrics):
            for sample in family.samples:
                if sample.name == "process_cpu_seconds_total":
                    cpu = sample.value
                elif sample.name == "tilerummy_commands_total":
                    is_move = sample.labels["kind"] in MOVES and sample.labels["outcome"] == "done"
                    moves += sample.value * is_move
        return Moment(round(moves), cpu)

    def cpu_ms_until(self, later: Moment) -> float | None:
        """Processor time per move between the two."""
        moves, cpu = later.moves - self.moves, later.cpu - self.cpu
        return 1000 * cpu / moves if moves and cpu else None


def moment(*addresses: str) -> Moment:
    """The sum over all nodes of a server."""
    nodes = []
    for address in addresses:
        with urlopen(f"{address}/metrics") as answer:
            nodes.append(Moment.read(answer.read().decode()))
    return Moment(sum(node.moves for node in nodes), sum(node.cpu for node in nodes))


class Watch:
    """Samples our server twice within the measured time, whose exact start is unknown."""

    def __init__(self, addresses: Sequence[str], size: Size) -> None:
        self._addresses = addresses
        self._size = size
        self.cpu_ms: float | None = None

    def __call__(self) -> None:
        until = time.monotonic() + PATIENCE
        while not moment(*self._addresses).moves:
            if time.monotonic() > until:
                return
            time.sleep(0.2)
        time.sleep(self._size.every + self._size.warm_up)
        before = moment(*self._addresses)
        time.sleep(self._size.seconds * 0.8)
        self.cpu_ms = before.cpu_ms_until(moment(*self._addresses))


def raised_limits() -> dict[str, str]:
    """Settings of a server whose players share one address and never wait."""
    rates = ("JOINS", "HTTP", "REQUESTS", "MESSAGES", "ADDRESS_MESSAGES", "FRAMES")
    costs = ("COMMANDS", "ADDRESS_COMMANDS", "ADDRESS_CPU", "TALK")
    counts = ("CONNECTIONS", "TCP_CONNECTIONS")
    return {
        **{f"TILERUMMY_LIMIT_{name}": "1000000/s burst 1000000" for name in (*rates, *costs)},
        **{f"TILERUMMY_LIMIT_{name}": "1000000" for name in counts},
    }


def measure_ours(size: Size) -> Run:
    own = [sys.executable, "-m", "tilerummy.cli"]
    settings = {"PYTHONPATH": str(Path(tilerummy.__file__).parent.parent), **raised_limits()}
    with tempfile.TemporaryDirectory(prefix="tilerummy-") as name:
        folder = Path(name)
        store = folder / "server.sqlite"
        serve = ["serve", "--port", "0", "--store", f"sqlite:///{store.as_posix()}"]
        quiet = ["--log-level", "error"]
        with serving([*own, *serve, *quiet], settings, folder) as (process, [address, *_]):
            watch = Watch([address], size)
            load = [*own, *load_arguments([address], size)]
            figures = clients(load, settings, size.duration, watch)
            answered = moment(address).moves
            process.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
            process.wait()
        run = Run.of(SQLITE, figures, watch.cpu_ms)
        return replace(run, answered=answered, kept=moves_kept(store))


def load_arguments(addresses: Sequence[str], size: Size) -> list[str]:
    return [
        "load",
        *addresses,
        f"--rooms={size.rooms}",
        f"--seconds={size.seconds}",
        f"--warm-up={size.warm_up}",
        f"--every={size.every}",
        "--json",
    ]


def moves_kept(store: Path) -> int:
    """Moves in the file of a killed server."""
    with closing(sqlite3.connect(store)) as database:
        found: int = database.execute(COUNT_MOVES).fetchone()[0]
        return found


# The peer


def missing_peer() -> str:
    """Why the peer cannot run, or an empty text."""
    if shutil.which("node") is None:
        return "there is no Node.js"
    if not (BOARDGAME / "node_modules" / "boardgame.io").is_dir():
        return "boardgame.io is not installed: make peers"
    return ""


def measure_peer(name: str, size: Size) -> Run:
    settings = {"NODE_ENV": "production"}
    with tempfile.TemporaryDirectory(prefix="boardgame-") as folder:
        store = ["memory"] if name == MEMORY else ["flatfile", f"{folder}/store"]
        command = ["node", str(BOARDGAME / "server.js"), *store]
        with serving(command, settings, Path(folder)) as (_, addresses):
            numbers = [size.rooms, size.seconds, size.warm_up]
            load = ["node", str(BOARDGAME / "load.js"), *addresses, *map(str, numbers)]
            figures = clients(load, settings, size.duration)
    return Run.of(name, figures, 1000 * figures["server_cpu_seconds"] / max(1, figures["moves"]))


# The table

HEADING = f"{'moves/s':>10} {'update, ms':>10} {'p99':>10} {'CPU, ms':>10}"


def progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def say(text: str = "") -> None:
    progress("")
    print(text, flush=True)


def best(runs: Sequence[Run]) -> Run:
    return max(runs, key=lambda run: run.moves_per_second)


def saturate(size: Size, rounds: int) -> dict[str, Run]:
    """Run all servers in turn; the best run of each."""
    measures: dict[str, Callable[[], Run]] = {SQLITE: lambda: measure_ours(size)}
    if why := missing_peer():
        say(f"Nothing is compared with boardgame.io: {why}")
    else:
        measures[MEMORY] = lambda: measure_peer(MEMORY, size)
        measures[FLATFILE] = lambda: measure_peer(FLATFILE, size)
    runs: dict[str, list[Run]] = {name: [] for name in measures}
    for number in range(rounds):
        for name, measure in measures.items():
            progress(f"{name}: {number + 1} of {rounds}")
            runs[name].append(measure())
    return {name: best(found) for name, found in runs.items()}


def show_rates(size: Size, runs: Mapping[str, Run]) -> None:
    say(f"{f'{size.rooms} rooms, at once':<26} {HEADING}")
    for name, run in runs.items():
        goal = f"  (goal: {RATE_GOAL:,} moves/s)" if name == SQLITE else ""
        say(f"{run}  {ABOUT.get(name, '')}{goal}".rstrip())
    say()


def ratios(runs: Mapping[str, Run]) -> dict[str, float]:
    """The ratio of our moves per second to those of each peer."""
    ours = runs[SQLITE].moves_per_second
    return {name: ours / run.moves_per_second for name, run in runs.items() if name != SQLITE}


def show_ratios(runs: Mapping[str, Run]) -> None:
    found = ratios(runs)
    for name, ratio in found.items():
        ours, theirs = runs[SQLITE].cpu_ms, runs[name].cpu_ms
        cpu = f"; by CPU {theirs / ours:.2f} times" if ours and theirs else ""
        say(f"  ours to {name:<24} {ratio:>6.2f} times  (goal {RATIO_GOALS[name]}){cpu}")
    if found:
        say()


def show_latency(size: Size, run: Run) -> None:
    title = f"{size.rooms} rooms, a move in {size.every:g} s"
    say(f"{title:<26} {HEADING}")
    say(f"{run}  {4 * size.rooms:,} seats  (goal: p99 under {LATENCY_GOAL} ms)")
    say()


def show_kept(runs: Sequence[Run]) -> None:
    """Whether the acknowledged moves are in the file."""
    answered = sum(run.answered for run in runs)
    lost = sum(max(0, run.answered - run.kept) for run in runs)
    found = f"{lost:,} are NOT" if lost else "all of them are"
    say(f"{answered:,} moves of ours were answered; the servers killed, {found} in their files.")
    if refused := sum(run.refused for run in runs):
        say(f"{refused:,} commands of ours were refused.")


def machine() -> dict[str, Any]:
    """The machine and versions that the figures depend on."""
    load = os.getloadavg() if hasattr(os, "getloadavg") else ()
    return {"processors": os.cpu_count(), "load_average": load}


def show_machine(found: Mapping[str, Any]) -> None:
    load = " ".join(f"{each:.1f}" for each in found["load_average"]) or "unknown"
    say(f"{found['processors']} processors; load average before: {load}")
    say()


def sizes(given: argparse.Namespace) -> tuple[Size, Size, int]:
    """The sizes of the throughput and latency runs, and the number of rounds."""
    if given.quick:
        return Size(20, 2.0, warm_up=1.0), Size(25, 3.0, every=2.0, warm_up=1.0), 1
    crowd = Size(CROWD, 3 * given.seconds, every=EVERY)
    return Size(given.rooms, given.seconds), crowd, given.rounds


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rooms", type=int, default=150, help="four seats each, moving at once")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each of the servers")
    parser.add_argument("--rounds", type=int, default=2, help="of which the best counts")
    parser.add_argument("--quick", action="store_true", help="a short run with fewer rooms")
    parser.add_argument("--json", action="store_true", help="the figures as JSON, in one line")
    given = parser.parse_args(arguments)
    out = sys.stdout
    if given.json:
        sys.stdout = sys.stderr
    busy, crowd, rounds = sizes(given)
    around = machine()
    show_machine(around)
    runs = saturate(busy, rounds)
    show_rates(busy, runs)
    show_ratios(runs)
    progress(f"{SQLITE}: {crowd.rooms} rooms")
    latency = measure_ours(crowd)
    show_latency(crowd, latency)
    show_kept([runs[SQLITE], latency])
    if given.json:
        sys.stdout = out
        figures = {
            "machine": around,
            "saturated": [asdict(run) for run in runs.values()],
            "ratios": ratios(runs),
            "latency": asdict(latency),
        }
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
