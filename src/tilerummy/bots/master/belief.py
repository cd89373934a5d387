"""What the public events say of the opponents: how each one plays, and what it could not play.

The style of an opponent is a mixture of policies of the playouts, updated by Bayes' rule from what
it lays and draws. Its last turn says more: a tile that it could have played then is not on its
rack.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from tilerummy.play.views import View
from tilerummy.rules.tiles import Table

GREEDY = 1
HOLDER = 1000
STYLES = (GREEDY, 6, 12, HOLDER)
"""Policies: the tiles that a turn has to lay so that the opponent plays it."""
PRIOR = (0.45, 0.1, 0.15, 0.3)

DRAWS = (0.5, 0.85, 0.92, 0.995)
"""How often each style draws in a turn after its opening."""
LAYS_FEW = (0.46, 0.005, 0.002, 0.001)
LAYS_SIX = (0.035, 0.135, 0.003, 0.001)
LAYS_TWELVE = (0.005, 0.01, 0.075, 0.003)
"""How often each style lays 1 to 5 tiles, 6 to 11, or more, without going out."""
FLOOR = 0.001
"""No style is ever ruled out: people change their minds."""
LARGEST_OPENING = 11
"""Tiles of most openings, and one turn for it: who laid more has also played later."""
TURNS_TO_JUDGE = 4


@dataclass(frozen=True, slots=True)
class Opponent:
    """What is known of one opponent."""

    styles: tuple[float, ...] = PRIOR
    """The probability of each of `STYLES`."""
    table: Table | None = None
    """The table after its last turn: with the rack it had then it could play nothing more."""
    drawn: int = 0
    """The tiles that it has drawn since."""
    opened: bool = False

    def after(self, view: View, *, was_open: bool, pool: int) -> Opponent:
        """What is known after its turn `view.last`; `pool` is the size before it."""
        last = view.last
        assert last is not None
        styles = self.styles
        if was_open and pool and last.why == "choice" and view.rack_sizes[last.seat]:
            styles = _updated(styles, _likelihoods(len(last.played)))
        return Opponent(styles, view.table, last.drawn, view.opened[last.seat])

    def draw_style(self, luck: Random) -> int:
        """A policy drawn from the mixture."""
        return luck.choices(STYLES, self.styles)[0]


@dataclass(frozen=True, slots=True)
class Belief:
    """What is known of all seats after a turn; that of the own seat says nothing."""

    game: int
    turn: int
    pool: int
    opened: tuple[bool, ...]
    opponents: tuple[Opponent, ...]

    @classmethod
    def begin(cls, view: View) -> Belief:
        """From the view alone: in the middle of a game the sizes of the racks tell how each seat
        has played."""
        seats = range(len(view.players))
        guessed = tuple([_guessed(view, seat) for seat in seats])
        return cls(view.game, view.turn, view.pool_size, view.opened, guessed)

    def after(self, view: View) -> Belief:
        """After the turn `view.last`; a view that is not newer says nothing. A belief that missed
        a turn begins again."""
        last = view.last
        if view.game == self.game and view.turn <= self.turn:
            return self
        if view.game != self.game or view.turn != self.turn + 1 or last is None:
            return Belief.begin(view)
        opponents = [*self.opponents]
        opponents[last.seat] = opponents[last.seat].after(
            view, was_open=self.opened[last.seat], pool=self.pool
        )
        return Belief(view.game, view.turn, view.pool_size, view.opened, tuple(opponents))


def _likelihoods(laid: int) -> tuple[float, ...]:
    if not laid:
        return DRAWS
    return LAYS_FEW if laid < 6 else LAYS_SIX if laid < 12 else LAYS_TWELVE


def _updated(styles: tuple[float, ...], likelihoods: tuple[float, ...]) -> tuple[float, ...]:
    weights = [style * likelihood for style, likelihood in zip(styles, likelihoods, strict=True)]
    total = sum(weights)
    return tuple([max(FLOOR, weight / total) for weight in weights])


def _guessed(view: View, seat: int) -> Opponent:
    """How a seat has played so far, guessed from its number of tiles."""
    turns = max(0, view.turn - 1) // len(view.players)
    size, last = view.rack_sizes[seat], view.last
    drawn = last.drawn if last is not None and last.seat == seat else min(1, turns)
    known = Opponent(PRIOR, view.table if turns else None, drawn, view.opened[seat])
    if not known.opened or turns <= TURNS_TO_JUDGE:
        return known
    # Each turn draws a tile or plays: so this is its tiles laid and its turns with a play.
    laid = view.edition.hand_size + turns - size
    styles: tuple[float, ...] = PRIOR
    if laid <= LARGEST_OPENING:
        for _ in range(turns - TURNS_TO_JUDGE):
            styles = _updated(styles, DRAWS)
    else:
        for _ in range(2):
            styles = _updated(styles, LAYS_FEW)
    return replace(known, styles=styles)
