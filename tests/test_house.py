"""The rules of the house that a linter does not know: short files and short functions.

A longer file says why in one of its first lines: `Long: ...`, in the docstring or in a comment.
Tests are as long as the behaviour they describe.
"""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from tests.slow import SLOW

ROOT = Path(__file__).parents[1]
LONGEST_FILE = 450
LONGEST_FUNCTION = 60
FIRST_LINES = 30
"""Within which a file says why it is long."""
PARTS = ("src", "web/src", "tools", "benchmarks", "examples")
MIGRATIONS = ROOT / "src/tilerummy/server/store/migrations"
"""Never changed once they are released, and so as long as they were."""


def sources(*kinds: str) -> list[Path]:
    """The files of the repository, without generated ones."""
    patterns = [f"{part}/**.{kind}" for part in PARTS for kind in kinds]
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode:
        pytest.skip("not a checkout")
    return [path for name in listed.stdout.splitlines() if (path := ROOT / name).exists()]


def says_why(lines: list[str]) -> bool:
    return any(re.search(r"\bLong: \w+", line) for line in lines[:FIRST_LINES])


def body_length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of what it does. The parameters of a command are its options with their help."""
    first = function.body[ast.get_docstring(function) is not None :][:1] or function.body
    return (function.end_lineno or 0) - first[0].lineno + 1


def test_no_file_is_long_without_a_reason() -> None:
    long = []
    for path in sources("py", "ts", "tsx", "c", "h"):
        name, lines = path.relative_to(ROOT).as_posix(), path.read_text("utf-8").splitlines()
        if len(lines) > LONGEST_FILE and not says_why(lines):
            long.append(f"{name}: {len(lines)} lines")
    assert not long, "\n".join(["split these, or say why in a line `Long: ...`:", *long])


def test_no_function_is_long() -> None:
    long = []
    for path in sources("py"):
        if MIGRATIONS in path.parents:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = body_length(node)
                if length > LONGEST_FUNCTION:
                    long.append(f"{path.relative_to(ROOT)}: {node.name}, {length} lines")
    assert not long, "\n".join(long)


@pytest.mark.parametrize("prefix", SLOW)
def test_every_slow_test_is_there(prefix: str) -> None:
    file, _, name = prefix.partition("::")
    if not file.endswith(".py"):
        assert [*ROOT.glob(f"{file}*.py")]
    else:
        assert f"def {name}" in (ROOT / file).read_text("utf-8")
