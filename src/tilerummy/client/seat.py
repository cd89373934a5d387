"""A WebSocket client for one seat: says hello, follows events, resumes after a lost connection.

`tilerummy load` and the tests use it; `examples/client.py` is a minimal client.
"""

from __future__ import annotations

import asyncio
import http.client
import itertools
import json
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tilerummy.play.commit_reveal import SeedSource
from tilerummy.rules.declarations import Declaration, plain
from tilerummy.rules.editions import Edition
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import Row, Table, Tile
from tilerummy.server.protocol import infos
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.tiles import declared_in, row_in, row_out, table_in, table_out
from tilerummy.server.rooms import events
from tilerummy.solver.turns.solution import Solution

_decoder: msgspec.json.Decoder[out.Outgoing] = msgspec.json.Decoder(out.Outgoing)
_encode = msgspec.json.Encoder().encode


class UnreachableError(ConnectionError):
    """No tilerummy server answers at this address."""


class RequestError(Exception):
    """The server answered with an error."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code


async def request(
    server: str, method: str, path: str, body: Any = None, token: str | None = None
) -> Any:
    """Send an HTTP request; returns the JSON of the answer, or its text if it is not JSON.

    `body` is sent as JSON, `token` is that of a guest. Raises RequestError if the server answers
    with an error, and UnreachableError (an OSError) if there is no answer.
    """
    return await asyncio.to_thread(_request, server, method, path, body, token)


def _request(server: str, method: str, path: str, body: Any, token: str | None) -> Any:
    asked = urllib.request.Request(server + path, method=method)
    if body is not None:
        asked.data = json.dumps(body).encode()
        asked.add_header("Content-Type", "application/json")
    if token is not None:
        asked.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(asked, timeout=30) as answer:
            data = answer.read()
            is_json = answer.headers.get_content_type() == "application/json"
            return json.loads(data) if data and is_json else data.decode()
    except urllib.error.HTTPError as error:
        answered = error.read()
        try:
            found = json.loads(answered)
            raise RequestError(error.code, found["code"], found["message"]) from error
        except (ValueError, KeyError, TypeError):
            raise UnreachableError(
                f"{server} is not a tilerummy server: it answers {error.code}"
            ) from error
    except (OSError, http.client.HTTPException) as error:
        raise UnreachableError(f"no answer from {server}: {reason_of(error)}") from error


def reason_of(error: Exception) -> str:
    """The cause of a failed request, without the wrapping of the library."""
    if isinstance(error, urllib.error.URLError) and isinstance(error.reason, Exception):
        return reason_of(error.reason)
    if isinstance(error, http.client.HTTPException) and not isinstance(error, OSError):
        return "the answer is not HTTP"
    if isinstance(error, TimeoutError):
        return "timeout"
    return str(getattr(error, "strerror", None) or error)


class ClientState:
    """The state of a room as a client knows it, built from the messages it received."""

    def __init__(self) -> None:
        self.version = 0
        self.you: int | None = None
        self.room: infos.RoomInfo | None = None
        self.edition: Edition | None = None
        self.rack: list[Tile] = []
        self.table: Table = ()
        self.declared: dict[Row, Declaration] = {}
        self.opened: list[bool] = []
        self.pool = 0
        self.current = 0
        self.turn = 0
        self.phase = ""
        self.manipulation = True
        self.games_ended = 0
        self._players = 0
        self.shuffle_version = 0
        self.transcript = ""
        self.commitments: list[str | None] = []
        self.sources: list[SeedSource] = []
        self.seeds: list[str | None] = []

    @property
    def my_turn(self) -> bool:
        """Whether this seat is to move."""
        return self.phase == "playing" and self.current == self.you

    @property
    def position(self) -> Position:
        """The position of this seat, for the solver. Only after a snapshot, with a seat."""
        assert self.edition is not None, "there was a snapshot"
        assert self.you is not None, "there is a seat"
        return Position(
            self.edition,
            self.table,
            tuple(self.rack),
            self.opened[self.you],
            self.manipulation,
            self.declared,
        )

    def take(self, message: out.Outgoing) -> None:
        """Fold a message into the state. Raises GapError if events are missing."""
        if isinstance(message, out.Snapshot):
            self._snapshot(message)
        elif isinstance(message, out.Events):
            expected = self.version + len(message.events)
            if message.version != expected:
                raise GapError(f"expected version {expected}, received {message.version}")
            for event in message.events:
                self._event(event)
            self.version = message.version

    def _snapshot(self, message: out.Snapshot) -> None:
        room, game = message.room, message.room.game
        self.version, self.you, self.room = message.version, message.you, room
        self._players = len(room.seats)
        self.phase = room.phase
        self.edition = room.settings.rules()
        if room.match is not None:
            self.games_ended = max(self.games_ended, len(room.match.results))
        if game is not None:
            self.rack = list(row_in(game.rack))
            self._lay(game.table, game.declared)
            self.opened = list(game.opened)
            self.pool, self.current, self.turn = game.pool, game.current, game.turn
            self.manipulation = game.manipulation
            self.shuffle_version, self.transcript = game.shuffle_version, game.transcript
            self.commitments, self.seeds = list(game.commitments), list(game.seeds)
            self.sources = list(game.sources)

    def _lay(self, table: list[list[str]], declared: infos.Declared) -> None:
        self.table = table_in(table)
        self.declared = declared_in(declared)

    def _event(self, event: out.OutEvent) -> None:
        if isinstance(event, (out.Played, out.Drew, out.Passed)):
            self.current, self.turn = event.current, event.turn
            self.manipulation = event.manipulation
        match event:
            case out.Played():
                self._lay(event.table, event.declared)
                self.opened[event.seat] = True
                if event.seat == self.you:
                    laid = set(row_in(event.tiles))
                    self.rack = [tile for tile in self.rack if tile not in laid]
            case out.Drew():
                self.pool -= event.count
                self.rack += row_in(event.tiles)
            case out.Dealt():
                self.phase = "playing"
                self.rack, self.pool = list(row_in(event.rack)), event.pool
                self.table, self.declared = (), {}
                self.opened = [False] * len(event.rack_sizes)
                self.current, self.turn = event.current, event.turn
                self.manipulation = True
            case out.Created():
                self.phase = "dealing"
                self.shuffle_version = event.shuffle_version
                self._new_deal(event.transcript)
            case out.Cancelled():
                self._new_deal(event.transcript)
            case out.Committed():
                self.commitments[event.seat] = event.commitment
            case out.Fixed():
                self.sources = list(event.sources)
            case out.Revealed():
                self.seeds[event.seat] = event.seed
            case out.Ended():
                self.phase = event.phase
                self.games_ended += 1
            case out.Began() | out.Reopened():
                self.you = event.you
                self.phase = "lobby"
                self._players = len(event.seats)
            case events.Left() if event.seat == self.you:
                self.you = None
            case events.Closed():
                self.phase = "closed"

    def _new_deal(self, transcript: str) -> None:
        self.transcript = transcript
        self.commitments, self.seeds = [None] * self._players, [None] * self._players
        self.sources = []


class GapError(Exception):
    """A message skipped a version: events are missing."""


class Seat:
    """One connection of one seat; `known` is the state of its room.

    `token` is that of a guest who has a seat in the room. Calls `on_message` with every message.
    """

    def __init__(
        self,
        server: str,
        code: str,
        token: str,
        on_message: Callable[[out.Outgoing], None] | None = None,
    ) -> None:
        self._address = f"{server.replace('http', 'ws', 1)}/api/rooms/{code}/socket"
        self._headers = {"Authorization": f"Bearer {token}"}
        self._on_message = on_message
        self._ids = itertools.count(1)
        self.known = ClientState()
        self.socket: ClientConnection | None = None

    async def connect(self) -> None:
        """Open the socket and send the known version. Raises OSError or InvalidHandshake.

        A refusal arrives as an `error` message.
        """
        self.socket = await connect(
            self._address, additional_headers=self._headers, compression=None, max_size=2**20
        )
        with suppress(ConnectionClosed):
            await self.send({"type": "hello", "version": self.known.version})

    async def receive(self) -> out.Outgoing:
        """The next message, after it has updated the state.

        Raises ConnectionClosed, and GapError if events are missing.
        """
        assert self.socket is not None, "connect first"
        message = _decoder.decode(await self.socket.recv())
        self.known.take(message)
        if self._on_message is not None:
            self._on_message(message)
        return message

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message. Raises ConnectionClosed."""
        assert self.socket is not None, "connect first"
        await self.socket.send(_encode(message).decode())

    async def command(self, kind: str, id_: str | None = None, **fields: Any) -> str:
        """Send a command; returns its id. Raises ConnectionClosed."""
        id_ = id_ or f"c{next(self._ids)}"
        await self.send({"type": kind, "id": id_, **fields})
        return id_

    def move(self, found: Solution | None) -> dict[str, Any]:
        """The message that plays a solution, draws or passes."""
        known = self.known
        if found is not None and found.plays:
            return {
                "type": "play",
                "turn": known.turn,
                "table": table_out(found.table),
                "declared": plain(found.declared, row_out),
            }
        return {"type": "draw" if known.pool else "pass", "turn": known.turn}

    async def close(self) -> None:
        """Close the socket, if there is one."""
        if self.socket is not None:
            await self.socket.close()


DISCONNECTS = (OSError, ConnectionClosed, InvalidHandshake, TimeoutError)
"""Exceptions that mean a lost connection."""
