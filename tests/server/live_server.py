"""In-process server: runs in a thread of the test, with sockets that record every message.

Every call here waits with a timeout of `PATIENCE` seconds, so that a test reads as a list of
actions. A socket that has answered a ping has received every earlier update.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2
import msgspec
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.server.described import check_described
from tests.server.harness import QUICK, sqlite_url
from tilerummy.client.seat import ClientState
from tilerummy.rules.declarations import plain
from tilerummy.server.ops.app import create_app
from tilerummy.server.ops.node import Node
from tilerummy.server.ops.run import config_of
from tilerummy.server.ops.settings import read_settings
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.tiles import row_out, table_out
from tilerummy.server.rooms.room import Room
from tilerummy.solver.turns.best_turn import solve

PATIENCE = 60.0
MOMENT = 0.2
"""Seconds after which a disconnected player counts as absent."""
DECODE = msgspec.json.Decoder(out.Outgoing).decode
T = TypeVar("T")
Message = dict[str, Any]


class Complaints(logging.Handler):
    """Warnings and errors in the log of a server."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        # Clients run here too, and one whose line a test has cut off may well say so.
        if record.name == "websockets.client":
            return
        if record.levelno >= logging.ERROR or record.exc_info:
            fields = getattr(record, "tilerummy_fields", "")
            self.lines.append(f"{record.name}: {record.getMessage()} {fields} {record.exc_info}")


class LiveServer:
    """The server of `tilerummy serve`, in a thread; use it as a context."""

    def __init__(self, store: str, settings: Mapping[str, str] | None = None) -> None:
        environ = {**QUICK, "TILERUMMY_STORE": store, **(settings or {})}
        app = create_app(read_settings({}, environ))
        self.node: Node = app.state.node
        self.complaints = Complaints()
        config = config_of(app, self.node)
        config.port = 0
        self._server = uvicorn.Server(config)
        self._loop: asyncio.AbstractEventLoop
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, name="server")
        self.url = ""

    def _run(self) -> None:
        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            serving = asyncio.create_task(self._server.serve())
            while not self._server.started and not serving.done():
                await asyncio.sleep(0.005)
            self._started.set()
            await serving

        asyncio.run(serve())

    def __enter__(self) -> LiveServer:
        logging.getLogger().addHandler(self.complaints)
        self._thread.start()
        assert self._started.wait(PATIENCE)
        assert self._server.started, self.complaints.lines
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.node.presence._moment = MOMENT
        self._client = self.client()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.close()
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        logging.getLogger().removeHandler(self.complaints)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a function in the server's thread."""
        return self.begin(work).result(PATIENCE)

    def begin(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a function in the server's thread without waiting for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def room(self, code: str) -> Room:
        """The room in the server, with its secrets."""

        async def look() -> Room:
            found = await self.node.keeper.find(code)
            assert found is not None
            room = await self.node.keeper.look(found)
            assert room is not None
            return room

        return self.run(look())

    def client(self) -> httpx2.Client:
        """An HTTP client with cookies that checks every answer against the documentation."""
        return httpx2.Client(
            base_url=self.url,
            timeout=PATIENCE,
            verify=False,
            trust_env=False,
            event_hooks={"response": [check_described]},
        )

    def request(
        self, method: str, path: str, body: Any = None, token: str | None = None
    ) -> httpx2.Response:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._client.cookies.clear()
        return self._client.request(method, path, json=body, headers=headers)

    def call(
        self, method: str, path: str, body: Any = None, token: str | None = None
    ) -> tuple[int, Any]:
        """The status and the answer of one request."""
        answer = self.request(method, path, body, token)
        return answer.status_code, answer.json() if answer.content else None

    def guest(self, name: str) -> str:
        """The token of a new guest."""
        status, answer = self.call("POST", "/api/guests", {"name": name, "bearer": True})
        assert status == 201, answer
        return str(answer["token"])

    def open(self, token: str, *, bots: tuple[str, ...] = (), **settings: Any) -> str:
        """The code of a new room."""
        settings = {"edition": "taiwan", **settings}
        body = {"settings": settings, "bots": list(bots)}
        status, answer = self.call("POST", "/api/rooms", body, token)
        assert status == 201, answer
        return str(answer["code"])

    def sit(self, code: str, token: str, seat: int | None = None) -> int:
        status, answer = self.call("POST", f"/api/rooms/{code}/seats", {"seat": seat}, token)
        assert status == 201, answer
        return int(answer["seat"])


@contextmanager
def live_server(folder: Path, settings: Mapping[str, str] | None = None) -> Iterator[LiveServer]:
    with LiveServer(sqlite_url(folder), settings) as server:
        yield server


class Line:
    """One socket of a seat or of a spectator."""

    _ids = itertools.count(1)

    def __init__(
        self,
        server: LiveServer,
        code: str,
        token: str | None = None,
        *,
        hello: Mapping[str, Any] | None = None,
        slow: bool = False,
    ) -> None:
        """One that is `slow` reads no more than a message ahead."""
        self.texts: list[str] = []
        """Everything that was ever sent here."""
        self.known = ClientState()
        self.refusals: list[str] = []
        headers = {"Origin": server.url} if token is None else {"Authorization": f"Bearer {token}"}
        address = f"{server.url.replace('http', 'ws', 1)}/api/rooms/{code}/socket"
        self.socket = connect(
            address,
            sock=_narrow_socket(address) if slow else None,
            additional_headers=headers,
            compression=None,
            max_size=None,
            max_queue=1 if slow else None,
            close_timeout=2,
            open_timeout=PATIENCE,
            ping_interval=None,
        ).__enter__()
        if hello is not None:
            with suppress(ConnectionClosed):  # why, is in what comes
                self.send({"type": "hello", **hello})

    def __enter__(self) -> Line:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def send(self, message: Mapping[str, Any] | str | bytes) -> None:
        self.socket.send(json.dumps(message) if isinstance(message, Mapping) else message)

    def receive(self) -> Message:
        """The next message. Raises ConnectionClosed."""
        text = self.socket.recv(PATIENCE)
        assert isinstance(text, str)
        self.texts.append(text)
        self.known.take(DECODE(text))
        message: Message = json.loads(text)
        if message["type"] in ("refused", "error"):
            self.refusals.append(message["code"])
        return message

    @property
    def is_silent(self) -> bool:
        """Whether no message has arrived that was not received yet. A message takes a while: let
        something happen that comes after it."""
        try:
            self.socket.recv(0)
        except TimeoutError:
            return True
        return False

    def until(self, wanted: Callable[[Message], bool]) -> Message:
        while not wanted(message := self.receive()):
            pass
        return message

    def event(self, kind: str) -> Message:
        """The next event of a kind."""
        while True:
            for event in self.receive().get("events", ()):
                if event["type"] == kind:
                    return dict(event)

    def new_id(self) -> str:
        return f"c{next(self._ids)}"

    def command(self, kind: str, **fields: Any) -> str:
        """Send a command; its id."""
        id_ = str(fields.pop("id", None) or self.new_id())
        self.send({"type": kind, "id": id_, **fields})
        return id_

    def ask(self, kind: str, **fields: Any) -> Message:
        """Send a command, and wait for its answer."""
        id_ = self.command(kind, **fields)
        return self.until(lambda message: message.get("re") == id_)

    def settle(self) -> list[Message]:
        """All that has been sent by now."""
        id_ = self.command("ping")
        messages = [self.receive()]
        while messages[-1].get("re") != id_:
            messages.append(self.receive())
        return messages[:-1]

    def wait_closed(self) -> int:
        """The code with which the other side closes."""
        while True:
            try:
                self.receive()
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd is not None else 1006


def _narrow_socket(address: str) -> socket.socket:
    """A socket with minimal system buffers, for slow readers."""
    parts = urlsplit(address)
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    found.connect((parts.hostname, parts.port))
    return found


def answer_code(message: Message) -> str:
    """`events`, `done`, ..., or why not."""
    return str(message.get("code", message["type"]))


def best_move(known: ClientState) -> Message:
    """The message that plays the solver's best turn."""
    found = solve(known.position, tidy=False)
    if not found.plays:
        return {"kind": "draw" if known.pool else "pass", "turn": known.turn}
    return {
        "kind": "play",
        "turn": known.turn,
        "table": table_out(found.table),
        "declared": plain(found.declared, row_out),
    }


def play_on(lines: list[Line], until: Callable[[ClientState], bool]) -> None:
    """All players play their best turns; at the end all of them have every update."""
    for line in lines:
        line.settle()
    seats = {line.known.you: line for line in lines}
    while not until(line.known):
        if line.known.my_turn:
            answer = line.ask(**best_move(line.known))
            assert answer["type"] == "events", answer
        elif line.known.current in seats and line.known.phase == "playing":
            line = seats[line.known.current]
            line.settle()
        else:
            line.receive()  # a bot thinks, or the tiles are dealt
    for line in lines:
        line.settle()
