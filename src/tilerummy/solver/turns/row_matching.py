"""Row matching: which rows of one table lie on another as they were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import (
    IS_JOKER,
    NUMBER,
    Row,
    faces_of,
    has_joker,
    has_mirror,
    may_be_group,
    unidentified,
)


def is_group(row: Row) -> bool:
    """Return whether a row is certainly a group, so that the order of its tiles means nothing."""
    faces = faces_of(row)
    numbered = [face for face in faces if not IS_JOKER[face]]
    return (
        1 < len(numbered) == len(set(numbered))
        and len({NUMBER[face] for face in numbered}) == 1
        and may_be_group(faces)
        and not has_mirror(faces)
    )


def match_rows(before: Sequence[Faces], after: Iterable[Faces]) -> tuple[list[int], list[Faces]]:
    """Return the rows of `before` that lie in `after` as they were, and the rest of `after`.

    The former are numbers, in order.
    Solving calls this often, so it takes one pass where `rules.table_changes` would take two.
    """
    standing: dict[Faces, list[int]] = {}
    for number in reversed(range(len(before))):
        standing.setdefault(_key(before[number]), []).append(number)
    kept, new_rows = [], []
    for row in after:
        numbers = standing.get(_key(row))
        if numbers:
            kept.append(numbers.pop())
        else:
            new_rows.append(row)
    return sorted(kept), new_rows


def holds(longer: Faces, row: Faces) -> bool:
    """Return whether a row lies in a longer one as it was, with tiles added to it."""
    if is_group(unidentified(row)) and is_group(unidentified(longer)):
        return not Counter(row) - Counter(longer)
    size = len(row)
    return any(longer[at : at + size] == row for at in range(len(longer) - size + 1))


@lru_cache(1 << 12)
def _key(row: Faces) -> Faces:
    """Equal for rows that mean the same: order matters only around the jokers of a run."""
    return row if has_joker(row) and not is_group(unidentified(row)) else tuple(sorted(row))
