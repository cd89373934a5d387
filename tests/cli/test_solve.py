"""`tilerummy solve` shows the best turn, or answers JSON Lines."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tilerummy.cli.main import app
from tilerummy.cli.solve import parse_position
from tilerummy.cli.turnpage import laid
from tilerummy.rules.editions import edition
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import parse_faces, parse_row, parse_table, parse_tiles, table_text
from tilerummy.rules.turns import judge_turn
from tilerummy.solver.steps.planner import plan_steps

CASES = Path(__file__).parent.parent / "data" / "cases" / "best_turns.jsonl"
HARDEST = Path(__file__).parents[2] / "benchmarks" / "hard.jsonl"
HARD = json.loads(HARDEST.read_text(encoding="utf-8").splitlines()[0])
EASY = {"rack": ["b3", "b8", "k1"], "table": [["b4", "b5", "b6"], ["r8", "k8", "o8"]]}
run = CliRunner().invoke


def shown(*arguments: str, lang: str = "en", **more: str) -> str:
    result = run(app, ["solve", *arguments, "--lang", lang], **more)  # type: ignore[arg-type]
    assert result.exit_code == 0, result.output
    return result.output


def ask(*lines: bytes, flags: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """The answers of a real process to some lines."""
    process = subprocess.run(
        [sys.executable, "-m", "tilerummy.cli", "solve", "--json", *flags],
        input=b"\n".join(lines) + b"\n",
        capture_output=True,
        check=True,
    )
    assert process.stderr == b""
    return [json.loads(line) for line in process.stdout.splitlines()]


def ask_objects(*requests: object, flags: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    return ask(*(json.dumps(request).encode() for request in requests), flags=flags)


# For people


def test_a_turn_is_shown_with_its_steps_and_figures() -> None:
    output = shown("table: b4 b5 b6 / r8 k8 o8  rack: b3 b8 k1")
    assert "  b4 b5 b6 / r8 k8 o8\n" in output
    assert "Best turn: 2 tiles, 11 points off the rack." in output
    assert "  1  Add blue 8 to the eights.\n" in output
    assert "  2  Add blue 3 to the front of the blue run 4 5 6.\n" in output
    assert "+b3 b4 b5 b6" in output
    assert "The rack after it\n  k1\n" in output
    assert "Proven: no turn plays more tiles" in output
    assert "Sets left alone: 0 of 2." in output


def test_flags_arguments_and_standard_input_say_the_same() -> None:
    flags = shown("--table", "b4 b5 b6 / r8 k8 o8", "--rack", "b3 b8 k1")
    text = "rack: b3 b8 k1 table: b4 b5 b6 / r8 k8 o8"
    assert flags == shown(text)
    assert flags == shown(*text.split())
    assert flags == shown(input=text.replace(" ", "\n"))
    assert flags == shown("--table", "b4 b5 b6 / r8 k8 o8", "b3,b8,k1")


def test_going_out_is_announced() -> None:
    output = shown("table: r1 r2 r3 rack: r4")
    assert "This plays the whole rack." in output
    assert "The rack after it\n  nothing\n" in output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rack", "r1 b5"], "You can't play anything this turn. Draw a tile"),
        (["--rack", "r1 b5", "--unopened"], "This rack has no opening of 30 points yet."),
        (
            ["table: r1 r2 r3 rack: r4 k9", "--objective", "out"],
            "can't play the whole rack this turn",
        ),
    ],
)
def test_where_nothing_can_be_played_it_says_so_kindly(arguments: list[str], words: str) -> None:
    output = shown(*arguments)
    assert words in output
    assert "Proven: there is no such turn." in output
    assert "The table after it" not in output


def test_an_opening_counts_the_rows_laid() -> None:
    output = shown("--unopened", "--rack", "r9 J r11 k1", "--table", "b1 b2 b3")
    assert "Best opening: 3 tiles, sets worth 30 points." in output
    assert "Sets left alone: 1 of 1." in output


def test_objectives_edition_and_options_count() -> None:
    assert "44 points" in shown("-e", "twist", "--rack", "r7 r7 M b2")
    assert "39 points" in shown(
        "-e", "twist", "--rack", "r7 r7 M b2", "-o", "joker.rack_penalty=25"
    )
    assert "Proven: no turn is worth more" in shown("r1 r2 r3 b9", "--objective", "value")
    assert "every tile finds its place" in shown("r1 r2 r3", "--objective", "out")


def test_the_next_best_turns_follow() -> None:
    output = shown("--unopened", "--rack", "r9 r10 r11 k4 J b12", "--best", "3")
    assert "Best opening: 4 tiles" in output
    assert "  2  3 tiles, 33 points: r10 r11 J\n" in output
    assert "  3  3 tiles, 30 points: " in output
    assert "There is no other turn." in shown("r1 r2 r3", "--best", "9")
    assert "You can't play anything" in shown("r1 r2", "--best", "2")


def test_tiles_that_would_help_and_tiles_that_can_be_played() -> None:
    output = shown("table: b4 b5 b6 rack: b3 b1 r1", "--missing", "--playable")
    assert "Tiles that some legal turn plays:\n  b3\n" in output
    assert "Tiles that no legal turn plays:\n  r1 b1\n" in output
    assert "With one of these, you can play 3 tiles:\n  b2\n" in output
    assert "you can play 2 tiles:\n  b7" in output
    assert "No single extra tile helps." in shown("r1 b5", "--missing")
    assert "With one of these, you can play the whole rack:\n  r3 " in shown("r1 r2", "--missing")


def test_a_timeout_is_reported() -> None:
    table = " / ".join(" ".join(row) for row in HARD["table"])
    position = ("-e", HARD["edition"], "--table", table, "--rack", " ".join(HARD["rack"]))
    assert "Not proven" not in shown(*position, "--time-limit", "600")
    output = shown(*position, "--time-limit", "0")
    assert "Best turn: " in output
    assert "Not proven: the search ended early" in output


def test_words_come_in_the_language_asked_for() -> None:
    text = "table: b4 b5 b6 rack: b3"
    assert "最好的打法：打出 1 张，牌架减少 3 点。" in shown(text, lang="zh-Hans")
    assert "把藍3加到藍色順組（4、5、6）的前面。" in shown(text, lang="zh-Hant")
    assert shown("桌面：b4 b5 b6 牌架：b3") == shown(text)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no position is given. Write, for example: tilerummy solve"),
        (["table: r1 r2 r3"], "the rack is empty"),
        (["r7 x8"], "unknown tile 'x8'"),
        (["table: r1 r2 rack: r3"], "r1 r2: A set needs at least three tiles."),
        (["rack: r7 r7 r7"], "the box of this edition has 2"),
        (["rack: D"], "has no D"),
        (["r1 r2 r3 / r4 r5 r6"], "the table or the rack?"),
        (["b3 rack: r3"], "is 'b3' the table or the rack"),
        (["rack: r1 / r2"], "the rack has no rows"),
        (["rack: r1 rack: r2"], "rack is given twice"),
        (["rack: r5", "--rack", "r3"], "given twice"),
        (["r1", "--objective", "most"], "unknown objective 'most'"),
        (["r1", "-e", "klassik"], "unknown edition 'klassik'"),
        (["r1", "--lang", "fr"], "unknown language"),
        (["--json", "no/such/file"], "cannot read no/such/file"),
        (["--json", "one", "two"], "one file"),
        (["--json", "--rack", "r1"], "omit --table, --rack and --declare"),
        (["r1", "--time-limit", "1", "--best", "2"], "only for the best turn"),
        (["r1", "--time-limit", "-1"], "--time-limit"),
    ],
)
def test_bad_usage_says_what_to_do_and_exits_with_2(arguments: list[str], words: str) -> None:
    result = run(app, ["solve", *arguments], input="")
    assert result.exit_code == 2
    assert words in result.stderr
    assert "Traceback" not in result.output


def test_a_position_is_read_in_any_order_and_spacing() -> None:
    table, rack = parse_table("b4 b5 b6 / r8 k8 o8"), parse_row("b3 J")
    for text in (
        "table: b4 b5 b6 / r8 k8 o8  rack: b3 J",
        "RACK:b3,J\nTable:b4 b5 b6/r8,k8,o8/",
        "rack = b3 J table = b4 b5 b6 / r8 k8 o8",
        "桌面：b4 b5 b6 / r8 k8 o8 牌架：b3 J",
    ):
        assert parse_position(text) == (table, rack)
    assert parse_position("b3 J") == ((), rack)


def test_new_tiles_are_distinguished_from_old_ones() -> None:
    before = parse_table("r1 r2 r3 / r5 r6 r7 / b1 b2 b3 / r3 b3 k3")
    after = parse_table("r1 r2 r3 r4 r5 r6 r7 / b1 b2 b3 / r3 b3 k3 / r3 k3 o3")
    table, fresh = laid(before, plan_steps(before, after))
    assert table_text(table) == "r1 r2 r3 r4 r5 r6 r7 / b1 b2 b3 / r3 b3 k3 / r3 k3 o3"
    new = [
        tile
        for row, marks in zip(table, fresh, strict=True)
        for tile, mark in zip(row, marks, strict=True)
        if mark
    ]
    assert sorted(new) == sorted(parse_row("r4 r3 k3 o3"))
    assert fresh[-1] == [True] * 3


# For programs


def test_answers_have_the_documented_shape() -> None:
    (answer,) = ask_objects(EASY)
    assert isinstance(answer.pop("micros"), int)
    rows = [sorted(row) for row in answer.pop("table")]
    assert sorted(rows) == [["b3", "b4", "b5", "b6"], ["b8", "k8", "o8", "r8"]]
    assert answer == {
        "tiles": 2,
        "value": 11,
        "played": ["b3", "b8"],
        "rows_kept": 0,
        "exact": True,
        "tidiest": True,
    }


def test_drawing_leaves_the_table_as_it_was() -> None:
    (answer,) = ask_objects({"rack": ["k1"], "table": [["b4", "b5", "b6"]], "id": 7})
    assert answer["tiles"] == answer["value"] == 0
    assert answer["played"] == []
    assert answer["table"] == [["b4", "b5", "b6"]]
    assert answer["rows_kept"] == 1


def test_every_known_best_turn_is_found_and_legal() -> None:
    cases = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    answers = ask_objects(*cases, flags=("--quick",))
    for case, answer in zip(cases, answers, strict=True):
        assert (answer["tiles"], answer["value"]) == (case["tiles"], case["value"]), case["id"]
        assert answer["exact"] is True
        if answer["tiles"]:
            verdict = judge_turn(
                Position(
                    edition(case["edition"]),
                    tuple([parse_tiles(row) for row in case["table"]]),
                    parse_tiles(case["rack"]),
                    case["opened"],
                ),
                tuple([parse_tiles(row) for row in answer["table"]]),
            )
            assert verdict.legal
            assert Counter(verdict.played) == Counter(parse_faces(answer["played"]))


def test_the_most_points_are_found_too() -> None:
    cases = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    cases = [{**case, "objective": "value"} for case in cases if case["opened"]]
    for case, answer in zip(cases, ask_objects(*cases, flags=("--quick",)), strict=True):
        assert answer["value"] == case["max_value"], case["id"]


def test_a_line_may_name_edition_options_opening_and_objective() -> None:
    line: dict[str, Any] = {"rack": ["r7", "r7", "M", "b2"], "table": []}
    answers = ask_objects(
        {**line, "edition": "twist"},
        {**line, "edition": "twist", "options": {"joker.rack_penalty": 25}},
        {**line, "edition": "twist", "opened": False},
        {"rack": ["r1", "r2", "r3"], "table": [], "objective": "out"},
        {"rack": ["r1", "r2", "r3", "k9"], "table": [], "objective": "out"},
        {"rack": ["r1", "r2", "r3", "b3", "k3"], "table": [], "objective": {"b3": 5, "k3": 1}},
    )
    assert [answer["value"] for answer in answers] == [44, 39, 0, 6, 0, 9]


def test_flags_speak_for_lines_that_say_nothing_themselves() -> None:
    twist = {"rack": ["r7", "r7", "M"], "table": []}
    low = {"rack": ["r1", "r2", "r3"], "table": []}
    answers = ask_objects(
        twist,
        low,
        {**low, "opened": True},
        {**low, "opened": True, "edition": "classic", "options": {}},
        flags=("-e", "twist", "-o", "joker.rack_penalty=25", "--unopened"),
    )
    assert [answer["tiles"] for answer in answers] == [0, 0, 3, 3]


def test_each_line_has_its_time() -> None:
    patient, hasty = (
        ask_objects(EASY, HARD, flags=("--time-limit", limit, "--quick"))[1]
        for limit in ("600", "0")
    )
    assert patient["exact"]
    assert not hasty["exact"]
    assert 0 < hasty["tiles"] < patient["tiles"]


def test_lines_may_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "positions.jsonl"
    file.write_text(json.dumps(EASY) + "\n" + json.dumps(EASY))
    output = run(app, ["solve", "--json", str(file)]).stdout
    assert [json.loads(line)["tiles"] for line in output.splitlines()] == [2, 2]
    output = run(app, ["solve", "--json", "-"], input=json.dumps(EASY)).stdout
    assert json.loads(output)["tiles"] == 2


BAD_LINES: list[tuple[object, str]] = [
    ({"rack": ["r7"]}, "bad-request"),
    ({"table": []}, "bad-request"),
    ({**EASY, "rack": "b3"}, "bad-request"),
    ({**EASY, "table": [["b4"], "b5"]}, "bad-request"),
    ({**EASY, "opened": 1}, "bad-request"),
    ({**EASY, "edition": None}, "bad-request"),
    ({**EASY, "edition": "klassik"}, "bad-edition"),
    ({**EASY, "options": {"joker.resue": "any"}}, "bad-option"),
    ({**EASY, "rack": ["r77"]}, "bad-tile"),
    ({**EASY, "rack": ["r7"] * 3}, "bad-position"),
    ({**EASY, "table": [["b4", "b5"]]}, "bad-position"),
    ({**EASY, "table": [[]]}, "bad-position"),
    ({**EASY, "objective": "most"}, "bad-objective"),
    ({**EASY, "objective": None}, "bad-objective"),
    ({**EASY, "objective": ["tiles"]}, "bad-objective"),
    ({**EASY, "objective": {"b3": -1}}, "bad-objective"),
    ({**EASY, "objective": {"b3": 0.5}}, "bad-objective"),
    ({**EASY, "objective": {"b3": True}}, "bad-objective"),
    ({**EASY, "objective": {"x3": 1}}, "bad-tile"),
    ([], "bad-request"),
]


def test_a_bad_line_gets_an_error_in_its_place() -> None:
    lines = [part for line, _ in BAD_LINES for part in (line, EASY)]
    answers = ask(*(json.dumps(line).encode() for line in lines), b"{", b"\xff")
    assert all(answer["tiles"] == 2 for answer in answers[1 : 2 * len(BAD_LINES) : 2])
    codes = [answer["error"]["code"] for answer in answers[: 2 * len(BAD_LINES) : 2]]
    assert codes == [code for _, code in BAD_LINES]
    assert [answer["error"]["code"] for answer in answers[-2:]] == ["bad-json", "bad-utf8"]


def test_a_position_may_be_written_in_chinese() -> None:
    english = run(app, ["solve", "table: b4 b5 b6 / r8 k8 o8  rack: b3 b8 k1", "--lang", "en"])
    chinese = run(app, ["solve", "桌面：藍4藍5藍6／紅8黑8橙8 牌架：蓝3、蓝8、黑1", "--lang", "en"])
    assert chinese.exit_code == 0
    assert chinese.stdout == english.stdout


def test_declared_jokers_are_taken_and_shown() -> None:
    flags = ["-e", "sabra", "-o", "joker.declare=explicit", "--lang", "en"]
    asked = ["solve", "-t", "r8 J J", "-r", "b8 o11 o12", *flags]
    declared = run(app, [*asked, "--declare", "r8 J J = r8 b8 k8"])
    assert declared.exit_code == 0
    assert "3 tiles" in declared.output
    assert "r8 b8 J is declared to be r8 b8 k8" in declared.output
    other = run(app, [*asked, "--declare", "r8 J J = r8 k8 o8"])
    assert "1 tile" in other.output
    assert run(app, [*asked, "--declare", "r9 J J = run"]).exit_code == 2
    line = {"edition": "sabra", "options": {"joker.declare": "explicit"}, "opened": True}
    line |= {"rack": ["r8", "J", "J"], "table": []}
    result = run(app, ["solve", "--json"], input=json.dumps(line))
    answer = json.loads(result.stdout)
    (said,) = answer["declared"]
    assert sorted(said["set"]) == ["J", "J", "r8"]
    assert len(set(said["as"])) == 3
