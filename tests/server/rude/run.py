"""Runs attacks against a server with default settings, one after the other, and prints a table."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.server.harness import ROOT, ServerProcess, sqlite_url
from tests.server.rude.honest import HonestPlayers

QUIET = "(nobody)"
"""The row of the table without an attack."""
ROOMS = 5
"""Rooms of honest players."""
SAMPLE_SECONDS = 0.25
ATTACKER_NICE = 10
"""Attackers share the machine with the server; elsewhere they would have their own."""
MOST_MILLISECONDS = 250.0
MOST_GROWTH = 100.0
"""What must hold: the 99th percentile of the latency, and the growth of the resident set in MiB."""
COLUMNS = (
    f"{'attack':<27}{'messages':>10}{'MB':>8}  {'commands':>8}{'median':>8}{'p95':>7}{'p99':>7}"
    f"{'max ms':>8}{'growth MiB':>11}{'CPU %':>7}  limited"
)
_LIMITED = re.compile(r'tilerummy_limited_total\{what="(\w+)"\} ([0-9.]+)')


@dataclass
class Row:
    """What one attack did."""

    attack: str
    messages: int
    bytes: int
    latencies: list[float]
    """Of the honest players, in milliseconds, sorted."""
    growth: float
    """MiB above the start of the run, at the most."""
    cpu: float
    """Percent of one processor."""
    limited: Counter[str]
    failures: list[str]
    ends: dict[str, int]

    def at(self, share: float) -> float:
        """A percentile of the latencies."""
        if not self.latencies:
            return float("nan")
        return self.latencies[min(len(self.latencies) - 1, int(share * len(self.latencies)))]

    @property
    def holds(self) -> bool:
        quick = self.at(0.99) < MOST_MILLISECONDS
        return quick and self.growth < MOST_GROWTH and not self.failures

    def __str__(self) -> str:
        limited = ", ".join(f"{what} {count}" for what, count in sorted(self.limited.items()))
        return (
            f"{self.attack:<27}{self.messages:>10,}{self.bytes / 1e6:>8.1f}  "
            f"{len(self.latencies):>8,}{self.at(0.5):>8.1f}{self.at(0.95):>7.1f}"
            f"{self.at(0.99):>7.1f}{self.at(1):>8.1f}{self.growth:>11.1f}{self.cpu:>7.0f}  "
            f"{limited}{'' if self.holds else '  FAILS'}"
        )


class Watch:
    """The memory and the processor time of a process."""

    def __init__(self, pid: int) -> None:
        self._proc = Path(f"/proc/{pid}")
        self.peak = 0.0

    def resident(self) -> float:
        """MiB."""
        pages = int((self._proc / "statm").read_text().split()[1])
        return float(pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20))

    def cpu(self) -> float:
        """Seconds."""
        fields = (self._proc / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))

    def descriptors(self) -> int:
        return len([*(self._proc / "fd").iterdir()])

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            self.peak = max(self.peak, self.resident())
            await asyncio.sleep(SAMPLE_SECONDS)


def limited(url: str) -> Counter[str]:
    """What the server has refused, from its metrics."""
    with urllib.request.urlopen(f"{url}/metrics", timeout=60) as answer:
        found = _LIMITED.findall(answer.read().decode())
    return Counter({what: int(float(count)) for what, count in found})


async def attack_with(
    name: str, number: int, url: str, seconds: float
) -> tuple[int, int, dict[str, int], list[str]]:
    """Run an attack in its own process, from its own address."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.server.rude.attacker"),
        *(name, url, f"127.0.0.{10 + number}", f"{seconds}"),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        preexec_fn=lambda: os.nice(ATTACKER_NICE),
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), seconds + 120)
    except TimeoutError:
        process.kill()
        return 0, 0, {}, [f"the attack {name} does not end"]
    if process.returncode:
        return 0, 0, {}, [f"the attack {name} ended with {process.returncode}"]
    found = json.loads(output)
    return found["messages"], found["bytes"], found["ends"], []


class Run:
    """A server, its honest players, and the rows of the table."""

    def __init__(self, url: str, pid: int, players: HonestPlayers) -> None:
        self.url = url
        self.watch = Watch(pid)
        self._players = players
        self._base = 0.0
        self._number = 0

    async def row(self, name: str, seconds: float) -> Row:
        """Run one attack, or none."""
        if not self._base:
            self._base = self.watch.resident()
        self._players.take()
        before, cpu = await asyncio.to_thread(limited, self.url), self.watch.cpu()
        self.watch.peak = 0.0
        loop = asyncio.get_running_loop()
        began = loop.time()
        watching = asyncio.create_task(self.watch.run())
        if name == QUIET:
            await asyncio.sleep(seconds)
            messages, size, ends, failed = 0, 0, dict[str, int](), list[str]()
        else:
            self._number += 1
            messages, size, ends, failed = await attack_with(name, self._number, self.url, seconds)
        latencies, failures = self._players.take()
        took = loop.time() - began
        used = self.watch.cpu() - cpu
        watching.cancel()
        after = await asyncio.to_thread(limited, self.url)
        return Row(
            name,
            messages,
            size,
            sorted(1_000 * each for each in latencies),
            self.watch.peak - self._base,
            100 * used / took,
            after - before,
            failures + failed,
            ends,
        )


async def run(folder: Path, names: Iterable[str], seconds: float, *, verbose: bool) -> list[Row]:
    """Every attack for so many seconds, on one server with default settings."""
    rows = []
    server = ServerProcess(sqlite_url(folder), quick=False)
    with server:
        async with HonestPlayers(server.url, ROOMS) as players:
            await asyncio.sleep(5)  # until all of them play
            found = Run(server.url, server.pid, players)
            print(COLUMNS, flush=True)
            for name in (QUIET, *names, QUIET):
                row = await found.row(name, seconds)
                rows.append(row)
                print(row, flush=True)
                for failure in row.failures[:5]:
                    print(f"    {failure}")
                if verbose:
                    print(f"    {row.ends}", flush=True)
            print(f"descriptors in the end: {found.watch.descriptors()}")
    return rows
