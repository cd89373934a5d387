"""The web server's private members: only the adapter uses them, and each of them exists.

Another version of uvicorn or websockets may rename one. `pyproject.toml` caps both; before a cap is
raised, this test names every member that is missing.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import h11
import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.server import ServerProtocol

import tilerummy

PACKAGE = Path(tilerummy.__file__).parent
EDGE = PACKAGE / "server" / "edge"
ADAPTER = ("connections.py", "frames.py", "wire.py")
"""The modules that may use private members."""
PRIVATE = re.compile(r"uvicorn\.protocols|websockets\.(?!asyncio\.|sync\.|exceptions$)")
BASES = {"wire.py": WebSocketsSansIOProtocol, "connections.py": H11Protocol}
PARSERS = {"wire.py": ServerProtocol, "connections.py": h11.Connection}
"""The types of `self.conn`."""


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """The names that a file imports, each with its module."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, each.name) for each in node.names)
        elif isinstance(node, ast.Import):
            yield from ((each.name, "") for each in node.names)


def test_only_the_adapter_imports_private_modules() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if any(PRIVATE.match(module) for module, _ in imports(path))
    }
    assert found <= {f"server/edge/{name}" for name in ADAPTER}


@pytest.mark.parametrize("name", [name for name in ADAPTER if (EDGE / name).exists()])
def test_what_the_adapter_imports_exists(name: str) -> None:
    for module, member in imports(EDGE / name):
        if member and PRIVATE.match(module) and "speedups" not in module:
            assert hasattr(importlib.import_module(module), member), f"{module}.{member}"


def members_of(cls: type) -> set[str]:
    """The methods, class attributes and instance attributes of a class."""
    sources = [inspect.getsource(each) for each in cls.__mro__ if each.__module__ != "builtins"]
    assigned = re.findall(r"\bself\.(\w+)(?:: [^=\n]+)? = ", "\n".join(sources))
    slots = [name for each in cls.__mro__ for name in getattr(each, "__slots__", ())]
    return {*dir(cls), *assigned, *slots}


def is_self(node: ast.expr) -> bool:
    match node:
        case ast.Name(id="self"):
            return True
        case ast.Call(func=ast.Name(id="super")):
            return True
    return False


def used(path: Path) -> tuple[set[str], set[str]]:
    """What the protocol class uses of itself and does not define; what it uses of `self.conn`."""
    (cls,) = (
        node
        for node in tree_of(path).body
        if isinstance(node, ast.ClassDef)
        and any(
            isinstance(each, ast.Name) and each.id == BASES[path.name].__name__
            for each in node.bases
        )
    )
    own = {node.name for node in cls.body if isinstance(node, ast.FunctionDef)}
    own |= {
        node.target.id
        for node in cls.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    own |= {
        each.id
        for node in cls.body
        if isinstance(node, ast.Assign)
        for each in node.targets
        if isinstance(each, ast.Name)
    }
    of_self, of_parser, set_here, inherited = set(), set(), set(), set()
    for node in ast.walk(cls):
        if not isinstance(node, ast.Attribute):
            continue
        if is_self(node.value):
            if isinstance(node.value, ast.Call):
                inherited.add(node.attr)
            elif isinstance(node.ctx, ast.Store):
                set_here.add(node.attr)
            else:
                of_self.add(node.attr)
        match node.value:
            case ast.Attribute(value=ast.Name(id="self"), attr="conn"):
                of_parser.add(node.attr)
    ours = own | {name for name in set_here if name.startswith("_")} | {"on_flood"}
    return (of_self | set_here) - ours | inherited, of_parser


@pytest.mark.parametrize("name", BASES)
def test_every_member_that_the_adapter_uses_exists(name: str) -> None:
    of_protocol, of_parser = used(EDGE / name)
    assert {"transport", "conn"} <= of_protocol, "the members are found"
    base, parser = BASES[name], PARSERS[name]
    assert sorted(of_protocol - members_of(base)) == [], f"{base.__name__} has no such member"
    assert sorted(of_parser - members_of(parser)) == [], f"{parser.__name__} has no such member"


def test_versions_of_what_has_private_members_are_capped() -> None:
    text = (PACKAGE.parents[1] / "pyproject.toml").read_text("utf-8")
    needed = tomllib.loads(text)["project"]["optional-dependencies"]["server"]
    for package in ("uvicorn", "websockets"):
        (line,) = (line for line in needed if re.match(rf"{package}\b", line))
        assert re.fullmatch(rf"{package}>=[\d.]+,<[\d.]+", line), line
