"""However long a log is and however many look at its room, memory holds one batch of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.harness import sqlite_url
from tests.server.live.test_keeper import Ear, keeper_of
from tilerummy.server.live import keeper as keeping
from tilerummy.server.live import loading
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.live.loading import Loader
from tilerummy.server.live.stored_log import evolved, room_of
from tilerummy.server.rooms import chat, seating
from tilerummy.server.rooms.settings import Settings
from tilerummy.server.store import Loaded, Store, StoredEvent

pytestmark = pytest.mark.anyio

EVENTS = 40


class Reads:
    """What is read from a store: the sizes of the answers."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sizes: list[int] = []
        self.snapshots = 0
        self._load, self._events = store.load, store.events
        monkeypatch.setattr(store, "load", self.load)
        monkeypatch.setattr(store, "events", self.events)

    async def load(self, room: str, limit: int | None = None) -> Loaded | None:
        found = await self._load(room, limit)
        self.snapshots += 1
        self.sizes += [] if found is None else [len(found.events)]
        return found

    async def events(
        self, room: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[StoredEvent]:
        found = await self._events(room, after, upto, limit)
        self.sizes.append(len(found))
        return found


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.connect(sqlite_url(tmp_path))
    yield store
    await store.close()


@pytest.fixture
def _short_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "SHORT_LOG", 5)
    monkeypatch.setattr(loading, "BATCH", 7)


async def long_room(store: Store) -> str:
    """A room with a long log and no snapshot."""
    keeper = keeper_of(store)
    room = (await keeper.open(Settings())).id
    await keeper.apply(room, seating.Sit("Ann", "Ann"))
    while (found := await keeper.look(room)) is not None and found.version < EVENTS:
        await keeper.apply(room, chat.Say(0, f"{found.version}"))
    keeper.close()
    return room


@pytest.mark.usefixtures("_short_batches")
async def test_many_who_look_at_a_room_share_one_fold(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await long_room(store)
    reads = Reads(store, monkeypatch)
    keeper = keeper_of(store)
    found = await asyncio.gather(*[keeper.look(room) for _ in range(30)])
    assert reads.snapshots == 1
    assert max(reads.sizes) == 7, "no more than a batch at a time"
    assert sum(reads.sizes) == EVENTS
    assert {each.version for each in found if each is not None} == {EVENTS}
    keeper.close()


@pytest.mark.usefixtures("_short_batches")
async def test_a_room_is_the_same_whatever_the_batches(store: Store) -> None:
    room = await long_room(store)
    stored = await store.events(room)
    first, *later = stored
    moments = [event.at for event in stored]
    whole = room_of(Loaded(0, None, stored))
    assert await Loader(store).newest(room) == whole
    for moment in (0, *moments, moments[-1] + 1):
        due = [event for event in later if event.at <= moment]
        then = evolved(room_of(Loaded(0, None, [first])), due)
        assert await Loader(store).at(room, moment) == then
    assert await Loader(store).newest("nothing") is None
    assert await Loader(store).at("nothing", 0) is None


async def test_who_goes_away_while_a_room_is_loaded_leaves_nothing_in_memory(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "LINGER_SECONDS", 0.01)
    room = await long_room(store)
    keeper: Keeper = keeper_of(store)
    looking = asyncio.create_task(keeper.listen(room, Ear()))
    await asyncio.sleep(0)
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)
    assert await keeper.look(room) is not None
    while keeper._rooms:
        await asyncio.sleep(0.01)
