"""A table in a known position, played by a pilot instead of a person."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from functools import wraps
from typing import TypeVar

from textual.pilot import Pilot
from textual.widgets import Static

from tilerummy.cli.plan import Plan, dealer, parse_seats
from tilerummy.cli.recordfile import RecordFile
from tilerummy.cli.table.app import TableApp
from tilerummy.cli.table.screen import GameScreen
from tilerummy.play.game import Game
from tilerummy.rules.editions import edition
from tilerummy.rules.tiles import (
    FACE_OF,
    Face,
    Table,
    Tile,
    faces_of,
    parse_row,
    parse_table,
    row_text,
)

NEVER = 1000.0
"""A pause of bots that no test waits for."""


class FakeTime:
    """A fake clock: time passes only when a test advances it."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def run(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """An asynchronous test as pytest calls it."""

    @wraps(test)
    def started(*args: object, **params: object) -> None:
        async def main() -> None:
            await test(*args, **params)

        asyncio.run(main())

    return started


def plan(
    players: str = "Ann,bot", name: str = "classic", rounds: int = 1, **options: object
) -> Plan:
    keys = {key.replace("__", "."): value for key, value in options.items()}
    seats = parse_seats(players.split(","), lambda number: f"Bot {number}")
    return Plan(edition(name, keys), seats, rounds)


def table_app(
    of: Plan | None = None,
    *,
    lang: str = "en",
    ask: bool = False,
    pause: float = NEVER,
    time: Callable[[], float] | None = None,
    file: RecordFile | None = None,
) -> TableApp:
    return TableApp(
        of or plan(),
        lang,
        dealer("5eed"),
        ask=ask,
        pause=pause,
        file=file,
        seconds=time or FakeTime(),
    )


async def at_table(pilot: Pilot[None]) -> GameScreen:
    """The table, as soon as the first game is dealt."""

    def dealt() -> bool:
        found = [one for one in pilot.app.screen_stack if isinstance(one, GameScreen)]
        return bool(found) and found[0].session.driver.game is not None

    await until(pilot, dealt)
    await pilot.pause()
    return screen_of(pilot)


def screen_of(pilot: Pilot[None]) -> GameScreen:
    return next(one for one in pilot.app.screen_stack if isinstance(one, GameScreen))


Kind = TypeVar("Kind")


def on_top(pilot: Pilot[None], kind: type[Kind]) -> Kind:
    """What lies over the table now."""
    screen: object = pilot.app.screen
    assert isinstance(screen, kind)
    return screen


def placed(game: Game, rack: str, table: str = "", *, opened: bool = False, seat: int = 0) -> Game:
    """The game with these tiles on the table and before a seat, whose turn it is."""
    box = list(game.edition.box(len(game.players)).tiles())

    def take(faces: Iterable[Face]) -> tuple[Tile, ...]:
        found = []
        for face in faces:
            tile = next(tile for tile in box if FACE_OF[tile] == face)
            box.remove(tile)
            found.append(tile)
        return tuple(found)

    rows: Table = tuple(take(faces_of(row)) for row in parse_table(table))
    own = take(faces_of(parse_row(rack)))
    racks = list(game.racks)
    for other in range(len(racks)):
        racks[other] = own if other == seat else take(faces_of(box[:14]))
    placed_game = replace(
        game,
        racks=tuple(racks),
        table=rows,
        pool=tuple(box),
        opened=tuple(opened for _ in racks),
        current=seat,
    )
    placed_game.check()
    return placed_game


async def until(pilot: Pilot[None], holds: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for something that takes a few messages, on a slow machine too."""
    last = time.monotonic() + seconds
    while not holds() and time.monotonic() < last:
        await pilot.pause(0.01)
    assert holds()


async def begin(
    pilot: Pilot[None], rack: str, table: str = "", *, opened: bool = False
) -> GameScreen:
    """Seat 0 to move in a known position."""
    screen = await at_table(pilot)
    screen.session.driver.game = placed(screen.game, rack, table, opened=opened)
    screen.start_turn()
    await pilot.pause()
    return screen


def shown(screen: GameScreen, part: str) -> str:
    """The text of a part of the screen."""
    return str(screen.query_one(f"#{part}", Static).visual)


def rows_shown(screen: GameScreen) -> list[str]:
    assert screen.editor is not None
    return [row_text(row) for row in screen.editor.draft.rows]


def rack_shown(screen: GameScreen) -> str:
    assert screen.editor is not None
    return row_text(screen.editor.draft.rack)
