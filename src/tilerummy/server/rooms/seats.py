"""A seat of a room: free, a guest's, or a bot's."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Seat:
    """A guest who is away may have a bot that plays for them."""

    name: str = ""
    guest: str | None = None
    bot: str | None = None
    away: int | None = None
    """Since when the guest is away, in milliseconds; None while they are here."""
    pause: bool = False
    more: bool = False
    left: str | None = None
    """The guest who gave up this seat during a match; the bot in their place keeps their name."""

    @property
    def is_free(self) -> bool:
        return self.guest is None and self.bot is None

    @property
    def is_here(self) -> bool:
        return self.guest is not None and self.away is None
