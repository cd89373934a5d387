"""Counts by face: how many tiles there are of each, as bytes."""

from __future__ import annotations

from collections import Counter

from tilerummy.rules.tiles import ALL_FACES, FACES, Face
from tilerummy.solver.turns.objectives import Prices

Counts = bytes
"""How many there are of each face."""


def counter(counts: Counts | bytearray) -> Counter[Face]:
    """Return the counts as a Counter, without the faces of which there is none."""
    return Counter({face: count for face, count in zip(ALL_FACES, counts, strict=True) if count})


def split_rack(
    rack: Counts, prices: Prices, forced: Counts | None, excluded: Counts | None
) -> tuple[bytearray, bytearray, int]:
    """Return what must leave the rack, what may leave it, and the price of what may not."""
    must, may = bytearray(forced) if forced else bytearray(FACES), bytearray(rack)
    lost = 0
    if forced is None and excluded is None:
        return must, may, lost
    for face in ALL_FACES:
        out = excluded[face] if excluded is not None else 0
        may[face] -= must[face] + out
        lost += out * prices.weights[face]
    return must, may, lost
