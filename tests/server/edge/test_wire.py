"""Floods of frames: the sender is disconnected, and everyone else is served meanwhile."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from unittest.mock import Mock

import pytest

from tests.server.live_server import PATIENCE, Line, LiveServer, live_server
from tests.server.rude.client import frame
from tilerummy.server.edge.wire import SLICE, WireProtocol
from tilerummy.server.ops.run import LARGEST_FRAME

PING, PONG, TEXT, FIRST_OF_MANY, CONTINUATION = 0x89, 0x8A, 0x81, 0x01, 0x00


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    settings = {"TILERUMMY_LIMIT_FRAMES": "50/s burst 300"}
    with live_server(tmp_path_factory.mktemp("wire"), settings) as server:
        yield server
        assert server.complaints.lines == []


class RawSocket:
    """A WebSocket client that can send any bytes."""

    def __init__(self, server: LiveServer, code: str) -> None:
        host, port = server.url.removeprefix("http://").split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=PATIENCE)
        head = (
            f"GET /api/rooms/{code}/socket HTTP/1.1",
            f"Host: {host}:{port}",
            f"Origin: {server.url}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==",
        )
        self.socket.sendall("\r\n".join([*head, "", ""]).encode())
        while b"\r\n\r\n" not in (answer := self.socket.recv(65536)):
            pass
        assert answer.startswith(b"HTTP/1.1 101")

    def send(self, data: bytes) -> bool:
        """Returns False once the server has closed the connection."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            return False
        return True

    def read_until(self, *wanted: bytes) -> bytes:
        """Read until all of these have come, or to the end."""
        received = b""
        try:
            while not all(each in received for each in wanted) or not wanted:
                part = self.socket.recv(65536)
                if not part:
                    break
                received += part
        except ConnectionResetError:
            pass
        return received


@pytest.fixture
def table(server: LiveServer) -> Iterator[tuple[str, Line]]:
    """The code of a room, and the line of its honest player."""
    token = server.guest("Ann")
    code = server.open(token)
    with Line(server, code, token, hello={}) as line:
        line.receive()
        yield code, line


FLOODS = {
    "pings": frame(PING),
    "pings with payload": frame(PING, b"x" * 100),
    "pongs": frame(PONG),
    "empty texts": frame(TEXT),
    "fragments": frame(CONTINUATION),
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_of_frames_closes_its_connection_alone(
    server: LiveServer, table: tuple[str, Line], flood: str
) -> None:
    code, honest = table
    before = limited(server)
    raw = RawSocket(server, code)
    with raw.socket:
        raw.send(frame(TEXT, b'{"type":"hello"}'))
        raw.read_until(b'"type":"snapshot"')
        if flood == "fragments":
            raw.send(frame(FIRST_OF_MANY))
        chunk = FLOODS[flood] * 1_000
        chunks = 0
        while raw.send(chunk):
            chunks += 1
            assert chunks < 10_000, "a flood is never ended"
        assert honest.ask("say", text="still here")["type"] == "events"
        received = raw.read_until()
    assert limited(server) == before + 1
    assert received.count(b"\x8a") < 2_000, "most pings have no answer"


def limited(server: LiveServer) -> float:
    """How many connections were closed for their frames."""
    name = 'tilerummy_limited_total{what="frames"} '
    lines = server.request("GET", "/metrics").text.splitlines()
    return sum(float(line.removeprefix(name)) for line in lines if line.startswith(name))


def test_a_client_that_pings_and_does_not_read_is_not_read_either(
    server: LiveServer, table: tuple[str, Line]
) -> None:
    """Pongs for a client that does not read do not pile up: its own sending blocks instead."""
    code, honest = table
    raw = RawSocket(server, code)
    protocols: list[Any] = [*server._server.server_state.connections]
    with raw.socket:
        for _ in range(200):
            if not raw.send(frame(PING, os.urandom(100)) * 100):
                break
        assert honest.ask("say", text="still here")["type"] == "events"
        waiting = [each.transport.get_write_buffer_size() for each in protocols]
    assert max(waiting) < 1 << 20


def test_a_message_may_come_byte_by_byte_and_in_slices(
    server: LiveServer, table: tuple[str, Line]
) -> None:
    code, _ = table
    raw = RawSocket(server, code)
    with raw.socket:
        for byte in frame(TEXT, b'{"type":"hello"}'):
            raw.send(bytes((byte,)))
        text = b'{"type":"ping","id":"' + b"x" * 40 + b'"}'
        long = b'{"type":"ping","id":"a"' + b" " * (3 * SLICE) + b"}"
        head = bytes((TEXT, 0x80 | 126)) + len(long).to_bytes(2, "big") + bytes(4)
        raw.send(frame(TEXT, text) + head + long)
        received = raw.read_until(b'"re":"a"')
    assert b'"re":"' + b"x" * 40 in received
    assert b'"re":"a"' in received


def test_many_messages_in_one_read_all_arrive(server: LiveServer, table: tuple[str, Line]) -> None:
    """More than may wait for the application, and more than one slice."""
    code, _ = table
    raw = RawSocket(server, code)
    with raw.socket:
        raw.send(frame(TEXT, b'{"type":"hello"}'))
        pings = [frame(TEXT, b'{"type":"ping","id":"p%d"}' % each) for each in range(200)]
        raw.send(b"".join(pings))
        received = raw.read_until(b'"re":"p199"')
    assert all(b'"re":"p%d"' % each in received for each in range(200))


def test_a_flood_before_the_hello_is_no_error_of_the_server(
    server: LiveServer, table: tuple[str, Line]
) -> None:
    """The application answers a missing hello after the connection is cut off."""
    code, honest = table
    raw = RawSocket(server, code)
    with raw.socket:
        while raw.send(frame(TEXT) * 1_000):
            pass
    assert honest.ask("say", text="still here")["type"] == "events"
    assert server.complaints.lines == []


def test_a_client_that_sends_on_after_the_close_is_cut_off(
    server: LiveServer, table: tuple[str, Line]
) -> None:
    """A frame that breaks the protocol is answered with a close frame; a flood goes on after it."""
    code, honest = table
    raw = RawSocket(server, code)
    with raw.socket:
        raw.send(frame(TEXT, b"[]"))  # no hello: closed with 1008
        raw.read_until(b"no-hello")
        sent = 0
        while raw.send(frame(PONG) * 1_000):
            sent += 1
            assert sent < 1_000, "it may send for ever"
    assert honest.ask("say", text="still here")["type"] == "events"


def test_frames_before_the_handshake_is_accepted_are_no_error_of_the_server(
    server: LiveServer, table: tuple[str, Line]
) -> None:
    code, honest = table
    host = server.url.removeprefix("http://")
    head = (
        f"GET /api/rooms/{code}/socket HTTP/1.1\r\nHost: {host}\r\nOrigin: {server.url}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    )
    name, port = host.split(":")
    for _ in range(5):
        with socket.create_connection((name, int(port)), timeout=PATIENCE) as early:
            early.sendall(head.encode())
            early.sendall(frame(0x83) * 10)  # no such opcode
            with suppress(ConnectionResetError):
                early.recv(65536)
    assert honest.ask("say", text="still here")["type"] == "events"
    assert server.complaints.lines == []


def test_a_message_that_does_not_end_is_closed_where_it_is_too_large(
    server: LiveServer, table: tuple[str, Line]
) -> None:
    code, _ = table
    raw = RawSocket(server, code)
    with raw.socket:
        raw.send(frame(FIRST_OF_MANY, b"x" * 125))
        sent = 0
        while raw.send(frame(CONTINUATION, b"x" * 125)):
            sent += 125
            assert sent < LARGEST_FRAME + 2**20, "it may grow for ever"


def test_frames_before_the_handshake_is_accepted_end_the_connection() -> None:
    """They would be kept for as long as a request of this address waits."""
    transport = Mock(spec=asyncio.Transport)
    protocol = WireProtocol.__new__(WireProtocol)
    protocol.transport, protocol.close_sent = transport, False
    protocol.handshake_initiated, protocol.handshake_complete = True, False
    protocol.data_received(frame(TEXT))
    transport.abort.assert_called_once()
    assert protocol._input == b""
