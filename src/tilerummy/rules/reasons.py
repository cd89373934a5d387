"""A reason why something is not allowed: a stable code, the tiles, and what a sentence needs.

The sentences are in the catalogues of `tilerummy.locales`; `tilerummy.queries.reason_text` gives
the sentence in a language. `str(reason)` is for logs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tilerummy.rules.tiles import Row, row_text


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason: its code, the tiles concerned, and the parameters of its sentence."""

    code: str
    tiles: Row = ()
    params: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        """For logs: the code with its tiles, such as `too-short: r7 b7`."""
        return f"{self.code}: {row_text(self.tiles)}" if self.tiles else self.code
