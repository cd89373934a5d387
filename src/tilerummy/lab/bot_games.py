"""Seeded games of bots, by the real rules: the judge looks at every turn.

The dealer's secret of a deal comes from the seed of the run, so a deal is the same in every seating
and on every machine. Bots get a budget that counts and no time limit, for the same reason.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tilerummy.bots.protocol import Budget
from tilerummy.bots.roster import BOTS
from tilerummy.bots.seats import BotSeats
from tilerummy.play.commands import FixCommitments, Start
from tilerummy.play.driver import play_turns
from tilerummy.play.events import Event
from tilerummy.play.game import Game
from tilerummy.rules.editions import Edition
from tilerummy.solver.turns.best_turn import can_play

DEFAULT_NODES = 20_000
"""States that the solver may expand for one decision: more than nearly every position needs."""
DEFAULT_SAMPLES = 256
"""Games that a bot which searches may play out for one decision: about a tenth of a second."""


class DealKey(NamedTuple):
    """What decides a deal: the seed of the run, and the number of the deal."""

    seed: int
    number: int

    @property
    def secret(self) -> str:
        """The dealer's secret."""
        return self._digest("deal")

    def bot_seed(self, bot: str, copy: int) -> int:
        """The seed of a bot; several copies of it at one table differ."""
        return int(self._digest(f"bot {bot} {copy}")[:12], 16)

    def _digest(self, purpose: str) -> str:
        text = f"tilerummy-lab {self.seed} {self.number} {purpose}"
        return hashlib.sha256(text.encode()).hexdigest()


def play_bots(
    edition: Edition, seating: Sequence[str], deal: DealKey, budget: Budget
) -> Iterator[tuple[Game, tuple[Event, ...]]]:
    """Play one game of these bots by seat; yields the dealt game, then the game after each turn.

    With every game come the events that led to it. The players have neutral names, so that no bot
    knows whom it plays against.
    """
    names = [f"Player {number}" for number in range(1, len(seating) + 1)]
    game, events = Game.create(edition, names, secret=deal.secret, now=0)
    for command in (FixCommitments(tuple(range(len(seating)))), Start()):
        game, more = game.apply(command, 0, can_play)
        events += more
    seats = _seats(seating, deal, budget)
    seats.start(game)
    yield game, events
    for after, turn_events in play_turns(game, seats.choose, can_play):
        seats.see(after)
        yield after, turn_events


def _seats(seating: Sequence[str], deal: DealKey, budget: Budget) -> BotSeats:
    bots = {}
    for seat, name in enumerate(seating):
        copy = seating[:seat].count(name)
        bots[seat] = BOTS[name].make(deal.bot_seed(name, copy))
    return BotSeats(bots, budget)
