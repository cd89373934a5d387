"""The files of an SQLite store are for their owner alone, also those that were there before."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.server.store.tools import append, opened
from tilerummy.server.store import Store
from tilerummy.server.store.backup import back_up

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX"),
]


@pytest.fixture(autouse=True)
def lenient_umask() -> object:
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    found = {path.name: f"{path.stat().st_mode & 0o777:o}" for path in folder.iterdir()}
    assert found.pop("store.db.lock-journal", "600") == "600"
    return found


OURS = dict.fromkeys(("store.db", "store.db-wal", "store.db-shm", "store.db.lock"), "600")


async def test_new_files_are_for_their_owner_alone(sqlite_url: str, tmp_path: Path) -> None:
    store = await Store.connect(sqlite_url)
    await opened(store, "room")
    assert modes(tmp_path) == OURS
    back_up(sqlite_url, tmp_path / "copy.db", lambda *_: None)
    assert modes(tmp_path) == {**OURS, "copy.db": "600"}
    await store.close()


async def test_files_that_others_can_read_are_tightened_with_a_warning(
    sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = await Store.connect(sqlite_url)
    await opened(store, "room")
    await store.close()
    for name in ("store.db", "store.db.lock"):
        (tmp_path / name).chmod(0o644)
    store = await Store.connect(sqlite_url)
    assert await store.append(append("room", 1))
    assert modes(tmp_path) == OURS
    told = [each for each in caplog.messages if "other users could open the store" in each]
    assert len(told) == 2
    await store.close()


async def test_what_is_tight_already_is_left_alone(
    sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        store = await Store.connect(sqlite_url)
        await store.close()
    assert not caplog.messages


async def test_a_file_of_somebody_else_leads_to_a_warning(
    sqlite_url: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    (tmp_path / "store.db").touch(0o644)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "chmod", refuse)
        store = await Store.connect(sqlite_url)
    await store.close()
    assert "other users can open the store: run chmod 600" in caplog.messages
