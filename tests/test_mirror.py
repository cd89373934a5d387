"""Every module has a test file of its own, or CONTRIBUTING says by what it is tested."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "tilerummy"
ROW = re.compile(r"^\| (`[^|]+) \|.*\|.*\|$", re.MULTILINE)


def whole_parts() -> set[str]:
    """The packages, with a slash at their end, and modules of the table in CONTRIBUTING."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    table = text[text.index("| part |") :]
    return {name for row in ROW.findall(table) for name in re.findall(r"`([^`]+)`", row)}


def is_listed(module: Path, listed: set[str]) -> bool:
    """Whether a module has a row, or one of the packages it is in."""
    return (
        any(f"{part}/" in listed for part in module.parents)
        or str(module.with_suffix("")) in listed
    )


def has_own_tests(module: Path) -> bool:
    return (ROOT / "tests" / module.parent / f"test_{module.name}").exists()


def test_every_module_is_tested_by_something_that_is_named() -> None:
    listed = whole_parts()
    modules = [path.relative_to(PACKAGE) for path in sorted(PACKAGE.rglob("*.py"))]
    missing = [
        module
        for module in modules
        if module.name not in ("__init__.py", "__main__.py")
        and "migrations" not in module.parts
        and not has_own_tests(module)
        and not is_listed(module, listed)
    ]
    assert not missing, "no test file, and no row of the table in CONTRIBUTING"


def test_the_table_names_what_is_there() -> None:
    for name in whole_parts():
        assert (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").exists(), name
