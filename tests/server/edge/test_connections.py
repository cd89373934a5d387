"""Connections that do not finish what they begin, and too many of them."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.server.live_server import PATIENCE, Line, LiveServer, live_server
from tilerummy.server.edge import connections
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
