"""Speed of the solver, against peer solvers and alone, on one thread.

Ours is the full call from Python, rows included: `solve(position, tidy=False)`. Every peer runs in
its own process with ours timed beside it, on the same positions, so the ratios do not depend on
the machine. Times are processor time; node counts are deterministic.

    python -m benchmarks.solver [--positions 500] [--quick] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import tilerummy
from benchmarks.peers import ALONE, best_time
from benchmarks.positions import Item, as_item, draw
from tilerummy.lab.greedy import greedy_games
from tilerummy.rules.editions import CLASSIC, TAIWAN, Edition
from tilerummy.rules.position import Position
from tilerummy.solver import solve
from tilerummy.solver.cover.kernels import CHOICE, kernel_name

ROOT = Path(__file__).parent.parent
SEED = 1
QUICK = 12
"""Positions of a kind in a quick run."""
SECONDS = 2.0
"""How long games are played."""
FEWER = 5
"""Sampling of dense tables and slow stages: one position in this many."""

NAMES = {
    "real": "simulated play",
    "dense": "dense tables",
    "opening": "openings",
    "six": "six players, three copies",
    "adversarial": "adversarial, three copies, four jokers",
    "twist": "Twist, several special jokers",
    "classic": "Classic, jokers on the table",
    "sabra": "Sabra, jokers on the table",
}


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds over many positions."""

    median: float
    p99: float
    most: float

    @staticmethod
    def of(micros: Iterable[float]) -> Times:
        ordered = sorted(micros)
        middle, late = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
        return Times(middle / 1000, late / 1000, ordered[-1] / 1000)

    def __str__(self) -> str:
        return f"{self.median:>10.3f} {self.p99:>10.3f} {self.most:>10.3f}"


@dataclass(frozen=True, slots=True)
class Alone:
    """Ours without a peer."""

    name: str
    positions: int
    times: Times
    nodes: int
    goal: str = ""

    def __str__(self) -> str:
        goal = f"  ({self.goal})" if self.goal else ""
        return f"{self.name:<40} {self.positions:>6} {self.times} {self.nodes:>12,}{goal}"


@dataclass(frozen=True, slots=True)
class Beside:
    """Ours and a peer, on the same positions in the same process."""

    peer: str
    kind: str
    positions: int
    ours: Times
    tidy: Times
    theirs: Times
    differences: list[str] = field(default_factory=list)

    @property
    def ratios(self) -> tuple[float, float]:
        return self.theirs.median / self.ours.median, self.theirs.p99 / self.ours.p99

    @property
    def tidy_ratios(self) -> tuple[float, float]:
        return self.theirs.median / self.tidy.median, self.theirs.p99 / self.tidy.p99

    def __str__(self) -> str:
        median, late = self.ratios
        tidy_median, tidy_late = self.tidy_ratios
        agreed = f"{self.positions - len(self.differences)} of {self.positions} answers agree"
        return (
            f"{'  ' + self.peer:<24} {self.theirs}\n"
            f"{'    ours beside it':<24} {self.ours}"
            f"   ratio {median:>7,.0f} at the median, {late:>7,.0f} at p99;  {agreed}\n"
            f"{'    ours, tidiest turn':<24} {self.tidy}"
            f"   ratio {tidy_median:>7,.1f} at the median, {tidy_late:>7,.1f} at p99"
        )


# Peers


@dataclass(frozen=True, slots=True)
class Peer:
    name: str
    title: str
    modules: str
    python: Path
    install: str

    def is_there(self) -> bool:
        if not self.python.exists():
            return False
        asked = [str(self.python), "-c", f"import {self.modules}"]
        return subprocess.run(asked, capture_output=True, check=False).returncode == 0


OWN = Path(sys.executable)
APART = Path(sys.prefix) / "peers" / "bin" / "python"
"""An environment for those that cannot share a process with OR-tools; `make peers` builds it."""
PEERS = (
    Peer(
        "rummikub-solver",
        "rummikub-solver + GLPK",
        "rummikub_solver, cvxopt",
        APART,
        "make peers",
    ),
    Peer("highs", "HiGHS, tuned", "highspy", APART, "make peers"),
    Peer("cp-sat", "CP-SAT, tuned", "ortools", OWN, "pip install 'tilerummy[dev]'"),
)


def timed_apart(python: Path, name: str, kind: str, items: Sequence[Item]) -> list[Any]:
    """The output of `benchmarks.peers` for these positions, run in its own process."""
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    source = str(Path(tilerummy.__file__).parent.parent)
    settings = {**os.environ, **one_thread, "PYTHONPATH": source}
    if name == ALONE:
        settings[CHOICE] = "python"
    lines = []
    with subprocess.Popen(
        [str(python), "-m", "benchmarks.peers", name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=settings,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(json.dumps(item) + "\n" for item in items))
        process.stdin.close()
        for line in process.stdout:
            lines.append(json.loads(line))
            progress(f"{name}, {NAMES[kind]}: {len(lines)} of {len(items)}")
    if process.returncode:
        raise SystemExit(f"{name} failed on {NAMES[kind]} with code {process.returncode}")
    return lines


def compare(peer: Peer, kind: str, items: Sequence[Item]) -> Beside:
    lines = timed_apart(peer.python, peer.name, kind, items)
    differences = [
        difference(item, line, peer.title) for item, line in zip(items, lines, strict=True)
    ]
    return Beside(
        peer.title,
        kind,
        len(items),
        Times.of(line["ours"]["micros"] for line in lines),
        Times.of(line["tidy"]["micros"] for line in lines),
        Times.of(line["peer"]["micros"] for line in lines),
        [text for text in differences if text],
    )


def difference(item: Item, line: Any, peer: str) -> str:
    """How the answers differ, and which is wrong: the better answer is right if it is legal."""
    ours, theirs = line["ours"], line["peer"]
    one = ours["tiles"], ours["value"] if theirs["value"] is not None else None
    two = theirs["tiles"], theirs["value"]
    if one == two and line["legal"]:
        return ""
    if not line["legal"]:
        wrong = "ours is not legal"
    elif (one[0], one[1] or 0) > (two[0], two[1] or 0):
        wrong = f"{peer} misses a legal turn"
    else:
        wrong = "ours is less, or the peer's is not legal"
    return f"{wrong}: ours {one}, {peer} {two} on {json.dumps(item)}"


# Ours alone


def alone(name: str, positions: Sequence[Position], *, tidy: bool = False, goal: str = "") -> Alone:
    for position in positions[:3]:
        solve(position, tidy=tidy)
    times, nodes = [], 0
    for number, position in enumerate(positions, 1):
        micros, found = best_time(partial(solve, position, tidy=tidy))
        times.append(micros)
        nodes += found.nodes
        if number % 50 == 0:
            progress(f"{name}: {number} of {len(positions)}")
    return Alone(name, len(positions), Times.of(times), nodes, goal)


def in_python(kind: str, positions: Sequence[Position]) -> Alone:
    lines = timed_apart(OWN, ALONE, kind, [as_item(position) for position in positions])
    return Alone(
        f"{NAMES[kind]}, kernel in Python",
        len(lines),
        Times.of(line["ours"]["micros"] for line in lines),
        sum(line["nodes"] for line in lines),
    )


def games_a_second(rules: Edition, seconds: float) -> float:
    """Complete four-player games of greedy players."""
    for _ in greedy_games(rules, 3, SEED):
        pass
    games, began = 0, time.process_time()
    for _ in greedy_games(rules, 1_000_000, SEED):
        games += 1
        if (spent := time.process_time() - began) > seconds:
            break
    return games / spent


def progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def say(text: str = "") -> None:
    progress("")
    print(text, flush=True)


# The table

HEADING = f"{'median':>10} {'p99':>10} {'max':>10}"


def show_peers(size: int) -> list[Beside]:
    present = []
    for peer in PEERS:
        if peer.is_there():
            present.append(peer)
        else:
            say(f"{peer.title} is not installed, so nothing is compared with it: {peer.install}")
    found = []
    for kind, count in (("real", size), ("dense", max(1, size // FEWER))):
        if not present:
            break
        items = [as_item(position) for position in draw(kind, SEED, count)]
        say(f"{NAMES[kind]} ({count}), ms".ljust(24) + f" {HEADING}")
        for peer in present:
            beside = compare(peer, kind, items)
            say(str(beside))
            for text in beside.differences:
                say(f"    {text}")
            found.append(beside)
        say()
    return found


def show_goals(found: Sequence[Beside]) -> None:
    """The ratios that have goals."""
    of = {(beside.peer, beside.kind): beside.ratios for beside in found}
    titles = {peer.name: peer.title for peer in PEERS}
    for kind, name, place, goal in (
        ("real", "rummikub-solver", 0, 300),
        ("real", "rummikub-solver", 1, 100),
    ):
        ratios = of.get((titles[name], kind))
        if ratios is not None:
            show_goal(f"{titles[name]}, {('median', 'p99')[place]}", ratios[place], goal)
    for beside in found:
        if (beside.peer, beside.kind) == (titles["rummikub-solver"], "real"):
            what = f"{beside.peer}, median, tidiest turn"
            show_goal(what, beside.tidy_ratios[0], 10)
    for kind, goal in (("real", 700), ("dense", 3000)):
        both = [of.get((titles[name], kind)) for name in ("highs", "cp-sat")]
        if both[0] is not None and both[1] is not None:
            better = min(both[0][0], both[1][0])
            show_goal(f"the better of HiGHS and CP-SAT, median, {NAMES[kind]}", better, goal)
    say()


def show_goal(what: str, ratio: float, goal: float) -> None:
    say(f"  {what:<60} {ratio:>8,.0f} times  (goal {goal:,})")


def show_alone(size: int, seconds: float) -> tuple[list[Alone], dict[str, float]]:
    few = max(1, size // FEWER)
    say(f"{f'alone, {kernel_name()} kernel, ms':<40} {'n':>6} {HEADING} {'nodes':>12}")
    real = draw("real", SEED, size)
    rows = []

    def show(row: Alone) -> None:
        rows.append(row)
        say(str(row))

    show(alone(NAMES["real"], real))
    show(alone(f"{NAMES['real']}, tidy", real[:few], tidy=True))
    show(alone(NAMES["dense"], draw("dense", SEED, size)))
    for kind, goal in (
        ("opening", ""),
        ("six", ""),
        ("adversarial", "goal: max 200 ms"),
        ("classic", ""),
        ("sabra", ""),
        ("twist", "goal: median 1 ms, p99 20 ms"),
    ):
        show(alone(NAMES[kind], draw(kind, SEED, size), goal=goal))
    show(in_python("real", real[:few]))
    say()
    games = {}
    for rules in (TAIWAN, CLASSIC):
        games[rules.name] = games_a_second(rules, seconds)
        goal = "  (goal: 1,200)" if rules is TAIWAN else ""
        say(f"greedy games, {rules.name:<9} {games[rules.name]:>8,.0f} a second{goal}")
    return rows, games


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--positions", type=int, default=500, help="how many of every kind")
    parser.add_argument("--quick", action="store_true", help="a few positions, and no peers")
    parser.add_argument("--json", action="store_true", help="the figures as JSON, in one line")
    given = parser.parse_args(arguments)
    out = sys.stdout
    if given.json:
        sys.stdout = sys.stderr
    beside: list[Beside] = []
    if not given.quick:
        beside = show_peers(given.positions)
        show_goals(beside)
    size, seconds = (QUICK, 0.1) if given.quick else (given.positions, SECONDS)
    rows, games = show_alone(size, seconds)
    if given.json:
        sys.stdout = out
        figures = {
            "beside": [
                {**asdict(one), "ratios": one.ratios, "tidy_ratios": one.tidy_ratios}
                for one in beside
            ],
            "alone": [asdict(row) for row in rows],
            "games_a_second": games,
        }
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
