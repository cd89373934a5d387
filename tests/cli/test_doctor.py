"""`tilerummy doctor` runs every check and reports what works."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NoReturn

import pytest
from rich.console import Console
from typer.testing import CliRunner

from tilerummy import __version__
from tilerummy.cli import doctor as module
from tilerummy.cli.doctor import INCOMPLETE, KNOWN, examine, self_test
from tilerummy.cli.main import app
from tilerummy.rules.position import Position
from tilerummy.solver.cover import kernels
from tilerummy.solver.turns.best_turn import solve
from tilerummy.solver.turns.solution import Solution

run = CliRunner().invoke


def data() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(app, ["doctor", "--json"]).stdout)
    return found


def test_all_is_well_here() -> None:
    result = run(app, ["doctor", "--lang", "en"])
    assert result.exit_code == 0, result.output
    assert "Everything works." in result.output
    assert f"tilerummy {__version__}, Python 3." in result.output
    assert f"{len(KNOWN)} known positions solved correctly" in result.output
    assert "✗" not in result.output


def test_the_same_as_data() -> None:
    found = data()
    assert found["works"] is True
    assert found["version"] == __version__
    assert found["kernel"] == kernels.kernel_name()
    assert found["self_test"] == ("right" if found["kernel"] == "python" else "same")
    assert found["wrong"] == []
    assert found["terminal"] is found["colour"] is False
    assert found["textual"]
    assert found["uvicorn"]
    assert found["page"] is True
    assert found["missing"] == []


def test_it_says_so_in_every_language() -> None:
    assert "一切正常。" in run(app, ["doctor", "--lang", "zh-Hans"]).output
    assert f"{len(KNOWN)} 個已知局面全部答對" in run(app, ["doctor", "--lang", "zh-Hant"]).output


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_the_known_answers_are_right(known: module.Known) -> None:
    assert known.is_answered_by(solve(known.position(), known.objective))


def test_a_wrong_answer_is_found() -> None:
    def lazy(position: Position, wanted: str) -> Solution:
        solution = solve(position, wanted)
        return solution._replace(tiles=solution.tiles - 1) if solution.tiles > 2 else solution

    finding = self_test(lazy)
    assert not finding.works
    assert finding.key == "wrong"
    assert "a tile borrowed" in finding.params["names"]
    assert "rows extended" not in finding.params["names"]


def test_a_table_that_the_referee_refuses_is_found() -> None:
    def cheat(position: Position, wanted: str) -> Solution:
        return solve(position, wanted)._replace(table=position.table)

    assert not self_test(cheat).works


def test_a_solver_that_fails_is_a_finding_and_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> NoReturn:
        raise SystemError("no kernel")

    monkeypatch.setattr(module, "solve", fails)
    result = run(app, ["doctor", "--lang", "en"])
    assert result.exit_code == 1
    assert "it fails with SystemError('no kernel')" in result.output
    assert "Something does not work" in result.output
    assert data()["works"] is False


def test_kernels_that_disagree_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    if kernels.compiled is None:
        pytest.skip("there is only one kernel")
    monkeypatch.setattr(kernels, "cover_in_python", lambda _: None)
    assert self_test(solve).params["names"].count(",") == len(KNOWN) - 1


def output(*arguments: str, code: int) -> str:
    result = run(app, ["doctor", "--lang", "en", *arguments])
    assert result.exit_code == code, result.output
    return " ".join(result.output.split())


def test_a_missing_kernel_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "compiled", None)
    monkeypatch.delenv(kernels.CHOICE, raising=False)
    said = output(code=INCOMPLETE)
    assert "! Solver: plain Python; the compiled kernel is missing" in said
    assert "Install a C compiler, then: pip install" in said
    assert "Everything works" not in said
    assert "Everything here works, but a part is missing" in said
    assert (data()["works"], data()["missing"]) == (True, ["kernel-python"])
    assert "✗" not in output("--server", code=1), "nothing is broken, and a server lacks a part"


def test_plain_python_by_choice_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "compiled", None)
    monkeypatch.setenv(kernels.CHOICE, "python")
    assert "because TILERUMMY_KERNEL=python" in output(code=0)
    assert data()["self_test"] == "right"


def test_a_missing_page_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "PAGE", tmp_path / "index.html")
    said = output(code=INCOMPLETE)
    assert "! Page: missing" in said
    assert "make page" in said
    assert "Everything works" not in said
    assert (data()["page"], data()["missing"]) == (False, ["no-page"])
    assert "! Page: missing" in output("--server", code=1)
    for language, words in (("zh-Hans", "缺少一部分"), ("zh-Hant", "缺少，所以伺服器")):
        assert words in run(app, ["doctor", "--lang", language]).output.replace("\n", "")


@pytest.mark.parametrize(
    ("extra", "lost"),
    [("tui", "textual"), ("server", "uvicorn"), ("lab", "ray"), ("env", "pettingzoo")],
)
def test_a_missing_extra_is_reported(
    monkeypatch: pytest.MonkeyPatch, extra: str, lost: str
) -> None:
    def without(name: str) -> str:
        if name == lost:
            raise PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(module, "version", without)
    said = output(code=INCOMPLETE)
    assert f"are missing: {lost}. To install them: pip install 'tilerummy[{extra}]'" in said
    assert "Everything works" not in said
    assert data()["missing"] == ["no-extra"]
    assert data()[lost] is None
    output("--server", code=1 if extra == "server" else 0)


def test_the_packages_of_the_extras_are_those_of_the_project() -> None:
    assert module.packages_of("tui") == ["textual"]
    assert module.packages_of("env") == ["gymnasium", "numpy", "pettingzoo"]
    assert {"uvicorn", "websockets", "sqlalchemy", "h11"} <= {*module.packages_of("server")}
    assert "uvloop" not in module.packages_of("server"), "it is not needed on every system"


@pytest.mark.parametrize(
    ("terminal", "colours", "key"),
    [(True, "truecolor", "colour"), (True, None, "no-colour"), (False, None, "no-terminal")],
)
def test_the_terminal_is_described(terminal: bool, colours: Any, key: str) -> None:
    console = Console(force_terminal=terminal, color_system=colours)
    assert key in [finding.key for finding in examine(console)]
