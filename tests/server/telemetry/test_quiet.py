"""The complete log of a match at level debug: no tile, no room code, no token, no address."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.server.live_server import Line, live_server, play_on
from tilerummy.server.telemetry import logs

TILE = re.compile(r"\b(?:[rbko](?:1[0-3]|[1-9])(?:\.\d)?|[JDMC]\.\d)\b")
TURNS = 12


@pytest.fixture
def whole_log() -> Iterator[io.StringIO]:
    root, ours = logging.getLogger(), logging.getLogger(logs.OURS)
    handlers, levels = root.handlers[:], (root.level, ours.level)
    for handler in handlers:
        root.removeHandler(handler)
    stream = io.StringIO()
    logs.set_up("json", "debug", node="n1", stream=stream)
    yield stream
    for handler in root.handlers[:]:
        root.removeHandler(handler)
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(levels[0])
    ours.setLevel(levels[1])


def test_a_match_leaves_nothing_secret_in_the_log(whole_log: io.StringIO, tmp_path: Path) -> None:
    with live_server(tmp_path) as server, ExitStack() as stack:
        tokens = [server.guest(name) for name in ("Ann", "Bob")]
        code = server.open(tokens[0], seats=3, bots=("simple",), public=False, stand_in=False)
        server.sit(code, tokens[1])
        lines = [stack.enter_context(Line(server, code, each, hello={})) for each in tokens]
        spectator = stack.enter_context(Line(server, code, hello={}))
        for line in lines:
            line.receive()
        assert lines[0].ask("begin")["type"] == "events"
        play_on(lines, until=lambda known: known.turn >= TURNS)
        bad = lines[0].ask("play", turn=lines[0].known.turn, table=[["r1.0", "k2.0"]])
        assert bad["type"] in ("refused", "error")
        assert server.call("GET", f"/api/rooms/{code}/nothing")[0] == 404
        spectator.settle()
        sent = "".join(text for line in [*lines, spectator] for text in line.texts)
    assert len(TILE.findall(sent)) > 100, "tiles were sent, in the form that is looked for"
    found = whole_log.getvalue()
    assert '"event":"node started"' in found
    assert TILE.findall(found) == []
    for secret in (code, *tokens, "127.0.0.1"):
        assert secret.lower() not in found.lower()
