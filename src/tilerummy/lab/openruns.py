"""Runs of one colour, laid number by number: which are open, and which openings are the better."""

from __future__ import annotations

from itertools import product

WHOLE = 3
"""A run this long may end or go on; how much longer it is makes no difference."""

OpenRuns = tuple[int, ...]
"""The lengths of the runs that the last number belongs to, rising, none above `WHOLE`."""


def lay(runs: OpenRuns, tiles: int) -> OpenRuns | None:
    """The open runs after this many tiles of the next number; None where one ends too short.

    A short run must take a tile, so it comes first. Then a whole run takes one before a new run
    begins, since it can go on in every way the new one can, and may also end.
    """
    short = sum(length < WHOLE for length in runs)
    if tiles < short:
        return None
    whole = min(len(runs) - short, tiles - short)
    new = tiles - short - whole
    return (1,) * new + tuple(length + 1 for length in runs[:short]) + (WHOLE,) * whole


def missing(runs: OpenRuns) -> int:
    """How many tiles make every run whole."""
    return sum(WHOLE - length for length in runs)


def reachable(copies: int) -> list[OpenRuns]:
    """All open runs that can come about with this many copies of each tile."""
    found: list[OpenRuns] = [()]
    for runs in found:
        for tiles in range(copies + 1):
            after = lay(runs, tiles)
            if after is not None and after not in found:
                found.append(after)
    return found


def at_least(copies: int) -> set[tuple[OpenRuns, OpenRuns]]:
    """The pairs (a, b) where a leads out with all tiles that b leads out with.

    Begins with the pairs that are right if nothing follows, and drops those that a tile proves
    wrong until none is left to drop.
    """
    everything = reachable(copies)
    pairs = {(a, b) for a, b in product(everything, repeat=2) if missing(a) == 0 or missing(b) > 0}
    while wrong := {pair for pair in pairs if not _holds(*pair, pairs, copies)}:
        pairs -= wrong
    return pairs


def _holds(a: OpenRuns, b: OpenRuns, pairs: set[tuple[OpenRuns, OpenRuns]], copies: int) -> bool:
    for tiles in range(copies + 1):
        after_a, after_b = lay(a, tiles), lay(b, tiles)
        if after_b is not None and (after_a is None or (after_a, after_b) not in pairs):
            return False
    return True
