"""Run the attacks by hand and print the table: `python -m tests.server.rude --minutes 5`."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.server.rude.attacks import ATTACKS, SOLVER
from tests.server.rude.run import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.server.rude", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="in total, for all attacks")
    parser.add_argument("--only", help="names of attacks, separated by commas")
    parser.add_argument("--no-solver", action="store_true", help="without expensive positions")
    parser.add_argument("--verbose", action="store_true", help="also how connections ended")
    parser.add_argument("--list", action="store_true", help="list the attacks")
    asked = parser.parse_args()
    every = {**ATTACKS, **({} if asked.no_solver else SOLVER)}
    names = asked.only.split(",") if asked.only else [*every]
    if unknown := [name for name in names if name not in every]:
        parser.error(f"unknown attack {unknown[0]!r}; --list shows them")
    if asked.list:
        print(*every, sep="\n")
        return 0
    seconds = 60 * asked.minutes / (len(names) + 2)
    with tempfile.TemporaryDirectory() as folder:
        rows = asyncio.run(run(Path(folder), names, seconds, verbose=asked.verbose))
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
