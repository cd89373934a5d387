"""Closed, full and broken streams end in a line or in silence, never in a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest

from tilerummy.cli.jsonl import answer_lines
from tilerummy.queries.contract import Request

GOLDEN = Path(__file__).parents[1] / "golden" / "classic.txt"
PROGRAM = f"{sys.executable} -m tilerummy.cli"


@pytest.mark.parametrize(
    "command",
    [
        "check set --json <&-",
        "check set --json </dev/null >&-",
        "check set r7 b7 k7 >&-",
        "verify - <&-",
        "score </dev/null <&-",
        "play <&-",
        "check set r7 b7 k7 >/dev/full",
        "editions >/dev/full",
        "rules >/dev/full",
        "rules | head -c 10 >/dev/null",
    ],
)
def test_no_traceback(command: str, tmp_path: object) -> None:
    result = subprocess.run(
        ["/bin/bash", "-c", f"{PROGRAM} {command}"],
        capture_output=True,
        text=True,
        timeout=60,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
    )
    assert "Traceback" not in result.stderr
    assert "Exception ignored" not in result.stderr


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (f"replay {GOLDEN}", 0),
        ("rules", 0),
        ("editions twist", 0),
        ("solve --rack 'r7 b7 k7'", 0),
        # A verdict is not lost with its words.
        ("check set r7 b9", 1),
    ],
)
def test_a_reader_that_has_read_enough_is_no_error(
    command: str, status: int, tmp_path: object
) -> None:
    # The pipe is closed before the program writes anything.
    script = f"exec 3> >(true); wait $!; {PROGRAM} {command} >&3"
    result = subprocess.run(
        ["/bin/bash", "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
    )
    assert (result.returncode, result.stderr) == (status, "")


def test_a_fault_of_ours_costs_one_line_only(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    class Inverse:
        def __init__(self, request: Request) -> None:
            self.number = request["number"]

        def to_json(self, lang: str = "en") -> dict[str, object]:
            return {"inverse": 1 / self.number}

    answer_lines(Inverse, "en", BytesIO(b'{"number": 0}\n{"number": 1}\n'))
    out, err = capfdbinary.readouterr()
    first, second = map(json.loads, out.splitlines())
    assert first["error"]["code"] == "internal"
    assert "ZeroDivisionError" in first["error"]["message"]
    assert second == {"inverse": 1.0}
    assert b"Traceback" in err
