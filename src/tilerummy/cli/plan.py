"""What is going to be played: the rules, who sits where, and how long."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from tilerummy.bots.roster import BOTS, STAND_IN
from tilerummy.play.match import Match
from tilerummy.play.names import are_alike, chosen
from tilerummy.rules.editions import CLASSIC, Edition
from tilerummy.rules.errors import TileRummyError, quoted

BOT = "bot"
"""The word for a bot in a list of players; `bot:solver` is one of the roster."""
_HEX = re.compile(r"[0-9a-fA-F]+")


class PlanError(TileRummyError):
    """Players or a seed that cannot be."""

    code = "bad-plan"


@dataclass(frozen=True, slots=True)
class Seat:
    name: str
    human: bool
    bot: str = STAND_IN
    """Which bot plays here, unless a person does."""


@dataclass(frozen=True, slots=True)
class Plan:
    edition: Edition = CLASSIC
    seats: tuple[Seat, ...] = ()
    rounds: int = 1

    def match(self) -> Match:
        return Match(self.edition, tuple(seat.name for seat in self.seats), self.rounds)

    @property
    def humans(self) -> tuple[int, ...]:
        return tuple(number for number, seat in enumerate(self.seats) if seat.human)


def parse_seats(names: Iterable[str], bot_name: Callable[[int], str]) -> tuple[Seat, ...]:
    """Names in seating order; a word that starts with `bot` is a bot, `bot:ID` one of the roster.

    `bot_name` names a bot that has no name of its own, by its number.
    """
    seats: list[Seat] = []
    bots = 0
    for word in names:
        name = " ".join(word.split())
        human = not name.lower().startswith(BOT)
        bot = STAND_IN
        if not human:
            bots += 1
            start, colon, wanted = name.lower().partition(":")
            if colon and start == BOT:
                bot = _bot(wanted)
            if start == BOT:
                name = bot_name(bots)
        seats.append(Seat(name, human, bot))
    return checked_seats(seats)


def _bot(wanted: str) -> str:
    if wanted not in BOTS:
        raise PlanError(
            "unknown bot '{bot}': use one of {known}",
            key="error.plan.bot",
            bot=quoted(wanted),
            known=", ".join(f"{BOT}:{name}" for name in BOTS),
        )
    return wanted


def checked_seats(seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """The seats with their names normalised. Raises PlanError or BadName unless all are valid and
    nobody can be taken for somebody else."""
    checked: list[Seat] = []
    for seat in seats:
        if not seat.name.strip():
            raise PlanError(
                "a player needs a name: write --players Ann,Ben,bot,bot", key="error.plan.no-name"
            )
        name = chosen(seat.name)
        if any(are_alike(name, other.name) for other in checked):
            raise PlanError(
                "two players are called '{name}': give each a name of their own",
                key="error.plan.same-name",
                name=quoted(name),
            )
        checked.append(replace(seat, name=name))
    return tuple(checked)


def dealer(seed: str | None) -> Callable[[], str]:
    """The dealer's secrets, one for each game: random ones, or always the same from a seed."""
    if seed is None:
        return lambda: secrets.token_hex(32)
    if not _HEX.fullmatch(seed):
        raise PlanError(
            "the seed '{seed}' is not hexadecimal: write digits and a to f",
            key="error.plan.seed",
            seed=quoted(seed),
        )
    count = 0

    def next_secret() -> str:
        nonlocal count
        count += 1
        return hashlib.sha256(f"{seed.lower()}/{count}".encode()).hexdigest()

    return next_secret
