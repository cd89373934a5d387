import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from tilerummy.cli.main import app
from tilerummy.locales import LANGUAGES
from tilerummy.locales.rulebook import rulebook
from tilerummy.locales.rulebook.markdown import render_markdown
from tilerummy.rules.editions import EDITIONS, SABRA, TWIST

runner = CliRunner()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EDITIONS)
def test_every_section_is_printed(name: str, language: str) -> None:
    result = runner.invoke(app, ["rules", "--edition", name, "--lang", language])
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert all(section.title in lines for section in rulebook(EDITIONS[name], language))


def test_classic_is_the_default() -> None:
    result = runner.invoke(app, ["rules", "--lang", "en"])
    assert result.stdout.startswith("The rules: Classic\n")


def test_examples_are_marked_and_explained() -> None:
    out = runner.invoke(app, ["rules", "-e", "twist", "--lang", "en"]).stdout
    assert "  ✓ r7 M r7            mirror pair, 14 points. The smallest mirror:" in out
    assert "  ✗ k2 k3 M k3         Black 2 is missing on the right.\n" in out
    assert "    After  r5 r6 r7 / b7 k7 o7 / k11 k12 J\n" in out
    assert "    C  J k2     −32\n" in out


def test_a_score_sheet_is_printed_with_both_sums() -> None:
    out = runner.invoke(app, ["rules", "--lang", "en"]).stdout
    assert "    Game          A     B     C     D\n    1           +24    −5   −16    −3\n" in out
    assert "    Total       −24   −54   +45   +33\n    Games won     1     0     2     1\n" in out


def test_variations_are_printed_with_their_options() -> None:
    out = runner.invoke(app, ["rules", "-e", "sabra", "--lang", "en"]).stdout
    assert "  · Play goes counter-clockwise.\n    direction=ccw\n" in out


def test_piped_output_is_plain_and_fits_80_columns() -> None:
    out = runner.invoke(app, ["rules", "-e", "twist", "--lang", "en"]).stdout
    assert "\x1b" not in out
    assert max(len(line) for line in out.splitlines()) <= 80
    assert all(line == line.rstrip() for line in out.splitlines())


def test_a_terminal_gets_ivory_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = runner.invoke(app, ["rules", "--lang", "en"], color=True).stdout
    assert "48;2;253;246;227m r9 " in out


def test_no_color_keeps_the_notation_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    out = runner.invoke(app, ["rules", "--lang", "en"], color=True).stdout
    assert "✓ r9 b9 k9 " in out
    assert "48;2" not in out


def test_options_change_the_rules_and_are_listed_as_house_rules() -> None:
    arguments = ["rules", "-e", "sabra", "-o", "timer.seconds=0", "--lang", "en"]
    out = runner.invoke(app, arguments).stdout
    assert "There is no clock" in out
    assert "House rules at this table" in out
    assert "timer.seconds = 0 (usually 120)." in out


def test_markdown_is_printed_on_request() -> None:
    result = runner.invoke(app, ["rules", "--edition", "sabra", "--markdown", "--lang", "zh-TW"])
    assert result.stdout == render_markdown(SABRA, "zh-Hant")


def test_the_language_of_the_system_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_TW.UTF-8")
    out = runner.invoke(app, ["rules", "-e", "twist", "--markdown"]).stdout
    assert out == render_markdown(TWIST, "zh-Hant")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--edition", "clasic"], "unknown edition 'clasic': there are classic, taiwan"),
        (["--option", "joker.reuse=never"], "joker.reuse cannot be 'never': it takes any or"),
        (["--option", "no.such=1"], "unknown option 'no.such'"),
        (["--option", "timer.seconds"], "write timer.seconds=VALUE"),
        (["--lang", "fr"], "unknown language 'fr': there are en, zh-Hans, zh-Hant"),
    ],
)
def test_wrong_input_is_answered_on_stderr_with_exit_code_2(
    arguments: list[str], complaint: str
) -> None:
    result = runner.invoke(app, ["rules", *arguments])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert complaint in result.stderr
    assert "Traceback" not in result.stderr


def test_a_terminal_that_lacks_a_character_gets_a_substitute() -> None:
    result = subprocess.run(
        [
            sys.executable,
            "-c",
            "from tilerummy.cli.main import run; run()",
            "rules",
            "--lang",
            "en",
        ],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "  ? r9 b9 k9 " in result.stdout


def test_help_teaches_by_example() -> None:
    out = runner.invoke(app, ["rules", "--help"]).stdout
    assert "tilerummy rules --edition twist" in out
