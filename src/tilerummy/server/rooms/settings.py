"""What a room is set up to: chosen once, by whoever opens it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from tilerummy.play.match import Match
from tilerummy.rules.editions import Edition, edition

LONGEST_DELAY = 600
"""Seconds by which spectators may be kept behind."""
MOST_SEATS = 6
MOST_ROUNDS = 100


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The clock is an option of the edition, `timer.seconds`; 0 is none."""

    edition: str = "classic"
    options: dict[str, Any] = {}
    seats: Annotated[int, msgspec.Meta(ge=2, le=MOST_SEATS)] = 4
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] = 1
    public: bool = False
    """Listed for everybody; otherwise only whoever has the link comes in."""
    spectators: bool = True
    spectator_delay: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_DELAY)] = 0
    stand_in: bool = True
    """Whether a bot plays for somebody who is away for too long."""
    hints: bool = False
    """Whether players may ask the solver."""

    def rules(self) -> Edition:
        """The edition with its options. Raises OptionError."""
        return edition(self.edition, self.options)

    def check(self) -> None:
        """Raises OptionError or MatchError where these settings cannot be played."""
        Match(self.rules(), tuple(f"seat {seat + 1}" for seat in range(self.seats)), self.rounds)
