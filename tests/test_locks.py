"""The lock files agree with `pyproject.toml`, and the lowest versions are its lower bounds."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
NEEDED = {
    "requirements.lock": ("tui", "server", "lab", "env", "dev"),
    "deploy/requirements.lock": ("server",),
    "tools/lowest.lock": ("tui", "server", "env"),
}
"""The lock files, and the extras that each of them pins."""
STALE = "stale: run `make lock`"


def direct(*extras: str) -> list[Requirement]:
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in EXTRAS[extra])]
    return [Requirement(line) for line in lines]


def pinned(name: str) -> dict[str, Version]:
    text = (ROOT / name).read_text("utf-8")
    found = re.findall(r"^([\w.-]+)(?:\[[^\]]*\])?==(\S+)", text, re.MULTILINE)
    return {canonicalize_name(package): Version(version) for package, version in found}


def lower_bound(requirement: Requirement) -> Version:
    (found,) = (each.version for each in requirement.specifier if each.operator == ">=")
    return Version(found)


@pytest.mark.parametrize("name", NEEDED)
def test_a_lock_pins_what_the_project_allows(name: str) -> None:
    pins = pinned(name)
    for requirement in direct(*NEEDED[name]):
        version = pins.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement.name} is missing. {STALE}"
        assert version in requirement.specifier, f"{requirement}, not {version}. {STALE}"


def test_the_lowest_versions_are_the_lower_bounds() -> None:
    pins = pinned("tools/lowest.lock")
    for requirement in direct("tui", "server", "env"):
        lowest, found = lower_bound(requirement), pins[canonicalize_name(requirement.name)]
        assert found == lowest, f"{requirement.name} {found} is tested, {lowest} allowed. {STALE}"


@pytest.mark.parametrize("name", NEEDED)
def test_a_lock_has_hashes_and_names_no_index(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert "://" not in text
    assert "--index" not in text
    entries = re.split(r"\n(?=[\w-]+(?:\[[^\]]*\])?==)", text)[1:]
    assert len(entries) >= len(pinned(name)) > 10
    assert all("--hash=sha256:" in entry for entry in entries)


def test_every_package_that_is_imported_is_a_direct_dependency() -> None:
    """A package that another one brings may be gone with its next version."""
    declared = {canonicalize_name(each.name) for each in direct("tui", "server")}
    used = {
        module
        for path in (ROOT / "src").rglob("*.py")
        for module in re.findall(
            r"^\s*(?:from|import) (h11|anyio|click|greenlet|h2|idna|mako|pygments)\b",
            path.read_text("utf-8"),
            re.MULTILINE,
        )
    }
    assert used <= declared
