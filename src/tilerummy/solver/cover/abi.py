"""The ABI of the compiled kernel: what Python and C must agree on, stated once for Python.

`kernel/binding/abi.h` states the same for C and exports it as the constant `ABI`. `differences`
compares the two when the kernel is imported, so a kernel that was built from other sources is
never called.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Final

from tilerummy.rules.joker_kinds import JOKER_KINDS
from tilerummy.rules.tiles import FACES, HIGHEST, MOST_COPIES
from tilerummy.solver.cover.problem import HEAVIEST, NO_LIMIT, Cover, Grammar

VERSION: Final = 5
"""Counts changes of meaning that no name, size or offset shows."""

TURN_FIELDS: Final = (
    "tiles",
    "value",
    "played",
    "table",
    "rows_kept",
    "exact",
    "tidiest",
    "nodes",
    "declared",
)
"""What `turn` answers, in this order. `turns/solution.py` checks that it has the same fields."""

PLAYOUT_FIELDS: Final = (
    "table",
    "racks",
    "left",
    "opened",
    "current",
    "turns",
    "searches",
    "calls",
)
"""What `playout` answers, in this order: `kernels.PlayedOn`."""

_PLAN: Final = (
    ("weight", f"{FACES}q"),
    ("points", f"{FACES}q"),
    ("stand", "q"),
    ("floor", "i"),
    ("bound", "i"),
    *((name, "i") for name in Grammar._fields),
)
_PACKED: Final = struct.Struct("=" + "".join(code for _, code in _PLAN))


def pack_plan(
    weights: Sequence[int],
    points: Sequence[int],
    stand: int,
    floor: int,
    bound: bool,
    grammar: Grammar,
) -> bytes:
    """Return a plan: all that `turn` needs to know of an edition and an objective.

    `weights` and `points` have one number for each face: what a tile costs that stays on the rack,
    and what it is worth when it is played. `bound` says that rules bind the jokers of the table.
    Raises struct.error if a number is missing or too large.
    """
    return _PACKED.pack(*weights, *points, stand, floor, bound, *grammar)


def expected_abi() -> dict[str, object]:
    """Return what the constant `ABI` of the compiled kernel has to be."""
    layout = []
    offset = 0
    for name, code in _PLAN:
        size = struct.calcsize("=" + code)
        layout.append((name, offset, size))
        offset += size
    return {
        "version": VERSION,
        "faces": FACES,
        "highest": HIGHEST,
        "copies": MOST_COPIES,
        "no_limit": NO_LIMIT,
        "heaviest": HEAVIEST,
        "plan_size": _PACKED.size,
        "plan": tuple(layout),
        "grammar": Grammar._fields,
        "cover": Cover._fields,
        "turn": TURN_FIELDS,
        "playout": PLAYOUT_FIELDS,
        "jokers": tuple(
            (k.letter, k.slots, k.wild, k.in_groups, k.changes_colour, k.mirrors)
            for k in JOKER_KINDS
        ),
    }


def differences(abi: Mapping[str, object] | None) -> list[str]:
    """Return the names of everything in which a kernel's `ABI` differs; empty if it fits.

    A kernel without that constant (None) differs in everything.
    """
    expected = expected_abi()
    found = {} if abi is None else abi
    names = sorted(expected.keys() | found.keys())
    return [name for name in names if expected.get(name) != found.get(name)]
