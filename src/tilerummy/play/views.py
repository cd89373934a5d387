"""The projection of a game for one seat, as a type of its own.

`view` is the only function that builds what a player may know. Other racks, the order of the pool
and the dealer's secret have no field here until the game is over.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, assert_never

from tilerummy.play.commit_reveal import CancelledDeal, SeedSource
from tilerummy.play.endings import unable_seat
from tilerummy.play.events import (
    Cancelled,
    Committed,
    Created,
    Dealt,
    Drew,
    Ended,
    Event,
    Fixed,
    Passed,
    Played,
    Revealed,
    Seeded,
    StarterDrawn,
    Why,
)
from tilerummy.play.game import Game, Phase
from tilerummy.play.refusals import GameRefused
from tilerummy.rules.declarations import Declared
from tilerummy.rules.editions import Edition
from tilerummy.rules.position import Position
from tilerummy.rules.scores import Result
from tilerummy.rules.tiles import Table, Tile

Action: TypeAlias = Literal["played", "drew", "passed"]
"""What a turn did to the table."""


@dataclass(frozen=True, slots=True)
class LastTurn:
    """The turn before this one, as far as everybody at the table saw it."""

    seat: int
    action: Action
    why: Why
    played: tuple[Tile, ...] = ()
    drawn: int = 0
    own_drawn: tuple[Tile, ...] = ()
    """The tiles drawn, for the seat that drew them."""


@dataclass(frozen=True, slots=True)
class Final:
    """What everybody sees when the game is over."""

    result: Result
    racks: tuple[tuple[Tile, ...], ...]
    pool: tuple[Tile, ...]
    dealt: Dealt | None
    """The deal as it was recorded."""
    secret: str
    unable: int | None
    """The seat that could not play and thereby ended the game, where that was the rule."""


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """Everything that one seat, or a spectator, may know."""

    edition: Edition
    players: tuple[str, ...]
    game: int
    seat: int | None
    """None for a spectator."""
    phase: Phase
    rack: tuple[Tile, ...]
    rack_sizes: tuple[int, ...]
    pool_size: int
    table: Table
    declared: Declared = field(hash=False)
    opened: tuple[bool, ...]
    current: int
    turn: int
    turn_began: int
    deadline: int | None
    passes: int
    final_turns: int | None
    manipulation: bool
    """Whether rows of the table may be taken apart now."""
    starter: int | None
    starter_draws: tuple[tuple[int, Tile], ...]
    commitment: str
    shuffle_version: int
    transcript: str
    commitments: tuple[str | None, ...]
    sources: tuple[SeedSource, ...]
    seeds: tuple[str | None, ...]
    cancelled: tuple[CancelledDeal, ...]
    last: LastTurn | None
    final: Final | None

    def __repr__(self) -> str:
        who = "spectator" if self.seat is None else f"seat {self.seat}"
        return (
            f"<View of game {self.game} {self.edition.name} {self.phase} for {who}, "
            f"turn {self.turn} of seat {self.current}, rack {len(self.rack)}, "
            f"table {len(self.table)}, pool {self.pool_size}>"
        )

    @property
    def my_turn(self) -> bool:
        """Whether the seat of this view is to move."""
        return self.phase is Phase.PLAYING and self.seat == self.current

    @property
    def position(self) -> Position:
        """The position of the seat, for the judge and the solver. Raises Refused for spectators."""
        if self.seat is None:
            raise GameRefused("unknown-seat", "a spectator has no seat")
        return Position(
            self.edition,
            self.table,
            self.rack,
            self.opened[self.seat],
            self.manipulation,
            self.declared,
        )


def view(game: Game, seat: int | None) -> View:
    """The projection of a game for a seat, or for a spectator (None).

    Raises Refused for an unknown seat.
    """
    if seat is not None and not 0 <= seat < len(game.players):
        raise GameRefused("unknown-seat", f"there is no seat {seat}")
    dealt = game.phase is not Phase.WAITING
    return View(
        edition=game.edition,
        players=game.players,
        game=game.number,
        seat=seat,
        phase=game.phase,
        rack=game.racks[seat] if dealt and seat is not None else (),
        rack_sizes=tuple(map(len, game.racks)),
        pool_size=len(game.pool),
        table=game.table,
        declared=game.declared,
        opened=game.opened,
        current=game.current,
        turn=game.turn,
        turn_began=game.turn_began,
        deadline=game.deadline,
        passes=game.passes,
        final_turns=game.final_turns,
        manipulation=game.manipulation,
        starter=game.starter,
        starter_draws=game.starter_draws,
        commitment=game.commitment,
        shuffle_version=game.shuffle_version,
        transcript=game.transcript,
        commitments=game.commitments,
        sources=game.sources,
        seeds=game.seeds,
        cancelled=game.cancelled,
        last=_last_turn(game.last, seat),
        final=_final(game),
    )


def _last_turn(event: Event | None, seat: int | None) -> LastTurn | None:
    match event:
        case Played():
            why: Why = "clock" if event.by_clock else "choice"
            return LastTurn(event.seat, "played", why, played=event.tiles)
        case Drew():
            own = event.tiles if event.seat == seat else ()
            return LastTurn(event.seat, "drew", event.why, drawn=len(event.tiles), own_drawn=own)
        case Passed():
            return LastTurn(event.seat, "passed", event.why)
        case Created() | Seeded() | Committed() | Fixed() | Revealed() | Cancelled():
            return None
        case StarterDrawn() | Dealt() | Ended() | None:
            return None
        case _:
            assert_never(event)


def _final(game: Game) -> Final | None:
    if game.result is None:
        return None
    return Final(game.result, game.racks, game.pool, game.dealt, game.secret, unable_seat(game))
