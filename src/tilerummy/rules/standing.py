"""Multiset difference of two tables: which rows are still there unchanged, and which are not.

When two rows are the same depends on the question, so callers pass one key for each row: its
tiles, its sorted tiles, or its tiles with their meaning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def unmatched(rows: Sequence[Hashable], others: Sequence[Hashable]) -> list[int]:
    """Return the indexes of the rows without an equal among the others.

    Each of the others matches one row. Of equal rows, the first ones are matched.

    >>> unmatched(["a", "b", "a"], ["a", "c"])
    [1, 2]
    """
    left = Counter(others)
    found = []
    for index, row in enumerate(rows):
        if left[row]:
            left[row] -= 1
        else:
            found.append(index)
    return found
