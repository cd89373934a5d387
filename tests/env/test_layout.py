"""The sizes of the arrays hold everything that can lie on a table."""

from __future__ import annotations

import pytest

from tilerummy.env.layout import Layout
from tilerummy.rules.editions import EDITIONS


@pytest.mark.parametrize(
    ("edition", "players", "rows", "length"),
    [
        ("classic", 4, 35, 13),
        ("sixplayer", 6, 53, 13),
        ("sixplayer", 4, 35, 13),
        ("twist", 2, 37, 27),
    ],
)
def test_sizes_follow_from_the_box(edition: str, players: int, rows: int, length: int) -> None:
    layout = Layout.of(EDITIONS[edition], players, "tiles", candidates=2, steps=2)
    assert (layout.rows, layout.length) == (rows, length)
