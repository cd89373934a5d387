"""Cursor and selection over rack and table."""

from __future__ import annotations

import pytest

from tests.cli.table.test_draft import draft, texts, tiles
from tilerummy.cli.table.editor import RACK, Editor, Unmoved
from tilerummy.cli.table.layout import Flow, Spot, flow
from tilerummy.rules.tiles import row_text


def laid_out(editor: Editor, width: int = 80) -> Flow:
    rows = editor.draft.rows
    return flow([len(row) for row in rows], [8] * len(rows), width, 10)


def test_the_cursor_walks_from_place_to_place_and_on_into_the_next_row() -> None:
    editor = Editor(draft("k1", "r1 r2 r3", "b1 b2 b3"), Spot(0, 0))
    places = []
    for _ in range(9):
        places.append((editor.cursor.row, editor.cursor.place))
        editor = editor.move(1)
    assert places == [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3), (2, 0)]
    assert editor.move(1).cursor == editor.cursor
    assert Editor(editor.draft, Spot(0, 0)).move(-1).cursor == Spot(0, 0)
    assert Editor(editor.draft, Spot(1, 0)).move(-1).cursor == Spot(0, 3)


def test_up_and_down_go_between_rack_and_table() -> None:
    editor = Editor(draft("k1 k2 k3", "r1 r2 r3"))
    up = editor.up(laid_out(editor), 19)
    assert up.cursor == Spot(0, 0)
    assert up.down(laid_out(up), 19).on_rack
    assert up.up(laid_out(up), 19) == up


def test_a_rack_of_several_lines_is_walked_line_by_line() -> None:
    editor = Editor(draft("k1 k2 k3 k4 k5 k6 k7", "r1 r2 r3"), Spot(RACK, 1))
    down = editor.down(laid_out(editor), 3)
    assert down.cursor.place == 4
    assert down.down(laid_out(down), 3).cursor.place == 6
    assert down.up(laid_out(down), 3).cursor.place == 1


def test_tiles_lie_in_the_order_in_which_they_were_chosen() -> None:
    editor = Editor(draft("r1 b1 k9 o9"))
    for place in (3, 0, 2):
        editor = editor.goto(RACK, place).toggle()
    assert texts(editor.place().draft) == ["o9 r1 k9"]


def test_the_cursor_stays_among_the_tiles_that_are_left() -> None:
    editor = Editor(draft("r1 r2 r3 r4 k1 k2"))
    for place in (1, 2, 3):
        editor = editor.goto(RACK, place).toggle()
    editor = editor.place()
    assert row_text(editor.draft.rack) == "r1 k1 k2"
    assert editor.tile == tiles("k1", 2)[0]


def test_choosing_twice_chooses_nothing() -> None:
    editor = Editor(draft("r1")).toggle().toggle()
    assert editor.selected == ()


def test_a_row_is_chosen_and_let_go_as_a_whole() -> None:
    editor = Editor(draft("k1", "r1 r2 r3"), Spot(0, 1)).select_row()
    assert row_text(editor.selected) == "r1 r2 r3"
    assert editor.select_row().selected == ()
    assert editor.select_none().selected == ()


def test_rack_tiles_move_by_hand_with_the_cursor() -> None:
    editor = Editor(draft("r1 b1 k1")).shift(1).shift(1)
    assert row_text(editor.draft.rack) == "b1 k1 r1"
    assert editor.cursor.place == 2


def test_undo_keeps_the_cursor_on_the_table() -> None:
    editor = Editor(draft("r1 b1 k1")).lay().lay().to_table()
    assert editor.cursor == Spot(2, 0)
    assert editor.undo().undo().cursor == Spot(0, 0)


@pytest.mark.parametrize(
    ("editor", "key", "why"),
    [
        (Editor(draft("r1")), "place", "play.select-first"),
        (Editor(draft("r1", "b1 b2 b3"), Spot(0, 0)), "place", "play.select-first"),
        (Editor(draft("r1"), Spot(0, 0)), "toggle", "play.no-tile-here"),
        (Editor(draft("r1"), Spot(0, 0)), "lay", "play.select-first"),
        (Editor(draft("r1")), "select_row", "play.select-row-on-table"),
        (Editor(draft("r1", "b1 b2 b3"), Spot(0, 0)), "take_back", "play.not-yours"),
        (Editor(draft("r1"), Spot(0, 0)), "take_back", "play.no-tile-here"),
        (Editor(draft("r1")), "undo", "play.nothing-to-undo"),
        (Editor(draft("r1")), "redo", "play.nothing-to-redo"),
    ],
)
def test_a_key_with_nothing_to_do_says_why(editor: Editor, key: str, why: str) -> None:
    with pytest.raises(Unmoved, match=why):
        getattr(editor, key)()
