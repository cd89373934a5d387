"""The interface of a command to a room: from a seat, its host, a guest who arrives, or a timer.

`seating`, `matches` and `chat` define the commands: what each asks for, and how it is decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tilerummy.server.rooms.decision import Decision
from tilerummy.server.rooms.events import Closed, CloseReason


class Command(Protocol):
    def decide(self, decision: Decision) -> None:
        """Record the events that this command leads to, none if it changes nothing. Raises
        Refused."""
        ...


@dataclass(frozen=True, slots=True)
class Close:
    why: CloseReason

    def decide(self, decision: Decision) -> None:
        decision.record(Closed(decision.now, self.why))
