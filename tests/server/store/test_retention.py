"""What is old goes, with all that belongs to it, and nothing else does."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.server.store.tools import LISTING, append, finished, opened, result
from tilerummy.server.store import Store, Tally
from tilerummy.server.store.copy import count_rows
from tilerummy.server.store.opening import database_of

pytestmark = pytest.mark.anyio


async def full(store: Store, room: str, guest: str, closed_at: int | None) -> None:
    """A room that has a row in every table."""
    await opened(store, room, timers_set=[("idle", 0, 9)])
    await store.save_draft(room, 0, 1, b"x")
    played = append(
        room,
        1,
        listing=LISTING._replace(closed_at=closed_at),
        snapshot=b"x",
        seated=[guest],
        games=[finished(1, 1, 2)],
        results=[result(guest, 1, 10)],
    )
    assert await store.append(played)


async def test_closed_rooms_go_with_all_that_belongs_to_them(url: str) -> None:
    store = await Store.connect(url)
    guest = await store.add_guest(b"hash", "Ann")
    for number in range(60):
        await full(store, f"old {number}", guest.id, 1_000)
    await full(store, "later", guest.id, 2_000)
    await full(store, "open", guest.id, None)
    assert await store.purge(closed_before=2_000, guests_unseen_before=0) == (60, 0)
    assert await store.purge(closed_before=2_000, guests_unseen_before=0) == (0, 0)
    assert await store.room_of("old 0") is None
    assert await store.load("old 0") is None
    assert sorted(await store.rooms_of_guest(guest.id)) == ["later", "open"]
    # What somebody has won stays theirs.
    assert (await store.statistics(guest.id)).total == Tally(62, 62, 620)
    await store.close()
    assert await rows(url) == {
        "rooms": 2,
        "events": 4,
        "snapshots": 2,
        "due": 2,
        "drafts": 2,
        "members": 2,
        "games": 2,
        "guests": 1,
        "results": 62,
    }


async def test_guests_who_stay_away_go_unless_a_room_needs_them(store: Store) -> None:
    gone, needed, done, here = [
        await store.add_guest(name.encode(), name) for name in ("gone", "needed", "done", "here")
    ]
    await full(store, "open", needed.id, None)
    await full(store, "closed", done.id, 1_000)
    later = here.seen_at + 1
    while store.now() <= later:
        pass
    await store.touch_guest(here.id)
    assert await store.purge(closed_before=0, guests_unseen_before=later) == (0, 2)
    names = [guest.name for guest in (gone, needed, done, here)]
    known = [await store.guest_of(name.encode()) is not None for name in names]
    assert known == [False, True, False, True]
    assert await store.statistics(done.id) == (Tally(), {})
    assert (await store.statistics(needed.id)).total.games == 1


async def rows(url: str) -> dict[str, int]:
    database = database_of(url)
    counts = await database.read(count_rows)
    await database.close()
    return counts


async def test_a_file_shrinks_after_old_rooms_are_deleted(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    store = await Store.connect(f"sqlite:///{path}")
    try:
        closed = LISTING._replace(phase="closed", closed_at=2_000)
        for number in range(20):
            room = f"room {number}"
            await opened(store, room)
            await store.append(append(room, 1, 30, text="x" * 4_000, listing=closed))
        before = path.stat().st_size + path.with_name("store.sqlite-wal").stat().st_size
        assert (await store.purge(3_000, 0)).rooms == 20
        assert await store.room_of("room 1") is None
    finally:
        await store.close()
    assert path.stat().st_size < before / 4


async def test_a_file_of_an_earlier_version_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(path)) as old:
        old.execute("CREATE TABLE older (number)")
    store = await Store.connect(f"sqlite:///{path}")
    try:
        await opened(store, "room")
        closed = LISTING._replace(phase="closed", closed_at=2_000)
        await store.append(append("room", 1, listing=closed))
        assert (await store.purge(3_000, 0)).rooms == 1
    finally:
        await store.close()
