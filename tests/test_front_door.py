"""`import tilerummy` is quick and gives the names that programs need, each documented."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import tilerummy
from tilerummy import (
    BOTS,
    Draw,
    Edition,
    Game,
    Play,
    Position,
    Start,
    TileRummyError,
    edition,
    judge_row,
    judge_turn,
    lab,
    locales,
    parse_row,
    parse_table,
    plan_steps,
    play,
    rules,
    solve,
    solver,
    view,
)
from tilerummy.locales import catalogue
from tilerummy.rules import OptionError, PositionError, TileError
from tilerummy.solver import missing

SOURCE = Path(tilerummy.__file__).parent
PUBLIC = ["tilerummy"] + [
    f"tilerummy.{name}"
    for name in (
        "rules",
        "play",
        "solver",
        "playouts",
        "bots",
        "queries",
        "lab",
        "env",
        "client",
        "locales",
    )
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


@cache
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


def test_what_a_verdict_or_a_step_prints_names_its_tiles() -> None:
    house = edition("classic")
    position = Position(house, parse_table("r5 r6 J"), parse_row("r7 k11 k13"), opened=True)
    found = solve(position)
    illegal = judge_turn(position, parse_table("r5 r6 / k11 J k13"))
    assert [*map(repr, plan_steps(position.table, found.table))] == [
        "<Step: swap r7 (r5 r6 J -> r5 r6 r7), frees J>",
        "<Step: lay k11 J k13 (new row -> k11 J k13)>",
    ]
    assert repr(judge_turn(position, found.table)) == (
        "<TurnVerdict: legal, plays r7 k11 k13 (31 points)>"
    )
    assert repr(illegal) == "<TurnVerdict: illegal (too-short: r5 r6)>"
    assert repr(illegal.reasons) == "(<Reason too-short: r5 r6, row=0>,)"
    group = judge_row(house, parse_row("r7 b7 J"))
    assert repr(group) == "<RowVerdict: group, 21 points>"
    assert repr(group.readings) == "(<Reading: group, 21 points, 2 is k7|o7>,)"
    assert (
        repr(judge_row(house, parse_row("r7 b7"))) == "<RowVerdict: not a set (too-short: r7 b7)>"
    )
    assert repr(missing(position)[0]) == "<Missing r4: plays 4 tiles, out>"
    assert repr(Play(1, parse_table("r5 r6 r7"))) == "<Play seat 1: r5 r6 r7>"
    assert repr(BOTS["owl"]) == "<BotSpec owl: level 10, greedy>"
    assert repr(BOTS["club"]) == "<BotSpec club: lab, greedy>"
    assert len(repr(catalogue("en"))) <= LONGEST_REPR


# Errors


def callables() -> Iterator[tuple[str, Callable[..., object]]]:
    """Every public function, and every public method and property of a public class."""
    for package, name in NAMES:
        found = inspect.unwrap(getattr(importlib.import_module(package), name))
        if inspect.isfunction(found):
            yield f"{package}.{name}", found
        elif inspect.isclass(found):
            for attribute, value in vars(found).items():
                inner = getattr(value, "__func__", getattr(value, "fget", value))
                if inspect.isfunction(inner) and not attribute.startswith("_"):
                    yield f"{package}.{name}.{attribute}", inner


CALLABLES = dict(callables())
SAFE = {Edition.options}
"""Functions that call others only with arguments that are known to be right."""


def raised(function: Callable[..., object]) -> set[type[TileRummyError]]:
    """The errors that a function raises itself, or in functions of its module that it calls."""
    module = inspect.getmodule(function)
    found: set[type[TileRummyError]] = set()
    caught: set[str] = set()
    seen, waiting = set(), [function]
    while waiting:
        current = waiting.pop()
        seen.add(current)
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(current)))):
            if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Name):
                caught.add(node.type.id)
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            called = getattr(module, node.func.id, None)
            if inspect.isclass(called) and issubclass(called, TileRummyError):
                found.add(called)
            elif inspect.isfunction(called) and called.__module__ == function.__module__:
                waiting += [called] if called not in seen else []
    return {error for error in found if error.__name__ not in caught}


def names_it(function: Callable[..., object], error: type[Exception]) -> bool:
    """Whether a docstring names an error, or a base class of it that one would catch."""
    doc = function.__doc__ or ""
    return any(base.__name__ in doc for base in error.__mro__ if issubclass(base, Exception))


@pytest.mark.parametrize("name", CALLABLES)
def test_a_docstring_names_the_errors_of_its_function(name: str) -> None:
    function = CALLABLES[name]
    assert function.__doc__, name
    errors = set() if function in SAFE else raised(function)
    assert [error for error in errors if not names_it(function, error)] == []


def test_raised_errors_are_found() -> None:
    assert {error.__name__ for error in raised(CALLABLES["tilerummy.rules.parse_row"])} == {
        "TileError"
    }


HOUSE = edition("classic")
NO_SET = Position(HOUSE, parse_table("r5 r6 b9"), parse_row("r7"), opened=True)
WAITING, _ = Game.create(HOUSE, ["Ann", "Ben"], secret="5e" * 32, now=0)
FAILING: list[tuple[str, type[Exception], Callable[..., object], tuple[object, ...]]] = [
    ("edition", OptionError, edition, ("nonesuch",)),
    ("with options", OptionError, Edition.with_options, (HOUSE, {"hand_size": 99})),
    ("row", TileError, parse_row, ("r99",)),
    ("table", TileError, parse_table, ("r1 / x",)),
    ("tile", TileError, rules.parse_tile, ("r7",)),
    ("old table", PositionError, judge_turn, (NO_SET, ())),
    ("box", PositionError, rules.check_position, (HOUSE, parse_row("r7 r7 r7"), ())),
    ("winner", rules.ScoreError, rules.score_out, ([], 1)),
    ("no racks", ValueError, rules.score_blocked, (HOUSE, [])),
    ("solve", PositionError, solve, (NO_SET,)),
    ("objective", solver.ObjectiveError, solve, (NO_SET, "nonesuch")),
    ("best", PositionError, solver.best, (NO_SET, 2)),
    ("missing", PositionError, missing, (NO_SET,)),
    ("playable", PositionError, solver.playable, (NO_SET, NO_SET.rack[0])),
    ("can play", PositionError, solver.can_play, (NO_SET,)),
    ("solve many", PositionError, lambda p: [*solver.solve_many([p])], (NO_SET,)),
    ("steps", PositionError, plan_steps, (parse_table("r1 r2 r3"), ())),
    ("record", play.RecordError, play.load, ("nonesuch",)),
    ("view", play.Refused, view, (WAITING, 9)),
    ("command", play.Refused, Game.apply, (WAITING, Draw(0), 0)),
    ("events", play.Refused, Game.fold, ([],)),
    ("match", play.MatchError, play.Match, (HOUSE, ("Ann",))),
    ("hands", OptionError, lab.count_hands, (999,)),
    ("language", locales.LanguageError, catalogue, ("xx",)),
    ("tile name", locales.LanguageError, locales.tile_name, (0, "xx")),
    ("refusal", KeyError, locales.refusal_text, ("nonesuch", "en")),
]


@pytest.mark.parametrize(("what", "error", "call", "arguments"), FAILING)
def test_public_functions_raise_the_errors_that_they_name(
    what: str, error: type[Exception], call: Callable[..., object], arguments: tuple[object, ...]
) -> None:
    with pytest.raises(error):
        call(*arguments)
    named = solver.solve_many if what == "solve many" else call
    assert names_it(named, error), named


def test_a_bad_number_of_players_or_a_bad_secret_makes_no_game() -> None:
    with pytest.raises(play.Refused):
        Game.create(HOUSE, ["Ann"], secret="5e" * 32, now=0)
    with pytest.raises(play.SeedError):
        Game.create(HOUSE, ["Ann", "Ben"], secret="short", now=0)
    with pytest.raises(play.MatchError):
        Game.create(HOUSE, ["Ann\n", "Ben"], secret="5e" * 32, now=0)
    assert all(names_it(Game.create, error) for error in (play.SeedError, play.MatchError))
