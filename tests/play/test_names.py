"""The policy for names of players, and which names people would confuse."""

from __future__ import annotations

import pytest

from tilerummy.play.match import check_names
from tilerummy.play.names import BadName, are_alike, chosen, numbered, stem


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann \u3000 Lee ", "Ann Lee"),
        ("Ａｎｎ", "Ann"),
        ("王小明", "王小明"),
        ("阿卜杜勒·热合曼", "阿卜杜勒·热合曼"),
        ("李 雷", "李 雷"),
        ("José", "José"),
        ("Nguyễn Thị", "Nguyễn Thị"),
        ("עדן", "עדן"),
        ("محمد", "محمد"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("สมชาย", "สมชาย"),
        ("Ann \u2764\ufe0f", "Ann \u2764"),
        ("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680"),
        ("7", "7"),
    ],
)
def test_names_that_people_have(given: str, name: str) -> None:
    assert chosen(given) == name
    assert chosen(name) == name
    check_names([name])


@pytest.mark.parametrize(
    "given",
    [
        "",
        " ",
        "\u200b",
        "\u200d",
        "\u3164",
        "\ufeff",
        "\u00ad",
        "\u2800",
        "\u200fAnn",
        "\u061cAnn",
        "Ann\U000e0041",
        "A" + "\u0301" * 4,
        "a" + "\u0323\u0332\u0347" * 13,
        "\u0301",
        "A\u200dnn",
        "Ann\u200d",
        "\u200cAnn",
        "Ann\u202e",
        "Ann\u2066",
        "a\nb\x00",
        "A\x1b[31m",
        "\ue000",
        "\U0010ffff",
        "\ud800",
        "\u2028x",
        "a\nb",
        "...",
        "x" * 25,
        "\ufdfa\ufdfa",
    ],
)
def test_names_that_nobody_can_read_are_refused(given: str) -> None:
    with pytest.raises(BadName) as caught:
        chosen(given)
    assert caught.value.code == "bad-name"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Honest", "honest"),
        ("Honest", "Honest\u200b"),
        ("Honest", "\u0397onest"),
        ("Honest", "H0nest"),
        ("Honest", "Ho nest"),
        ("Honest", "Ｈｏｎｅｓｔ"),
        ("Ivan", "lvan"),
        ("Ivan", "1van"),
        ("Anna", "\u0410\u043d\u043d\u0430"[0] + "nna"),
        ("paypal", "\u0440\u0430\u0443\u0440\u0430l"),
        ("Ivan", "\u0406van"),
        ("\u0418\u0432\u0430\u043d", "\u0438\u0432\u0430\u043d"),
        ("\u0395\u03bb\u03ad\u03bd\u03b7", "\u03b5\u03bb\u03ad\u03bd\u03b7"),
        ("Modern", "Modem"),
        ("William", "VVilliam"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert are_alike(one, other)
    assert are_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "Anna"),
        ("Ann 1", "Ann 2"),
        ("王伟", "王炜"),
        ("小明", "小红"),
        ("Renée", "Renee"),
        ("\u0418\u0432\u0430\u043d", "Ivan"),
        ("Bo", "Bob"),
    ],
)
def test_names_that_people_can_tell_apart(one: str, other: str) -> None:
    assert not are_alike(one, other)


def test_a_number_tells_guests_apart() -> None:
    assert numbered("Guest", []) == "Guest"
    assert numbered("Guest", ["guest"]) == "Guest 2"
    assert numbered("访客", ["访客", "访客 2"]) == "访客 3"
    assert len(numbered("x" * 24, ["x" * 24])) <= 24


def test_the_stem_of_a_name_has_no_number() -> None:
    assert stem("Simple 1") == stem("S\u0456mple 24") == stem("SIMPLE l") == stem("simple")
    assert stem("Simon 1") != stem("Simple")
