"""What `pip install` delivers: metadata, types, and a core that needs nothing else."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import pytest

import tilerummy
from tools import page

ROOT = Path(__file__).parents[1]
PACKAGE = Path(tilerummy.__file__).parent
PURE = [name for name in ("rules", "play") if (PACKAGE / name / "__init__.py").exists()]
PURE_FILES = [path for name in PURE for path in sorted((PACKAGE / name).rglob("*.py"))]


DATA = (
    "py.typed",
    "locales/zh-Hans.toml",
    "server/store/migrations/script.py.mako",
    "lab/report/style.css",
)
"""Files that are not Python."""


def absolute_imports(source: str) -> set[str]:
    """The top-level names that a module imports, wherever in it the import stands."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.partition(".")[0])
    return names


def test_version_matches_the_installed_metadata() -> None:
    assert tilerummy.__version__ == version("tilerummy")


def test_types_are_shipped() -> None:
    assert files("tilerummy").joinpath("py.typed").is_file()


@pytest.mark.parametrize("name", PURE)
def test_core_loads_no_package_but_its_own(name: str) -> None:
    program = (
        "import sys; site = set(sys.modules);"
        f"import tilerummy.{name};"
        "print(*{module.partition('.')[0] for module in set(sys.modules) - site})"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert set(run.stdout.split()) - sys.stdlib_module_names == {"tilerummy"}


@pytest.mark.parametrize("path", PURE_FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_core_module_imports_the_standard_library_only(path: Path) -> None:
    names = absolute_imports(path.read_text(encoding="utf-8"))
    assert names - sys.stdlib_module_names <= {"tilerummy"}


def test_an_installed_server_brings_nothing_that_it_does_not_use() -> None:
    project = tomllib.loads((PACKAGE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["server"]
    names = {re.split(r"[^\w-]", line)[0].replace("-", "_") for line in wanted}
    files = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    used = set().union(*map(absolute_imports, files))
    assert names - used == {"uvloop"}, "which uvicorn takes where it is there"


# What is built, without a compiler and so within seconds


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with its page."""
    page.build()
    copy = tmp_path_factory.mktemp("sources") / "copy"
    caches = (".*cache", ".hypothesis", "__pycache__", "build", "dist", "*.egg-info", "*.so")
    others = (".git", ".venv", "node_modules", "benchmarks", "tests")
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*caches, *others))
    return copy


def built(sources: Path, folder: Path, kind: str, **environ: str) -> tuple[Path, str]:
    """A wheel or an sdist, and what was said meanwhile."""
    program = f"import sys; from tools import backend; backend.build_{kind}(sys.argv[1])"
    run = subprocess.run(
        [sys.executable, "-c", program, str(folder)],
        cwd=sources,
        env={**os.environ, "PYTHONPATH": str(sources), "CC": "false", **environ},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    (found,) = folder.iterdir()
    return found, run.stderr


def names_in_wheel(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {*archive.namelist()}


def test_the_wheel_brings_the_page(sources: Path, tmp_path: Path) -> None:
    wheel, _ = built(sources, tmp_path, "wheel")
    names = names_in_wheel(wheel)
    made = {path for path in page.PAGE.rglob("[!.]*") if path.is_file()}
    assert made
    assert {f"tilerummy/{path.relative_to(PACKAGE).as_posix()}" for path in made} <= names
    for data in DATA:
        assert f"tilerummy/{data}" in names
    assert not [name for name in names if name.startswith(("tests", "tools", "web"))]


def test_sources_bring_the_page_and_what_it_is_made_from(sources: Path, tmp_path: Path) -> None:
    archive, _ = built(sources, tmp_path, "sdist")
    with tarfile.open(archive) as found:
        found.extractall(tmp_path / "out", filter="data")
    (unpacked,) = (tmp_path / "out").iterdir()
    program = (
        "from tools import page; assert page.is_built(); assert (page.WEB / 'index.html').exists()"
    )
    subprocess.run([sys.executable, "-c", program], cwd=unpacked, check=True)


def test_without_node_everything_but_the_page_is_installed(sources: Path, tmp_path: Path) -> None:
    (sources / "web" / "index.html").write_text("changed, so that the page is an old one")
    wheel, said = built(sources, tmp_path, "wheel", PATH="/nowhere")
    assert "THE PAGE IS NOT BUILT" in said
    assert "there is no Node" in said
    names = names_in_wheel(wheel)
    assert "tilerummy/server/ops/app.py" in names
    assert not [name for name in names if "server/page/" in name]
