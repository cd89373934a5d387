import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.locales.editions import house_rules
from tilerummy.locales import (
    LANGUAGES,
    choice_text,
    colour_name,
    join,
    possible_text,
    refusal_text,
    tile_name,
    tiles_text,
    value_text,
)
from tilerummy.queries import reason_text
from tilerummy.rules.editions import CLASSIC, SPECS, TWIST, Edition, edition
from tilerummy.rules.faults import judge_row
from tilerummy.rules.position import Position
from tilerummy.rules.reasons import Reason
from tilerummy.rules.tiles import (
    ALL_FACES,
    Face,
    faces_of,
    parse_face,
    parse_row,
    parse_table,
    parse_tile,
    row_text,
)
from tilerummy.rules.turns import judge_turn


@pytest.mark.parametrize(
    ("tile", "names"),
    [
        ("r7", ("red 7", "红7", "紅7")),
        ("k13", ("black 13", "黑13", "黑13")),
        ("J", ("joker", "百搭牌", "百搭牌")),
        ("D", ("double joker", "双人百搭牌", "雙人百搭牌")),
        ("C", ("colour-change joker", "变色百搭牌", "變色百搭牌")),
        ("M", ("mirror joker", "镜像百搭牌", "鏡射百搭牌")),
    ],
)
def test_a_tile_has_a_name_in_every_language(tile: str, names: tuple[str, ...]) -> None:
    found = tuple(tile_name(parse_face(tile), language) for language in LANGUAGES)
    assert found == names


def test_a_physical_tile_is_called_as_its_face() -> None:
    assert tile_name(parse_tile("b12.2"), "en") == "blue 12"


def test_the_fourth_colour_is_yellow_in_twist_only() -> None:
    assert tile_name(parse_face("o3"), "en") == "orange 3"
    assert tile_name(parse_face("o3"), "en", CLASSIC) == "orange 3"
    assert tile_name(parse_face("o3"), "en", TWIST) == "yellow 3"
    assert tile_name(parse_face("r3"), "en", TWIST) == "red 3"
    assert colour_name("o", "zh-Hant", TWIST) == "黃"


@pytest.mark.parametrize(
    ("row", "english", "chinese"),
    [
        ("", "", ""),
        ("r7", "red 7", "红7"),
        ("r7 b7", "red 7 and blue 7", "红7和蓝7"),
        ("r7 b7 J", "red 7, blue 7 and joker", "红7、蓝7和百搭牌"),
    ],
)
def test_several_tiles_read_as_a_list(row: str, english: str, chinese: str) -> None:
    assert tiles_text(parse_row(row), "en") == english
    assert tiles_text(parse_row(row), "zh-Hans") == chinese


def test_alternatives_are_joined_by_or() -> None:
    assert join(["run", "group"], "en", "or") == "run or group"


def test_a_reason_names_its_tiles_in_notation() -> None:
    reason = Reason("too-short", parse_row("r7 b7"))
    assert reason_text(reason, "en") == "r7 b7: A set needs at least three tiles."


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("r2 D r5", "D: This box has no double joker."),
        ("r5 J J J", "J J J: This box has only 2 of these (joker)."),
    ],
)
def test_a_tile_the_box_lacks_is_named(row: str, sentence: str) -> None:
    reasons = judge_row(CLASSIC, faces_of(parse_row(row))).reasons
    assert sentence in {reason_text(reason, "en") for reason in reasons}


@given(house_rules(), st.lists(st.sampled_from(ALL_FACES), max_size=7))
def test_whatever_is_wrong_with_a_row_is_said_in_every_language(
    edition: Edition, row: list[Face]
) -> None:
    for reason in judge_row(edition, tuple(row)).reasons:
        for language in LANGUAGES:
            text = reason_text(reason, language, edition)
            assert text.startswith(row_text(reason.tiles))
            assert "{" not in text


@pytest.mark.parametrize(
    ("options", "opened", "rack", "before", "after", "sentence"),
    [
        (
            {},
            False,
            "r9 b9 k9",
            "",
            "r9 b9 k9",
            "Your opening is worth 27 points. You need at least 30.",
        ),
        (
            {"initial.single_set": True},
            False,
            "r3 r4 r5 b6 k6 o6",
            "",
            "r3 r4 r5 / b6 k6 o6",
            "Your best set is worth 18 points. To open, you need one set worth at least 30.",
        ),
        ({}, True, "k1", "r3 r4 r5", "r3 r4 r5", "Play at least one tile from your rack."),
        (
            {"joker.reuse": "new_set_rack2"},
            True,
            "r7 k12",
            "r5 r6 J / k8 k9 k10 k11",
            "r5 r6 r7 / k8 k9 k10 / k11 k12 J",
            "k11 k12 J: You freed the joker, so its set needs at least 2 tiles from your rack.",
        ),
    ],
)
def test_what_is_wrong_with_a_turn_is_said_with_its_numbers(
    options: dict[str, object], opened: bool, rack: str, before: str, after: str, sentence: str
) -> None:
    rules = edition("classic", options)
    verdict = judge_turn(
        Position(rules, parse_table(before), parse_row(rack), opened), parse_table(after)
    )
    assert [reason_text(reason, "en") for reason in verdict.reasons] == [sentence]


@pytest.mark.parametrize(
    ("minimum", "sentence"),
    [
        (30, "You can't touch sets on the table until you've opened with 30 points."),
        (0, "You can't touch sets on the table until you've opened."),
    ],
)
def test_the_points_of_the_opening_come_from_the_edition(minimum: int, sentence: str) -> None:
    reason = Reason("table-changed", parse_row("r5 r6 r7"))
    rules = edition("classic", {"initial.min": minimum})
    assert reason_text(reason, "en", rules) == f"r5 r6 r7: {sentence}"
    assert reason_text(reason, "en") == (
        "r5 r6 r7: You can't touch sets on the table until you've opened."
    )


def test_the_exchange_ban_names_both_jokers() -> None:
    verdict = judge_turn(
        Position(TWIST, parse_table("r5 r6 J"), parse_row("C k9 k10"), opened=True),
        parse_table("r5 r6 C / k9 k10 J"),
    )
    sentences = [reason_text(reason, "en", TWIST) for reason in verdict.reasons]
    assert sentences == ["r5 r6 C: A colour-change joker can't take the place of a joker."]


def test_readings_of_an_ambiguous_row_are_named() -> None:
    reason = Reason("undeclared", parse_row("r8 J J"), {"readings": "run / group"})
    assert reason_text(reason, "en") == "r8 J J: This can be read as run or group. Choose one."
    assert "顺组或群组" in reason_text(reason, "zh-Hans")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_is_worded_by_its_code(language: str) -> None:
    assert refusal_text("not-your-turn", language)
    assert refusal_text("not-your-turn", "en") == "It's not your turn."


@pytest.mark.parametrize(
    ("value", "text"), [(True, "true"), (False, "false"), (None, "null"), (3, "3"), ("any", "any")]
)
def test_a_value_is_written_as_the_command_line_takes_it(value: object, text: str) -> None:
    assert value_text(value) == text


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("initial.jokers", "true | false"),
        ("initial.min", "0 to 200"),
        ("joker.reuse", "any | other_set | new_set | new_set_rack2"),
        ("joker.max_per_set", "0 to 16 | null"),
        ("match.games_per_round", "players | 1 to 100"),
        ("jokers", "a count for each kind, such as J2 or J2 D2 C2 M2, up to 4 of a kind"),
    ],
)
def test_what_an_option_takes(key: str, text: str) -> None:
    assert possible_text(SPECS[key], "en") == text


def test_a_choice_is_explained_where_its_value_does_not_say_it() -> None:
    assert choice_text("direction", "cw", "en") == "clockwise"
    assert choice_text("joker.max_per_set", None, "en") == "any number"
    assert choice_text("hand_size", 14, "en") is None


def test_a_sentence_about_no_tiles_does_not_begin_with_a_colon() -> None:
    for lang in LANGUAGES:
        assert reason_text(Reason("too-short"), lang)[0] not in ":： "
