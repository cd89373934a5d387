"""Entry point: runs a node under uvicorn until SIGINT or SIGTERM."""

from __future__ import annotations

import logging
import os
import signal
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilerummy.folders import data_dir
from tilerummy.rules.errors import TileRummyError
from tilerummy.server.edge.connections import OpenConnections, http_protocol
from tilerummy.server.edge.wire import wire_protocol
from tilerummy.server.limits.garbage import collect_seldom
from tilerummy.server.ops.app import create_app
from tilerummy.server.ops.node import Node
from tilerummy.server.ops.settings import ServerSettings, default_store, option
from tilerummy.server.ops.watchdog import Watchdog
from tilerummy.server.store import StoreError
from tilerummy.server.telemetry import logs

LARGEST_FRAME = 1 << 16
"""Bytes. A message above the protocol's limit but below this one is answered with an error. Each
connection can make the server hold this much of a message that does not end."""
GRACE_SECONDS = 10
"""Graceful shutdown: time for requests in progress."""
LONGEST_SHUTDOWN = GRACE_SECONDS + 5
"""Seconds after which the process ends, whatever it does."""


class StartError(TileRummyError):
    """The server cannot start."""

    code = "cannot-start"


def run(settings: ServerSettings, on_ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM. Calls `on_ready` with the address. Raises StartError."""
    node = f"{socket.gethostname()}-{os.getpid()}"
    logs.set_up(settings.log_format, settings.log_level, node=node)
    os.umask(0o077)  # the store holds racks and secrets of running games
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stopped_already)
    collect_seldom()
    _make_folder(settings.store)
    app = create_app(settings)
    server = Server(config_of(ShortReasons(app), app.state.node), on_ready)
    with _listen(settings.host, settings.port) as listener:
        server.address = _address(listener, settings.host)
        server.run([listener])
    if not server.started:
        raise SystemExit(1)


class NoBadInput(logging.Filter):
    """Suppresses what uvicorn logs about the input of clients: they could fill the disk with it,
    and an operator can do nothing about it. The client gets a status or a close code."""

    TEXTS = (
        "Invalid UTF-8 sequence received",
        "Invalid HTTP request received",
        "Unsupported upgrade request",
    )

    def filter(self, record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith(self.TEXTS)


_no_bad_input = NoBadInput()


def config_of(app: ASGIApp, node: Node) -> uvicorn.Config:
    limits, proxies = node.settings.limits, node.settings.proxies
    connections = OpenConnections(limits.tcp_connections, proxies, node.rate_limiter, node.metrics)
    logging.getLogger("uvicorn.error").addFilter(_no_bad_input)
    return uvicorn.Config(
        app,
        http=http_protocol(connections),
        ws=wire_protocol(limits.frames, connections),
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def _stopped_already(*_: object) -> None:
    """uvicorn handles the signal itself, and raises it again after the shutdown."""


class Server(uvicorn.Server):
    """A uvicorn server that reports when it is ready, and ends in time."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[str], None]) -> None:
        super().__init__(config)
        self.address = ""
        self._on_ready = on_ready
        self._watchdog = Watchdog(LONGEST_SHUTDOWN)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._watchdog.start()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_ready(self.address)


class ShortReasons:
    """Reports in one line why the store cannot be opened, instead of Starlette's trace."""

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
    """Create the default data folder. A folder that the operator chose must exist."""
    if store == default_store():
        try:
            data_dir().mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StartError(
                f"cannot create the folder {data_dir()}: {error.strerror or error}; "
                f"choose another store with {option('store')}"
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
            f"cannot listen on {host}, port {port}: {error.strerror or error}; "
            f"choose another with {option('host')} and {option('port')}"
        ) from error
    return listener


def _address(listener: socket.socket, host: str) -> str:
    port = listener.getsockname()[1]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"
