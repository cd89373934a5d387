"""A store that cannot be written is not ready, says why, and recovers."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.server.live_server import Line, live_server
from tests.server.store.tools import append, opened, until_ready
from tilerummy.server.store import Store, StoreError
from tilerummy.server.store import sqlite as sqlite_module
from tilerummy.server.store.errors import Busy, Unavailable
from tilerummy.server.store.outage import Outage
from tilerummy.server.store.readiness import EVERY, Readiness

HOLD = """
import sqlite3, sys
file = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
file.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another process holds the write lock of an SQLite file."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        yield
        holder.stdin.close()
        holder.wait()


@pytest.fixture
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sqlite_module.PRAGMAS, "busy_timeout", 50)


@pytest.mark.anyio
async def test_ready_means_that_something_was_written(store: Store) -> None:
    assert await store.ready()
    found = await store._database.read(
        lambda connection: connection.execute(text("SELECT length(filler) FROM probes")).scalar()
    )
    assert found == store._database.probe_bytes


@pytest.mark.anyio
@pytest.mark.usefixtures("little_patience")
async def test_a_locked_file_is_not_ready_and_what_waits_fails_soon(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await Store.connect(sqlite_url)
    await opened(store, "room")
    begun: list[str] = []
    database = store._database
    assert isinstance(database, sqlite_module.Sqlite)
    begin = database._begin

    def note(execute: Callable[[str], object]) -> None:
        def noted(statement: str) -> None:
            begun.append(statement)
            execute(statement)

        begin(noted)

    with locked(tmp_path / "store.db"):
        store.readiness._known_until = 0  # the room was stored a moment ago
        assert await store.readiness.problem() == (
            "the store cannot be written: SQLite: another process keeps the file locked "
            "(database is locked)"
        )
        monkeypatch.setattr(database, "_begin", note)
        with pytest.raises(Busy):  # and not Unknown: nothing was written, for certain
            await store.append(append("room", 1))
        assert begun[:2] == ["PRAGMA busy_timeout = 100", "BEGIN IMMEDIATE"]
        assert begun.count("BEGIN IMMEDIATE") == 1
    await until_ready(store)
    assert await store.append(append("room", 1))
    await store.close()


@pytest.mark.usefixtures("little_patience")
def test_a_command_while_the_file_is_locked_has_an_answer(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        token = server.guest("Ann")
        code = server.open(token)
        with Line(server, code, token, hello={}) as line:
            line.receive()
            with locked(tmp_path / "server.sqlite"):
                assert line.ask("say", text="hello")["code"] == "unavailable"
                status, answer = server.call("GET", "/readyz")
                while status == 200:  # a move was stored within the last second
                    status, answer = server.call("GET", "/readyz")
                assert (status, answer["code"]) == (503, "not-ready")
                assert "locked" in answer["message"]
            while server.call("GET", "/readyz")[0] != 200:
                pass
            assert line.ask("say", text="hello")["type"] == "events"


@pytest.mark.anyio
async def test_a_database_that_may_only_be_read_is_not_ready(postgres_url: str) -> None:
    """As after a failover to a standby."""
    store = await Store.connect(postgres_url)
    name = postgres_url.rpartition("/")[2]
    for value in ("on", "off"):
        change = text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = {value}')
        work = lambda connection, change=change: connection.execute(change) and None  # noqa: E731
        await store._database.write(work)
        if value == "on":
            problem = await store.readiness.problem()
            assert problem is not None
            assert "read-only" in problem
    await until_ready(store)
    await store.close()


class Probe:
    """A database without a database."""

    def __init__(self) -> None:
        self.count = 0
        self.error: StoreError | None = None
        self.answers = asyncio.Event()
        self.answers.set()

    async def __call__(self) -> None:
        self.count += 1
        await self.answers.wait()
        if self.error is not None:
            raise self.error


@pytest.mark.anyio
async def test_probes_are_shared_and_at_most_one_a_second() -> None:
    now = 100.0
    probe = Probe()
    readiness = Readiness(probe, Outage(), lambda: now)
    assert await asyncio.gather(*(readiness.problem() for _ in range(5))) == [None] * 5
    assert await readiness.problem() is None
    assert probe.count == 1
    now += EVERY
    probe.error = Unavailable("SQLite: database or disk is full")
    wanted = "the store cannot be written: SQLite: database or disk is full"
    assert await readiness.problem() == await readiness.problem() == wanted
    assert probe.count == 2
    now += EVERY
    readiness.note_write()
    assert await readiness.problem() is None
    assert probe.count == 2, "a stored move is proof enough"


@pytest.mark.anyio
async def test_a_database_that_does_not_answer_is_not_ready() -> None:
    probe = Probe()
    probe.answers.clear()
    readiness = Readiness(probe, Outage(), patience=0.01)
    for _ in range(2):
        assert await readiness.problem() == "the store has not answered for 0.01 s"
    assert probe.count == 1, "it is not asked again before it answers"
    probe.answers.set()
    await readiness.close()
    assert await readiness.problem() is None
