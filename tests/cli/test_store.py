"""`tilerummy store`, as it is typed, with real files and a real PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import stat
import threading
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest
from typer.testing import CliRunner, Result

from tests.server.harness import ServerProcess, sqlite_url
from tests.server.store.tools import append, opened
from tilerummy.cli.main import app
from tilerummy.server.store import Store
from tilerummy.server.store.backup import back_up

T = TypeVar("T")


def store(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["store", *map(str, arguments)])


def said(run: Result) -> str:
    """What a command that was refused says."""
    assert run.exit_code == 2, run.output
    assert run.stdout == ""
    assert run.stderr.startswith("tilerummy: ")
    return run.stderr


def using(url: str, work: Callable[[Store], Awaitable[T]]) -> T:
    async def use() -> T:
        opened = await Store.connect(url)
        try:
            return await work(opened)
        finally:
            await opened.close()

    return asyncio.run(use())


async def fill(found: Store) -> None:
    await found.add_guest(b"hash", "Ann")
    await opened(found, "ABCDEF", "GHJKLM")
    assert await found.append(append("ABCDEF", 1, 3))


async def versions(found: Store) -> dict[str, int]:
    return await found.versions(["ABCDEF", "GHJKLM"])


# Backup


def asked(url: str, path: str, data: object = None, token: str = "") -> dict[str, str]:
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(f"{url}{path}", body)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request) as answer:
        found: dict[str, str] = json.load(answer)
        return found


def test_a_backup_while_a_server_runs_holds_all_that_it_has_stored(tmp_path: Path) -> None:
    copy = tmp_path / "backup.sqlite"
    with ServerProcess(sqlite_url(tmp_path)) as server:
        ann = asked(server.url, "/api/guests", {"name": "Ann", "bearer": True})
        before = asked(server.url, "/api/rooms", {}, ann["token"])
        run = store("backup", sqlite_url(tmp_path), copy)
        assert run.exit_code == 0, run.output
        assert run.stdout == f"{copy}: {copy.stat().st_size:,} bytes\n"
        later = asked(server.url, "/api/rooms", {}, ann["token"])
        assert asked(server.url, f"/api/rooms/{later['code']}")["code"] == later["code"]
        server.kill()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.glob("*backup*")] == ["backup.sqlite"]
    with ServerProcess(f"sqlite:///{copy}") as server:
        assert asked(server.url, "/api/me", token=ann["token"])["name"] == "Ann"
        assert asked(server.url, f"/api/rooms/{before['code']}")["code"] == before["code"]
        with pytest.raises(urllib.error.HTTPError):
            asked(server.url, f"/api/rooms/{later['code']}")


def test_a_backup_of_a_server_that_was_killed(tmp_path: Path) -> None:
    """What it stored last is not in the file itself yet."""
    with ServerProcess(sqlite_url(tmp_path)) as server:
        ann = asked(server.url, "/api/guests", {"name": "Ann", "bearer": True})
        server.kill()
    assert (tmp_path / "server.sqlite-wal").stat().st_size > 0
    assert store("backup", sqlite_url(tmp_path), tmp_path / "copy.sqlite").exit_code == 0
    for name in ("server", "copy"):
        with ServerProcess(f"sqlite:///{tmp_path}/{name}.sqlite") as server:
            assert asked(server.url, "/api/me", token=ann["token"])["name"] == "Ann"


def test_a_backup_shows_one_moment_whatever_is_written_meanwhile(tmp_path: Path) -> None:
    using(sqlite_url(tmp_path), fill)
    source = tmp_path / "server.sqlite"
    with closing(sqlite3.connect(source)) as one:
        one.execute("CREATE TABLE left_side (n)")
        one.execute("CREATE TABLE right_side (n, padding)")
        one.executemany("INSERT INTO right_side VALUES (0, ?)", [(bytes(50_000),)] * 200)
        one.execute("INSERT INTO left_side SELECT sum(n) FROM right_side")
        one.commit()
    stop = threading.Event()
    written = 0

    def write() -> None:
        nonlocal written
        with closing(sqlite3.connect(source, timeout=30)) as one:
            while not stop.is_set():
                one.execute("UPDATE left_side SET n = n + 1")
                one.execute("UPDATE right_side SET n = n + 1 WHERE rowid = ?", (written % 200 + 1,))
                one.commit()
                written += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        steps: list[tuple[int, int]] = []
        for number in range(5):
            copy = tmp_path / f"{number}.sqlite"
            back_up(sqlite_url(tmp_path), copy, lambda *step: steps.append(step))
            with closing(sqlite3.connect(copy)) as one:
                (left,) = one.execute("SELECT n FROM left_side").fetchone()
                (right,) = one.execute("SELECT sum(n) FROM right_side").fetchone()
            assert left == right
    finally:
        stop.set()
        writer.join()
    assert written > 0
    assert len(steps) > 5
    assert steps[-1][0] == steps[-1][1]


def test_a_backup_replaces_no_file(tmp_path: Path) -> None:
    using(sqlite_url(tmp_path), fill)
    copy = tmp_path / "copy.sqlite"
    copy.write_text("precious")
    assert "choose another name" in said(store("backup", sqlite_url(tmp_path), copy))
    assert copy.read_text() == "precious"


def test_a_backup_of_nothing(tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    assert "there is no file" in said(store("backup", sqlite_url(tmp_path), copy))
    with closing(sqlite3.connect(tmp_path / "server.sqlite")) as other:
        other.execute("CREATE TABLE recipes (name)")
    assert "is not a store of tilerummy" in said(store("backup", sqlite_url(tmp_path), copy))
    (tmp_path / "server.sqlite").write_bytes(b"no database at all" * 100)
    assert "file is not a database" in said(store("backup", sqlite_url(tmp_path), copy))
    assert [path.name for path in tmp_path.iterdir()] == ["server.sqlite"]


def test_a_backup_to_where_nothing_can_be_written(tmp_path: Path) -> None:
    using(sqlite_url(tmp_path), fill)
    run = store("backup", sqlite_url(tmp_path), tmp_path / "nowhere" / "copy.sqlite")
    assert "cannot write" in said(run)


def test_a_backup_of_a_postgres_is_not_ours_to_make(tmp_path: Path) -> None:
    run = store("backup", "postgresql://ann:hush@db/games", tmp_path / "copy")
    assert "pg_dump --format=custom" in said(run)
    assert "hush" not in run.output


# Copy


def test_everything_moves_from_sqlite_to_postgres_and_back(
    tmp_path: Path, postgres_url: str
) -> None:
    using(sqlite_url(tmp_path), fill)
    run = store("copy", sqlite_url(tmp_path), postgres_url)
    assert run.exit_code == 0, run.output
    assert run.stdout.startswith("copied 2 rooms, 5 events, 0 games, 1 guests; ")
    assert using(postgres_url, versions) == {"ABCDEF": 4, "GHJKLM": 1}
    back = f"sqlite:///{tmp_path}/back.sqlite"
    assert store("copy", postgres_url, back).exit_code == 0
    assert using(back, versions) == {"ABCDEF": 4, "GHJKLM": 1}
    for url in (postgres_url, back):
        guest = using(url, lambda found: found.guest_of(b"hash"))
        assert guest is not None
        assert guest.name == "Ann"


def test_a_target_that_is_not_empty_is_refused(tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path}/other.sqlite"
    using(sqlite_url(tmp_path), fill)
    using(target, fill)
    assert "empty" in said(store("copy", sqlite_url(tmp_path), target))
    assert using(target, versions) == {"ABCDEF": 4, "GHJKLM": 1}


def test_a_source_that_a_server_uses_is_refused(tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path}/other.sqlite"
    with ServerProcess(sqlite_url(tmp_path)):
        assert "another process uses" in said(store("copy", sqlite_url(tmp_path), target))


def test_a_copy_onto_itself(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path)
    assert "the same" in said(store("copy", url, url))


def test_a_database_that_is_away(tmp_path: Path) -> None:
    using(sqlite_url(tmp_path), fill)
    run = store("copy", sqlite_url(tmp_path), "postgresql://ann:hush@127.0.0.1:1/games")
    assert "cannot be reached" in said(run)
    assert "hush" not in run.output


@pytest.mark.parametrize(
    "url", ["ann:hush@db", "mysql://ann:hush@db/games", "postgresql://ann:hush@db:x/games", ""]
)
@pytest.mark.parametrize("command", ["copy", "backup", "upgrade"])
def test_an_address_that_is_none_is_not_shown(command: str, url: str, tmp_path: Path) -> None:
    more: dict[str, list[str | Path]] = {
        "copy": [sqlite_url(tmp_path)],
        "backup": [tmp_path / "copy"],
        "upgrade": [],
    }
    run = store(command, url, *more[command])
    assert said(run).count("\n") == 1
    assert "hush" not in run.output


# Upgrade


def test_a_new_database_gets_the_schema(postgres_url: str) -> None:
    for _ in range(2):
        assert store("upgrade", postgres_url).exit_code == 0
    assert using(postgres_url, versions) == {}
