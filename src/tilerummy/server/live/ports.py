"""Ports: interfaces of the jobs that live rooms depend on. `ops.node` connects them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from tilerummy.play.commands import Turn
from tilerummy.play.endings import CanPlay
from tilerummy.play.views import View
from tilerummy.rules.turns import Judge

T = TypeVar("T")


class ProofSource(Protocol):
    """Proves whether players can play, and judges turns; `jobs.prover` does what takes long in a
    process pool."""

    async def decided(self, decide: Callable[[CanPlay, Judge], T], room: str) -> T:
        """The result of `decide`, once it has every answer it asks for. Raises what it raises."""
        ...


class BotRunner(Protocol):
    """Runs bots; `jobs.bot_pool` does it in a process pool."""

    async def choose(self, bot: str, view: View, room: str, seen: Sequence[View]) -> Turn:
        """`seen` are its views after the latest turns, for a bot that learns."""
        ...
