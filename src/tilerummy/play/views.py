"""What one seat may see of a game, as a type of its own.

`view` is the only function that builds what leaves the process for a player. Other racks, the
order of the pool and the dealer's secret have no field here until the game is over.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tilerummy.play.endings import unable_seat
from tilerummy.play.events import Drew, Event, Passed, Played
from tilerummy.play.game import Game, Phase, Refused
from tilerummy.rules.declarations import Declared
from tilerummy.rules.editions import Edition
from tilerummy.rules.position import Position
from tilerummy.rules.scores import Result
from tilerummy.rules.tiles import Table, Tile


@dataclass(frozen=True, slots=True)
class LastTurn:
    """The turn before this one: what everybody at the table saw of it."""

    seat: int
    action: str
    """`played`, `drew` or `passed`."""
    why: str
    """`choice`, `clock`, `penalty` or `illegal`."""
    played: tuple[Tile, ...] = ()
    drawn: int = 0
    own_drawn: tuple[Tile, ...] = ()
    """The tiles drawn, for the seat that drew them."""


@dataclass(frozen=True, slots=True)
class Final:
    """What is laid open when the game is over."""

    result: Result
    racks: tuple[tuple[Tile, ...], ...]
    pool: tuple[Tile, ...]
    secret: str
    unable: int | None
    """The seat that could not play and thereby ended the game, where that was the rule."""


@dataclass(frozen=True, slots=True)
class View:
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
    seeds: tuple[str | None, ...]
    last: LastTurn | None
    final: Final | None

    @property
    def my_turn(self) -> bool:
        return self.phase is Phase.PLAYING and self.seat == self.current

    @property
    def position(self) -> Position:
        """What lies before the seat, as the solver takes it. Not for spectators."""
        if self.seat is None:
            raise Refused("unknown-seat", "whoever watches has no seat")
        return Position(
            self.edition,
            self.table,
            self.rack,
            self.opened[self.seat],
            self.manipulation,
            self.declared,
        )


def view(game: Game, seat: int | None) -> View:
    """What the seat, or a spectator, may know."""
    if seat is not None and not 0 <= seat < len(game.players):
        raise Refused("unknown-seat", f"there is no seat {seat}")
    dealt = game.phase is not Phase.WAITING
    return View(
        edition=game.edition,
        players=game.players,
        game=game.number,
        seat=seat,
        phase=game.phase,
        rack=game.racks[seat] if dealt and seat is not None else (),
        rack_sizes=tuple(len(rack) for rack in game.racks),
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
        seeds=game.seeds,
        last=_last_turn(game.last, seat),
        final=_final(game),
    )


def _last_turn(event: Event | None, seat: int | None) -> LastTurn | None:
    match event:
        case Played():
            why = "clock" if event.by_clock else "choice"
            return LastTurn(event.seat, "played", why, played=event.tiles)
        case Drew():
            own = event.tiles if event.seat == seat else ()
            return LastTurn(event.seat, "drew", event.why, drawn=len(event.tiles), own_drawn=own)
        case Passed():
            return LastTurn(event.seat, "passed", event.why)
        case _:
            return None


def _final(game: Game) -> Final | None:
    if game.result is None:
        return None
    return Final(game.result, game.racks, game.pool, game.secret, unable_seat(game))
