"""Rooms on their way between memory and the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.harness import sqlite_url
from tests.server.store.tools import due_of
from tilerummy.server.jobs.prover import Prover
from tilerummy.server.live.appending import SNAPSHOT_EVENTS
from tilerummy.server.live.bus import LocalBus
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.live.live_room import Applied
from tilerummy.server.live.update import Update
from tilerummy.server.rooms import chat, commands, matches, seating
from tilerummy.server.rooms.events import Cause
from tilerummy.server.rooms.settings import Settings
from tilerummy.server.rooms.timers import Pace
from tilerummy.server.store import Loaded, Store, StoredEvent
from tilerummy.server.telemetry.metrics import Metrics

pytestmark = pytest.mark.anyio


class Ear:
    """Hears which versions there are."""

    def __init__(self) -> None:
        self.versions: list[int] = []

    def notify(self, update: Update) -> None:
        self.versions.append(update.room.version)


def keeper_of(store: Store) -> Keeper:
    """Alone: it hears of no other."""
    return Keeper(store, LocalBus(), Pace(), Metrics(), Prover(5.0))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.connect(sqlite_url(tmp_path))
    yield store
    await store.close()


async def here(store: Store, room: str) -> list[int]:
    """The seats that will count as gone one day, unless their node says otherwise."""
    return sorted(key for kind, key in await due_of(store, room) if kind == "here")


async def test_who_is_here_counts_as_gone_one_day_and_nobody_else(store: Store) -> None:
    keeper = keeper_of(store)
    room = (await keeper.open(Settings())).id
    for name in ("Ann", "Bo", "Cy"):
        await keeper.apply(room, seating.Sit(name, name))
    assert await here(store, room) == [0, 1, 2], "also of those who never connect"
    await keeper.apply(room, seating.Drop(1))
    assert await here(store, room) == [0, 2]
    await keeper.apply(room, seating.Return(1))
    await keeper.apply(room, seating.Leave(0))
    assert await here(store, room) == [1, 2]
    await keeper.apply(room, matches.Begin(1, "ab" * 32))
    assert await here(store, room) == [0, 1], "seats have closed ranks"
    await keeper.apply(room, commands.Close("idle"))
    assert await due_of(store, room) == [], "nothing is due in a closed room"


async def test_a_node_that_missed_something_does_not_refuse_by_it(postgres_url: str) -> None:
    stores = [await Store.connect(postgres_url) for _ in range(2)]
    one, two = map(keeper_of, stores)
    room = (await one.open(Settings())).id
    await one.apply(room, seating.Sit("Ann", "Ann"))
    held = await two.listen(room, listener := Ear())
    assert held is not None
    await one.apply(room, seating.Sit("Bo", "Bo"))
    assert held.room.seat_of("Bo") is None, "nobody told the other node"
    done = await two.apply(room, chat.Say(1, "hello"), Cause(1, "x"))
    assert await one.apply(room, chat.Say(1, "hello"), Cause(1, "x")) == Applied(
        done.version, is_new=False
    )
    assert listener.versions == [done.version - 1, done.version]
    for store in stores:
        await store.close()


async def test_news_that_comes_while_others_are_read_is_read_as_well(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = [await Store.connect(postgres_url) for _ in range(2)]
    bus = LocalBus()
    buses = [bus, LocalBus(bus)]
    for each in buses:
        await each.start()
    one, two = (
        Keeper(store, bus, Pace(), Metrics(), Prover(5.0))
        for store, bus in zip(stores, buses, strict=True)
    )
    room = (await one.open(Settings())).id
    held = await two.listen(room, Ear())
    assert held is not None
    has_read, may_answer = asyncio.Event(), asyncio.Event()
    news = stores[1].news

    async def slow_news(room: str, after: int) -> list[StoredEvent]:
        found = await news(room, after)
        has_read.set()
        await may_answer.wait()
        return found

    monkeypatch.setattr(stores[1], "news", slow_news)
    await one.apply(room, seating.Sit("Ann", "Ann"))
    async with asyncio.timeout(30):
        await has_read.wait()
        done = await one.apply(room, seating.Sit("Bo", "Bo"))
        may_answer.set()
        while held.room.version < done.version:
            await asyncio.sleep(0.01)
    for store in stores:
        await store.close()


async def test_a_log_is_folded_from_its_latest_snapshot_in_any_phase(store: Store) -> None:
    """However much is said, loading a room folds a bounded number of events."""
    keeper = keeper_of(store)
    room = (await keeper.open(Settings())).id
    await keeper.apply(room, seating.Sit("Ann", "Ann"))
    for number in range(600):
        await keeper.apply(room, chat.Say(0, f"{number}"))
    loaded = await store.load(room)
    assert loaded is not None
    assert len(loaded.events) <= SNAPSHOT_EVENTS
    other = await keeper_of(store).look(room)
    assert other is not None
    assert other.version > 600
    assert other == await keeper.look(room)


async def test_a_mute_that_changes_nothing_is_not_stored(store: Store) -> None:
    keeper = keeper_of(store)
    room = (await keeper.open(Settings())).id
    for name in ("Ann", "Bo"):
        await keeper.apply(room, seating.Sit(name, name))
    for on, is_new in ((False, False), (True, True), (True, False), (False, True), (False, False)):
        done = await keeper.apply(room, chat.Mute(0, 1, on))
        assert done.is_new == is_new


async def test_a_room_stays_in_memory_for_a_while(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = keeper_of(store)
    room = (await keeper.open(Settings())).id
    loaded = await store.load(room)
    loads: list[str] = []

    async def load(room: str, limit: int | None = None) -> Loaded | None:
        loads.append(room)
        return loaded

    monkeypatch.setattr(store, "load", load)
    for _ in range(10):
        assert await keeper.look(room) is not None
    assert loads == [room]
    keeper.close()
