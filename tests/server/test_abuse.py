"""Fuzzing: for any input the server works, connections live, no tile is lost, no room is stuck.

Hypothesis makes up what rude clients send, by socket and by request, true to the protocol or not.
After it the same people have to be able to finish their game.
"""

from __future__ import annotations

import json
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any, get_args
from urllib.parse import quote

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from tests.server.live_server import Line, LiveServer, live_server, play_on
from tilerummy.bots.roster import BOTS
from tilerummy.rules.tiles import ALL_TILES
from tilerummy.server.protocol import incoming
from tilerummy.server.protocol.tiles import row_out
from tilerummy.server.rooms.chat import EMOTES
from tilerummy.server.rooms.room import Room

OPTIONS = {"match.games_per_round": 1, "hand_size": 4, "initial.min": 0, "timer.seconds": 0}
PACE = {"TILERUMMY_PACE_SEEDS": "20ms", "TILERUMMY_PACE_BOT": "0s"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("abuse"), PACE) as server:
        yield server


@pytest.fixture(scope="module")
def tokens(server: LiveServer) -> list[str]:
    return [server.guest("Ann"), server.guest("Bo")]


def rude(examples: int) -> settings:
    return settings(max_examples=examples, suppress_health_check=[*HealthCheck])


# What rude clients say

KINDS = st.sampled_from(["run", "group", "?"])
tiles = st.one_of(
    st.sampled_from(row_out(ALL_TILES[:200:7])),
    st.sampled_from(["J.1", "r0.1", "r14.1", "r7", "r7.9", "", "x", "r7.1 ", "R7.1", "J.3"]),
)
tables = st.lists(st.lists(tiles, max_size=5), max_size=4)
numbers = st.one_of(st.integers(-1, 12), st.sampled_from([2**31, 2**31 + 1, 2**63, -(2**63)]))
junk = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, st.floats(allow_nan=False), st.text(max_size=8)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "id": st.sampled_from(["a", "b", "c", "d", "x" * 40]),
    "version": numbers,
    "whole": st.booleans(),
    "bot": st.sampled_from([*BOTS, "skynet"]),
    "seat": st.one_of(st.none(), numbers),
    "seed": st.text(max_size=66),
    "transcript": st.text(max_size=66),
    "commitment": st.text(max_size=66),
    "turn": numbers,
    "table": tables,
    "declared": st.lists(
        st.fixed_dictionaries(
            {
                "set": st.lists(tiles, max_size=4),
                "as": st.sampled_from(["run", "group", "?"]) | st.lists(tiles, max_size=4),
            }
        )
    ),
    "about": numbers,
    "what": st.sampled_from(["pause", "more", "money", "remove", "stand-in"]),
    "want": st.booleans(),
    "on": st.booleans(),
    "text": st.text(max_size=210),
    "emote": st.sampled_from([*EMOTES, ""]),
}
LEAVING = ("leave", "remove", "vote")


def message_of(kind: type) -> st.SearchStrategy[dict[str, Any]]:
    """A message of the protocol whose fields are mostly what they should be."""
    info: Any = msgspec.inspect.type_info(kind)
    fields = {field.encode_name: VALUES[field.encode_name] for field in info.fields}
    return st.fixed_dictionaries({"type": st.just(info.tag), **fields})


messages = st.one_of([message_of(kind) for kind in get_args(incoming.Incoming)])


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, Any]:
    message = dict(draw(messages))
    key = draw(st.sampled_from([*message, "seat", "guest", "__class__"]))
    if draw(st.booleans()):
        message[key] = draw(junk)
    else:
        message.pop(key, None)
    return message


raw = st.one_of(
    messages.map(json.dumps),
    mutated().map(json.dumps),
    junk.map(json.dumps),
    st.text(max_size=20),
    st.binary(max_size=20),
    messages.map(json.dumps).map(lambda text: text[: len(text) // 2]),
    st.integers(10, 30_000).map(lambda size: '{"type": "say", "text": "' + "x" * size),
)


class Turn(msgspec.Struct, frozen=True):
    """Placeholder for the current turn, which is not known in advance."""

    kind: str
    table: list[list[str]]


right_turns = st.builds(Turn, st.sampled_from(["draw", "pass", "play", "draft"]), tables)
says = st.lists(
    st.tuples(st.integers(0, 3), st.one_of(raw, raw, right_turns), st.integers(1, 2)),
    min_size=1,
    max_size=25,
)
"""Who says what, and how often."""


def message_for(line: Line, what: str | bytes | Turn) -> str | bytes:
    if not isinstance(what, Turn):
        return what
    message = {"type": what.kind, "id": line.new_id(), "turn": line.known.turn}
    if what.kind == "draft":
        del message["id"]
    if what.kind in ("play", "draft"):
        message["table"] = what.table
    return json.dumps(message)


# What has to hold


def check_tiles(room: Room) -> None:
    """Every tile of the box is somewhere, once."""
    game = room.game
    if game is None or not game.racks:
        return
    found = Counter(game.pool)
    for row in (*game.racks, *game.table):
        found.update(row)
    assert found == Counter(game.edition.box(len(game.racks)).tiles())


def check_log(server: LiveServer) -> None:
    lines, server.complaints.lines = server.complaints.lines, []
    assert lines == []


def survive(server: LiveServer, tokens: list[str], said: list[tuple[int, Any, int]]) -> None:
    code = server.open(tokens[0], seats=2, options=OPTIONS)
    server.sit(code, tokens[1])
    with ExitStack() as stack:
        owners = [*tokens, tokens[0], None]
        lines = [stack.enter_context(Line(server, code, owner, hello={})) for owner in owners]
        lines[0].ask("begin")
        lines[0].until(lambda _: lines[0].known.phase == "playing")
        for number, what, often in said:
            for _ in range(often):
                lines[number].send(message_for(lines[number], what))
        for line in lines:
            line.settle()
        check_tiles(server.room(code))
        finish(server, code, lines[:2])
    check_log(server)


def finish(server: LiveServer, code: str, lines: list[Line]) -> None:
    """The remaining players play on until the match is over."""
    people = [line for line in lines if line.known.you is not None]
    room = server.room(code)
    if room.phase == "closed" or not people:
        return
    if room.phase == "lobby":  # after the end: they want another match
        host = next(line for line in people if line.known.you == room.host)
        if any(seat.is_free for seat in room.seats):
            host.ask("bot", bot="simple")
        assert host.ask("begin")["type"] == "events"
    if room.paused is not None:
        assert people[0].ask("ask", what="pause", want=False)["type"] == "events"
    play_on(people, lambda known: known.phase == "over")
    check_tiles(server.room(code))


@rude(15)
@given(says)
@example([(1, '{"type": "ask", "id": "a", "what": "pause"}', 1)] * 1)
@example([(0, json.dumps({"type": "leave", "id": "a"}), 2), (0, Turn("draw", []), 2)])
@example([(2, json.dumps({"type": "remove", "id": "a", "seat": 1}), 2)])
@example([(0, "[" * 16_000, 1), (1, "x" * 20_000, 1), (3, b"\xff" * 20, 2)])
def test_rude_clients_harm_nobody(
    server: LiveServer, tokens: list[str], said: list[tuple[int, Any, int]]
) -> None:
    survive(server, tokens, said)


@pytest.mark.soak
@rude(3000)
@given(says)
def test_soak_rude_clients_harm_nobody(
    server: LiveServer, tokens: list[str], said: list[tuple[int, Any, int]]
) -> None:
    survive(server, tokens, said)


def test_a_line_that_breaks_in_the_middle_leaves_no_trace(
    server: LiveServer, tokens: list[str]
) -> None:
    """Lines that end without a goodbye: before the hello, and in the middle of commands."""
    code = server.open(tokens[0], seats=2, options=OPTIONS)
    for number in range(6):
        line = Line(server, code, tokens[0], hello={} if number % 3 else None)
        with suppress(ConnectionClosed):  # of those who do not begin with a hello
            for _ in range(number):
                line.command("say", text=f"{number}")
        with suppress(OSError):  # the server may have been first, after a missing hello
            line.socket.socket.shutdown(socket.SHUT_RDWR)
        line.close()
    with Line(server, code, tokens[0], hello={}) as line:
        assert line.ask("say", text="hello")["type"] == "events"
    check_log(server)


# Requests

codes = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.sampled_from(["AAAAAA", "ſ", "..", "%00", "\x00"]),
)
paths = st.one_of(
    st.sampled_from(["/api/guests", "/api/me", "/api/rooms", "/healthz", "/readyz", "/metrics"]),
    st.builds(
        lambda code, rest: f"/api/rooms/{quote(code, safe='')}{rest}",
        codes,
        st.sampled_from(
            ["", "/seats", "/games", "/matches/1/record", "/matches/99999999999999999999/verify"]
        ),
    ),
    st.sampled_from(["/api/rooms/{code}", "/api/rooms/{code}/seats", "/api/rooms/{code}/socket"]),
)
options = st.dictionaries(st.sampled_from([*OPTIONS, "jokers", "copies", "?"]), junk, max_size=4)
room_settings = st.fixed_dictionaries(
    {},
    optional={
        "edition": st.sampled_from(["classic", "taiwan", "chess", ""]),
        "options": options,
        "seats": numbers,
        "rounds": numbers,
        "spectator_delay": numbers,
        "public": st.booleans(),
    },
)
bodies = st.one_of(
    st.fixed_dictionaries({"name": st.text(max_size=42)}, optional={"bearer": st.booleans()}),
    st.fixed_dictionaries({}, optional={"seat": st.one_of(st.none(), numbers)}),
    st.fixed_dictionaries(
        {"settings": room_settings},
        optional={"bots": st.lists(st.sampled_from([*BOTS, "?"]), max_size=7)},
    ),
    junk,
).map(lambda body: json.dumps(body).encode())
contents = st.one_of(bodies, bodies, st.binary(max_size=30), bodies.map(lambda body: body[:-1]))
methods = st.sampled_from(["GET", "POST", "POST", "POST", "PATCH", "PUT", "HEAD", "OPTIONS"])


def answer_well(
    server: LiveServer, token: str, code: str, method: str, path: str, body: bytes
) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    path = path.replace("{code}", code)
    answer = server._client.request(method, path, content=body, headers=headers)
    assert answer.status_code < 500
    assert answer.headers["x-content-type-options"] == "nosniff"
    if answer.status_code >= 400 and method != "HEAD":
        error = answer.json()
        assert set(error) == {"type", "code", "message"}
        assert len(error["message"]) < 2000
    check_log(server)


@pytest.fixture(scope="module")
def code(server: LiveServer, tokens: list[str]) -> str:
    return server.open(tokens[0])


@rude(200)
@given(methods, paths, contents)
def test_rude_requests_are_answered_well(
    server: LiveServer, tokens: list[str], code: str, method: str, path: str, body: bytes
) -> None:
    answer_well(server, tokens[1], code, method, path, body)


@pytest.mark.soak
@rude(5000)
@given(methods, paths, contents)
def test_soak_rude_requests_are_answered_well(
    server: LiveServer, tokens: list[str], code: str, method: str, path: str, body: bytes
) -> None:
    answer_well(server, tokens[1], code, method, path, body)
