"""Moving house: everything arrives, or nothing does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.store.test_retention import full
from tests.server.store.tools import append, event
from tilerummy.server.store import Store, StoreError
from tilerummy.server.store import copy as copying
from tilerummy.server.store.copy import copy

pytestmark = pytest.mark.anyio


@pytest.fixture
def elsewhere(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/elsewhere.db"


@pytest.fixture
async def source(url: str) -> str:
    """With a row in every table, and more events than are copied in one piece."""
    store = await Store.connect(url)
    guest = await store.add_guest(b"\x00hash", "Ann 安")
    for number in range(3):
        await full(store, f"room {number}", guest.id, None)
    await store.append(append("room 1", 2, 1_200))
    await store.close()
    return url


async def test_everything_is_copied(
    source: str, elsewhere: str, request: pytest.FixtureRequest
) -> None:
    """From SQLite to PostgreSQL, and the other way round."""
    target = request.getfixturevalue("postgres_url") if source.startswith("sqlite") else elsewhere
    seen: list[tuple[str, int, int]] = []
    counts = await copy(source, target, lambda *step: seen.append(step))
    assert counts["events"] == 1_206
    assert min(counts.values()) > 0
    assert [step for step in seen if step[0] == "events"] == [
        ("events", done, 1_206) for done in (0, 500, 1_000, 1_206)
    ]
    assert {name: done for name, done, _ in seen} == counts

    old, new = [await Store.connect(url) for url in (source, target)]
    guest = await old.guest_of(b"\x00hash")
    assert guest is not None
    assert await new.guest_of(b"\x00hash") == guest
    for room in ("room 0", "room 1", "room 2"):
        assert await new.load(room) == await old.load(room)
        assert await new.events(room) == await old.events(room)
        assert await new.drafts(room) == await old.drafts(room)
        assert await new.games(room) == await old.games(room)
        assert await new.room_of(room) == room
    assert await new.public_rooms(9) == await old.public_rooms(9)
    assert await new.statistics(guest.id) == await old.statistics(guest.id)
    assert sorted(await new.rooms_of_guest(guest.id)) == sorted(await old.rooms_of_guest(guest.id))
    assert await new.next_timer() == await old.next_timer()
    assert await new.append(append("room 0", 2))
    assert await new.events("room 0", 2) == [event(3)]
    for store in (old, new):
        await store.close()


async def test_a_target_that_holds_something_is_refused(url: str, elsewhere: str) -> None:
    for address in (url, elsewhere):
        store = await Store.connect(address)
        await store.add_guest(b"hash", f"of {address[:6]}")
        await store.close()
    with pytest.raises(StoreError, match="empty database"):
        await copy(elsewhere, url)
    store = await Store.connect(url)
    assert await store.guest_of(b"hash") is not None
    await store.close()


async def test_where_it_fails_the_target_is_empty_again(source: str, elsewhere: str) -> None:
    def stop(table: str, done: int, total: int) -> None:
        if table == "events" and done:
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        await copy(source, elsewhere, stop)
    assert (await copy(source, elsewhere))["events"] == 1_206


async def test_a_source_that_changes_is_noticed(
    source: str, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "_insert", lambda connection, table, rows: None)
    with pytest.raises(StoreError, match="stop the server"):
        await copy(source, elsewhere)


async def test_a_source_that_is_not_there_is_not_made(tmp_path: Path, elsewhere: str) -> None:
    with pytest.raises(StoreError, match="there is no file"):
        await copy(f"sqlite:///{tmp_path}/nothing.db", elsewhere)
    assert list(tmp_path.iterdir()) == []
