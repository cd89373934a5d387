"""What `pip install` delivers: metadata, types, and a core that needs nothing else."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import pytest

import tilerummy

PACKAGE = Path(tilerummy.__file__).parent
PURE = [name for name in ("rules", "play") if (PACKAGE / name / "__init__.py").exists()]
PURE_FILES = [path for name in PURE for path in sorted((PACKAGE / name).rglob("*.py"))]


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


def test_whoever_installs_the_server_gets_nothing_that_it_does_not_use() -> None:
    project = tomllib.loads((PACKAGE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["server"]
    names = {re.split(r"[^\w-]", line)[0].replace("-", "_") for line in wanted}
    files = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    used = set().union(*map(absolute_imports, files))
    assert names - used == {"uvloop"}, "which uvicorn takes where it is there"
