"""The JSON lines of `--json` stay as they are, byte by byte, but for the sentences in them.

`golden.jsonl` holds lines and their answers, made when the commands answered by themselves.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tilerummy.cli.main import app

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "golden.jsonl").read_text("utf-8").splitlines()
]


def without_sentences(line: str) -> str:
    answer = json.loads(line)
    if "error" in answer:
        assert answer["error"].pop("message")
    for reason in answer.get("reasons", ()):
        assert reason.pop("message")
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("command", sorted({case["command"] for case in CASES}))
def test_answers_are_those_of_the_golden_lines(command: str) -> None:
    cases = [case for case in CASES if case["command"] == command]
    lines = "".join(f"{case['line']}\n" for case in cases)
    result = CliRunner().invoke(app, [*command.split(), "--json"], input=lines)
    timeless = re.sub(r'"micros":\d+', '"micros":0', result.stdout)
    assert [*map(without_sentences, timeless.splitlines())] == [case["answer"] for case in cases]
