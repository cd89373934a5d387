"""`tilerummy doctor`: is everything here that is needed, and does it work?"""

from __future__ import annotations

import json
import os
import platform
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from tilerummy import __version__
from tilerummy.cli import draw
from tilerummy.cli.options import Language, bad_input_exits, chosen_language
from tilerummy.cli.page import Page
from tilerummy.locales import catalogue
from tilerummy.locales.catalogues import Catalogue
from tilerummy.rules.editions import edition
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import ALL_FACES, faces_of, parse_row, parse_table
from tilerummy.rules.turns import judge_turn
from tilerummy.solver.cover import kernels
from tilerummy.solver.cover.problem import CoverProblem, Grammar
from tilerummy.solver.turns.best_turn import solve
from tilerummy.solver.turns.objectives import objective, turn_prices
from tilerummy.solver.turns.solution import Solution

MOST_COLUMNS = 100
EXTRAS = {"tui": "use-table", "server": "use-server", "lab": "use-lab", "env": "use-env"}
"""The extras that a part of the program needs, and the part."""
PAGE = files("tilerummy") / "server" / "page" / "index.html"
INCOMPLETE = 3
"""The exit code if nothing is broken and something is missing."""


class State(StrEnum):
    WORKS = "works"
    MISSING = "missing"
    """Not installed. Everything else works without it."""
    BROKEN = "broken"


SIGNS = {
    State.WORKS: Text("✓ ", "green"),
    State.MISSING: Text("! ", "bold yellow"),
    State.BROKEN: Text("✗ ", "bold red"),
}


@dataclass(frozen=True, slots=True)
class Known:
    """A position whose best turn is known."""

    name: str
    edition: str
    table: str
    rack: str
    tiles: int
    value: int
    opened: bool = True
    objective: str = "tiles"

    def position(self) -> Position:
        return Position(
            edition(self.edition), parse_table(self.table), parse_row(self.rack), self.opened
        )

    def is_answered_by(self, solution: Solution) -> bool:
        """Whether the figures are right and the referee agrees to the table."""
        position = self.position()
        verdict = judge_turn(position, solution.table)
        figures = (solution.tiles, solution.value, solution.exact)
        return figures == (self.tiles, self.value, True) and verdict.legal is solution.plays


KNOWN = (
    Known("rows extended", "classic", "b4 b5 b6 / r8 k8 o8", "b3 b8 k1", 2, 11),
    Known("a tile borrowed", "taiwan", "b4 k4 o4 r4", "b3 b5 b6", 3, 14),
    Known("rows rebuilt", "taiwan", "r7 b7 k7 / r8 b8 k8 / r9 b9 k9", "r10 o1", 1, 10),
    Known("a joker freed", "classic", "r5 r6 J", "r7 k11 k12", 3, 30),
    Known("a joker bound", "classic", "r5 r6 J / k10 k11 k12", "r7", 0, 0),
    Known("nothing fits", "classic", "r1 r2 r3", "b9 k5 o12", 0, 0),
    Known("an opening", "classic", "k1 k2 k3", "r9 r10 r11 k4", 3, 30, opened=False),
    Known("points", "classic", "k1 k2 k3", "r9 J r11 b1", 3, 50, objective="value"),
    Known("a locked row", "sabra", "r5 r6 J", "r8 b1", 1, 8),
    Known("a mirror", "twist", "", "r7 r7 M b2", 3, 44),
    Known("a double joker", "twist", "k5 k6 k7", "D o13", 1, 30),
    Known("six players", "sixplayer", "r1 r2 r3 / r1 r2 r3", "r1 r2 r3", 3, 6),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `params` fill in the text of `key`."""

    key: str
    params: dict[str, Any]
    state: State = State.WORKS
    data: dict[str, Any] | None = None

    @property
    def works(self) -> bool:
        return self.state is State.WORKS


def doctor(
    lang: Language = None,
    for_server: Annotated[
        bool,
        typer.Option("--server", help="Check what a server needs: a missing part is a problem."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check the installation: the solver, the page, the terminal and optional packages.

    The check solves positions whose best turn is known. Exit code: 0 all is well, 1 a problem, 3
    everything here works, but a part is missing.

    Examples:

        tilerummy doctor

        tilerummy doctor --server

        TILERUMMY_KERNEL=python tilerummy doctor
    """
    with bad_input_exits(lang):
        language = chosen_language(lang)
        console = Console(highlight=False)
        findings = list(examine(console, ("server",) if for_server else tuple(EXTRAS)))
    states = {finding.state for finding in findings}
    broken = State.BROKEN in states or (for_server and State.MISSING in states)
    if as_json:
        missing = [finding.key for finding in findings if finding.state is State.MISSING]
        data: dict[str, Any] = {"works": not broken, "missing": missing}
        for finding in findings:
            data |= finding.data or {}
        typer.echo(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        _print(findings, catalogue(language), Page(console, MOST_COLUMNS))
    if broken:
        raise typer.Exit(1)
    if State.MISSING in states:
        raise typer.Exit(INCOMPLETE)


def _print(findings: list[Finding], words: Catalogue, page: Page) -> None:
    for finding in findings:
        params = dict(finding.params)
        if "use" in params:
            params["use"] = words.text(params["use"])
        page.hanging(SIGNS[finding.state], words.text(f"doctor.{finding.key}", **params))
    states = {finding.state for finding in findings}
    page.line()
    if State.BROKEN in states:
        page.paragraph(words.text("doctor.broken"))
    if State.MISSING in states:
        page.paragraph(words.text("doctor.incomplete"))
    if states == {State.WORKS}:
        page.paragraph(words.text("doctor.fine"))


def examine(console: Console, extras: Iterable[str] = tuple(EXTRAS)) -> Iterator[Finding]:
    """Everything that is looked at, one after the other."""
    system = platform.system() or sys.platform
    python = platform.python_version()
    yield Finding(
        "version",
        {"version": __version__, "python": python, "system": system},
        data={"version": __version__, "python": python, "system": system},
    )
    yield from examine_solver()
    yield examine_page(PAGE)
    yield from _terminal(console)
    for extra in extras:
        yield _extra(extra, EXTRAS[extra])


def examine_solver() -> Iterator[Finding]:
    name = kernels.kernel_name()
    key, params, state = f"kernel-{name}", {}, State.WORKS
    if name == "python" and os.environ.get(kernels.CHOICE) == "python":
        key, params = "kernel-chosen", {"variable": kernels.CHOICE}
    elif name == "python":
        state = State.MISSING
    yield Finding(key, params, state, {"kernel": name})
    yield self_test(solve)


def examine_page(index: Traversable) -> Finding:
    """Look for the page that a server sends to browsers."""
    there = index.is_file()
    state = State.WORKS if there else State.MISSING
    return Finding("page" if there else "no-page", {}, state, {"page": there})


def self_test(answer: Callable[..., Solution]) -> Finding:
    """Solve the known positions, and compare with the kernel in plain Python."""
    variable = kernels.CHOICE
    try:
        wrong = [
            known.name
            for known in KNOWN
            if not known.is_answered_by(answer(known.position(), known.objective))
        ]
        if kernels.compiled is not None and not wrong:
            wrong = [known.name for known in KNOWN if not _same(known)]
    except Exception as error:  # any error of a broken installation is a finding
        params = {"error": repr(error), "variable": variable}
        return Finding("fails", params, State.BROKEN, {"self_test": "fails", "error": repr(error)})
    if wrong:
        params = {"names": ", ".join(wrong), "variable": variable}
        return Finding("wrong", params, State.BROKEN, {"self_test": "wrong", "wrong": wrong})
    key = "right" if kernels.compiled is None else "same"
    return Finding(key, {"positions": len(KNOWN)}, data={"self_test": key, "wrong": []})


def _same(known: Known) -> bool:
    """Whether both kernels find the tiles that must stay on the rack equally dear."""
    position = known.position()
    prices = turn_prices(position.edition, objective(known.objective))
    table = Counter(faces_of(chain.from_iterable(position.table)))
    rack = Counter(faces_of(position.rack))
    problem = CoverProblem(
        Grammar.of(position.edition),
        bytes([table[face] for face in ALL_FACES]),
        bytes([rack[face] for face in ALL_FACES]),
        prices.weights,
    )
    fast, slow = kernels.find_cover(problem), kernels.cover_in_python(problem)
    return fast is not None and slow is not None and fast.loss == slow.loss


def _terminal(console: Console) -> Iterator[Finding]:
    colour = draw.has_colour(console)
    key = "colour" if colour else "no-colour" if console.is_terminal else "no-terminal"
    yield Finding(key, {}, data={"terminal": console.is_terminal, "colour": colour})
    encoding = console.encoding
    try:
        "牌 ✓".encode(encoding)
        unicode = True
    except (UnicodeEncodeError, LookupError):
        unicode = False
    key = "unicode" if unicode else "no-unicode"
    yield Finding(key, {"encoding": encoding}, data={"encoding": encoding, "unicode": unicode})


def _extra(extra: str, use: str) -> Finding:
    """Look for the packages of an extra."""
    found = {package: _version(package) for package in packages_of(extra)}
    if lacking := [package for package, version in found.items() if version is None]:
        params = {
            "packages": ", ".join(lacking),
            "use": f"doctor.{use}",
            "command": f"pip install 'tilerummy[{extra}]'",
        }
        return Finding("no-extra", params, State.MISSING, dict(found))
    shown = ", ".join(f"{package} {version}" for package, version in found.items())
    return Finding("extra", {"packages": shown, "use": f"doctor.{use}"}, data=dict(found))


def packages_of(extra: str) -> list[str]:
    """The packages that an extra brings on every system."""
    lines = [line.partition(";") for line in requires("tilerummy") or ()]
    wanted = re.compile(rf"""\s*extra\s*==\s*['"]{extra}['"]\s*""")
    return [
        match[0]
        for name, _, marker in lines
        if wanted.fullmatch(marker) and (match := re.match(r"[\w.-]+", name.strip()))
    ]


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
