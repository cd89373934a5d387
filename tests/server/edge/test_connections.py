"""Connections that do not finish what they begin, and too many of them."""

from __future__ import annotations

import inspect
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol

from tests.server.live_server import PATIENCE, Line, LiveServer, live_server
from tilerummy.server.edge import connections
from tilerummy.server.edge.connections import HEAD_BYTES, HEAD_LINES
from tilerummy.server.edge.safety import bodies

MOST = 8
HEAD = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/guests HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    settings = {"TILERUMMY_LIMIT_TCP_CONNECTIONS": f"{MOST}"}
    with live_server(tmp_path_factory.mktemp("connections"), settings) as server:
        yield server
        assert server.complaints.lines == []


def connected(server: LiveServer) -> socket.socket:
    host, port = server.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)


def is_ended(connection: socket.socket) -> bool:
    """Wait until the server ends the connection."""
    try:
        while connection.recv(65536):
            pass
    except ConnectionResetError:
        pass
    return True


@pytest.mark.parametrize("begun", [b"", b"GET", HEAD])
def test_a_head_that_does_not_come_ends_the_connection(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    with connected(server) as connection:
        connection.sendall(begun)
        assert is_ended(connection)


def test_a_second_head_that_does_not_come_ends_the_connection(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connected(server) as connection:
        connection.sendall(HEAD + b"\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 ")
        monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
        connection.sendall(HEAD)
        assert is_ended(connection)


def test_a_body_that_does_not_come_is_answered(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.1)
    with connected(server) as connection:
        connection.sendall(POST)
        assert connection.recv(65536).startswith(b"HTTP/1.1 408 ")
        assert is_ended(connection)


def test_a_socket_outlives_the_time_for_heads(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    token = server.guest("Ann")
    code = server.open(token)
    with Line(server, code, token, hello={}) as line, connected(server) as silent:
        assert is_ended(silent), "later than the socket was opened"
        assert line.ask("say", text="still here")["type"] == "events"


def test_an_address_has_so_many_connections_and_gets_them_back(server: LiveServer) -> None:
    """Sockets count as well, and what is closed makes room."""
    token = server.guest("Ann")
    code = server.open(token)
    for _ in range(3):
        with ExitStack() as stack:
            stack.enter_context(Line(server, code, token, hello={})).receive()
            others = [stack.enter_context(connected(server)) for _ in range(MOST)]
            assert is_ended(others[-1]), "one is over the limit: the test's client is open too"
        wait_for_room(server)


def test_an_address_that_asks_too_much_gets_no_connection(tmp_path: Path) -> None:
    """To read its requests and refuse each costs far more than to open and close connections."""
    request = HEAD + b"Connection: close\r\n\r\n"
    with live_server(tmp_path, {"TILERUMMY_LIMIT_HTTP": "1/h burst 3"}) as flooded:
        for _ in range(3):
            assert answers(flooded, request).startswith(b"HTTP/1.1 404")
        assert answers(flooded, request) == b""


def answers(server: LiveServer, data: bytes) -> bytes:
    """All that the server sends until it ends the connection."""
    received = b""
    with connected(server) as connection, suppress(BrokenPipeError, ConnectionResetError):
        connection.sendall(data)
        while part := connection.recv(65536):
            received += part
    return received


@pytest.mark.parametrize(
    "head",
    [
        HEAD + b"a:\r\n" * HEAD_LINES + b"\r\n",
        HEAD + b"a: " + b"x" * HEAD_BYTES + b"\r\n\r\n",
        HEAD + b"a:\r\n" * HEAD_BYTES,
    ],
    ids=["many lines", "many bytes", "no end"],
)
def test_a_head_is_not_too_large(server: LiveServer, head: bytes) -> None:
    """Nor does it reach the parser, where thousands of headers take as long as many requests."""
    assert answers(server, head) in (b"", connections._TOO_LARGE)


def test_what_is_no_request_ends_the_connection_and_is_not_logged(
    server: LiveServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Clients could fill the disk with the lines of a log."""
    for data in (b"\x16\x03\x01", b"GET /\r\n\r\n", b"what?\r\n\r\n"):
        assert not answers(server, data).startswith(b"HTTP/1.1 200")
    upgrade = b"Connection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n"
    assert answers(server, b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + upgrade)
    assert [line for line in caplog.messages if "Invalid HTTP" in line or "upgrade" in line] == []


def test_requests_in_one_read_are_answered_in_turn(server: LiveServer) -> None:
    request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
    body = b"POST /api/guests HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\n\r\n"
    data = (request + b"\r\n") * 20 + body + b'{"name":"Ann"}'
    received = answers(server, data + request + b"Connection: close\r\n\r\n")
    assert received.count(b"HTTP/1.1 200 ") == 21
    assert received.count(b"HTTP/1.1 201 ") == 1


def test_no_more_than_a_head_waits_behind_a_request(server: LiveServer) -> None:
    """A client that sends on without reading the answers is cut off."""
    request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    received = answers(server, request * 4_000)
    assert received.count(b"HTTP/1.1 200 ") < 4_000


def test_a_body_in_chunks_is_refused_before_it_is_parsed(server: LiveServer) -> None:
    head = b"POST /api/guests HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connected(server) as connection:
        connection.sendall(head + b"1\r\nx\r\n" * 100)
        assert connection.recv(65536).startswith(b"HTTP/1.1 413 ")
        assert is_ended(connection)


def test_a_long_rest_of_a_refused_body_is_not_read(server: LiveServer) -> None:
    head = b"PATCH /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n"
    assert answers(server, head + b"x").startswith(b"HTTP/1.1 403 ")


def test_the_private_members_of_uvicorn_that_the_adapter_needs_exist() -> None:
    source = inspect.getsource(H11Protocol)
    for name in ("_unset_keepalive_if_required", "conn", "flow", "headers", "on_response_complete"):
        assert f"self.{name}" in source, name


def wait_for_room(server: LiveServer) -> None:
    """The server learns that connections are closed after the test does."""
    while True:
        with connected(server) as connection:
            connection.sendall(HEAD + b"Connection: close\r\n\r\n")
            try:
                if connection.recv(65536):
                    return
            except ConnectionResetError:
                pass


@pytest.mark.parametrize("path", ["/metrics%0a", "/readyz%0A", "/api/rooms%0a", "/join%0d"])
def test_a_path_has_no_line_break(server: LiveServer, path: str) -> None:
    with connected(server) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        answer = connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 404 ")
