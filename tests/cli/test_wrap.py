import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tilerummy.cli.wrap import wrap
from tilerummy.locales import LANGUAGES
from tilerummy.locales.rulebook import Paragraph, rulebook
from tilerummy.rules.editions import TWIST


def test_latin_text_breaks_between_words() -> None:
    assert wrap("a group or a run", 9) == ["a group", "or a run"]


def test_chinese_text_breaks_anywhere_by_the_width_it_takes() -> None:
    assert wrap("一二三四五六", 8) == ["一二三四", "五六"]


def test_closing_marks_never_begin_a_line() -> None:
    assert wrap("一二三四，五六。", 8) == ["一二三", "四，五", "六。"]


def test_opening_marks_never_end_a_line() -> None:
    assert wrap("一二三「四五」六", 8) == ["一二三", "「四五」", "六"]


def test_mixed_text_keeps_words_and_numbers_whole() -> None:
    assert wrap("每人拿 14 塊牌 timer.seconds", 10) == ["每人拿 14", "塊牌", "timer.seconds"]


def test_a_word_wider_than_the_line_stays_whole() -> None:
    assert wrap("a initial.same_turn b", 5) == ["a", "initial.same_turn", "b"]


def test_a_row_of_tiles_stays_together_where_it_can() -> None:
    assert wrap("不行：r9 J r11：少了牌", 12) == ["不行：", "r9 J r11：少", "了牌"]
    assert wrap("No: r9 J r11: a gap", 9) == ["No:", "r9 J r11:", "a gap"]
    assert wrap("k10 k11 k12 k13", 8) == ["k10 k11", "k12 k13"]
    assert wrap("See C Major", 6) == ["See C", "Major"]


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_nothing_gives_no_line(text: str) -> None:
    assert wrap(text, 10) == []


@given(st.text("ab 一二，。「」（）1J·…", max_size=60), st.integers(1, 30))
def test_nothing_is_lost(text: str, width: int) -> None:
    assert "".join("".join(wrap(text, width)).split()) == "".join(text.split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [40, 80])
def test_no_line_of_the_rules_is_too_wide(language: str, width: int) -> None:
    for section in rulebook(TWIST, language):
        for block in section.blocks:
            text = block.text if isinstance(block, Paragraph) else block.caption
            assert all(cell_len(line) <= width for line in wrap(text, width))
