"""Performance budgets of the page: `make budgets`.

Measures sizes and times, prints a table, and fails if a budget is exceeded. Times depend on the
load of the machine: judge them on an idle one only.
"""

from __future__ import annotations

import gzip
import os
import platform
import re
import statistics
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tilerummy.locales import LANGUAGES
from tools import page
from tools.page import PAGE

RUNS = 5
INITIAL = 70_000
"""Bytes of JavaScript and CSS, compressed, until the page is interactive."""
FIRST_RENDER = 1_000
INTERACTION = 100
FRAME = 32
"""Milliseconds."""
TABLE = "room"
"""The names of the files that a table loads."""


class Line(NamedTuple):
    what: str
    found: float
    worst: float | None
    budget: float | None
    unit: str

    @property
    def holds(self) -> bool:
        return self.budget is None or self.found <= self.budget


# Sizes


def initial(folder: Path = PAGE, screen: str | None = None) -> dict[str, int]:
    """The size of the initial load, compressed: the files that the page names, their imports, and
    the catalogue of one language (the longest counts). A screen other than the start page adds
    its own files."""
    html = (folder / "index.html").read_text("utf-8")
    named = re.findall(r'(?:src|href)="/(assets/[^"]+\.(?:js|css))"', html)
    if screen is not None:
        named += [f"assets/{path.name}" for path in folder.glob(f"assets/{screen}-*.js")]
    found = {name: _size(folder / name) for name in _with_imports(folder, named)}
    words = [
        path
        for language in LANGUAGES
        for path in folder.glob(f"assets/{language}-*.js")
    ]  # fmt: skip
    longest = max(words, key=_size)
    return {**found, f"assets/{longest.name}": _size(longest)}


def _with_imports(folder: Path, names: Iterable[str]) -> list[str]:
    found: list[str] = []
    waiting = [*names]
    while waiting:
        name = waiting.pop(0)
        if name in found:
            continue
        found.append(name)
        if name.endswith(".js"):
            text = (folder / name).read_text("utf-8")
            waiting += [f"assets/{other}" for other in re.findall(r'from"\./([^"]+\.js)"', text)]
    return found


def _size(path: Path) -> int:
    """The size with gzip, the least that browsers support."""
    made = path.with_name(f"{path.name}.gz")
    return made.stat().st_size if made.is_file() else len(gzip.compress(path.read_bytes(), 9))


def sizes() -> list[Line]:
    start, table = initial(), initial(screen=TABLE)
    return [
        *(Line(name, size, None, None, "B") for name, size in table.items()),
        Line("start page, initial JS + CSS, gzip", sum(start.values()), None, INITIAL, "B"),
        Line("link to a table, initial JS + CSS, gzip", sum(table.values()), None, INITIAL, "B"),
    ]


# Times


def times(runs: int) -> tuple[list[Line], str]:
    """The measured times, and the browser version."""
    from tools.pagespeed import measure

    found = measure(runs)
    lines = []
    for where, loads in found.loading.items():
        for name, budget in (("first_paint", FIRST_RENDER), ("largest_paint", None)):
            values = [getattr(load, name) for load in loads]
            lines.append(_line(f"{where}: {name.replace('_', ' ')}, 4x", values, budget))
        lines.append(_line(f"{where}: blocked, 4x", [load.blocked for load in loads], None))
        shift = max(load.shift for load in loads)
        lines.append(Line(f"{where}: layout shift", shift, shift, 0.1, ""))
    for what, lengths in found.interactions.items():
        lines.append(_line(f"{what}, 4x", lengths, INTERACTION))
    for what, drags in found.frames.items():
        longest = [max(frames) for frames in drags]
        is_judged = what.endswith("1x")
        lines.append(
            _line(f"longest frame, dragging {what}", longest, FRAME if is_judged else None)
        )
        late = [100 * sum(frame > FRAME for frame in frames) / len(frames) for frames in drags]
        lines.append(
            Line(f"frames over {FRAME} ms, {what}", statistics.median(late), max(late), None, "%")
        )
    return lines, f"Chromium {found.chromium}"


def _line(what: str, values: list[float], budget: float | None) -> Line:
    return Line(what, statistics.median(values), max(values), budget, "ms")


# Output


def shown(lines: Iterable[Line]) -> str:
    rows: list[tuple[str, ...]] = [("", "median", "worst", "budget", "")]
    for line in lines:
        mark = "" if line.budget is None else "ok" if line.holds else "TOO MUCH"
        values = (line.found, line.worst, line.budget)
        rows.append((line.what, *(_text(value, line.unit) for value in values), mark))
    wide = [max(len(row[column]) for row in rows) for column in range(5)]
    return "\n".join(
        "  ".join(
            text.ljust(width) if column in (0, 4) else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, wide, strict=True))
        ).rstrip()
        for row in rows
    )


def _text(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    number = f"{value:.3f}" if not unit else f"{value:.1f}" if unit == "%" else f"{value:,.0f}"
    return f"{number} {unit}".rstrip()


def conditions(browser: str) -> str:
    load = os.getloadavg()[0]
    now = time.strftime("%Y-%m-%d %H:%M")
    return (
        f"{now}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores, load {load:.1f},"
        f" {browser}; 4x: the processor throttled to a quarter; {RUNS} runs"
    )


def main(arguments: list[str]) -> None:
    if arguments not in ([], ["sizes"]):
        sys.exit("usage: python -m tools.budgets [sizes]")
    page.build()
    lines = sizes()
    if not arguments:
        before = os.getloadavg()[0]
        measured, browser = times(RUNS)
        lines += measured
        print(conditions(browser))
        print(f"load before: {before:.1f}")
    print(shown(lines))
    if not all(line.holds for line in lines):
        sys.exit("error: a budget is exceeded")


if __name__ == "__main__":
    main(sys.argv[1:])
