"""Delayed spectators share a feed that holds nothing but the room as it was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.harness import sqlite_url
from tests.server.live.test_keeper import Ear, keeper_of
from tilerummy.server.live import delayed
from tilerummy.server.live import keeper as keeping
from tilerummy.server.live.appending import SNAPSHOT_EVENTS
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.rooms import chat, seating
from tilerummy.server.rooms.settings import Settings
from tilerummy.server.store import Loaded, Store

pytestmark = pytest.mark.anyio


class Moment:
    """The time of the store, in the hands of the test."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = store.now()
        monkeypatch.setattr(store, "now", lambda: self.now)


@pytest.fixture
async def keeper(tmp_path: Path) -> AsyncIterator[Keeper]:
    store = await Store.connect(sqlite_url(tmp_path))
    keeper = keeper_of(store)
    yield keeper
    keeper.close()
    await store.close()


async def test_a_feed_starts_at_the_moment_and_goes_on_from_the_log(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the latest snapshot is newer than what may be seen."""
    monkeypatch.setattr(delayed, "BATCH", 7)
    moment = Moment(keeper.store, monkeypatch)
    room = (await keeper.open(Settings(spectator_delay=60))).id
    await keeper.apply(room, seating.Sit("Ann", "Ann"))
    live = await keeper.listen(room, Ear())
    assert live is not None
    before = live.room.version
    moment.now += 60_000
    for number in range(SNAPSHOT_EVENTS + 20):
        await keeper.apply(room, chat.Say(0, f"{number}"))
    feed = await keeper.delayed(live)
    assert feed is await keeper.delayed(live), "all of them share one"
    assert feed.room.version == before
    ears = [Ear(), Ear()]
    for ear in ears:
        feed.join(ear)
    await asyncio.sleep(0)
    assert [ear.versions for ear in ears] == [[], []]
    feed.leave(ears[1])
    feed.leave(ears[0])
    assert live.delayed is feed, "who joins and leaves does not start it again each time"
    feed.close()

    moment.now += 60_000  # all of it is due
    feed = await keeper.delayed(live)
    assert feed.room == live.room
    feed.join(ears[0])
    moment.now += 1
    await keeper.apply(room, chat.Say(0, "later"))
    moment.now += 60_000
    while not ears[0].versions:
        await asyncio.sleep(0.01)
    assert ears[0].versions == [live.room.version]


async def test_events_become_due_in_their_order(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delayed, "BATCH", 7)
    room = (await keeper.open(Settings(spectator_delay=1))).id
    await keeper.apply(room, seating.Sit("Ann", "Ann"))
    live = await keeper.listen(room, Ear())
    assert live is not None
    feed = await keeper.delayed(live)
    feed.join(ear := Ear())
    for number in range(30):
        await keeper.apply(room, chat.Say(0, f"{number}"))
    while not ear.versions or ear.versions[-1] < live.room.version:
        await asyncio.sleep(0.01)
    assert ear.versions == sorted(set(ear.versions))
    assert keeper.store.now() >= feed.room.chat[-1].at + 1000
    assert feed.room == live.room


async def test_a_feed_ends_after_its_last_spectator_and_its_room_leaves_memory(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delayed, "LINGER_SECONDS", 0.01)
    monkeypatch.setattr(keeping, "LINGER_SECONDS", 0.01)
    room = (await keeper.open(Settings(spectator_delay=60))).id
    live = await keeper.listen(room, ear := Ear())
    assert live is not None
    feed = await keeper.delayed(live)
    feed.join(ear)
    feed.leave(ear)
    feed.join(ear)
    keeper.unlisten(room, ear)
    await asyncio.sleep(0.05)
    assert live.delayed is feed, "somebody came back in time"
    feed.leave(ear)
    while keeper._rooms:
        await asyncio.sleep(0.01)
    assert live.delayed is None


async def test_delayed_spectators_who_come_together_read_the_log_once(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = (await keeper.open(Settings(spectator_delay=60))).id
    live = await keeper.listen(room, Ear())
    assert live is not None
    loads: list[str] = []
    load = keeper.store.load

    async def counted(room: str, limit: int | None = None) -> Loaded | None:
        loads.append(room)
        return await load(room, limit)

    monkeypatch.setattr(keeper.store, "load", counted)
    feeds = await asyncio.gather(*[keeper.delayed(live) for _ in range(20)])
    assert {id(feed) for feed in feeds} == {id(live.delayed)}
    assert loads == [room]
