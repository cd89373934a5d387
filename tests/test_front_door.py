"""`import tilerummy` is quick and gives the names that programs need, each documented."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

import tilerummy
from tilerummy import edition, parse_row, parse_table
from tilerummy.play import Game, Start, view
from tilerummy.rules import Position
from tilerummy.solver import solve

SOURCE = Path(tilerummy.__file__).parent
PUBLIC = ["tilerummy"] + [
    f"tilerummy.{name}" for name in ("rules", "play", "solver", "bots", "queries", "lab", "locales")
]
NAMES = [(package, name) for package in PUBLIC for name in importlib.import_module(package).__all__]
LONGEST_REPR = 200


def test_importing_the_package_imports_no_other_part_of_it() -> None:
    program = (
        "import sys, tilerummy;"
        "print(*[name for name in sys.modules if name.startswith('tilerummy.')])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.returncode, run.stdout.strip()) == (0, ""), run.stderr


def test_the_example_of_the_package_holds() -> None:
    outcome = doctest.testmod(tilerummy)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_every_name_is_listed_and_a_wrong_one_is_an_attribute_error() -> None:
    assert {*tilerummy.__all__} <= {*dir(tilerummy)}
    with pytest.raises(AttributeError, match="no attribute 'nonesuch'"):
        _ = tilerummy.nonesuch


@pytest.mark.parametrize(("package", "name"), NAMES)
def test_no_name_is_both_a_module_and_something_else(package: str, name: str) -> None:
    # Importing such a module would replace the exported name.
    home = Path(importlib.import_module(package).__file__ or "").parent
    assert not (home / f"{name}.py").exists()
    assert not (home / name / "__init__.py").exists()


@pytest.mark.parametrize(("package", "name"), NAMES)
def test_every_public_name_has_a_docstring(package: str, name: str) -> None:
    found = inspect.unwrap(getattr(importlib.import_module(package), name))
    if inspect.isclass(found):
        doc = found.__dict__.get("__doc__")
        assert doc, name
        assert not doc.startswith(f"{name}("), "the one that a dataclass makes"
    elif inspect.isfunction(found):
        assert found.__doc__, name
    else:
        assert name in documented_values(), name


def documented_values() -> set[str]:
    """Names that are assigned somewhere with a docstring below."""
    found = set()
    for file in SOURCE.rglob("*.py"):
        body = ast.parse(file.read_text(encoding="utf-8")).body
        for statement, below in pairwise(body):
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                targets = getattr(statement, "targets", [getattr(statement, "target", None)])
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def test_what_a_program_prints_is_short() -> None:
    house = edition("classic", {"initial.min": 25})
    position = Position(house, parse_table("r5 r6 J"), parse_row("r7 k11 k13 o1"), opened=True)
    game, _ = Game.create(house, ["Ann", "Ben"], secret="5e" * 32, now=0)
    game, _ = game.apply(Start(), now=0)
    shown = [repr(value) for value in (house, position, solve(position), game, view(game, 0))]
    assert shown[0] == "<Edition classic initial.min=25>"
    assert shown[1] == "<Position: classic, opened, table r5 r6 J, rack r7 k11 k13 o1>"
    assert shown[2] == "<Solution: play r7 k11 k13 (31 points, exact)>"
    assert all(len(text) <= LONGEST_REPR for text in shown)
