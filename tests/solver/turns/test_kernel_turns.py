"""Turns that the compiled kernel finds alone are those of the search, tile by tile.

The kernel decides less alone where it is given no rules: then `TurnSearch` does the same in Python.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.memory import blocks_kept
from tilerummy.lab.greedy import greedy_games
from tilerummy.rules.editions import edition
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import faces_of, has_joker, parse_row, parse_table
from tilerummy.rules.turns import judge_turn
from tilerummy.solver import Solution, solve
from tilerummy.solver.cover import kernels
from tilerummy.solver.cover.kernels import Covers, Kernel, Turn
from tilerummy.solver.turns.objectives import objective
from tilerummy.solver.turns.shortcut import answer_alone

pytestmark = pytest.mark.skipif(kernels.compiled is None, reason="no compiled kernel")
TILES = objective("tiles")
UNLIMITED = 1 << 60
"""States: a limit that no search reaches, under which parts of a branch are asked one by one."""


class Bare:
    """The kernel, which asks for no rules and knows no opening that goes on."""

    def __init__(self, kernel: Kernel) -> None:
        self.cover, self.parts, self._turn = kernel.cover, kernel.parts, kernel.turn

    def turn(self, *args: Any) -> Turn | Covers | None:
        plan, table, rack, node_limit, nanoseconds, *_ = args
        return self._turn(plan, table, rack, node_limit, nanoseconds)

    def opening_turn(self, *_: object) -> None:
        return None


def positions(name: str, options: dict[str, object], games: int) -> list[Position]:
    found: list[Position] = []
    for _ in greedy_games(
        edition(name, options), games, 7, watch=lambda _, position, __: found.append(position)
    ):
        pass
    return found


def what(found: Solution) -> tuple[object, ...]:
    return found.table, found.played, found.rows_kept, found.value, found.exact, found.declared


def answers(given: list[Position]) -> tuple[list[tuple[object, ...]], list[int]]:
    """The turns, and how much the kernel answers alone of each: 0 nothing, 1 or 2 covers, 9 all."""
    alone = [answer_alone(position, TILES, 0, None) for position in given]
    parts = [0 if found is None else len(found) for found in alone]
    return [what(solve(position, tidy=False)) for position in given], parts


@pytest.mark.parametrize(
    ("name", "options", "games"),
    [
        ("sabra", {}, 40),
        ("sabra", {"joker.group3_needs_both": True}, 8),
        ("sabra", {"initial.same_turn_manipulation": False}, 8),
        ("sabra", {"initial.min": 0}, 8),
        ("sabra", {"initial.jokers": False}, 8),
        ("sabra", {"initial.single_set": True}, 8),
        ("taiwan", {"joker.locked_sets": True, "copies": 3, "jokers": "J3"}, 8),
        ("taiwan", {"initial.same_turn_manipulation": True, "initial.min": 50}, 8),
        ("classic", {}, 20),
        ("classic", {"joker.reuse": "other_set"}, 8),
        ("twist", {}, 6),
    ],
    ids=str,
)
def test_the_kernel_finds_the_turns_of_the_search(
    name: str, options: dict[str, object], games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = positions(name, options, games)
    quick, alone = answers(given)
    assert kernels.compiled is not None
    monkeypatch.setattr(kernels, "compiled", Bare(kernels.compiled))
    slow, left = answers(given)
    assert quick == slow
    more = Counter((few, many) for few, many in zip(left, alone, strict=True) if few < many)
    assert sum(more.values()) >= 5, more


def test_there_are_the_same_turns_within_a_time_limit() -> None:
    given = positions("sabra", {}, 8)
    hours = [what(solve(position, tidy=False, time_limit=3600.0)) for position in given]
    assert hours == [what(solve(position, tidy=False)) for position in given]


@pytest.mark.parametrize("name", ["classic", "twist"])
def test_parts_are_asked_together_or_one_by_one(name: str) -> None:
    given = [
        position
        for position in positions(name, {}, 12)
        if not isinstance(answer_alone(position, TILES, 0, None), Solution)
    ]
    free = [what(solve(position, tidy=False)) for position in given]
    limited = [what(solve(position, tidy=False, node_limit=UNLIMITED)) for position in given]
    assert free == limited
    assert given


LOCKED = parse_table("r5 r6 r7 J / k1 k2 k3")


@pytest.mark.parametrize(
    ("rack", "played"),
    [
        ("b9 k9", ""),  # the joker may not leave its row
        ("b9 k9 r4", "r4"),
        ("b9 k9 r8", "r8 b9 k9"),  # it is replaced, and free
        ("b9 k9 r4 r3", "r3 r4"),
        ("b9 k9 k4", "k4"),
        ("b1 o1 k4 k5", "b1 k4 k5 o1"),
    ],
)
def test_a_locked_row_is_left_alone_added_to_or_freed(rack: str, played: str) -> None:
    position = Position(edition("sabra"), LOCKED, parse_row(rack), opened=True)
    found = answer_alone(position, TILES, 0, None)
    assert isinstance(found, Solution)
    assert found.played == parse_row(played)
    assert not found.plays or judge_turn(position, found.table).legal


@pytest.mark.parametrize(
    ("table", "rack", "alone"),
    [
        ("b1 b2 b3", "r9 r10 r11 b4", True),  # red 9 to 11 are 30 points
        ("b1 b2 b3", "r9 r10 J b4", False),  # what the joker stands for has to be looked at
        ("b1 b2 b3 / r12 r13 J", "r9 r10 r11 b4 b5", False),  # where a joker may be moved
        ("r6 r7 r8", "r9 r10 r11", False),  # one row in the end, none of the rack alone
    ],
)
def test_an_opening_of_numbered_tiles_goes_on(table: str, rack: str, alone: bool) -> None:
    sabra = edition("sabra")
    position = Position(sabra, parse_table(table), parse_row(rack), opened=False)
    found = answer_alone(position, TILES, 0, None)
    assert isinstance(found, Solution) is alone
    solved = solve(position, tidy=False)
    assert not isinstance(found, Solution) or what(found) == what(solved)
    assert not solved.plays or judge_turn(position, solved.table).legal
    assert not alone or not any(has_joker(faces_of(row)) for row in solved.table)


# What the kernel refuses, and that it gives back all memory


def rules(**changes: object) -> tuple[object, ...]:
    given: dict[str, object] = {
        "watch": lambda row: None,
        "locks": None,
        "judge": lambda before, after: False,
    }
    return tuple((given | changes).values())


def fail(*_: object) -> bool:
    raise KeyError("asked")


def plan() -> bytes:
    """That of an opened player in Sabra."""
    found: list[bytes] = []
    kernel = kernels.compiled
    assert kernel is not None

    class Spy(Bare):
        def turn(self, *args: Any) -> None:
            found.append(args[0])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "compiled", Spy(kernel))
        answer_alone(Position(edition("sabra"), LOCKED, (), opened=True), TILES, 0, None)
    return found[0]


class Answering(dict[object, object]):
    """A mapping with one answer to everything."""

    def __init__(self, answer: object) -> None:
        super().__init__()
        self._answer = answer

    def __missing__(self, _: object) -> object:
        return self._answer


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ((), TypeError),
        (rules(watch=fail), KeyError),
        (rules(watch=lambda row: ("x",)), TypeError),
        (rules(judge=fail), KeyError),
        (rules(locks=(1,)), TypeError),
        (rules(locks=({}, {})), KeyError),
        (rules(locks=(Answering((1, 2)), {})), TypeError),
        (rules(locks=(Answering((0, 0, b"")), {})), KeyError),
        (rules(locks=(Answering((0, 0, b"")), Answering("x"))), TypeError),
        (rules(locks=(Answering((0, 0, b"\2\0")), {})), ValueError),  # a tile is missing
        (rules(locks=(Answering((0, 0, b"\1\77")), {})), ValueError),  # no face
        *[
            (rules(locks=(Answering((0, 0, b"")), Answering(ways))), ValueError)
            for ways in (b"\1", b"\0\3\1\2", b"\0\1\77", b"\1\0\0", b"\0\1\4", b"\377")
        ],
    ],
)
def test_wrong_rules_are_refused(given: object, error: type[Exception]) -> None:
    kernel = kernels.compiled
    assert kernel is not None
    with pytest.raises(error):
        kernel.turn(plan(), LOCKED, parse_row("b9 k9"), 0, 0, given)  # type: ignore[arg-type]


def test_a_turn_that_needs_an_opening_is_refused_without_a_minimum() -> None:
    kernel = kernels.compiled
    assert kernel is not None
    with pytest.raises(TypeError):
        kernel.opening_turn(plan(), LOCKED, parse_row("b9 k9"))  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        kernel.opening_turn(plan(), LOCKED, parse_row("b9 k9"), "30", 0)  # type: ignore[arg-type]


def test_it_gives_back_all_memory() -> None:
    kernel = kernels.compiled
    assert kernel is not None
    given, packed = positions("sabra", {}, 2), plan()
    wrong = rules(locks=(Answering((0, 0, b"")), Answering(b"\1")))

    def ask_some() -> None:
        answers(given)
        with pytest.raises(ValueError, match="locks"):
            kernel.turn(packed, LOCKED, parse_row("b9 k9"), 0, 0, wrong)  # type: ignore[arg-type]

    assert blocks_kept(ask_some, 20) < 20, "less than one for each time"
