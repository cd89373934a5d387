"""A full disk: nothing is stored, /readyz says so, and play goes on once there is space."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.server.harness import ServerProcess, sqlite_url

Ask = Callable[[str, bytes | None], tuple[int, dict[str, str]]]
SECONDS = 60.0
UNLIMITED = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


def asking(server: ServerProcess) -> Ask:
    def ask(path: str, body: bytes | None) -> tuple[int, dict[str, str]]:
        try:
            with urllib.request.urlopen(f"{server.url}{path}", body) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    return ask


def until(ask: Ask, path: str, body: bytes | None, wanted: int) -> dict[str, str]:
    deadline = time.monotonic() + SECONDS
    status, answer = ask(path, body)
    while status != wanted:
        assert status in (200, 201, 503), answer
        assert time.monotonic() < deadline, f"{path} is still {status}"
        status, answer = ask(path, body)
    return answer


GUEST = b'{"name": "Ann", "bearer": true}'


def check_outage(server: ServerProcess, fill: Callable[[], None], free: Callable[[], None]) -> None:
    ask = asking(server)
    assert ask("/api/guests", GUEST)[0] == 201
    fill()
    assert until(ask, "/api/guests", GUEST, 503)["code"] == "unavailable"
    answer = until(ask, "/readyz", None, 503)
    assert answer["code"] == "not-ready"
    assert "cannot be written: SQLite: " in answer["message"]
    assert ask("/healthz", None)[0] == 200
    free()
    until(ask, "/readyz", None, 200)
    assert ask("/api/guests", GUEST)[0] == 201


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs Linux")
def test_a_store_that_cannot_grow_is_not_ready(tmp_path: Path) -> None:
    with ServerProcess(sqlite_url(tmp_path)) as server:

        def fill() -> None:
            size = (tmp_path / "server.sqlite-wal").stat().st_size
            limits = (size, resource.RLIM_INFINITY)
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, limits)

        def free() -> None:
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, UNLIMITED)

        check_outage(server, fill, free)


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A tmpfs of 4 MiB, where this user may mount one."""
    command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    if sys.platform != "linux" or not shutil.which("mount"):
        pytest.skip("needs Linux and mount")
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("this user may not mount a tmpfs")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk_is_not_ready(tmp_path: Path) -> None:
    with small_disk(tmp_path), ServerProcess(sqlite_url(tmp_path)) as server:
        ballast = tmp_path / "ballast"

        def fill() -> None:
            with suppress(OSError), ballast.open("wb", 0) as file:
                while file.write(bytes(4096)):
                    pass

        check_outage(server, fill, ballast.unlink)
