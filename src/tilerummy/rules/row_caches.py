"""The caches of row readers, which editions with the same rows share.

Most options, such as the clock, change nothing about rows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

from tilerummy.rules.editions import EDITIONS, Edition
from tilerummy.rules.options import Jokers
from tilerummy.rules.tiles import Faces, Row, faces_of

_T = TypeVar("_T")

CACHED_ROWS = 1 << 16
"""Rows whose readings are kept for the boxes that are sold."""
CACHED_ODD_ROWS = 1 << 12
"""The same for other boxes and limits: rooms may have many different ones."""
MOST_ROW_RULES = 64


class _RowRules(NamedTuple):
    """All of an edition that readings depend on."""

    copies: int
    jokers: Jokers
    min_natural: int
    max_jokers: int | None
    mirror: tuple[int, bool, str]
    adjacent_c: bool

    @classmethod
    def of(cls, edition: Edition) -> _RowRules:
        return cls(
            edition.copies,
            edition.jokers,
            edition.set_min_natural,
            edition.joker_max_per_set,
            (
                edition.twist_mirror_min_side,
                edition.twist_mirror_c_needs_c,
                edition.twist_mirror_number,
            ),
            edition.twist_adjacent_c,
        )


Caches: TypeAlias = tuple[Callable[[Faces], _T], Callable[[Row], _T]]
"""A function of faces and a function of tiles, which remember."""
_known: dict[_RowRules, Caches[Any]] = {}


def caches_of(edition: Edition, read: Callable[[Faces], _T]) -> Caches[_T]:
    """Return `read`, and the same of tiles, with all that was read for the same rows before."""
    rules = _RowRules.of(edition)
    known = _known.get(rules)
    if known is None:
        is_sold = rules in map(_RowRules.of, EDITIONS.values())
        size = CACHED_ROWS if is_sold else CACHED_ODD_ROWS
        of_faces = lru_cache(size)(read)
        known = of_faces, lru_cache(size)(lambda row: of_faces(faces_of(row)))
        if len(_known) >= MOST_ROW_RULES:
            _known.clear()
        _known[rules] = known
    return known
