"""Every error that a player can see has its sentence in every language."""

from __future__ import annotations

import ast
import errno
import importlib
import pickle
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import tilerummy
from tilerummy.locales import LANGUAGES, catalogue, error_text, system_reason
from tilerummy.locales.catalogues import terminal_words
from tilerummy.play.match import Match, MatchError
from tilerummy.play.record import RecordError
from tilerummy.play.refusals import Refused
from tilerummy.rules.editions import CLASSIC, edition, find_spec
from tilerummy.rules.errors import OptionError, TileRummyError
from tilerummy.rules.tiles import parse_face

SOURCE = Path(tilerummy.__file__).parent
PACKAGES = ("rules", "play", "solver", "bots", "lab", "queries", "locales", "cli")
"""Whose errors the terminal shows. Those of the server are for hosts and programs, but for the
ones with a key."""
OTHERS = [language for language in LANGUAGES if language != "en"]

FOR_PROGRAMS = {"EventError", "_MismatchError"}
"""They point at broken data, inside the sentence of a RecordError or a Problem."""
IN_THE_CATALOGUE = {"PadError": "score.error.", "GameRefused": "refusal."}
"""Errors whose sentences, English ones too, are in the catalogue by their code."""


def errors_of_the_terminal() -> set[str]:
    """The names of all our errors outside the server."""
    for package in PACKAGES:
        module = importlib.import_module(f"tilerummy.{package}")
        for found in pkgutil.walk_packages(module.__path__, f"{module.__name__}."):
            if not found.name.endswith("__main__"):
                importlib.import_module(found.name)

    def under(cls: type[TileRummyError]) -> Iterator[type[TileRummyError]]:
        yield cls
        for sub in cls.__subclasses__():
            yield from under(sub)

    return {cls.__name__ for cls in under(TileRummyError) if ".server." not in cls.__module__}


@dataclass(frozen=True)
class Raised:
    """A place that makes an error."""

    where: str
    error: str
    message: str | None
    key: str | None
    params: frozenset[str]


@cache
def calls(package: str) -> list[tuple[Path, str, ast.Call]]:
    """Where a package calls something by its name, and that name."""
    return [
        (file, node.func.id, node)
        for file in sorted((SOURCE / package).rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]


def raised() -> Iterator[Raised]:
    names = errors_of_the_terminal()
    for package in PACKAGES:
        for file, name, call in calls(package):
            if name in names - FOR_PROGRAMS - set(IN_THE_CATALOGUE):
                yield _raised(f"{file.relative_to(SOURCE)}:{call.lineno}", call)
    for file, name, call in calls("server"):
        found = _raised(f"{file.relative_to(SOURCE)}:{call.lineno}", call)
        if name in names and found.key:
            yield found


def _raised(where: str, node: ast.Call) -> Raised:
    assert isinstance(node.func, ast.Name)
    given = {word.arg: word.value for word in node.keywords if word.arg}
    key = given.get("key")
    return Raised(
        where,
        node.func.id,
        _constant(node.args[0]) if node.args else None,
        None if key is None else _constant(key),
        frozenset(given) - {"key", "code"},
    )


def _constant(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def placeholders(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


ALL = list(raised())
PASSED_ON = {
    "play/record.py",  # RecordError hands its own message over
    "cli/score.py",  # a sentence of the pad, in its language already
    "cli/positions.py",  # likewise
}
FREE = [site for site in ALL if site.message is None]
BARE = "{what}"
"""Only passes another error on, and needs no words of its own."""
SENTENCES = [site for site in ALL if site.message and (site.key or site.message != BARE)]


def test_the_errors_are_found() -> None:
    assert len(SENTENCES) > 80
    assert {"OptionError", "TileError", "PositionError", "RecordError"} <= {
        site.error for site in SENTENCES
    }


def test_no_error_is_put_together_from_pieces() -> None:
    """An f-string cannot be translated: the English is one template with parameters."""
    assert {site.where.partition(":")[0] for site in FREE} <= PASSED_ON


@pytest.mark.parametrize("site", SENTENCES, ids=lambda site: site.where)
def test_an_error_names_its_sentence_and_fills_it_in(site: Raised) -> None:
    assert site.key, "give it a key"
    assert site.key.startswith("error.")
    assert placeholders(site.message or "") == site.params


def test_one_key_means_one_sentence() -> None:
    english: dict[str, str] = {}
    for site in SENTENCES:
        assert english.setdefault(site.key or "", site.message or "") == site.message


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_exists_in_every_language_and_no_other(language: str) -> None:
    words = terminal_words(language).messages
    around = {"error.record.line"}  # which RecordError puts before other sentences
    wanted = around | {site.key for site in SENTENCES}
    assert {key for key in words if key.startswith("error.")} == wanted


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("site", SENTENCES, ids=lambda site: site.where)
def test_a_translation_asks_for_nothing_that_is_not_given(site: Raised, language: str) -> None:
    asked = terminal_words(language).messages[site.key or ""].placeholders()
    assert asked <= site.params
    assert site.params - asked <= {"faults"}  # codes; the reasons follow in words


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", sorted(IN_THE_CATALOGUE))
def test_codes_with_sentences_in_the_catalogue_have_them(name: str, language: str) -> None:
    codes = {
        code
        for package in PACKAGES
        for _, called, call in calls(package)
        if called == name and call.args and (code := _constant(call.args[0]))
    }
    assert codes
    prefix = IN_THE_CATALOGUE[name]
    assert {f"{prefix}{code}" for code in codes} <= set(catalogue(language).messages)


# What they say


def test_english_is_the_message_itself() -> None:
    with pytest.raises(TileRummyError) as caught:
        parse_face("x9")
    assert error_text(caught.value, "en") == str(caught.value)
    assert str(caught.value).startswith("unknown tile 'x9': ")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "classic is for 2 to 4 players, not 1"),
        ("zh-Hans", "经典版适合 2 到 4 人，不能 1 人玩"),
        ("zh-Hant", "經典版適合 2 到 4 人，不能 1 人玩"),
    ],
)
def test_too_few_players(language: str, text: str) -> None:
    with pytest.raises(MatchError) as caught:
        Match(CLASSIC, ("Ann",))
    assert error_text(caught.value, language) == text


def test_what_is_possible_is_said_in_the_language() -> None:
    with pytest.raises(OptionError) as caught:
        edition("classic", {"hand_size": 99})
    assert str(caught.value) == "hand_size cannot be '99': it takes a whole number from 1 to 40"
    assert error_text(caught.value, "zh-Hant") == "hand_size 不能是「99」：可用的值：1 到 40"


def test_an_error_inside_an_error_is_translated_too() -> None:
    with pytest.raises(OptionError) as caught:
        find_spec("no.such")
    outer = RecordError("{what}", 3, what=caught.value)
    assert str(outer).startswith("line 3: unknown option 'no.such': there are copies, ")
    assert error_text(outer, "zh-Hans").startswith("第 3 行：没有“no.such”这个选项")


def test_a_refusal_is_said_in_the_words_of_the_table() -> None:
    refused = Refused("must-play", "the pool is empty and you can play, so you must")
    assert error_text(refused, "zh-Hant") == "你有牌可以出，不能跳過。"


def test_an_error_without_words_stays_english() -> None:
    assert error_text(TileRummyError("{not a template"), "zh-Hant") == "{not a template"
    assert error_text(TileRummyError("a {b}", key="error.no.such", b=1), "zh-Hant") == "a 1"


def test_input_is_shown_short_and_harmless() -> None:
    with pytest.raises(TileRummyError) as caught:
        parse_face("\x1b[31m" + "x" * 1000)
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 200
    assert "\x1b" not in error_text(caught.value, "zh-Hant")


def test_braces_in_the_input_are_text() -> None:
    with pytest.raises(TileRummyError) as caught:
        parse_face("{tile}")
    assert "'{tile}'" in str(caught.value)
    assert "「{tile}」" in error_text(caught.value, "zh-Hant")


@pytest.mark.parametrize("language", OTHERS)
def test_reasons_of_the_system_have_words(language: str) -> None:
    assert system_reason(OSError(errno.ENOENT, "No such file"), language) != "No such file"
    assert system_reason(OSError(errno.EDEADLK, "rare"), language) == "rare"
    assert system_reason(OSError(errno.ENOENT, "No such file"), "en") == "No such file"


def test_errors_go_from_process_to_process() -> None:
    with pytest.raises(OptionError) as caught:
        edition("classic", {"hand_size": 99})
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value)
    assert copy.code == caught.value.code
    assert error_text(copy, "zh-Hans") == error_text(caught.value, "zh-Hans")
