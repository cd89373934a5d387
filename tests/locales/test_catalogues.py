"""The catalogues have the same keys in every language, and no unused ones."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import pytest

import tilerummy
from tilerummy.locales import LANGUAGES, LanguageError, catalogue
from tilerummy.locales.catalogues import Catalogue, read_catalogue, terminal_words
from tilerummy.locales.rulebook import book_words
from tilerummy.play.refusals import RefusalCode
from tilerummy.play.verification import Breach
from tilerummy.rules.editions import EDITIONS, SPECS
from tilerummy.rules.reasons import ReasonCode
from tilerummy.rules.rows import Kind
from tilerummy.rules.tiles import COLOURS, JOKER_LETTERS
from tilerummy.solver.turns.objectives import OBJECTIVES
from tools.pagefiles import page_words

SOURCE = Path(tilerummy.__file__).parent
OTHERS = [language for language in LANGUAGES if language != "en"]
Reading = Callable[[str], Catalogue]
READS: tuple[Reading, ...] = (catalogue, book_words, page_words)


def small(tmp_path: Path, text: str) -> Catalogue:
    file = tmp_path / "small.toml"
    file.write_text(text, encoding="utf-8")
    return read_catalogue("en", file)


def test_text_fills_in_the_parameters() -> None:
    text = catalogue("en").text("reason.below-minimum", value=27, minimum=30)
    assert text == "Your opening is worth 27 points. You need at least 30."


def test_a_catalogue_answers_to_any_spelling_of_its_language() -> None:
    assert catalogue("zh_TW.UTF-8").language == "zh-Hant"
    assert catalogue("zh_TW.UTF-8").messages == catalogue("zh-Hant").messages
    with pytest.raises(LanguageError):
        catalogue("fr")


def test_more_parameters_than_a_text_needs_do_no_harm() -> None:
    assert catalogue("en").text("kind.run", count=3, row=0) == "run"


def test_a_missing_key_raises_and_names_key_and_language() -> None:
    with pytest.raises(KeyError, match=r"no\.such\.key.*zh-Hans"):
        catalogue("zh-Hans").text("no.such.key")


def test_a_missing_parameter_raises_and_names_it() -> None:
    with pytest.raises(KeyError, match="minimum"):
        catalogue("en").text("reason.below-minimum", value=27)


@pytest.mark.parametrize(
    ("count", "text"), [(0, "none"), (1, "one tile"), (2, "2 tiles"), (11, "11 tiles")]
)
def test_a_number_chooses_the_form(tmp_path: Path, count: int, text: str) -> None:
    words = small(tmp_path, 'a = {zero = "none", one = "one tile", other = "{count} tiles"}')
    assert words.text("a", count=count) == text


def test_a_form_that_is_not_written_falls_back_to_the_general_one(tmp_path: Path) -> None:
    words = small(tmp_path, 'a = {one = "one tile", other = "{count} tiles"}')
    assert words.text("a", count=0) == "0 tiles"


def test_the_parameter_that_chooses_can_be_named(tmp_path: Path) -> None:
    words = small(tmp_path, 'a = {by = "minimum", one = "one", other = "{minimum}"}')
    assert words.text("a", minimum=1) == "one"
    assert words.text("a", minimum=4) == "4"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('a = {dual = "x", other = "y"}', "unknown form 'dual'"),
        ("[a]\nb = 3", "a.b: a message is text"),
        ("a = [1]", "a: a message is text"),
    ],
)
def test_a_catalogue_that_makes_no_sense_is_refused(
    tmp_path: Path, text: str, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        small(tmp_path, text)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("read", READS)
class TestAllLanguages:
    def test_have_exactly_the_same_keys(self, read: Reading, language: str) -> None:
        english, other = read("en").messages, read(language).messages
        assert set(other) == set(english)

    def test_use_the_same_placeholders(self, read: Reading, language: str) -> None:
        english, other = read("en").messages, read(language).messages
        differ = {
            key: (message.placeholders(), other[key].placeholders())
            for key, message in english.items()
            if message.placeholders() != other[key].placeholders()
        }
        assert not differ

    def test_say_something_of_their_own(self, read: Reading, language: str) -> None:
        """Nothing was left in English, and nothing was copied from the other Chinese."""
        han = re.compile(r"[\u4e00-\u9fff]")
        foreign = [
            key
            for key, message in read(language).messages.items()
            if not all(han.search(form) for form in message.forms.values())
            and re.search(r"[A-Za-z]{2}", re.sub(r"\{\w+\}", "", "".join(message.forms.values())))
        ]
        assert not foreign


def test_simplified_text_has_no_traditional_characters() -> None:
    wrong = set("們時組順這個裡還對稱顏紅藍黃鏡規則說為雙變塊點數與從鎖條")
    assert not wrong.intersection(_all_text("zh-Hans"))


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh-Hant", ["鏡像", "選中", "交牌", "交出", "按顏色", "按數字", "{value} 分"]),
        ("zh-Hans", ["镜射", "交牌", "交出", "{value} 分", "{minimum} 分", "破冰分数"]),
    ],
)
def test_one_thing_has_one_word(language: str, words: list[str]) -> None:
    """The heads of the Chinese catalogues say which."""
    text = _all_text(language)
    assert not [word for word in words if word in text]


def test_traditional_text_has_no_simplified_characters() -> None:
    wrong = set("们时组顺这个还对称颜红蓝黄镜规则说为双变块点数与从锁条张库")
    assert not wrong.intersection(_all_text("zh-Hant"))


def test_each_chinese_keeps_to_its_own_vocabulary() -> None:
    simplified, traditional = _all_text("zh-Hans"), _all_text("zh-Hant")
    assert "牌库" in simplified
    assert "牌堆" not in simplified
    assert "牌堆" in traditional
    assert "默认" in simplified
    assert "預設" in traditional
    assert "镜像" in simplified
    assert "鏡射" in traditional


@pytest.mark.parametrize(("language", "charset"), [("zh-Hans", "gb2312"), ("zh-Hant", "big5")])
def test_each_script_keeps_to_its_own_characters(language: str, charset: str) -> None:
    """The old charsets hold one script each, and every character in daily use."""
    han = set(re.findall("[\u4e00-\u9fff]", _all_text(language)))
    assert not [letter for letter in sorted(han) if not letter.encode(charset, "ignore")]


@pytest.mark.parametrize("language", OTHERS)
def test_no_player_has_to_guess(language: str) -> None:
    """Phrases that once stood here and that players of one place or another read wrongly.

    以上 and 以下 do not say whether the number counts; 流局 is a game that nobody wins; a joker is
    taken back by one verb.
    """
    unclear = re.compile(
        r"[一二三四五六七八九十兩两0-9}] ?[人塊张張對对組组點点]?(以上|以下)"
        r"|供 ?[0-9{]|所代表的牌(对|對)(称|稱)|流局|僵局|換出|换出|換下|换下|取回|拿回百搭"
    )
    reads: tuple[Reading, ...] = (catalogue, page_words, terminal_words)
    texts = {
        key: form
        for read in reads
        for key, message in read(language).messages.items()
        for form in message.forms.values()
    }
    assert {key: text for key, text in texts.items() if unclear.search(text)} == {}


@pytest.mark.parametrize("language", OTHERS)
def test_editions_have_names_in_chinese(language: str) -> None:
    for name in EDITIONS:
        title = catalogue(language).text(f"edition.{name}.name")
        assert re.match("[\u4e00-\u9fff]{2,}版", title), title


def _all_text(language: str) -> str:
    reads: tuple[Reading, ...] = (*READS, terminal_words)
    messages = [message for read in reads for message in read(language).messages.values()]
    return "\n".join(form for message in messages for form in message.forms.values())


# Every key is used, and everything that is used has a key.


def _constants(folder: Path) -> Iterator[str]:
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def _patterns(folder: Path) -> Iterator[re.Pattern[str]]:
    """What f-strings such as f"option.{key}" and f"{outcome}-shared" can make."""
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = [
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else "(.+)"
                    for part in node.values
                ]
                if re.search(r"[a-z]{2}", "".join(parts)):
                    yield re.compile("".join(parts))


def test_every_key_is_used() -> None:
    """A key stands in the source as it is, or an f-string makes it from words that do."""
    known = {*_constants(SOURCE), *COLOURS, *JOKER_LETTERS}
    patterns = list(_patterns(SOURCE))

    def used(text: str) -> bool:
        return text in known or any(
            all(used(part) for part in match.groups())
            for pattern in patterns
            if (match := pattern.fullmatch(text)) and text not in match.groups()
        )

    assert [key for key in catalogue("en").messages if not used(key)] == []


def test_every_edition_option_choice_and_kind_has_words() -> None:
    keys = set(catalogue("en").messages)
    wanted = {f"edition.{name}.{part}" for name in EDITIONS for part in ("name", "blurb")}
    wanted |= {f"option.{key}" for key in SPECS}
    wanted |= {f"choice.{key}.{value}" for key, spec in SPECS.items() for value in spec.choices}
    wanted |= {f"choice.{key}.null" for key, spec in SPECS.items() if spec.nullable}
    wanted |= {f"kind.{kind}" for kind in Kind}
    assert wanted <= keys
    families = ("edition.", "option.", "choice.", "kind.")
    assert {key for key in keys if key.startswith(families)} <= wanted


def _codes(folder: Path, name: str) -> set[str]:
    """The first arguments of all calls of a class: Reason("gap", …) → gap."""
    return {
        str(constant.value)
        for file in folder.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
        for constant in ast.walk(node.args[0])
        if isinstance(constant, ast.Constant) and re.fullmatch("[a-z-]+", str(constant.value))
    }


def test_every_refusal_of_a_game_has_words() -> None:
    codes = _codes(SOURCE / "play", "GameRefused")
    assert codes == {*get_args(RefusalCode)}
    assert {f"refusal.{code}" for code in codes} <= set(catalogue("en").messages)


def test_every_breach_of_a_record_has_words() -> None:
    assert {f"problem.{breach}" for breach in Breach} <= set(catalogue("en").messages)


def test_every_reason_of_the_judge_is_a_code() -> None:
    codes = _codes(SOURCE / "rules", "Reason") | _codes(SOURCE / "solver", "Reason")
    assert codes
    assert codes <= {*get_args(ReasonCode)}


def test_every_code_of_a_reason_is_used() -> None:
    said = Counter(_constants(SOURCE / "rules"))
    assert [code for code in get_args(ReasonCode) if said[code] < 2] == [], "only in its own list"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_words_and_every_sentence_a_reason(language: str) -> None:
    keys = {key for key in catalogue(language).messages if key.startswith("reason.")}
    assert keys == {f"reason.{code}" for code in get_args(ReasonCode)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_objective_says_what_is_proven(language: str) -> None:
    assert {f"solve.proven-{name}" for name in OBJECTIVES} <= {*catalogue(language).messages}


def test_a_language_may_have_all_plural_categories(tmp_path: Path) -> None:
    source = tmp_path / "pl.toml"
    source.write_text(
        '[tiles]\none = "{count} kostka"\nfew = "{count} kostki"\n'
        'many = "{count} kostek"\nother = "{count} kostki"\n',
        "utf-8",
    )
    words = read_catalogue("pl", source)
    found = [words.text("tiles", count=count) for count in (1, 2, 5, 12, 22)]
    assert found == ["1 kostka", "2 kostki", "5 kostek", "12 kostek", "22 kostki"]
