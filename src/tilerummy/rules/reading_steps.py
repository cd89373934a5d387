"""What it costs to read a row, in steps of a tick.

The row reader has no tick: it caches what it reads, and nearly every row takes microseconds. The
exception are mirror rows with colour changes, for which it tries all colours of all segments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilerummy.rules.rows import Faces
from tilerummy.rules.ticks import Tick, spend
from tilerummy.rules.tiles import CHANGES_COLOUR, COLOURS, MOST_COPIES, has_mirror


def reading_steps(row: Faces) -> int:
    """How many steps reading this row takes, if it was never read before."""
    if not has_mirror(row):
        return 1
    changes = sum([CHANGES_COLOUR[face] for face in row])
    return int(len(COLOURS) ** min(changes, MOST_COPIES))


def ticking_rows(rows: Iterable[Faces], tick: Tick | None) -> Iterable[Faces]:
    """The same rows, with the ticks for reading each of them before it."""
    return rows if tick is None else _ticking_rows(rows, tick)


def _ticking_rows(rows: Iterable[Faces], tick: Tick) -> Iterator[Faces]:
    for row in rows:
        spend(tick, reading_steps(row))
        yield row
