"""Closed, full and broken streams end in a line or in silence, never in a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

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
