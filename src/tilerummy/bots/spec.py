"""`BotSpec`: one bot as data, with a factory and its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tilerummy.bots.protocol import NO_LIMIT, Bot, Budget


class Level(StrEnum):
    """How strong a bot is, from weak to strong."""

    BEGINNER = "beginner"
    EXPERT = "expert"


class Style(StrEnum):
    """How a bot plays."""

    SIMPLE = "simple"
    """Lays the sets that a beginner sees."""
    GREEDY = "greedy"
    """Plays as many tiles as possible in every turn."""


@dataclass(frozen=True, slots=True, repr=False)
class BotSpec:
    """One row of the roster.

    `id` names the bot in the protocol and in the store: it never changes. Its texts are
    `bot.<id>.name` ("Rookie {number}") and `bot.<id>.kind` ("Rookie bot") in every catalogue.
    """

    id: str
    level: Level
    style: Style
    factory: Callable[..., Bot]
    """Called with `parameters` as keywords, and with `seed` if `seeded`."""
    parameters: Mapping[str, Any] = field(default_factory=dict, hash=False)
    seeded: bool = False
    """Whether the bot makes random choices."""
    seed: int = 0
    budget: Budget = NO_LIMIT
    """What one of its turns may cost at a server."""

    def __repr__(self) -> str:
        return f"<BotSpec {self.id}: {self.level}, {self.style}>"

    def make(self, seed: int | None = None) -> Bot:
        """A new bot of this kind; `seed` replaces the default seed if the bot is random."""
        if not self.seeded:
            return self.factory(**self.parameters)
        return self.factory(**self.parameters, seed=self.seed if seed is None else seed)

    @property
    def name_key(self) -> str:
        """The key of a player's name; it takes `number`."""
        return f"bot.{self.id}.name"

    @property
    def kind_key(self) -> str:
        """The key of the name of the kind of bot."""
        return f"bot.{self.id}.kind"

    def seat_name(self, number: int) -> str:
        """The name in rooms and records, the same in every language."""
        return f"{self.title} {number}"

    @property
    def title(self) -> str:
        """The part of the seat name before the number."""
        return self.id.title()
