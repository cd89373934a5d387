"""Multiset difference of two tables: which rows are still there unchanged, and which are not.

When two rows are the same depends on the question, so callers pass one key for each row: its
tiles, its sorted tiles, or its tiles with their meaning.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def unmatched(rows: Sequence[Hashable], others: Sequence[Hashable]) -> list[int]:
    """Return the indexes of the rows without an equal among the others.

    Each of the others matches one row. Of equal rows, the first ones are matched.

    >>> unmatched(["a", "b", "a"], ["a", "c"])
    [1, 2]
    """
    left: dict[Hashable, int] = {}  # a Counter is slower: it is created and missed in Python
    for other in others:
        left[other] = left.get(other, 0) + 1
    found = []
    for index, row in enumerate(rows):
        count = left.get(row)
        if count:
            left[row] = count - 1
        else:
            found.append(index)
    return found
