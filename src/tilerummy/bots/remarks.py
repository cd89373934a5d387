"""Remarks: one line of why a bot has played as it did, as a message key with its number.

A remark follows from the style of the bot, which is public, and from what everybody saw of the
turn. It tells habits and never tiles: who reads it knows no more about a rack than who watches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from tilerummy.bots.draft import GROUP
from tilerummy.bots.natural import FEW_TILES
from tilerummy.bots.roster import BOTS
from tilerummy.bots.spec import Style
from tilerummy.play.events import Drew, Event, Passed, Played
from tilerummy.play.game import Game
from tilerummy.rules.tiles import NUMBER, Row, Table, Tile, faces_of

Thought: TypeAlias = Literal[
    "goes-out",
    "opens",
    "sees-no-opening",
    "keeps-joker",
    "keeps-fourth",
    "waits",
    "has-waited",
    "rearranges",
    "adds",
    "lays",
    "sees-nothing",
]
"""What a bot says of its turn; its text is `remark.<thought>`."""

TURNS = (Played, Drew, Passed)
MANY = 6
"""Tiles of a turn for which it was worth waiting."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A thought and its number: of tiles for `opens` and `has-waited`, of rows for `rearranges`,
    and the number on the tile for `keeps-fourth`."""

    thought: Thought
    count: int = 0

    @property
    def key(self) -> str:
        """The key of its text; it takes `count`."""
        return f"remark.{self.thought}"


class Seen(NamedTuple):
    """A turn as everybody at the table saw it."""

    laid: Row
    """The tiles that were laid; none if the seat drew or passed."""
    before: Table
    after: Table
    opened: bool
    """Whether the seat had opened before this turn."""
    rack_size: int
    """How many tiles the seat has left."""
    has_pool: bool
    """Whether the pool had tiles before this turn."""


def remark(style: Style, seen: Seen) -> Remark:
    """Why a bot of this style has played this turn."""
    is_late = not seen.has_pool or seen.rack_size + len(seen.laid) <= FEW_TILES
    return (_played if seen.laid else _idle)(style, seen, is_late)


def last_remark(bot: str | None, game: Game, log: Sequence[Event]) -> Remark | None:
    """What this bot says of the latest turn of a game, if it was the one that moved.

    `log` has the events of the game so far. None for a person, before the first turn, and for a
    turn that the clock or a penalty decided.
    """
    spec = None if bot is None else BOTS.get(bot)
    seen = None if spec is None else _last_seen(game, log)
    return None if spec is None or seen is None else remark(spec.style, seen)


def _last_seen(game: Game, log: Sequence[Event]) -> Seen | None:
    turns = (event for event in reversed(log) if isinstance(event, TURNS))
    last = next(turns, None)
    match last:
        case Drew(why="choice") | Passed(why="choice"):
            has_pool = isinstance(last, Drew)
            size = len(game.racks[last.seat])
            return Seen((), game.table, game.table, game.opened[last.seat], size, has_pool)
        case Played(by_clock=False):
            plays = [event for event in turns if isinstance(event, Played)]
            return Seen(
                last.tiles,
                plays[0].table if plays else (),
                last.table,
                any(event.seat == last.seat for event in plays),
                len(game.racks[last.seat]),
                bool(game.pool),
            )
        case _:
            return None


def _idle(style: Style, seen: Seen, is_late: bool) -> Remark:
    if not seen.opened:
        return Remark("sees-no-opening")
    if seen.has_pool and style in (Style.WAITS, Style.SEARCHES):
        return Remark("waits")
    if not is_late and style is Style.KEEPS_JOKERS:
        return Remark("keeps-joker")
    return Remark("sees-nothing")


def _played(style: Style, seen: Seen, is_late: bool) -> Remark:
    if not seen.rack_size:
        return Remark("goes-out")
    if not seen.opened:
        return Remark("opens", len(seen.laid))
    if style is Style.WAITS and len(seen.laid) >= MANY:
        return Remark("has-waited", len(seen.laid))
    apart = rows_apart(seen.before, seen.after)
    if apart:
        return Remark("rearranges", apart)
    number = _group_of_three(seen) if style is Style.KEEPS_FOURTHS and not is_late else 0
    if number:
        return Remark("keeps-fourth", number)
    return Remark("adds" if _changed(seen.before, seen.after) else "lays")


def _group_of_three(seen: Seen) -> int:
    """The number of a group of three with a tile of this turn; 0 if there is none."""
    laid = {*seen.laid}
    for row in seen.after:
        if len(row) == GROUP - 1 and not laid.isdisjoint(row):
            first, *others = faces_of(row)
            number = NUMBER[first]
            if number and all(NUMBER[face] == number for face in others):
                return number
    return 0


def rows_apart(before: Table, after: Table) -> int:
    """How many rows were taken apart: their tiles no longer lie together."""
    rows = [frozenset(row) for row in after]
    return sum(not any(tiles <= row for row in rows) for tiles in _changed(before, after))


def _changed(before: Table, after: Table) -> list[frozenset[Tile]]:
    """The rows that do not lie on the table any more as they were."""
    standing = {*after}
    return [frozenset(row) for row in before if row not in standing]
