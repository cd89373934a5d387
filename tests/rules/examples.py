"""The worked examples of the rules, as the tests read them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from tilerummy.rules.tiles import Table, parse_tiles

DATA = Path(__file__).resolve().parents[1] / "data"


def examples() -> list[dict[str, Any]]:
    """178 rows of tiles."""
    return _load("rules_examples.json")


def positions(kind: str) -> list[dict[str, Any]]:
    """The cases of one type: `turn`, `procedure` or `score`."""
    return [case for case in _load("rules_positions.json") if case["type"] == kind]


def tiles(table: list[list[str]]) -> Table:
    return tuple(parse_tiles(row) for row in table)


def _load(name: str) -> list[dict[str, Any]]:
    return cast(list[dict[str, Any]], json.loads((DATA / name).read_text(encoding="utf-8")))
