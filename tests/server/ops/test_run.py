"""How a server starts, and what it says where it cannot."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.server.harness import ServerProcess, sqlite_url
from tilerummy.play.refusals import Refused
from tilerummy.server.edge.sockets import Connection
from tilerummy.server.limits.byte_budget import ByteBudget
from tilerummy.server.limits.rate_limiter import Limits, RateLimiter
from tilerummy.server.protocol import incoming
from tilerummy.server.store import Unknown
from tilerummy.server.store.outage import Outage
from tilerummy.server.telemetry.metrics import FAILED, REFUSED


def serve(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """`tilerummy serve`, where it cannot start."""
    kept = {key: value for key, value in os.environ.items() if "TILERUMMY" not in key}
    return subprocess.run(
        [sys.executable, "-m", "tilerummy.cli", "serve", *arguments],
        env={**kept, **variables},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_bad_setting_is_reported_in_a_line() -> None:
    run = serve(TILERUMMY_LIMIT_JOINS="many")
    assert run.returncode == 2
    assert run.stderr.startswith("tilerummy: TILERUMMY_LIMIT_JOINS is 'many'; it must be a rate")
    assert run.stderr.count("\n") == 1


def test_it_starts_where_nothing_has_been_kept_before(tmp_path: Path) -> None:
    """As after `make play` on a new machine."""
    kept = {key: value for key, value in os.environ.items() if "TILERUMMY" not in key}
    places = {name: str(tmp_path / "data") for name in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA")}
    with subprocess.Popen(
        [sys.executable, "-m", "tilerummy.cli", "serve", "--port", "0", "--open"],
        env={**kept, **places, "DISPLAY": "", "WAYLAND_DISPLAY": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        try:
            assert server.stdout.readline().startswith("tilerummy is at http://127.0.0.1:")
            (found,) = tmp_path.rglob("server.sqlite")
        finally:
            server.terminate()
    assert found.parent.stat().st_mode & 0o777 == 0o700, "others have no business there"


def test_a_place_where_nothing_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    places = {name: str(tmp_path / "data") for name in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA")}
    run = serve("--port", "0", **places)
    assert run.returncode == 2
    assert "cannot create the folder" in run.stderr
    assert "--store" in run.stderr


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        run = serve("--port", str(other.getsockname()[1]), "--store", sqlite_url(tmp_path))
    assert run.returncode == 2
    assert "cannot listen on 127.0.0.1, port" in run.stderr
    assert "--port" in run.stderr


def test_a_store_that_is_away_is_reported_without_a_trace_and_without_its_password() -> None:
    run = serve("--port", "0", "--store", "postgresql://ann:hush-hush@127.0.0.1:1/games")
    assert run.returncode != 0
    said = [json.loads(line) for line in run.stderr.splitlines() if line.startswith("{")]
    reasons = [line["event"] for line in said if line["level"] == "error"]
    assert reasons[0].startswith("cannot start: PostgreSQL cannot be reached")
    assert "Traceback" not in run.stderr
    assert "hush-hush" not in run.stderr
    assert {line["node"] for line in said} != {""}


def test_a_server_that_is_asked_to_stop_ends_well(tmp_path: Path) -> None:
    server = ServerProcess(sqlite_url(tmp_path), settings={"TILERUMMY_LIMIT_JOINS": "1/h burst 1"})
    server.start()
    for status in (201, 429):
        assert _become_guest(server.url) == status
    with urllib.request.urlopen(f"{server.url}/metrics") as answer:
        assert 'tilerummy_limited_total{what="joins"} 1.0' in answer.read().decode()
    assert server.stop() == 0


def test_a_guest_who_comes_back_has_been_seen(tmp_path: Path) -> None:
    """Guests that were absent for long are deleted."""
    server = ServerProcess(sqlite_url(tmp_path))
    seen: list[int] = []
    with server:
        request = urllib.request.Request(
            f"{server.url}/api/guests", b'{"name": "Ann", "bearer": true}'
        )
        with urllib.request.urlopen(request) as answer:
            token = json.load(answer)["token"]
        server.kill()
    with closing(sqlite3.connect(tmp_path / "server.sqlite")) as file:
        file.execute("UPDATE guests SET seen_at = seen_at - 86400000")
        file.commit()
        seen += file.execute("SELECT seen_at FROM guests").fetchone()
    with server:
        request = urllib.request.Request(f"{server.url}/api/me")
        request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request):
            pass
        server.kill()
    with closing(sqlite3.connect(tmp_path / "server.sqlite")) as file:
        seen += file.execute("SELECT seen_at FROM guests").fetchone()
    assert seen[1] - seen[0] >= 86_400_000


def _become_guest(url: str) -> int:
    request = urllib.request.Request(f"{url}/api/guests", b'{"name": "Ann"}')
    try:
        with urllib.request.urlopen(request) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.parametrize(
    ("raised", "outcome", "expected"),
    [
        (Unknown("lost"), FAILED, {"type": "error", "code": "unavailable", "re": "1"}),
        (Refused("not-now", "wait"), REFUSED, {"type": "refused", "code": "not-now", "re": "1"}),
    ],
)
def test_what_could_not_be_stored_is_not_a_refusal(
    raised: Exception, outcome: str, expected: dict[str, str]
) -> None:
    """A refusal would promise that nothing has changed, which is not certain here."""

    async def apply(*_: object) -> None:
        raise raised

    async def answer() -> tuple[str, dict[str, Any]]:
        keeper: Any = SimpleNamespace(apply=apply, store=SimpleNamespace(outage=Outage()))
        services: Any = SimpleNamespace(
            keeper=keeper,
            presence=None,
            draft_sync=None,
            room_groups=None,
            bot_pool=None,
            gate=None,
            send_budget=ByteBudget(1 << 20),
            metrics=None,
        )
        limits = RateLimiter(Limits()).connect("127.0.0.1")
        assert limits is not None
        socket: Any = SimpleNamespace(receive=None)
        connection = Connection(socket, "room", "guest", limits, services)
        connection._live = SimpleNamespace(room=SimpleNamespace(seat_of=lambda _: 0))  # type: ignore[assignment]
        outcome = await connection._answer(incoming.Leave("1"))
        text, *_ = connection._outbox._queue
        return outcome, json.loads(text)

    found, message = asyncio.run(answer())
    assert found == outcome
    assert {key: message[key] for key in expected} == expected
