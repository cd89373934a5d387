import io

import pytest
from rich.console import Console

from tilerummy.cli import draw
from tilerummy.rules.tiles import parse_row, parse_table, parse_tile


def terminal(**options: object) -> Console:
    settings: dict[str, object] = {"force_terminal": True, "color_system": "truecolor"}
    return Console(file=io.StringIO(), **(settings | options))  # type: ignore[arg-type]


def test_a_plain_row_is_its_notation() -> None:
    assert draw.row(parse_row("r7 b12 J"), colour=False).plain == "r7 b12 J"


def test_a_coloured_row_gives_every_tile_a_margin_and_its_ink() -> None:
    row = draw.row(parse_row("r7 k7"), colour=True)
    assert row.plain == " r7   k7 "
    red, black = row.get_style_at_offset(terminal(), 1), row.get_style_at_offset(terminal(), 6)
    assert red.bgcolor == black.bgcolor
    assert red.color is not None
    assert red.color != black.color
    gap = row.get_style_at_offset(terminal(), 4)
    assert gap.bgcolor is None


def test_the_four_colours_and_the_jokers_are_told_apart() -> None:
    inks = {draw.style_of(face).color for face in parse_row("r1 b1 k1 o1 J")}
    assert len(inks) == 5
    assert len({draw.style_of(face).color for face in parse_row("J D C M")}) == 1


def test_a_physical_tile_is_drawn_as_its_face() -> None:
    assert draw.row([parse_tile("r7.2")], colour=False).plain == "r7"
    assert draw.style_of(parse_tile("r7.2")) == draw.style_of(parse_tile("r7.1"))


def test_a_plain_table_is_its_notation() -> None:
    table = parse_table("r1 r2 r3 / b7 k7 o7")
    assert draw.table(table, colour=False).plain == "r1 r2 r3 / b7 k7 o7"


def test_a_table_breaks_between_rows() -> None:
    table = parse_table("r1 r2 r3 / b7 k7 o7 / k1 k2 k3")
    assert draw.table(table, colour=False, width=21).plain == ("r1 r2 r3 / b7 k7 o7 /\nk1 k2 k3")
    lines = draw.table(table, colour=True, width=34).split("\n")
    assert [line.cell_len for line in lines] == [31, 14]


def test_no_tiles_are_nothing() -> None:
    assert draw.row([], colour=True).plain == ""
    assert draw.table([], colour=False).plain == ""


def test_colour_needs_a_terminal() -> None:
    assert draw.has_colour(terminal())
    assert not draw.has_colour(Console(file=io.StringIO()))
    assert not draw.has_colour(terminal(no_color=True))


def test_no_color_in_the_environment_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert not draw.has_colour(terminal())
