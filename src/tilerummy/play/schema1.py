"""The migration of schema 1 data to schema 2.

Options are stored only if they differ from the defaults, and the defaults have changed since. So
these functions add the old defaults explicitly, and old games keep their rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilerummy.rules.editions import edition
from tilerummy.rules.errors import TileRummyError

_WITHOUT_PROOF: dict[str, object] = {"empty_pool.pass": "voluntary", "empty_pool.end": "all_pass"}
OLD_DEFAULTS: dict[str, dict[str, object]] = {
    "classic": _WITHOUT_PROOF,
    "twist": _WITHOUT_PROOF,
}
"""Defaults of schema 1 that have changed, by edition."""
OLD_VALUES: dict[tuple[str, object], object] = {
    ("penalty.tiles", 0): 1,  # one tile was drawn all the same
    ("joker.declare", "explicit"): "kind",
}
"""Replaced values, and their replacements."""


def upgraded_options(name: object, options: Mapping[str, object]) -> dict[str, object]:
    """Options of schema 1 as the same edition of today would store them."""
    known = OLD_DEFAULTS.get(name, {}) if isinstance(name, str) else {}
    filled = {**known, **options}
    new = {key: _value(key, value) for key, value in filled.items()}
    try:
        return edition(name, new).changed_options()
    except TileRummyError:
        return new  # reading the options later reports what is wrong with them


def _value(key: str, value: object) -> object:
    for (old_key, old), new in OLD_VALUES.items():
        # 0 == False, but False is not a valid old value
        if key == old_key and value == old and type(value) is type(old):
            return new
    return value


def upgraded_event(data: dict[str, Any]) -> dict[str, Any]:
    """An event of schema 1 as schema 2 has it."""
    if data.get("type") != "created":
        return data
    options = data.get("options")
    if isinstance(options, dict):
        data = {**data, "options": upgraded_options(data.get("edition"), options)}
    return {**data, "rules_version": 1}
