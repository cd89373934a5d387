"""Refusals: commands that are not allowed now, each with a code from a closed set."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.turns import TurnVerdict

RefusalCode: TypeAlias = Literal[
    "already-fixed",
    "already-started",
    "bad-opening",
    "bad-players",
    "bad-record",
    "bad-seed",
    "commit-first",
    "game-over",
    "illegal-play",
    "must-play",
    "not-fixed",
    "not-started",
    "not-your-turn",
    "pool-empty",
    "pool-not-empty",
    "seed-given",
    "seed-withheld",
    "seeds-missing",
    "tile-twice",
    "too-complicated",
    "too-early",
    "too-late",
    "unknown-seat",
    "wrong-turn",
]
"""Why a game refuses a command."""


class Refused(TileRummyError):  # noqa: N818 - an answer, not a failure
    """A command that is not allowed now. Nothing has changed.

    The base class for every part that refuses commands; a game raises `GameRefused`.
    """

    code = "refused"

    def __init__(self, code: str, message: str, verdict: TurnVerdict | None = None) -> None:
        super().__init__(message, code=code, key=f"refusal.{code}")
        self.verdict = verdict


class GameRefused(Refused):
    """A command that the game refuses. `verdict` says what is wrong with an illegal play."""

    def __init__(self, code: RefusalCode, message: str, verdict: TurnVerdict | None = None) -> None:
        super().__init__(code, message, verdict)
