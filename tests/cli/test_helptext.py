"""`--help` and usage errors in every language."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from tilerummy.cli.helptext import ROOT, param_help, usage_text
from tilerummy.cli.main import app
from tilerummy.cli.options import language_of_arguments
from tilerummy.locales import LANGUAGES
from tilerummy.locales.catalogues import terminal_words
from tilerummy.rules.editions import EDITIONS
from tilerummy.server.ops.settings import ServerSettings

OTHERS = [language for language in LANGUAGES if language != "en"]
WIDE = {"COLUMNS": "300", "TERM": "dumb", "NO_COLOR": "1"}
ENGLISH = re.compile(r"(?<![\w.=/-])[a-z]{2,}(?: [a-z]{2,}){2,}(?![\w=])", re.IGNORECASE)
"""Three words in a row: a sentence, not a name."""


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    for name, part in getattr(command, "commands", {}).items():
        yield from commands(part, (*path, name))


ALL = dict(commands(get_command(app)))


def key(path: tuple[str, ...]) -> str:
    return ".".join(path) or ROOT


def run(*args: str, **environment: str) -> str:
    result = CliRunner().invoke(app, list(args), env=WIDE | environment)
    return result.stdout + result.stderr


help_page = cache(run)
"""Several tests read the same page."""


def option_line(option: str, *args: str) -> str:
    """What a page of help says about an option."""
    return next(line for line in help_page(*args).splitlines() if line.startswith(f"│ {option} "))


def prose(text: str) -> str:
    """A page of help without examples and frames."""
    lines = (
        line for line in text.splitlines() if not re.match(r"\s*(用法：)?(tilerummy|echo) ", line)
    )
    return re.sub(r'"[^"]*"|\[[^]]*\]', "", "\n".join(lines))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("path", ALL, ids=key)
class TestEveryCommand:
    def test_has_words_for_all_it_explains(self, path: tuple[str, ...], language: str) -> None:
        words, command = terminal_words(language), ALL[path]
        assert f"help.{key(path)}.about" in words.messages
        missing = [
            param.name
            for param in command.params
            if param_help(words, key(path), param.name) is None
        ]
        assert not missing

    def test_shows_no_english_sentence(self, path: tuple[str, ...], language: str) -> None:
        shown = help_page("--lang", language, *path, "--help")
        assert re.search("用法：", shown)
        assert ENGLISH.findall(prose(shown)) == []
        assert not re.search("Usage|Options|Arguments|Commands|Show this|default:", prose(shown))

    def test_keeps_its_examples(self, path: tuple[str, ...], language: str) -> None:
        english, other = help_page(*path, "--help"), help_page("--lang", language, *path, "--help")

        def examples(text: str) -> list[str]:
            return [line.strip() for line in text.splitlines() if re.match(r"\s+tilerummy ", line)]

        assert examples(english) == examples(other)

    def test_translates_as_many_paragraphs_as_there_are(
        self, path: tuple[str, ...], language: str
    ) -> None:
        english = [
            paragraph
            for paragraph in (ALL[path].help or "").split("\n\n")
            if not re.match(r"\s*(tilerummy |TILERUMMY_\w+=|echo |Examples?:)", paragraph)
        ]
        about = terminal_words(language).text(f"help.{key(path)}.about").strip()
        assert len(about.split("\n\n")) == len(english)


@pytest.mark.parametrize("path", ALL, ids=key)
def test_english_help_is_as_the_code_says_it(path: tuple[str, ...]) -> None:
    shown = help_page(*path, "--help")
    assert "Usage: " in shown
    assert not re.search("[\u4e00-\u9fff]", shown)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("option", "names"), [("--lang", LANGUAGES), ("--edition", EDITIONS)])
def test_help_lists_every_language_and_edition(
    language: str, option: str, names: Collection[str]
) -> None:
    line = option_line(option, "--lang", language, "play", "--help")
    assert [name for name in names if name not in line] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_of_the_server_states_its_defaults(language: str) -> None:
    settings = ServerSettings()
    for name in ("host", "port", "log_format", "log_level"):
        option = f"--{name.replace('_', '-')}"
        line = option_line(option, "--lang", language, "serve", "--help")
        assert re.search(rf"(Default: |默认为 |預設為 ){getattr(settings, name)}[.。]", line)


@pytest.mark.parametrize("language", OTHERS)
def test_there_are_no_words_for_what_no_command_has(language: str) -> None:
    shared = {"examples", "help", *(param.name for c in ALL.values() for param in c.params)}
    wanted = {f"help.shared.{name}" for name in shared}
    for path, command in ALL.items():
        names = ("about", *(param.name for param in command.params))
        wanted |= {f"help.{key(path)}.{name}" for name in names}
    keys = {name for name in terminal_words(language).messages if name.startswith("help.")}
    assert keys <= wanted


def test_the_environment_chooses_the_language() -> None:
    assert "用法：tilerummy rules" in run("rules", "--help", LC_ALL="zh_TW.UTF-8")
    assert "Usage: tilerummy rules" in run("rules", "--help", LC_ALL="C")
    assert "Usage: tilerummy rules" in run("rules", "--help", "--lang", "en", LC_ALL="zh_TW")


def test_the_language_may_come_before_the_command() -> None:
    assert "規則：經典版" in run("--lang", "zh-Hant", "rules")
    assert "规则：经典版" in run("--lang", "zh-Hant", "rules", "--lang", "zh-Hans")


def test_a_language_nobody_knows_is_refused() -> None:
    for args in (["--lang", "fr", "rules"], ["rules", "--lang", "fr"]):
        result = CliRunner().invoke(app, args, env=WIDE)
        assert result.exit_code == 2
        assert "unknown language 'fr'" in result.stderr
    assert "没有“fr”这种语言" in run("rules", "--lang", "fr", LC_ALL="zh_CN.UTF-8")


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (["sovle"], "沒有指令 'sovle'"),
        (["solve", "--bst", "3"], "沒有選項 --bst"),
        (["replay"], "缺少參數 'FILE'。"),
        (["solve", "--rack"], "選項 '--rack' 後面要有值。"),
        (["solve", "--best", "99", "r1"], "50"),
        (["solve", "--best", "x", "r1"], "的值有誤：不是整數。"),
        (["solve", "--time-limit", "x", "r1"], "的值有誤：不是數字。"),
        (["rules", "extra"], "多了看不懂的參數：extra"),
    ],
)
def test_wrong_usage_is_explained_in_the_language(args: list[str], text: str) -> None:
    result = CliRunner().invoke(app, ["--lang", "zh-Hant", *args], env=WIDE)
    assert result.exit_code == 2
    assert text in result.stderr
    assert ENGLISH.findall(prose(result.stderr)) == []
    assert "錯誤" in result.stderr


def test_a_sentence_without_words_stays() -> None:
    words = terminal_words("zh-Hant")
    assert usage_text("Something new happened.", words) == "Something new happened."
    assert usage_text("Missing command.", terminal_words("en")) == "Missing command."


def test_the_language_is_read_from_the_arguments() -> None:
    assert language_of_arguments(["solve", "--lang", "zh"]) == "zh"
    assert language_of_arguments(["--lang=zh-Hant", "solve"]) == "zh-Hant"
    assert language_of_arguments(["solve", "--", "--lang", "zh"]) is None
    assert language_of_arguments(["solve", "--lang"]) is None
    assert language_of_arguments([]) is None


def test_one_language_leaves_no_trace_in_the_next() -> None:
    before = run("rules", "--help")
    run("rules", "--help", "--lang", "zh-Hant")
    assert run("rules", "--help") == before
