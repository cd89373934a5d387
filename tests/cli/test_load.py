"""`tilerummy load` from the command line, without a server to load."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.server.harness import ServerProcess, sqlite_url
from tests.services import free_port
from tilerummy.cli.main import app


def said(address: str, *arguments: str) -> str:
    """What it says where it cannot do what it should."""
    run = CliRunner().invoke(app, ["load", address, "--rooms", "1", "--seconds", "1", *arguments])
    assert run.exit_code == 1, run.output
    assert run.stdout == ""
    assert run.stderr.startswith("error: ")
    assert run.stderr.count("\n") == 1
    assert "urlopen" not in run.stderr
    assert "Errno" not in run.stderr
    return run.stderr


@contextmanager
def somebody_else(answer: bytes) -> Iterator[str]:
    """Another program that gives every client this answer."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            line, _ = listener.accept()
            with line:
                line.recv(4096)
                line.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.join(10)


def test_nobody_is_there() -> None:
    address = f"http://127.0.0.1:{free_port()}"
    assert said(address) == f"error: no answer from {address}: Connection refused\n"


def test_a_name_that_nobody_has() -> None:
    assert said("http://nobody.invalid").startswith("error: no answer from http://nobody.invalid")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno",
            "is not a tilerummy server",
        ),
        (b"220 mail.example ESMTP\r\n", "the answer is not HTTP"),
        (b"", "no answer from"),
    ],
)
def test_somebody_else_is_there(answer: bytes, expected: str) -> None:
    with somebody_else(answer) as address:
        assert expected in said(address)


@pytest.mark.parametrize(
    "address", ["127.0.0.1:8000", "https://x", "http://x:99999", "http://x/y", "http://[::1", ""]
)
def test_what_is_not_an_address(address: str) -> None:
    assert "such as http://127.0.0.1:8000" in said(address)


def test_servers_that_have_nothing_in_common(tmp_path: Path) -> None:
    settings = {"TILERUMMY_LIMIT_JOINS": "1000/s"}
    folders = tmp_path / "one", tmp_path / "two"
    for folder in folders:
        folder.mkdir()
    with (
        ServerProcess(sqlite_url(folders[0]), settings=settings) as one,
        ServerProcess(sqlite_url(folders[1]), settings=settings) as two,
    ):
        assert f"{two.url} and {one.url} do not share a store" in said(
            one.url, two.url, "--rooms", "2"
        )


def test_a_server_that_does_not_allow_it(tmp_path: Path) -> None:
    for name in ("JOINS", "REQUESTS"):
        settings = {f"TILERUMMY_LIMIT_{name}": "1/h burst 1"}
        with ServerProcess(sqlite_url(tmp_path), settings=settings) as server:
            assert "start it with TILERUMMY_LIMIT_JOINS" in said(server.url)
