"""Row matching: which rows of one table lie on another as they were."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tilerummy.rules.rows import Faces
from tilerummy.rules.standing import unmatched
from tilerummy.rules.tiles import (
    CHANGE,
    IS_JOKER,
    MIRROR,
    NUMBER,
    Row,
    faces_of,
    has_joker,
    unidentified,
)


def is_group(row: Row) -> bool:
    """Return whether a row is certainly a group, so that the order of its tiles means nothing."""
    faces = faces_of(row)
    numbered = [face for face in faces if not IS_JOKER[face]]
    return (
        1 < len(numbered) == len(set(numbered))
        and len({NUMBER[face] for face in numbered}) == 1
        and CHANGE not in faces
        and MIRROR not in faces
    )


def match_rows(before: Sequence[Faces], after: Iterable[Faces]) -> tuple[list[int], list[Faces]]:
    """Return the rows of `before` that lie in `after` as they were, and the rest of `after`.

    The former are numbers, in order.
    """
    new_rows = [*after]
    old, new = [_key(row) for row in before], [_key(row) for row in new_rows]
    gone = {*unmatched(old, new)}
    kept = [number for number in range(len(before)) if number not in gone]
    return kept, [new_rows[number] for number in unmatched(new, old)]


def _key(row: Faces) -> Faces:
    """Equal for rows that mean the same: order matters only around the jokers of a run."""
    return row if has_joker(row) and not is_group(unidentified(row)) else tuple(sorted(row))
