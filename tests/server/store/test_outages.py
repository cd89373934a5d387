"""PostgreSQL goes away: nothing that was acknowledged is lost, nothing is stored twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy.engine import make_url

from tests.server.store.tools import append, event, opened, places, until_ready
from tests.services import Postgres
from tilerummy.server.store import Store, StoreError, Unavailable, Unknown

pytestmark = pytest.mark.anyio


class Proxy:
    """A line to a server, which can be cut when an answer comes back, or go dead."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.cuts = 0
        """How many answers will be lost."""
        self.dead = False
        """Packets are dropped silently."""
        self._lines: set[asyncio.Task[None]] = set()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._port)
        asked = asyncio.create_task(self._pass(reader, server_writer, is_answer=False))
        answered = asyncio.create_task(self._pass(server_reader, writer, is_answer=True))
        self._lines |= {asked, answered}
        await asyncio.wait([asked, answered], return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        answered.cancel()
        for end in (writer, server_writer):
            end.transport.abort()

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_answer: bool
    ) -> None:
        while data := await reader.read(65_536):
            if self.dead:
                continue
            if is_answer and self.cuts:
                self.cuts -= 1
                return
            writer.write(data)

    def close(self) -> None:
        for line in self._lines:
            line.cancel()


@pytest.fixture
async def proxy(postgres: Postgres) -> AsyncIterator[tuple[Proxy, int]]:
    """With the port at which it listens."""
    proxy = Proxy(postgres.port)
    server = await asyncio.start_server(proxy.carry, "127.0.0.1", 0)
    yield proxy, server.sockets[0].getsockname()[1]
    server.close()
    proxy.close()


def through(url: str, port: int) -> str:
    return make_url(url).set(port=port).render_as_string(hide_password=False)


@pytest.mark.parametrize("snapshot", [None, b"in a transaction of several statements"])
async def test_an_append_whose_answer_is_lost_on_the_line_is_stored_once(
    snapshot: bytes | None, proxy: tuple[Proxy, int], postgres_url: str
) -> None:
    line, port = proxy
    store = await Store.connect(through(postgres_url, port))
    await opened(store, "room")
    assert await store.append(append("room", 1))
    for version in range(2, 8):
        line.cuts = 1
        assert await store.append(append("room", version, snapshot=snapshot))
        assert line.cuts == 0
    assert await store.events("room") == [event(seq) for seq in range(1, 9)]
    await store.close()


async def test_a_line_that_stays_cut_leaves_it_unknown(
    proxy: tuple[Proxy, int], postgres_url: str
) -> None:
    line, port = proxy
    store = await Store.connect(through(postgres_url, port))
    await opened(store, "room")
    line.cuts = 100
    with pytest.raises(Unknown):
        await store.append(append("room", 1))
    line.cuts = 0
    version = (await store.versions(["room"]))["room"]
    assert await store.append(append("room", version))
    await store.close()


async def test_a_line_that_is_dead_does_not_hold_anybody_for_long(
    proxy: tuple[Proxy, int], postgres_url: str
) -> None:
    line, port = proxy
    store = await Store.connect(through(postgres_url, port), timeout=2)
    await opened(store, "room")
    line.dead = True
    done = await asyncio.gather(
        store.append(append("room", 1)),
        store.save_draft("room", 0, 1, b"x"),
        store.load("room"),
        store.add_guest(b"hash", "Ann"),
        store.claim(1, 1),
        return_exceptions=True,
    )
    assert [isinstance(answer, Unavailable) for answer in done] == [True] * 5
    await until_ready(store, False)
    line.dead = False
    await until_ready(store)
    assert await store.append(append("room", 1))
    await store.close()


async def test_a_crash_among_appends_loses_nothing_that_was_acknowledged(
    postgres: Postgres, postgres_url: str
) -> None:
    """Like the server, every writer reloads its room after an error."""
    store = await Store.connect(postgres_url)
    rooms = [f"room {number}" for number in range(10)]
    await opened(store, *rooms)
    acknowledged = dict.fromkeys(rooms, 1)
    troubles = 0
    end = False

    async def play(room: str) -> None:
        nonlocal troubles
        version = 1
        while not end:
            try:
                assert await store.append(append(room, version))
                version += 1
                acknowledged[room] = version
            except StoreError:
                troubles += 1
                version = await known_version(room)
                assert version in (acknowledged[room], acknowledged[room] + 1)
                acknowledged[room] = version

    async def known_version(room: str) -> int:
        while True:
            try:
                return (await store.versions([room]))[room]
            except StoreError:
                await asyncio.sleep(0.02)

    async def progress() -> None:
        aims = {room: version + 3 for room, version in acknowledged.items()}
        while any(acknowledged[room] < aim for room, aim in aims.items()):
            await asyncio.sleep(0.01)

    playing = [asyncio.create_task(play(room)) for room in rooms]
    await progress()
    await asyncio.to_thread(postgres.kill)
    await asyncio.to_thread(postgres.start)
    await progress()
    end = True
    await asyncio.gather(*playing)
    assert troubles > 0
    for room, least in acknowledged.items():
        stored = places(await store.events(room))
        assert stored == list(range(1, len(stored) + 1))
        assert len(stored) >= least > 6
    await store.close()
