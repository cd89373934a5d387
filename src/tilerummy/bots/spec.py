"""`BotSpec`: one bot as data, with a factory and its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tilerummy.bots.protocol import NO_LIMIT, Bot, Budget


class Offer(StrEnum):
    """To whom a bot is offered."""

    LADDER = "ladder"
    """To people, by its level."""
    NAME = "name"
    """To people who choose it by its name: it is no fun by default."""
    LAB = "lab"
    """To the lab, as a fixed point to measure with."""
    OLD = "old"
    """To nobody: stored rooms and records name it."""


class Style(StrEnum):
    """How a bot plays."""

    SIMPLE = "simple"
    """Lays the sets that a beginner sees."""
    EAGER = "eager"
    """Opens as soon as it can, and plays whatever it sees."""
    KEEPS_JOKERS = "keeps-jokers"
    """Keeps its jokers for later."""
    KEEPS_FOURTHS = "keeps-fourths"
    """Keeps the fourth tile of a group for later."""
    GREEDY = "greedy"
    """Plays as many tiles as possible in every turn."""
    WAITS = "waits"
    """Denies the table its tiles until it can lay many at once."""
    SEARCHES = "searches"
    """Plays many games out in its head before each turn."""


@dataclass(frozen=True, slots=True, repr=False)
class BotSpec:
    """One row of the roster.

    `id` names the bot in the protocol and in the store: it never changes. Its texts are
    `bot.<id>`, its name, and `character.<id>`, a sentence, in every catalogue.
    """

    id: str
    offer: Offer
    level: int
    """Its place on the ladder, from 1; 0 if it has none."""
    style: Style
    factory: Callable[..., Bot]
    """Called with `parameters` as keywords, and with `seed` if `seeded`."""
    parameters: Mapping[str, Any] = field(default_factory=dict, hash=False)
    seeded: bool = False
    """Whether the bot makes random choices."""
    learns: bool = False
    """Whether the bot remembers what it has seen of a game."""
    seed: int = 0
    budget: Budget = NO_LIMIT
    """What one of its turns may cost at a server."""

    def __repr__(self) -> str:
        level = f"level {self.level}" if self.level else self.offer
        return f"<BotSpec {self.id}: {level}, {self.style}>"

    def make(self, seed: int | None = None) -> Bot:
        """A new bot of this kind; `seed` replaces the default seed if the bot is random."""
        if not self.seeded:
            return self.factory(**self.parameters)
        return self.factory(**self.parameters, seed=self.seed if seed is None else seed)

    @property
    def name_key(self) -> str:
        """The key of its name."""
        return f"bot.{self.id}"

    @property
    def character_key(self) -> str:
        """The key of its character in one sentence."""
        return f"character.{self.id}"

    @property
    def title(self) -> str:
        """The name in rooms and records, the same in every language; the second of a kind at one
        table gets a number behind it. Older rooms and records number the first one, too."""
        return self.id.title()
