"""The load generator: rooms full of fast players over real sockets.

Every room has four seats, each with its own socket. The current player plays the solver's best
turn, at once or after a delay. The latency of a move is the time from sending it until the last
seat of its room has received it.
"""

from __future__ import annotations

import asyncio
import base64
import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from tilerummy.client.seat import ClientState, RequestError, UnreachableError, reason_of, request
from tilerummy.client.seeds import Seeds
from tilerummy.rules.declarations import plain
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.tiles import row_out, table_out
from tilerummy.solver.turns.best_turn import solve

SEATS = 4
DECODE = msgspec.json.Decoder(out.Outgoing).decode
ENCODE = msgspec.json.Encoder().encode
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
"""WebSocket opcodes."""

Progress = Callable[[float, int], None]
"""Called with the completed fraction and the number of moves so far."""

LIMITS = (
    "Its limits are too low: start it with TILERUMMY_LIMIT_JOINS=100000/s and the like "
    "(docs/operations.md)"
)


class LoadError(Exception):
    """The server cannot be measured."""


class Wire(asyncio.Protocol):
    """A minimal WebSocket client, cheap enough to run thousands of them."""

    def __init__(self, path: str, host: str, token: str, on_text: Callable[[bytes], None]) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        self._hello = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Authorization: Bearer {token}\r\n\r\n"
        ).encode()
        self._on_text = on_text
        self._data = b""
        self._transport: asyncio.Transport | None = None
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._hello)

    def connection_lost(self, error: Exception | None) -> None:
        for future in (self.open, self.closed):
            if not future.done():
                future.set_result(None)

    def data_received(self, data: bytes) -> None:
        self._data += data
        if not self.open.done():
            head, found, self._data = self._data.partition(b"\r\n\r\n")
            if not found:
                self._data = head
                return
            if b" 101 " not in head[:20]:
                status = head[:80].partition(b"\r\n")[0].decode("latin-1")
                self.open.set_exception(
                    LoadError(f"the server refuses the socket: {status}. {LIMITS}")
                )
                return
            self.open.set_result(None)
        while self._take_frame():
            pass

    def _take_frame(self) -> bool:
        data = self._data
        if len(data) < 2:
            return False
        size, at = data[1] & 127, 2
        if size == 126:
            size, at = int.from_bytes(data[2:4], "big"), 4
        elif size == 127:
            size, at = int.from_bytes(data[2:10], "big"), 10
        if len(data) < at + size:
            return False
        kind, body = data[0] & 15, data[at : at + size]
        self._data = data[at + size :]
        if kind == TEXT:
            self._on_text(body)
        elif kind == PING:
            self._send(PONG, body)
        elif kind == CLOSE:
            self.close()
        return True

    def send(self, message: dict[str, Any]) -> None:
        self._send(TEXT, ENCODE(message))

    def _send(self, kind: int, body: bytes) -> None:
        size = len(body)
        head = bytes([128 | kind, 128 | size]) if size < 126 else bytes([128 | kind, 254])
        if size >= 126:
            head += size.to_bytes(2, "big")
        # Clients must mask their frames. A mask of zeros is valid and costs nothing.
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(head + b"\0\0\0\0" + body)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class Node(NamedTuple):
    url: str
    host: str
    port: int

    @classmethod
    def parse(cls, server: str) -> Node:
        try:
            parts = urlsplit(server)
            host, port = parts.hostname, parts.port or 80
        except ValueError:
            host = None
        if host is None or parts.scheme != "http" or parts.path.strip("/"):
            raise LoadError("give the URL of a server, such as http://127.0.0.1:8000")
        return cls(server.rstrip("/"), host, port)


@dataclass
class Figures:
    """Measurements, without the warm-up. Times are in seconds."""

    moves: int = 0
    messages: int = 0
    games: int = 0
    refused: int = 0
    answered: list[float] = field(default_factory=list)
    """Latency until the mover received the answer."""
    broadcast: list[float] = field(default_factory=list)
    """Latency until all four seats received the move."""
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        return self.moves / self.seconds if self.seconds else 0.0


class LoadRoom:
    """Four seats of one room, driven together."""

    def __init__(self, load: Load, code: str, rng: random.Random) -> None:
        self._load = load
        self._rng = rng
        self.code = code
        self.wires: list[Wire] = []
        self._known = [ClientState() for _ in range(SEATS)]
        self._got = [0] * SEATS
        self._sent_at = 0.0
        self._moved = -1
        """The version before the move in flight; -1 if there is none."""
        self._seeds = [Seeds(lambda: rng.randbytes(16).hex()) for _ in range(SEATS)]
        self._asked: set[int] = set()
        self._acted = 0
        """The version at which a seat last acted."""
        self._ids = 0
        self._acting: asyncio.TimerHandle | None = None

    async def connect(self, nodes: Sequence[Node], tokens: list[str]) -> None:
        """Connect the seats, distributed over the nodes."""
        loop = asyncio.get_running_loop()
        path = f"/api/rooms/{self.code}/socket"
        for seat, token in enumerate(tokens):
            _, host, port = nodes[seat % len(nodes)]
            wire = Wire(path, f"{host}:{port}", token, self._reader(seat))
            try:
                await loop.create_connection(lambda wire=wire: wire, host, port)  # type: ignore[misc]
            except OSError as error:
                raise UnreachableError(
                    f"no answer from {host}:{port}: {reason_of(error)}"
                ) from error
            self.wires.append(wire)
            await wire.open
            wire.send({"type": "hello"})

    def begin(self) -> None:
        self._command(0, {"type": "begin"})

    def _reader(self, seat: int) -> Callable[[bytes], None]:
        return lambda data: self._read(seat, data)

    def _command(self, seat: int, message: dict[str, Any]) -> None:
        self._ids += 1
        self.wires[seat].send({**message, "id": f"c{self._ids}"})

    def _read(self, seat: int, data: bytes) -> None:
        figures = self._load.figures
        figures.messages += 1
        message = DECODE(data)
        if isinstance(message, (out.Refused, out.Error)):
            figures.refused += 1
            self._load.complain(message)
            return
        known = self._known[seat]
        known.take(message)
        if not isinstance(message, out.Events):
            return
        if self._moved >= 0 and message.version > self._moved:
            if message.re is not None:
                figures.answered.append(time.perf_counter() - self._sent_at)
            self._got[seat] = message.version
            if min(self._got) > self._moved:
                figures.broadcast.append(time.perf_counter() - self._sent_at)
                figures.moves += 1
                self._moved = -1
                self._go_on()
        elif all(state.version == message.version for state in self._known):
            self._go_on()

    def _go_on(self) -> None:
        """All four seats are at the same version: the next one acts."""
        known = self._known[0]
        if self._acted == known.version:
            return
        self._acted = known.version
        if known.phase == "playing":
            wait = self._load.every / SEATS if self._load.every else 0
            if wait:
                loop = asyncio.get_running_loop()
                self._acting = loop.call_later(wait * self._rng.uniform(0.5, 1.5), self._move)
            else:
                self._move()
        elif known.phase == "dealing":
            for seat, seeds in enumerate(self._seeds):
                message = seeds.message(self._known[seat])
                if message is not None:
                    self._command(seat, message)
        elif known.phase in ("over", "between"):
            for seat in self._once(self._asked, known.games_ended):
                self._command(seat, {"type": "ask", "what": "more"})
        elif known.phase == "lobby" and known.games_ended:
            self.begin()

    def _once(self, done: set[int], game: int) -> range:
        """All seats on the first call for a game, then none."""
        if game in done:
            return range(0)
        done.add(game)
        self._load.figures.games += done is self._asked
        return range(SEATS)

    def _move(self) -> None:
        seat = self._known[0].current
        known = self._known[seat]
        found = solve(known.position, tidy=False)
        move: dict[str, Any] = {"type": "draw" if known.pool else "pass"}
        if found.plays:
            move = {
                "type": "play",
                "table": table_out(found.table),
                "declared": plain(found.declared, row_out),
            }
        self._moved = known.version
        self._sent_at = time.perf_counter()
        self._command(seat, {**move, "turn": known.turn})


class Load:
    """A load test of one server, or of a cluster: then every room has players on every node."""

    def __init__(
        self, servers: Sequence[str], rooms: int, *, every: float = 0.0, seed: int = 1
    ) -> None:
        self._nodes = [Node.parse(server) for server in servers]
        self._count = rooms
        self.every = every
        self._rng = random.Random(seed)
        self.rooms: list[LoadRoom] = []
        self.figures = Figures()
        self._complaints: list[str] = []

    def complain(self, message: out.Refused | out.Error) -> None:
        if len(self._complaints) < 5:
            self._complaints.append(f"{message.code}: {message.message}")

    @property
    def complaints(self) -> list[str]:
        return self._complaints

    async def prepare(self, settings: dict[str, Any], progress: Progress) -> None:
        """Open all rooms and seats."""
        try:
            await self._open(settings, progress)
        except BaseException:
            await self.close()
            raise

    async def _open(self, settings: dict[str, Any], progress: Progress) -> None:
        tokens = [await self._guest(f"Player {number + 1}") for number in range(SEATS)]
        for number in range(self._count):
            node = self._nodes[number % len(self._nodes)].url
            opened = await self._ask(node, "/api/rooms", {"settings": settings}, tokens[0])
            code = opened["code"]
            for token in tokens[1:]:
                await self._ask(node, f"/api/rooms/{code}/seats", {}, token)
            room = LoadRoom(self, code, random.Random(self._rng.random()))
            self.rooms.append(room)
            await room.connect(self._nodes, tokens)
            progress((number + 1) / self._count, 0)

    async def _guest(self, name: str) -> str:
        answer = await self._ask(self._nodes[0].url, "/api/guests", {"name": name, "bearer": True})
        return str(answer["token"])

    async def _ask(self, node: str, path: str, body: Any, token: str | None = None) -> Any:
        try:
            return await request(node, "POST", path, body, token)
        except RequestError as error:
            if error.code == "too-fast":
                raise LoadError(f"{node} answers {error}. {LIMITS}") from error
            if error.code == "no-guest" and token is not None:
                first = self._nodes[0].url
                raise LoadError(
                    f"{node} and {first} do not share a store: give nodes of one cluster"
                ) from error
            raise

    async def run(self, seconds: float, warm_up: float, progress: Progress) -> Figures:
        """Let all rooms play, and measure after the warm-up."""
        for room in self.rooms:
            room.begin()
            if self.every:
                await asyncio.sleep(self.every / len(self.rooms))
        await asyncio.sleep(warm_up)
        self.figures = Figures()
        began = time.perf_counter()
        while (spent := time.perf_counter() - began) < seconds:
            progress(spent / seconds, self.figures.moves)
            await asyncio.sleep(min(0.5, seconds - spent))
        figures, self.figures = self.figures, Figures()
        figures.seconds = time.perf_counter() - began
        await self.close()
        return figures

    async def close(self) -> None:
        for room in self.rooms:
            for wire in room.wires:
                wire.close()
        await asyncio.sleep(0)  # let them close
