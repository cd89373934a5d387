"""Runs a server until it is told to stop."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilerummy.folders import data_dir
from tilerummy.rules.errors import TileRummyError
from tilerummy.server.edge.wire import WireProtocol
from tilerummy.server.ops.app import create_app
from tilerummy.server.ops.settings import ServerSettings, default_store, option
from tilerummy.server.store import StoreError
from tilerummy.server.telemetry import logs

LARGEST_FRAME = 1 << 20
"""Bytes. What is larger than a message may be, but not than this, gets an answer that says so."""
GRACE_SECONDS = 10
"""For what has begun, when the server stops."""


class StartError(TileRummyError):
    """A server that cannot be started here."""

    code = "cannot-start"


def run(settings: ServerSettings, on_ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM. `on_ready` is told the address. Raises StartError."""
    node = f"{socket.gethostname()}-{os.getpid()}"
    logs.set_up(settings.log_format, settings.log_level, node=node)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stopped_already)
    _collect_seldom()
    _make_folder(settings.store)
    server = Server(config_of(ShortReasons(create_app(settings))), on_ready)
    with _listen(settings.host, settings.port) as listener:
        server.address = _address(listener, settings.host)
        server.run([listener])
    if not server.started:
        raise SystemExit(1)


class NoBadText(logging.Filter):
    """Keeps uvicorn from showing a trace where a client sends text that is no UTF-8. The client
    gets the code 1007, and nobody else can do anything about it."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith("Invalid UTF-8 sequence received")


_no_bad_text = NoBadText()


def config_of(app: ASGIApp) -> uvicorn.Config:
    logging.getLogger("uvicorn.error").addFilter(_no_bad_text)
    return uvicorn.Config(
        app,
        ws=WireProtocol,
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def _collect_seldom() -> None:
    """Rooms are made of many small things that stay: looking through them for rubbish every moment
    costs a tenth of the time, and finds none."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _stopped_already(*_: object) -> None:
    """uvicorn stops at a signal, and raises it again when it is done."""


class Server(uvicorn.Server):
    """Says when it is there."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[str], None]) -> None:
        super().__init__(config)
        self.address = ""
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_ready(self.address)


class ShortReasons:
    """Tells in a line why the store cannot be opened, where Starlette would show a trace."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await self.app(scope, receive, send)
            return
        failed: Message | None = None

        async def keep_failure(message: Message) -> None:
            nonlocal failed
            if message["type"] == "lifespan.startup.failed":
                failed = message
            else:
                await send(message)

        try:
            await self.app(scope, receive, keep_failure)
        except BaseException as error:
            if failed is None:
                raise
            if isinstance(error, StoreError):
                failed = {**failed, "message": f"cannot start: {error}"}
            await send(failed)


def _make_folder(store: str) -> None:
    """Where everything is kept unless somebody says otherwise, nobody has been before."""
    if store == default_store():
        try:
            data_dir().mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StartError(
                f"cannot make the folder {data_dir()}: {error.strerror or error}; "
                f"choose another place with {option('store')}"
            ) from error


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise StartError(
            f"cannot listen at {host}, port {port}: {error.strerror or error}; "
            f"choose another with {option('host')} and {option('port')}"
        ) from error
    return listener


def _address(listener: socket.socket, host: str) -> str:
    port = listener.getsockname()[1]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"
