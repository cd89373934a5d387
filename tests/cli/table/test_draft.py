"""No step of a turn in the making loses or doubles a tile, and every step can be undone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilerummy.cli.table.draft import Draft, DraftError
from tilerummy.rules.editions import EDITIONS
from tilerummy.rules.tiles import Tile, parse_face, row_text, tile

CLASSIC = EDITIONS["classic"]


def tiles(text: str, copy: int = 1) -> tuple[Tile, ...]:
    return tuple(tile(parse_face(word), copy) for word in text.split())


def draft(rack: str, *rows: str, name: str = "classic") -> Draft:
    return Draft.of(EDITIONS[name], tuple(tiles(row) for row in rows), tiles(rack, 2))


def texts(of: Draft) -> list[str]:
    return [row_text(row) for row in of.rows]


def test_tiles_leave_the_rack_and_come_back_to_their_place() -> None:
    start = draft("b1 b2 b3 b4")
    laid = start.lay(tiles("b2 b3", 2))
    assert row_text(laid.rack) == "b1 b4"
    assert laid.take_back(tiles("b2", 2)).rack == tiles("b1 b2 b4", 2)


def test_a_row_in_the_wrong_order_is_put_right_where_it_is_a_set() -> None:
    assert texts(draft("r9 r7 r8").lay(tiles("r9 r7 r8", 2))) == ["r7 r8 r9"]
    assert texts(draft("r9 r7").lay(tiles("r9 r7", 2))) == ["r9 r7"]


def test_a_joker_stays_where_it_was_put() -> None:
    assert texts(draft("J r9 r10").lay(tiles("J r9 r10", 2))) == ["J r9 r10"]


def test_tiles_are_inserted_before_the_place_also_within_their_own_row() -> None:
    start = draft("k1", "r1 b2 k3 o4")
    moved = start.place(tiles("r1"), 0, 3)
    assert texts(moved) == ["b2 k3 r1 o4"]
    assert texts(start.place(tiles("k1", 2), 0, 0)) == ["k1 r1 b2 k3 o4"]


def test_a_row_that_loses_its_last_tile_is_gone() -> None:
    start = draft("k1", "r1 r2 r3", "b1 k1 o1")
    assert texts(start.join(1, 0)) == ["b1 k1 o1 r1 r2 r3"]


def test_split_and_join_give_the_row_again() -> None:
    start = draft("k1", "r1 r2 r3 r4 r5 r6")
    cut = start.split(0, 2)
    assert texts(cut) == ["r1 r2", "r3 r4 r5 r6"]
    assert cut.join(0, 1).rows == start.rows
    assert not cut.join(0, 1).changed


def test_what_lay_on_the_table_cannot_be_taken() -> None:
    with pytest.raises(DraftError):
        draft("k1", "r1 r2 r3").take_back(tiles("r1"))


@pytest.mark.parametrize(
    "step",
    [
        lambda one: one.place(tiles("k9"), 0, 0),
        lambda one: one.place(tiles("r1 r1"), 0, 0),
        lambda one: one.place(tiles("r1"), 7, 0),
        lambda one: one.place(tiles("r1"), 0, 9),
        lambda one: one.split(0, 0),
        lambda one: one.split(3, 1),
        lambda one: one.join(0, 0),
        lambda one: one.take_back(tiles("k9")),
    ],
)
def test_impossible_steps_are_refused(step: object) -> None:
    assert callable(step)
    with pytest.raises(DraftError):
        step(draft("k1", "r1 r2 r3"))


def test_a_new_step_forgets_what_was_undone() -> None:
    start = draft("k1 k2")
    again = start.lay(tiles("k1", 2)).undo().lay(tiles("k2", 2))
    assert not again.future
    assert again.redo() == again


def test_arranging_the_rack_is_not_a_step() -> None:
    laid = draft("r7 b7 r8 k1").lay(tiles("k1", 2))
    assert row_text(laid.by_number().rack) == "r7 b7 r8"
    assert row_text(laid.by_colour().rack) == "r7 r8 b7"
    assert row_text(laid.shift(tiles("r7", 2), 1).rack) == "b7 r7 r8"
    assert laid.shift(tiles("r7", 2), -1) == laid
    assert laid.by_number().undo().rows == ()


Step = tuple[str, list[int], int, int]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "place",
                "place",
                "lay",
                "back",
                "split",
                "join",
                "undo",
                "redo",
                "reset",
                "sort",
                "shift",
            ]
        ),
        st.lists(st.integers(0, 200), min_size=1, max_size=5),
        st.integers(0, 8),
        st.integers(0, 8),
    ),
    max_size=25,
)


def take(of: Draft, step: Step) -> Draft:
    """One step with numbers made to fit what there is."""
    name, numbers, row, index = step
    everything = [*of.rack, *(tile for one in of.rows for tile in one)]
    chosen = list(dict.fromkeys(everything[number % len(everything)] for number in numbers))
    row %= len(of.rows) + 1
    length = len(of.rows[row]) if row < len(of.rows) else 0
    try:
        match name:
            case "place":
                return of.place(chosen, row, index % (length + 1))
            case "lay":
                return of.lay(chosen)
            case "back":
                return of.take_back(chosen)
            case "split":
                return of.split(row, index)
            case "join":
                return of.join(row, index)
            case "sort":
                return of.by_number() if index % 2 else of.by_colour()
            case "shift":
                return of.shift(chosen, 1 if index % 2 else -1)
            case _:
                return {"undo": of.undo, "redo": of.redo, "reset": of.reset}[name]()
    except DraftError:
        return of


@given(STEPS, st.sampled_from(["classic", "twist"]))
def test_no_steps_lose_or_double_a_tile(steps: list[Step], name: str) -> None:
    start = draft("r4 r7 r8 b7 k7 o1 J", "r1 r2 r3", "b9 b10 b11 b12", "k5 o5 r5", name=name)
    box = Counter([*start.rack, *(tile for row in start.rows for tile in row)])
    now = start
    for step in steps:
        now = take(now, step)
        assert Counter([*now.rack, *(tile for row in now.rows for tile in row)]) == box
        assert all(now.rows)
        assert set(now.placed) <= set(start.order)
        assert Counter(now.order) == Counter(start.order)
    assert sorted(now.reset().rows) == sorted(start.rows)


@given(STEPS)
def test_undo_takes_back_exactly_one_step_and_redo_gives_it_again(steps: list[Step]) -> None:
    now = draft("r4 r7 r8 b7 k7 o1 J", "r1 r2 r3", "b9 b10 b11 b12", "k5 o5 r5")
    for step in steps:
        after = take(now, step)
        if step[0] not in ("undo", "redo", "sort", "shift") and after != now:
            assert replace(after.undo(), future=now.future) == now
            assert after.undo().redo() == after
        now = after
    while now.past:
        now = now.undo()
    assert now.rows == now.start
