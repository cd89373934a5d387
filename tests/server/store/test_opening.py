"""Opening a store: its address, its schema, its clock, and who else may use it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from tests.server.harness import sqlite_url
from tests.server.live.test_keeper import keeper_of
from tests.server.store.tools import append, opened
from tilerummy.server.rooms.settings import Settings
from tilerummy.server.store import InUse, Store, StoreError, Unavailable
from tilerummy.server.store.clock import RemoteClock, SystemClock
from tilerummy.server.store.opening import database_of
from tilerummy.server.store.schema import metadata

pytestmark = pytest.mark.anyio


async def test_what_was_stored_is_there_when_the_store_opens_again(url: str) -> None:
    store = await Store.connect(url)
    await opened(store, "room")
    await store.close()
    store = await Store.connect(url)
    assert await store.room_of("room") == "room"
    await store.close()


async def test_the_migrations_build_the_tables_of_the_schema(url: str) -> None:
    await (await Store.connect(url)).close()
    database = database_of(url)

    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        return list(compare_metadata(context, metadata))

    assert await database.read(differences) == []
    await database.close()


async def test_a_database_of_a_newer_program_is_refused(url: str) -> None:
    await (await Store.connect(url)).close()
    database = database_of(url)
    await database.write(
        lambda found: found.execute(text("UPDATE alembic_version SET version_num = 'x'"))
    )
    await database.close()
    with pytest.raises(StoreError, match="update tilerummy"):
        await Store.connect(url)


async def test_many_processes_open_a_new_database_at_once(postgres_url: str) -> None:
    stores = await asyncio.gather(*(Store.connect(postgres_url, pool=1) for _ in range(6)))
    await opened(stores[0], "room")
    assert await stores[5].append(append("room", 1))
    for store in stores:
        await store.close()


async def test_a_file_belongs_to_one_process(sqlite_url: str, tmp_path: Path) -> None:
    store = await Store.connect(sqlite_url)
    with pytest.raises(InUse, match="use PostgreSQL"):
        await Store.connect(sqlite_url)
    other = f"sqlite:///{tmp_path}/../{tmp_path.name}/store.db"
    program = "import asyncio, sys; from tilerummy.server.store import Store\n"
    program += "asyncio.run(Store.connect(sys.argv[1]))"
    run = subprocess.run([sys.executable, "-c", program, other], capture_output=True, text=True)
    assert "InUse" in run.stderr
    await store.close()
    run = subprocess.run([sys.executable, "-c", program, other], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    # That process went away without closing.
    await (await Store.connect(sqlite_url)).close()


async def test_sqlite_writes_through_to_the_disk(sqlite_url: str) -> None:
    def pragmas(connection: Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]

    database = database_of(sqlite_url)
    full, normal = 2, 1
    assert await database.append(pragmas) == ["wal", full, 1, 5_000]
    assert await database.write_relaxed(pragmas) == ["wal", normal, 1, 5_000]
    await database.close()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nonsense", "sqlite:///FILE or postgresql://"),
        ("mysql://host/database", "'mysql' is not supported"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
    ],
)
async def test_an_address_that_is_none_is_refused(url: str, reason: str) -> None:
    with pytest.raises(StoreError, match=reason):
        await Store.connect(url)


async def test_a_missing_database_is_reported(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="nowhere"):
        await Store.connect(f"sqlite:///{tmp_path}/nowhere/store.db")
    with pytest.raises(Unavailable, match="cannot be reached"):
        await Store.connect("postgresql://somebody@127.0.0.1:1/nothing")


async def test_the_time_is_that_of_the_database(store: Store) -> None:
    """Which runs on this machine here."""
    before = time.time() * 1_000
    times = [store.now() for _ in range(1_000)]
    after = time.time() * 1_000
    assert times == sorted(times)
    assert before - 1_000 < times[0]
    assert times[-1] < after + 1_000


async def test_the_clock_of_another_machine_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = 1_000.0, 50_000
    monkeypatch.setattr("tilerummy.server.store.clock.monotonic_ms", lambda: here)

    async def ask() -> int:
        nonlocal here
        here += delays.pop()
        return there

    delays = [100, 10, 400]
    clock = RemoteClock(ask)
    await clock.synchronise()
    assert clock.now() == there + 100 + 5  # the fastest took 10; 100 have gone by since
    here += 500
    assert clock.now() == there + 605
    there, delays = 40_000, [0, 0, 0]
    await clock.synchronise()
    assert clock.now() == 50_605  # set back: it waits
    here += 20_000
    assert clock.now() == 60_000


def test_the_clock_of_this_machine_follows_no_jump(monkeypatch: pytest.MonkeyPatch) -> None:
    monotonic, system = 5_000.0, 1_000_000
    monkeypatch.setattr("tilerummy.server.store.clock.monotonic_ms", lambda: monotonic)
    monkeypatch.setattr(time, "time_ns", lambda: system * 1_000_000)
    clock = SystemClock()
    assert clock.now() == 1_000_000
    system = 400_000
    monotonic += 100
    assert clock.now() == 1_000_100
    system = 1_000_700
    assert clock.now() == 1_000_700, "a small step forward is followed"
    system = 20_000_000
    monotonic += 100
    assert clock.now() == 1_000_800, "a jump is not"
    clock.start_at(5_000_000)
    monotonic += 50
    assert clock.now() == 5_000_050, "and the store is never ahead"


async def test_time_goes_on_where_the_store_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system clock may be hours behind after a restart; every room must go on at once."""
    store = await Store.connect(sqlite_url(tmp_path))
    late = store.now() + 10_000_000
    monkeypatch.setattr(store, "now", lambda: late)
    keeper = keeper_of(store)
    room = (await keeper.open(Settings())).id
    await store.close()
    again = await Store.connect(sqlite_url(tmp_path))
    assert again.now() >= late
    loaded = await again.load(room)
    assert loaded is not None
    assert loaded.events[-1].at == late
    await again.close()
