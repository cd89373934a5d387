"""`tilerummy lab`, as it is typed."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from tilerummy.cli.lab.hands import text_of
from tilerummy.cli.main import app
from tilerummy.lab import HandCount
from tilerummy.locales import LANGUAGES, catalogue

runner = CliRunner()


def test_hands_of_three_tiles() -> None:
    result = runner.invoke(app, ["lab", "hands", "--size", "3", "--lang", "en"])
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout == (
        "Hands of 3 tiles that go out at once:\n"
        "  distinct  96\n"
        "  physical  768 of 182,104\n"
        "  odds      1 in 237.1 (0.4217 %)\n"
    )


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        (
            "zh-Hans",
            [
                "拿到 3 张牌，一次就能全部出完：",
                "  不同的手牌  96",
                "  实际的手牌  182,104 种里有 768 种",
                "  概率        237.1 分之一（0.4217 %）",
            ],
        ),
        (
            "zh-Hant",
            [
                "拿到 3 塊牌，一次就能全部出完：",
                "  不同的手牌  96",
                "  實際的手牌  182,104 種裡有 768 種",
                "  機率        237.1 分之一（0.4217 %）",
            ],
        ),
    ],
)
def test_hands_in_chinese(lang: str, lines: list[str]) -> None:
    result = runner.invoke(app, ["lab", "hands", "--size", "3", "--lang", lang])
    assert result.exit_code == 0
    assert result.stdout.splitlines() == lines


def test_hands_speak_the_language_of_the_system() -> None:
    result = runner.invoke(app, ["lab", "hands", "-n", "1"], env={"LC_ALL": "zh_TW.UTF-8"})
    assert "沒有（0 %）" in result.stdout


def test_a_language_that_nobody_has_written() -> None:
    result = runner.invoke(app, ["lab", "hands", "-n", "1", "--lang", "fr"])
    assert result.exit_code == 2
    assert "unknown language 'fr'" in result.stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_hand_that_always_goes_out_is_reported(lang: str) -> None:
    words = catalogue(lang)
    assert text_of(HandCount(104, 1, 1, 1), words).endswith(words.text("lab.always"))


def test_hands_as_json() -> None:
    data = json.loads(runner.invoke(app, ["lab", "hands", "-n", "3", "--json"]).stdout)
    assert data.pop("one_in") == pytest.approx(182104 / 768)
    assert data.pop("percent") == pytest.approx(76800 / 182104)
    assert data == {"size": 3, "distinct": 96, "physical": 768, "total": 182104}


def test_hands_too_small_for_a_set() -> None:
    result = runner.invoke(app, ["lab", "hands", "--size", "1", "--lang", "en"])
    assert "odds      none (0 %)" in result.stdout
    data = json.loads(runner.invoke(app, ["lab", "hands", "--size", "2", "--json"]).stdout)
    assert (data["physical"], data["one_in"], data["percent"]) == (0, None, 0)


@pytest.mark.parametrize("size", ["0", "105", "-3"])
def test_a_size_that_cannot_be_dealt(size: str) -> None:
    result = runner.invoke(app, ["lab", "hands", "--size", size])
    assert result.exit_code == 2
    assert result.stdout == ""
    expected = f"tilerummy: a hand of {size} tiles cannot be dealt: choose 1 to 104 tiles\n"
    assert result.stderr == expected


@pytest.mark.parametrize(
    ("physical", "total", "odds"),
    [
        (1, 1, "always (100 %)"),
        (91_961_704, 91_962_520, "1 in 1.000008873 (99.9991127 %)"),
        (68_006_854_852, 79_515_468_511_191_440, "1 in 1,169,227 (0.00008553 %)"),
    ],
)
def test_odds_keep_their_telling_digits(physical: int, total: int, odds: str) -> None:
    text = text_of(HandCount(14, 1, physical, total), catalogue("en"))
    assert text.endswith(f"odds      {odds}")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no terminals of this kind")
def test_a_terminal_sees_the_progress_and_the_output_stays_clean() -> None:
    import pty

    ours, theirs = pty.openpty()
    program = "from tilerummy.cli.main import run; run()"
    run = subprocess.run(
        [sys.executable, "-c", program, "lab", "hands", "--size", "6", "--json", "--lang", "en"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
        check=True,
    )
    seen = os.read(ours, 65536)
    os.close(theirs)
    os.close(ours)
    assert json.loads(run.stdout)["distinct"] == 4656
    assert b"counting" in seen
