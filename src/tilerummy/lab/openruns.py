"""Open runs of one colour: the states of the count, and a dominance relation between them."""

from __future__ import annotations

from itertools import product

WHOLE = 3
"""A run this long may end or continue; a greater length makes no difference."""

OpenRuns = tuple[int, ...]
"""The lengths of the runs that include the last number, ascending, at most `WHOLE` each."""


def lay(runs: OpenRuns, tiles: int) -> OpenRuns | None:
    """The open runs after this many tiles of the next number; None if a run ends too short.

    A short run must take a tile, so it comes first. Then a whole run takes a tile before a new run
    begins: it can continue in every way the new one can, and may also end.
    """
    short = sum(length < WHOLE for length in runs)
    if tiles < short:
        return None
    whole = min(len(runs) - short, tiles - short)
    new = tiles - short - whole
    return (1,) * new + tuple(length + 1 for length in runs[:short]) + (WHOLE,) * whole


def missing(runs: OpenRuns) -> int:
    """How many tiles complete every run."""
    return sum(WHOLE - length for length in runs)


def reachable(copies: int) -> list[OpenRuns]:
    """All open runs that are possible with this many copies of each tile."""
    found: list[OpenRuns] = [()]
    for runs in found:
        for tiles in range(copies + 1):
            after = lay(runs, tiles)
            if after is not None and after not in found:
                found.append(after)
    return found


def at_least(copies: int) -> set[tuple[OpenRuns, OpenRuns]]:
    """The pairs (a, b) where a dominates b: a goes out with all tiles that b goes out with.

    A greatest fixed point: starts with the pairs that hold if nothing follows, and drops pairs
    that a next tile refutes until none is left to drop.
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
