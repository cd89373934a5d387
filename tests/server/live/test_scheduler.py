"""Timers that become due: on a node that has missed something, and for a bot that thinks."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.server.harness import sqlite_url
from tilerummy.bots.roster import BOTS
from tilerummy.play.commands import Draw, Play, Turn
from tilerummy.play.events import Drew, Event, Played
from tilerummy.play.views import View
from tilerummy.server.jobs.prover import Prover
from tilerummy.server.live.bus import LocalBus
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.live.live_room import LiveRoom
from tilerummy.server.live.scheduler import Scheduler
from tilerummy.server.live.update import Update
from tilerummy.server.protocol import drafts
from tilerummy.server.rooms import matches, seating
from tilerummy.server.rooms.room import Room, RoomPhase, deal_step
from tilerummy.server.rooms.settings import Settings
from tilerummy.server.rooms.thinking import laid_at, looking
from tilerummy.server.rooms.timers import Pace
from tilerummy.server.store import Store
from tilerummy.server.telemetry.metrics import Metrics

pytestmark = pytest.mark.anyio

SECRET = "ab" * 32


class Deaf:
    """Keeps a room in memory."""

    def notify(self, update: Update) -> None:
        pass


class NoBots:
    async def choose(self, bot: str, view: View, room: str, seen: Sequence[View]) -> Turn:
        raise AssertionError("nobody is a bot")


def keeper_of(store: Store) -> Keeper:
    """It hears of no other node."""
    return Keeper(store, LocalBus(), Pace(), Metrics(), Prover(5.0))


async def dealt(keeper: Keeper, room: str) -> Room:
    """Ann and Bo have their tiles; nobody gave a seed."""
    for name in ("Ann", "Bo"):
        await keeper.apply(room, seating.Sit(name, name))
    await keeper.apply(room, matches.Begin(0, SECRET))
    found = await keeper.look(room)
    while found is not None and found.phase is RoomPhase.DEALING:
        assert found.game is not None
        await keeper.apply(room, matches.Deal(deal_step(found.game), SECRET))
        found = await keeper.look(room)
    assert found is not None
    return found


async def first_turn(live: LiveRoom) -> Event | None:
    """How the first turn ended, once the node knows it."""
    while live.room.game is None or live.room.game.turn < 2:
        await asyncio.sleep(0.05)
    return live.room.game.last


async def test_a_node_that_is_behind_does_not_forget_a_draft(postgres_url: str) -> None:
    stores = [await Store.connect(postgres_url) for _ in range(2)]
    one, two = map(keeper_of, stores)
    settings = Settings(seats=2, edition="classic", options={"timer.seconds": 1})
    room = (await one.open(settings)).id
    behind = await two.listen(room, Deaf())
    assert behind is not None
    game = (await dealt(one, room)).game
    assert game is not None
    assert behind.room.game is None, "nobody told the other node"
    table = ((game.racks[game.current][0],),)
    await stores[0].save_draft(room, game.current, game.turn, drafts.encode(table, {}))
    scheduler = Scheduler(two, stores[1], NoBots())
    running = asyncio.create_task(scheduler.run())
    ended = await first_turn(behind)
    running.cancel()
    await scheduler.close()
    assert isinstance(ended, Drew)
    assert (ended.why, ended.draft) == ("penalty", table)
    for store in stores:
        await store.close()


async def test_a_room_in_memory_knows_the_latest_turns_of_its_game(tmp_path: Path) -> None:
    store = await Store.connect(sqlite_url(tmp_path))
    keeper = keeper_of(store)
    room = (await keeper.open(Settings(seats=2))).id
    live = await keeper.listen(room, Deaf())
    assert live is not None
    await dealt(keeper, room)
    for turn in (1, 2):
        assert live.room.game is not None
        await keeper.apply(room, matches.TakeTurn(Draw(live.room.game.current), turn))
    await keeper.apply(room, seating.Leave(1))
    assert [game.turn for game in keeper.latest_turns(room)] == [1, 2, 3]
    assert keeper.latest_turns("another room") == []
    await store.close()


class Quick:
    """A bot that finds a play at once; it keeps the turn that it chose."""

    chosen: Turn | None = None

    async def choose(self, bot: str, view: View, room: str, seen: Sequence[View]) -> Turn:
        self.chosen = BOTS[bot].make().choose(view)
        return self.chosen


async def test_a_bot_lays_its_turn_no_sooner_than_a_person_would(tmp_path: Path) -> None:
    store = await Store.connect(sqlite_url(tmp_path))
    keeper = keeper_of(store)
    options = {"timer.seconds": 0, "hand_size": 22, "initial.min": 1}
    room = (await keeper.open(Settings(seats=2, options=options, bot_pace="fast"))).id
    live = await keeper.listen(room, Deaf())
    assert live is not None
    await keeper.apply(room, seating.Sit("Ann", "Ann"))
    await keeper.apply(room, seating.AddBot(0, "club"))
    await keeper.apply(room, matches.Begin(0, SECRET))
    while live.room.phase is RoomPhase.DEALING:
        assert live.room.game is not None
        await keeper.apply(room, matches.Deal(deal_step(live.room.game), SECRET))
    if live.room.bot_to_move is None:
        assert live.room.game is not None
        await keeper.apply(room, matches.TakeTurn(Draw(0), live.room.game.turn))
    before, game = live.room, live.room.game
    assert game is not None
    bot, unit = Quick(), keeper.pace.bot
    scheduler = Scheduler(keeper, store, bot)
    running = asyncio.create_task(scheduler.run())
    while live.room.version == before.version:
        await asyncio.sleep(0.05)
    running.cancel()
    await scheduler.close()
    await store.close()
    last = live.room.game_log[-1]
    assert isinstance(bot.chosen, Play)
    assert isinstance(last, Played)
    due = laid_at(before, game, bot.chosen, unit)
    assert last.at >= due > game.turn_began + looking(before, game, unit)
