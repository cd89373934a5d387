"""Ports: interfaces of the jobs that live rooms depend on. `ops.node` connects them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from tilerummy.play.commands import Turn
from tilerummy.play.endings import CanPlay
from tilerummy.play.views import View

T = TypeVar("T")


class ProofSource(Protocol):
    """Proves whether players can play; `jobs.prover` does it in a process pool."""

    async def judged(self, judge: Callable[[CanPlay], T], room: str) -> T:
        """The result of `judge`, once it has every proof it asks for. Raises what it raises."""
        ...


class BotRunner(Protocol):
    """Runs bots; `jobs.bot_pool` does it in a process pool."""

    async def choose(self, bot: str, view: View, room: str) -> Turn: ...
