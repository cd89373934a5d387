"""SIGTERM ends a server whatever runs, and no worker process outlives it."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from tests.server.emptied import EMPTY
from tests.server.harness import START_SECONDS, ServerProcess, sqlite_url
from tests.server.hopeless import FILE, IN_LOOP
from tests.server.test_match import new_guest, new_room
from tilerummy.client.seat import Seat, request
from tilerummy.server.ops.watchdog import EXIT_CODE, Watchdog


async def stopped_in_vain(server: ServerProcess, begun: Path) -> int:
    """Ann or Bo passes, which needs a proof; the server is stopped while that is looked for."""
    url = server.url
    ann, bo = await new_guest(url, "Ann"), await new_guest(url, "Bo")
    room = await new_room(url, ann, [], edition="classic", options=EMPTY, seats=2)
    await request(url, "POST", f"/api/rooms/{room}/seats", {}, bo)
    seats = [Seat(url, room, token) for token in (ann, bo)]
    for seat in seats:
        await seat.connect()
    await seats[0].command("begin")
    until = time.monotonic() + START_SECONDS
    asked = False
    while not begun.exists():
        assert time.monotonic() < until
        for seat in seats:
            try:
                await asyncio.wait_for(seat.receive(), 0.05)
            except TimeoutError:
                continue
        for seat in seats:
            if seat.known.my_turn and not asked:
                asked = True
                await seat.command("pass", turn=seat.known.turn)
    code = await asyncio.to_thread(server.stop_alone)
    for seat in seats:
        await seat.close()
    return code


@pytest.mark.parametrize(("where", "code"), [("worker", 0), ("loop", EXIT_CODE)])
def test_hopeless_work_does_not_keep_a_server_up(tmp_path: Path, where: str, code: int) -> None:
    begun = tmp_path / "begun"
    settings = {FILE: str(begun), **({IN_LOOP: "1"} if where == "loop" else {})}
    server = ServerProcess(sqlite_url(tmp_path), settings=settings, program="tests.server.hopeless")
    with server:
        assert asyncio.run(stopped_in_vain(server, begun)) == code


def test_the_watchdog_bites_once() -> None:
    ended: list[int] = []
    dog = Watchdog(0.0, ended.append)
    dog.start()
    dog.start()
    assert dog._timer is not None
    dog._timer.join(START_SECONDS)
    assert ended == [EXIT_CODE]
