"""`tilerummy check` answers in a sentence, or in JSON Lines."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tilerummy.cli.jsonl import LONGEST_LINE
from tilerummy.cli.main import app

DATA = Path(__file__).parent.parent / "data"
run = CliRunner().invoke


def ask(what: str, *lines: bytes) -> list[dict[str, Any]]:
    """The answers of a real process to some lines."""
    process = subprocess.run(
        [sys.executable, "-m", "tilerummy.cli", "check", what, "--json"],
        input=b"\n".join(lines) + b"\n",
        capture_output=True,
        check=True,
    )
    assert process.stderr == b""
    return [json.loads(line) for line in process.stdout.splitlines()]


def ask_objects(what: str, *requests: object) -> list[dict[str, Any]]:
    return ask(what, *(json.dumps(request).encode() for request in requests))


def test_a_set_is_described_by_kind_and_value() -> None:
    result = run(
        app, ["check", "set", "r7 b7 J", "-e", "classic", "--option", "joker.rack_penalty=25"]
    )
    assert result.exit_code == 0
    assert "group worth 21" in result.output


def test_tiles_need_no_quotes() -> None:
    assert run(app, ["check", "set", "r7", "b7,k7", "J"]).exit_code == 0


def test_flags_speak_for_lines_that_name_no_edition() -> None:
    lines = '{"set": ["r7", "M", "r7"]}\n{"edition": "classic", "set": ["r7", "M", "r7"]}\n'
    result = run(app, ["check", "set", "--json", "-e", "twist"], input=lines)
    assert [json.loads(line)["valid"] for line in result.stdout.splitlines()] == [True, False]


def test_several_readings_are_all_shown() -> None:
    output = run(app, ["check", "set", "r8 J J", "--lang", "en"]).output
    assert "run worth 27" in output
    assert "group worth 24" in output


def test_no_set_gives_every_reason_and_exit_code_1() -> None:
    result = run(app, ["check", "set", "r7 b7 k7 o7 r7", "--lang", "en"])
    assert result.exit_code == 1
    assert "four places" in result.output
    assert "different colours" in result.output


def test_an_order_that_would_do_is_shown() -> None:
    result = run(app, ["check", "set", "r6 r5 r4", "--lang", "en"])
    assert result.exit_code == 1
    assert "r4 r5 r6" in result.output


def test_reasons_come_in_the_language_asked_for() -> None:
    assert "不是有效的牌組" in run(app, ["check", "set", "r7 b7", "--lang", "zh-Hant"]).output
    assert "不是有效的牌组" in run(app, ["check", "set", "r7 b7", "--lang", "zh-Hans"]).output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["set", "r14"], "unknown tile 'r14'"),
        (["set"], "give the tiles"),
        (["set", "r7", "-e", "klassik"], "unknown edition 'klassik'"),
        (["set", "r7", "-o", "joker.resue=any"], "did you mean joker.reuse"),
        (["set", "r7", "-o", "joker.reuse"], "joker.reuse=VALUE"),
        (["set", "r7", "--lang", "fr"], "unknown language"),
        (["set", ""], "give the tiles"),
        (["set", "r7 b7 k7", "--json"], "standard input"),
        (["set", "--json", "-e", "klassik"], "unknown edition 'klassik'"),
        (["turn"], "--rack"),
        (["turn", "--rack", "r7 r7 r7", "--after", "r7"], "the box of this edition has 2"),
        (["turn", "--rack", "D", "--after", "D"], "has no D"),
        (["turn", "--rack", "r1", "--before", "r7 b7", "--after", "r7 b7 r1"], "is not a set"),
    ],
)
def test_bad_usage_says_what_to_do_and_exits_with_2(arguments: list[str], words: str) -> None:
    result = run(app, ["check", *arguments])
    assert result.exit_code == 2
    assert words in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["set", "紅14"], "沒有「紅14」這塊牌"),
        (["set", "r7", "-o", "joker.resue=any"], "是不是 joker.reuse？"),
        (["set", "r7", "-o", "joker.reuse=never"], "joker.reuse 不能是「never」：可用的值：any | "),
        (["turn", "--rack", "紅7紅7紅7"], "一共有 3 塊 r7，但這個版本的盒子裡只有 2 塊"),
        (["turn", "--rack", "雙人百搭"], "這個版本的盒子裡沒有 D"),
        (
            ["turn", "--rack", "r1", "--before", "紅7藍8"],
            "桌上的 r7 b8 不是牌組\n  r7 b8：一個牌組至少",
        ),
    ],
)
def test_bad_usage_is_reported_in_the_language(arguments: list[str], text: str) -> None:
    result = run(app, ["--lang", "zh-Hant", "check", *arguments])
    assert result.exit_code == 2
    assert text in result.stderr
    assert "Traceback" not in result.output


def test_errors_of_lines_are_reported_in_the_language() -> None:
    line = json.dumps({"edition": "classic", "set": ["x9"]})
    result = run(app, ["check", "set", "--json", "--lang", "zh-Hans"], input=line)
    error = json.loads(result.stdout)["error"]
    assert error["code"] == "bad-tile"
    assert error["message"].startswith("没有“x9”这张牌")


@pytest.mark.parametrize("tiles", ["紅7藍7百搭", "红7、蓝7，百搭牌", "紅７ b7 J"])
def test_tiles_may_be_written_in_chinese(tiles: str) -> None:
    result = run(app, ["check", "set", tiles])
    assert result.exit_code == 0
    assert "r7 b7 J is a group worth 21" in result.stdout


def test_tiles_of_a_turn_may_be_written_in_chinese() -> None:
    flags = [
        "--rack",
        "紅7黑11黑12",
        "--before",
        "紅5紅6百搭",
        "--after",
        "红5红6红7／黑11黑12百搭",
    ]
    assert run(app, ["check", "turn", *flags]).exit_code == 0


def test_tiles_in_json_are_in_the_notation() -> None:
    line = json.dumps({"edition": "classic", "set": ["紅7", "b7", "k7"]})
    result = run(app, ["check", "set", "--json"], input=line)
    assert json.loads(result.stdout)["error"]["code"] == "bad-tile"


def test_a_legal_turn_tells_what_it_plays() -> None:
    result = run(
        app,
        [
            *("check", "turn", "--lang", "en", "--rack", "b3 b8"),
            *("--before", "b4 b5 b6 / r8 k8 o8", "--after", "b3 b4 b5 b6 / r8 k8 o8 b8"),
        ],
    )
    assert result.exit_code == 0
    assert "plays b3 b8 (11 points" in result.output


def test_an_opening_tells_its_value() -> None:
    arguments = ["check", "turn", "--not-opened", "--rack", "r9 J r11", "--after", "r9 J r11"]
    assert "worth 30" in run(app, [*arguments, "--lang", "en"]).output
    below = run(app, ["check", "turn", "--not-opened", "--rack", "J r9 r10", "--after", "J r9 r10"])
    assert below.exit_code == 1


def test_every_example_of_the_rules_agrees_as_json() -> None:
    examples = json.loads((DATA / "rules_examples.json").read_text("utf-8"))
    requests = [{"edition": e["edition"], "set": e["set"], "options": {}} for e in examples]
    for example, answer in zip(examples, ask_objects("set", *requests), strict=True):
        assert answer["valid"] is example["valid"], example
        assert answer["value"] == example["value"], example
        if example["valid"]:
            assert answer["kind"] == example["kind"], example
            assert answer["reasons"] == []
            assert answer["normalised"] is None
        else:
            assert answer["kind"] is None
            assert answer["reasons"][0]["code"] == example["kind"], example
            assert (answer["normalised"] is not None) is example["multiset_valid"], example


def test_every_position_of_the_rules_agrees_as_json() -> None:
    positions = json.loads((DATA / "rules_positions.json").read_text("utf-8"))
    requests, expected = [], []
    for position in positions:
        if position["type"] != "turn":
            continue
        for edition, legal in position["legal"].items():
            requests.append(
                {
                    "edition": edition,
                    "options": position.get("options", {}).get(edition, {}),
                    "opened": position["opened_before"],
                    "rack": position["rack_before"],
                    "before": position["table_before"],
                    "after": position["table_after"],
                    "id": position["id"],
                }
            )
            expected.append(legal)
    answers = ask_objects("turn", *requests)
    assert len(answers) == 207
    for request, legal, answer in zip(requests, expected, answers, strict=True):
        assert answer["legal"] is legal, request
        assert (answer["reasons"] == []) is legal


def test_set_answers_have_the_documented_shape() -> None:
    (answer,) = ask_objects("set", {"edition": "twist", "set": ["r7", "M", "r7"], "options": {}})
    assert answer["readings"] == [
        {"kind": "mirror-group", "value": 14},
        {"kind": "mirror-run", "value": 14},
    ]
    del answer["readings"]
    assert answer == {
        "valid": True,
        "kind": "mirror",
        "value": 14,
        "normalised": None,
        "reasons": [],
    }


def test_turn_answers_have_the_documented_shape() -> None:
    request = {
        "edition": "classic",
        "options": {},
        "opened": True,
        "rack": ["r7", "k1"],
        "before": [["r5", "r6", "J"]],
        "after": [["r5", "r6", "r7"]],
    }
    (answer,) = ask_objects("turn", request)
    (reason,) = answer.pop("reasons")
    assert answer == {"legal": False, "played": ["r7"], "value": 7}
    assert reason["code"] == "tile-left-table"
    assert reason["tiles"] == ["J"]
    assert reason["message"]


EXPLICIT = {"edition": "sabra", "options": {"joker.declare": "explicit"}, "opened": True}
TWO_JOKERS = {**EXPLICIT, "rack": ["r8", "J", "J"], "before": [], "after": [["r8", "J", "J"]]}


def test_what_is_declared_is_judged_and_shown() -> None:
    silent, kind, named, older, wrong = ask_objects(
        "turn",
        TWO_JOKERS,
        {**TWO_JOKERS, "declared": [{"set": ["r8", "J", "J"], "as": "run"}]},
        {**TWO_JOKERS, "declared": [{"set": ["r8", "J", "J"], "as": ["r8", "k8", "b8"]}]},
        {**TWO_JOKERS, "declared": [[["r8", "J", "J"], "run"]]},
        {**TWO_JOKERS, "declared": [{"set": ["r8", "J", "J"], "as": ["r8", "b8", "b8"]}]},
    )
    assert [reason["code"] for reason in silent["reasons"]] == ["undeclared"]
    assert [reason["code"] for reason in wrong["reasons"]] == ["bad-declaration"]
    run = [{"set": ["r8", "J", "J"], "as": ["r8", "r9", "r10"]}]
    assert kind["declared"] == older["declared"] == run
    assert named["declared"] == [{"set": ["r8", "J", "J"], "as": ["r8", "k8", "b8"]}]


@pytest.mark.parametrize(
    "declared", [{}, ["run"], [{"set": ["r8", "J", "J"]}], [[["r9", "J", "J"], "run"]]]
)
def test_what_cannot_be_declared_is_an_error(declared: object) -> None:
    (answer,) = ask_objects("turn", {**TWO_JOKERS, "declared": declared})
    assert answer["error"]["code"] == "bad-declaration"


def test_a_declaration_on_the_command_line() -> None:
    flags = ["-e", "sabra", "--option", "joker.declare=explicit", "--lang", "en"]
    turn = ["check", "turn", "--rack", "b8 o11 o12", "--before", "r8 J J"]
    turn += ["--after", "r8 b8 J / o11 o12 J", *flags]
    declared = run(app, [*turn, "--declare", "r8 J J = r8 b8 k8"])
    assert declared.exit_code == 0
    assert "r8 b8 J is declared to be r8 b8 k8" in declared.output
    assert run(app, [*turn, "--declare", "r8 J J = r8 o8 k8"]).exit_code == 1
    assert run(app, [*turn, "--declare", "r8 J J = r8 o8 o8"]).exit_code == 2
    assert run(app, [*turn, "--declare", "r9 J J = r9 b9 k9"]).exit_code == 2


GOOD = b'{"edition":"classic","set":["r7","b7","k7"]}'


def nested(depth: int) -> bytes:
    """An option that is nested as deeply as the parser of JSON may or may not bear."""
    value = b"[" * depth + b"]" * depth
    return b'{"edition":"classic","set":[],"options":{"hand_size":%s}}' % value


BAD_LINES: list[tuple[bytes, str | None]] = [
    (b"", "bad-json"),
    (b"{", "bad-json"),
    (b"\xff\xfe", "bad-utf8"),
    (b"[]", "bad-request"),
    (b"null", "bad-request"),
    (b'{"edition":"classic"}', "bad-request"),
    (b'{"set":["r7"]}', "bad-request"),
    (b'{"edition":"classic","set":"r7"}', "bad-request"),
    (b'{"edition":"classic","set":{"r7":1}}', "bad-request"),
    (b'{"edition":"classic","set":[7]}', "bad-tile"),
    (b'{"edition":"classic","set":["r7",["b7"]]}', "bad-tile"),
    (b'{"edition":"classic","set":["r14"]}', "bad-tile"),
    (b'{"edition":"classic","set":["\\ud800"]}', "bad-tile"),
    (b'{"edition":"classic","set":[NaN]}', "bad-json"),
    (b'{"edition":"classic","set":[1e999]}', "bad-tile"),
    (b'{"edition":"nonesuch","set":[]}', "bad-edition"),
    (b'{"edition":null,"set":[]}', "bad-request"),
    (b'{"edition":"classic","set":[],"options":[]}', "bad-request"),
    (b'{"edition":"classic","set":[],"options":{"joker":1}}', "bad-option"),
    (b'{"edition":"classic","set":[],"options":{"hand_size":"14"}}', "bad-option"),
    (b'{"edition":"classic","set":[],"options":{"hand_size":true}}', "bad-option"),
    (b'{"edition":"classic","set":[],"options":{"hand_size":1e400}}', "bad-option"),
    (b'{"edition":"classic","set":[],"options":{"hand_size":40}}', "bad-option"),
    (b'{"edition":"classic","set":[],"options":{"twist.adjacent_c":false}}', "bad-option"),
    (b"[" * 100_000, "bad-json"),
    *((nested(depth), "bad-option") for depth in (5, 300)),
    *((nested(depth), None) for depth in range(900, 1000, 5)),
    (b'{"edition":"classic","set":["' + b"r" * (LONGEST_LINE + 5) + b'"]}', "line-too-long"),
]


def test_a_bad_line_gets_an_error_and_the_rest_goes_on() -> None:
    answers = ask("set", *(part for line, _ in BAD_LINES for part in (GOOD, line)), GOOD)
    assert len(answers) == 2 * len(BAD_LINES) + 1
    assert all(answer["valid"] for answer in answers[::2])
    for (line, code), answer in zip(BAD_LINES, answers[1::2], strict=True):
        assert code in (None, answer["error"]["code"]), line[:80]
        assert 0 < len(answer["error"]["message"]) < 2000


def test_a_ten_megabyte_line_is_refused_unread() -> None:
    answers = ask("set", b"x" * 10_000_000, GOOD)
    assert [set(answer) == {"error"} for answer in answers] == [True, False]


def test_a_row_of_a_whole_megabyte_is_answered_at_once() -> None:
    row = json.dumps({"edition": "classic", "set": ["r7"] * 170_000}).encode()
    (answer,) = ask("set", row)
    assert answer["reasons"][0]["code"] == "row-too-long"


def test_unknown_keys_beside_the_named_ones_are_ignored() -> None:
    (answer,) = ask_objects("set", {"edition": "classic", "set": ["r7", "b7", "k7"], "extra": [1]})
    assert answer["valid"] is True


def test_the_last_line_needs_no_newline() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "tilerummy.cli", "check", "set", "--json"],
        input=GOOD,
        capture_output=True,
        check=True,
    )
    assert len(process.stdout.splitlines()) == 1


def test_an_impossible_position_is_an_error_not_a_verdict() -> None:
    base = {"edition": "classic", "options": {}, "opened": True, "before": [], "after": []}
    answers = ask_objects(
        "turn",
        {**base, "rack": ["r7"] * 3},
        {**base, "rack": ["M"]},
        {**base, "rack": [], "before": [["r7", "b7"]]},
        {**base, "rack": [], "opened": "yes"},
        {**base, "rack": [], "after": ["r7"]},
    )
    codes = [answer["error"]["code"] for answer in answers]
    assert codes == ["bad-position"] * 3 + ["bad-request"] * 2


def test_rows_in_another_order_count_where_the_edition_says_so() -> None:
    turn = {"opened": True, "rack": ["r4", "r6", "r5"], "before": [], "after": [["r6", "r5", "r4"]]}
    classic, twist = ask_objects(
        "turn", {"edition": "classic", **turn}, {"edition": "twist", **turn}
    )
    assert classic["legal"] is True
    assert twist["legal"] is False


def test_a_reader_that_leaves_early_causes_no_traceback() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tilerummy.cli", "check", "set", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdin.write(GOOD + b"\n")
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"{")
    process.stdout.close()
    with contextlib.suppress(BrokenPipeError):
        for _ in range(2000):
            process.stdin.write(GOOD + b"\n")
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    process.wait()


def test_a_declaration_may_be_written_in_chinese() -> None:
    turn = ["check", "turn", "--rack", "紅8百搭百搭", "--after", "紅8百搭百搭"]
    rules = ["-e", "sabra", "-o", "joker.declare=explicit", "--lang", "en"]
    said = run(app, [*turn, *rules, "--declare", "紅8百搭百搭 = 紅8藍8黑8"])
    assert said.exit_code == 0
    assert "r8 J J is declared to be r8 b8 k8" in said.output
