from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tilerummy.rules.table_changes import unmatched

ROWS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=6)


def test_each_row_matches_one_other() -> None:
    assert unmatched(["a", "a", "a"], ["a"]) == [1, 2]
    assert unmatched(["a"], ["a", "a", "a"]) == []


def test_no_row_is_matched_without_others() -> None:
    assert unmatched(["a", "b"], []) == [0, 1]
    assert unmatched([], ["a", "b"]) == []


@given(ROWS, ROWS)
def test_it_is_the_difference_of_multisets(rows: list[str], others: list[str]) -> None:
    found = unmatched(rows, others)
    assert Counter(rows[index] for index in found) == Counter(rows) - Counter(others)
    assert found == sorted(found)
