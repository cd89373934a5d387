"""The compiled playout by itself: what it refuses, and that it gives back all memory."""

from __future__ import annotations

from typing import Any

import pytest

from tests.memory import blocks_kept
from tilerummy.rules.editions import TAIWAN
from tilerummy.rules.tiles import Row, Tile, parse_tiles
from tilerummy.solver.cover import kernels
from tilerummy.solver.cover.kernels import PlayedOn
from tilerummy.solver.turns.shortcut import playout_plans

pytestmark = pytest.mark.skipif(kernels.compiled is None, reason="no compiled kernel")

RACKS = (parse_tiles(["r10", "r11", "r12", "b2", "b3"]), parse_tiles(["k10", "k11", "k12", "o2"]))
POOL = parse_tiles(["o7", "o9", "b13", "b4"])
GIVEN: dict[str, Any] = {
    "plans": playout_plans(TAIWAN).plans,
    "rules": None,
    "opening": (30, True, False, True, False),
    "table": (),
    "racks": RACKS,
    "pool": POOL,
    "opened": (False, False),
    "current": 0,
    "step": 1,
    "least": (1, 1),
    "most_turns": -1,
    "solve": None,
    "node_limit": 0,
    "nanoseconds": 0,
}
TABLE = (parse_tiles(["r1", "b1", "k1"]),)


def playout(**changes: object) -> PlayedOn:
    assert kernels.compiled is not None
    return kernels.compiled.playout(*(GIVEN | changes).values())


def test_it_plays_until_a_rack_is_empty() -> None:
    table, racks, left, opened, current, turns, searches, calls = playout()
    assert table == (RACKS[0][:3], RACKS[1][:3], (*RACKS[0][3:], POOL[3]))
    assert racks == ((), (POOL[2], RACKS[1][3]))
    assert (left, opened, current, turns, calls) == (2, (True, True), 1, 5, 0)
    assert searches > 0


def test_it_stops_at_an_empty_pool() -> None:
    table, racks, left, opened, _, turns, searches, _ = playout(
        opening=(200, True, False, True, False)
    )
    assert (table, left, opened, turns) == ((), 0, (False, False), len(POOL))
    assert sorted([*racks[0], *racks[1]]) == sorted([*RACKS[0], *RACKS[1], *POOL])
    assert searches == 0, "all tiles together are worth less"


def test_it_stops_at_its_deadline() -> None:
    table, racks, left, _, current, turns, _, _ = playout(nanoseconds=1)
    assert (table, racks, left, current, turns) == ((), RACKS, len(POOL), 0, 0)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"plans": (b"", b"", b"", b"")}, "a packed plan"),
        ({"racks": ()}, "as many racks"),
        ({"opened": (True,)}, "as many racks"),
        ({"least": (1, 1, 1)}, "as many racks"),
        ({"current": 2}, "as many racks"),
        ({"current": -1}, "as many racks"),
        ({"step": 3}, "1 or -1"),
        ({"least": (0, 1)}, "at least 1"),
        ({"racks": ((Tile(-1),), ())}, "from 0 on"),
        ({"racks": ((Tile(5),) * 5, RACKS[1])}, "more than 4"),
        ({"pool": (Tile(-1),), "racks": (RACKS[0][:1],) * 2}, "from 0 on"),
        ({"table": (RACKS[0][:2],), "opened": (True, True)}, "3 to 27"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, object], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        playout(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"racks": (1, 2)},
        {"racks": (("r",), ())},
        {"pool": ("r",), "racks": (RACKS[0][:1],) * 2},
        {"least": ("a", 1)},
        {"table": (1,), "opened": (True, True)},
        {"opening": (30, False, False, True, False)},  # asks `solve`, which is None
        {"opening": (30, False, False, True, False), "solve": lambda *_: None},
    ],
)
def test_what_has_another_type_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(TypeError):
        playout(**changes)


def test_it_gives_back_all_memory() -> None:
    def play_some() -> None:
        playout()
        playout(opening=(30, False, True, True, False), solve=solved)
        playout(table=TABLE, opened=(True, True), least=(9, 2))
        playout(opening=(30, True, False, False, False))
        playout(node_limit=1)
        playout(nanoseconds=1)
        for wrong in ({"opening": (30, False, False, True, False)}, {"pool": ("r",)}):
            with pytest.raises(TypeError):
                playout(**wrong)

    assert blocks_kept(play_some, 100) < 50, "less than one for each time"


def solved(
    table: tuple[Row, ...], rack: Row, opened: bool, small: bool, begun: None
) -> tuple[object, ...]:
    """Plays the first three tiles of a rack."""
    return 3, 0, rack[:3], (*table, rack[:3]), len(table), True, True, 0, {}
