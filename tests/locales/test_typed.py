"""Tiles that people type: in Chinese, in capitals, on keyboards with wide letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilerummy.locales import tile_name
from tilerummy.locales.typed import in_notation, typed_row, typed_table
from tilerummy.rules.editions import CLASSIC, TWIST, Edition
from tilerummy.rules.errors import TileError
from tilerummy.rules.tiles import (
    ALL_FACES,
    Face,
    parse_row,
    parse_table,
    row_text,
    table_text,
    unidentified,
)

CHINESE = ("zh-Hans", "zh-Hant")
FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")

faces = st.sampled_from(ALL_FACES)
rows = st.lists(faces, min_size=1, max_size=14)
separators = st.sampled_from(["", " ", "、", "，", ",", "；", "\u3000", " , "])


@pytest.mark.parametrize("language", CHINESE)
@pytest.mark.parametrize("edition", [CLASSIC, TWIST])
@pytest.mark.parametrize("face", ALL_FACES)
def test_every_tile_is_read_by_its_chinese_name(
    face: Face, edition: Edition, language: str
) -> None:
    name = tile_name(face, language, edition)
    assert typed_row(name) == unidentified([face])
    assert typed_row(name.removesuffix("牌")) == unidentified([face])


@given(rows, st.sampled_from(CHINESE), st.sampled_from([CLASSIC, TWIST]), separators, st.booleans())
def test_a_row_of_chinese_names_is_read_with_any_separator(
    row: list[Face], language: str, edition: Edition, separator: str, wide: bool
) -> None:
    text = separator.join(tile_name(face, language, edition) for face in row)
    assert typed_row(text.translate(FULL_WIDTH) if wide else text) == unidentified(row)


@given(st.lists(rows, min_size=1, max_size=5), st.sampled_from(["/", "／", " / "]))
def test_rows_of_a_table_are_separated_by_either_slash(table: list[list[Face]], slash: str) -> None:
    text = slash.join("".join(tile_name(face, "zh-Hant") for face in row) for row in table)
    assert typed_table(text) == tuple(map(unidentified, table))


@given(rows)
def test_the_notation_reads_as_ever(row: list[Face]) -> None:
    text = row_text(row)
    assert typed_row(text) == parse_row(text) == typed_row(text.upper())
    assert in_notation(text) == text


@given(st.lists(rows, max_size=5))
def test_a_table_in_the_notation_reads_as_ever(table: list[list[Face]]) -> None:
    assert typed_table(table_text(table)) == parse_table(table_text(table))


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("紅3藍3黑3", "r3 b3 k3"),
        ("红色3 蓝 12", "r3 b12"),
        ("黃5 黄6 橙7 y8", "o5 o6 o7 o8"),
        ("雙人百搭 双人百搭牌", "D D"),
        ("變色百搭 变色百搭牌", "C C"),
        ("鏡射百搭 镜射百搭 镜像百搭 鏡像百搭", "M M M M"),
        ("一般百搭 普通百搭牌", "J J"),
        ("紅１３r1、百搭", "r13 r1 J"),
        ("Ｒ７ k07 j", "r7 k7 J"),
    ],
)
def test_spellings(text: str, notation: str) -> None:
    assert typed_row(text) == parse_row(notation)


@pytest.mark.parametrize(
    "text", ["紅14", "紅0", "綠3", "紅", "r14", "x3", "百", "紅3人", "3紅", "J3"]
)
def test_what_is_not_a_tile_is_refused(text: str) -> None:
    with pytest.raises(TileError):
        typed_row(text)


def test_programs_keep_to_the_notation() -> None:
    for text in ("紅3", "R7", "y7", "r７"):
        with pytest.raises(TileError):
            parse_row(text)
