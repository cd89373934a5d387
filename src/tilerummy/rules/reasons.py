"""A reason why something is not allowed: a stable code, the tiles, and what a sentence needs.

The sentences are in the catalogues of `tilerummy.locales`; `tilerummy.queries.reason_text` gives
the sentence in a language. `str(reason)` is for logs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tilerummy.rules.tiles import Row, row_text

ReasonCode: TypeAlias = Literal[
    "adjacent-changes",
    "asymmetric",
    "bad-declaration",
    "below-minimum",
    "below-minimum-single",
    "c-in-group",
    "duplicate",
    "duplicate-colour",
    "duplicate-number",
    "gap",
    "half-not-a-set",
    "half-too-short",
    "inventory",
    "joker-needs-rack-tiles",
    "joker-not-in-new-set",
    "joker-not-in-other-set",
    "locked-row",
    "mixed-colour",
    "no-manipulation",
    "no-number-tile",
    "no-opening",
    "not-a-set",
    "not-consecutive",
    "not-on-rack",
    "nothing-played",
    "opening-joker",
    "out-of-range",
    "row-too-long",
    "same-colour",
    "special-exchange",
    "table-changed",
    "tile-left-table",
    "tile-twice",
    "too-few-number-tiles",
    "too-long",
    "too-many-jokers",
    "too-short",
    "two-mirrors",
    "undeclared",
    "wraps",
    "wrong-order",
]
"""Why a row or a turn is not allowed. Each code has a sentence in every language."""


@dataclass(frozen=True, slots=True, repr=False)
class Reason:
    """One reason: its code, the tiles concerned, and the parameters of its sentence."""

    code: ReasonCode
    tiles: Row = ()
    params: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        """For logs: the code with its tiles, such as `too-short: r7 b7`."""
        return f"{self.code}: {row_text(self.tiles)}" if self.tiles else self.code

    def __repr__(self) -> str:
        params = "".join(f", {name}={value!r}" for name, value in self.params.items())
        return f"<Reason {self}{params}>"
