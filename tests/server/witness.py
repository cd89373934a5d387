"""Witness client: keeps playing while servers fail, and records every message.

A witness connects to the first of several addresses, later to any of them, sends the version it
has, and retries every unanswered command with the same id (commands are idempotent). `evidence`
compares the messages it received and the commands it had confirmed with the store.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from tilerummy.client.seat import DISCONNECTS, ClientState, Seat
from tilerummy.client.seeds import Seeds
from tilerummy.rules.tiles import Table
from tilerummy.server.protocol import infos
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.tiles import row_out, table_in, table_out
from tilerummy.server.rooms import events
from tilerummy.solver.turns.best_turn import solve

SOON = 0.05
"""Seconds before the next try."""
CHATTY = 0.05
"""Probability of a reply to a chat message, low enough that replies die out."""
DAWDLES, DRAFTS, BOTCHES = 0.4, 0.3, 0.4
"""Probabilities: to wait for the clock, to send a draft before a turn, to draft a bad table."""
DRAFT_GAP = 1.1
"""Seconds from one draft to the next that a server has to look at."""
CLOCK_SKEW = 200
"""Milliseconds by which the clocks of nodes may differ."""

TURNS = ("play", "draw", "pass")
ALLOWED = {
    "commit": {"already-started", "already-fixed", "wrong-game"},
    "reveal": {"already-started", "not-fixed", "wrong-game"},
    "ask": {"wrong-moment"},
}
"""Why commands may be refused here: they can come late."""
LATE = {"too-late", "wrong-turn", "not-your-turn", "paused", "game-over"}
"""The same for turns, where there is a clock."""


class Acknowledged(NamedTuple):
    kind: str
    version: int
    first: int | None
    """The version of the first event that came with it, if there were any: what others did at the
    same moment may be among them."""


class Drafted(NamedTuple):
    """A draft that the server has confirmed in time."""

    game: int
    turn: int
    table: Table
    legal: bool


class Witness:
    def __init__(
        self,
        servers: Sequence[str],
        code: str,
        name: str,
        token: str,
        rng: random.Random,
        on_moment: Callable[[str], None],
    ) -> None:
        self.name = name
        self.known = ClientState()
        self._finishing = False
        self.settled = asyncio.Event()
        self.told: dict[int, out.OutEvent] = {}
        """Every event by its version."""
        self.sent: set[str] = set()
        self.acknowledged: dict[str, Acknowledged] = {}
        self.refused: dict[str, str] = {}
        self.drafted: list[Drafted] = []
        self.server = servers[0]
        self.lost = 0
        self.again = 0
        """How often the server asked for a command to be sent again."""
        self._servers = servers
        self._code = code
        self._token = token
        self._rng = rng
        self._on_moment = on_moment
        self._pending: dict[str, dict[str, Any]] = {}
        self._confirming: dict[str, Drafted] = {}
        self._did: set[Hashable] = set()
        self._seeds = Seeds(lambda: rng.randbytes(16).hex())
        self._ids = 0
        self._seat = self._new_seat()
        self._version = 0
        self._visit = 0
        """Counts the connections of this seat."""
        self._host: int | None = None
        self._bots: set[int] = set()
        self._game = 0
        self._deadline: int | None = None
        self._clock = False
        self._paused = False
        self._last_draft = 0.0

    # The connection

    async def live(self) -> None:
        """Until cancelled."""
        while True:
            try:
                await self._connect()
                while True:
                    await self._hear(await self._seat.receive())
            except DISCONNECTS:
                self.lost += 1
                await asyncio.sleep(self._rng.uniform(0, 2 * SOON))  # back off
            finally:
                await self._seat.close()

    async def _connect(self) -> None:
        if self.lost:
            self.server = self._rng.choice(self._servers)
        self._seat = self._new_seat()
        self._seat.known = self.known
        self._confirming.clear()
        self._visit += 1
        await self._seat.connect()
        for message in [*self._pending.values()]:  # perhaps it arrived, perhaps not
            await self._seat.send(message)
        await self._ping()  # where nothing was missed, nothing else would come

    def _new_seat(self) -> Seat:
        return Seat(self.server, self._code, self._token)

    async def _ping(self) -> str:
        id_ = self._new_id()
        await self._seat.send({"type": "ping", "id": id_})
        return id_

    async def look(self) -> out.Snapshot:
        """The snapshot that a new connection of this seat receives now."""
        while True:
            seat = Seat(self._rng.choice(self._servers), self._code, self._token)
            try:
                await seat.connect()
                message = await seat.receive()
                assert isinstance(message, out.Snapshot), message
                if message.version >= self.known.version:
                    return message
            except DISCONNECTS:
                await asyncio.sleep(SOON)
            finally:
                await seat.close()

    # Receiving

    async def _hear(self, message: out.Outgoing) -> None:
        match message:
            case out.Snapshot():
                assert message.version >= self._version, (
                    f"{self.name} was at {self._version} and is sent back to {message.version}"
                )
                self._look_around(message.room)
            case out.Events():
                first = message.version - len(message.events) + 1
                for version, event in enumerate(message.events, first):
                    self.told[version] = event
                    self._follow(event)
                self._answered(message.re, message.version, first)
            case out.Done():
                self._answered(message.re, message.version)
            case out.Refused():
                self._refused(message)
            case out.Error():
                await self._failed(message)
            case out.Pong():
                self._confirmed(message)
        self._version = self.known.version
        await self._act()

    def _look_around(self, room: infos.RoomInfo) -> None:
        self._host = room.host
        self._bots = {number for number, seat in enumerate(room.seats) if seat.kind == "bot"}
        self._paused = room.paused is not None
        self._clock = bool(room.settings.rules().timer_seconds)
        if room.game is not None:
            self._game, self._deadline = room.game.number, room.game.deadline

    def _follow(self, event: out.OutEvent) -> None:
        match event:
            case out.Created():
                self._game = event.number
                self._on_moment("dealing")
            case out.Began():
                self._host = event.host
                kinds = [seat.kind for seat in event.seats]
                self._bots = {number for number, kind in enumerate(kinds) if kind == "bot"}
            case out.Dealt() | out.Played() | out.Drew() | out.Passed():
                self._deadline = event.deadline
                if event.current in self._bots:
                    self._on_moment("bot")
            case events.Paused():
                self._paused = True
            case out.Resumed():
                self._paused, self._deadline = False, event.deadline
            case events.Returned():
                self._visit += event.seat == self.known.you
            case out.Ended():
                self._on_moment("ended")

    def _answered(self, re: str | None, version: int, first: int | None = None) -> None:
        if re is not None:
            message = self._pending.pop(re, None)
            assert message is not None, f"{self.name} was answered {re} twice"
            self.acknowledged[re] = Acknowledged(message["type"], version, first)

    def _refused(self, message: out.Refused) -> None:
        command = self._pending.pop(message.re)
        allowed = ALLOWED.get(command["type"], set())
        if command["type"] in TURNS and self._clock:
            allowed = LATE
        assert message.code in allowed, f"{self.name} asked {command} and got {message}"
        self.refused[message.re] = message.code

    async def _failed(self, message: out.Error) -> None:
        assert message.code == "unavailable", message
        if message.re is None:
            self._confirming.clear()  # it was a draft
        else:
            assert "try again" in message.message
            self.again += 1
            await asyncio.sleep(SOON)
            await self._seat.send(self._pending[message.re])

    def _confirmed(self, message: out.Pong) -> None:
        draft = self._confirming.pop(message.re, None)
        in_time = self._deadline is not None and message.now < self._deadline - CLOCK_SKEW
        if draft is not None and in_time and self.known.turn == draft.turn:
            self.drafted.append(draft)
            self._on_moment("drafted")

    # Acting

    async def finish(self) -> None:
        """Stop: at the end of the game, or with a pause if there is a clock."""
        self._finishing = True
        if self._seat.socket is not None:  # otherwise it will soon be
            with suppress(*DISCONNECTS):
                await self._ping()

    async def _act(self) -> None:
        known = self.known
        if self._rng.random() < CHATTY and not self._finishing:
            await self._ask({"type": "say", "text": f"{self.name} {self._rng.random()}"})
            self._on_moment("said")
        if known.phase == "lobby":
            if known.you is not None and known.you == self._host and self._first("begin"):
                await self._ask({"type": "begin"})
        elif known.phase == "dealing":
            message = self._seeds.message(known)
            if message is not None:
                await self._ask(message)
                self._on_moment(message["type"])
        elif known.phase == "playing":
            await self._play()
        elif known.phase == "between" and not self._finishing:
            await self._want_more()
        over = known.phase in ("between", "over") or (self._clock and self._paused)
        if self._finishing and over and not self._pending:
            self.settled.set()

    def _first(self, *what: Hashable) -> bool:
        is_first = what not in self._did
        self._did.add(what)
        return is_first

    async def _play(self) -> None:
        if self._clock and self._finishing:
            if not self._paused and self._first("pause", self._visit):
                await self._ask({"type": "ask", "what": "pause"})
        elif self.known.my_turn and self._first("turn", self._game, self.known.turn):
            await self._take_turn()

    async def _want_more(self) -> None:
        if self._first("more", self._game, self._visit):
            await self._ask({"type": "ask", "what": "more"})

    async def _take_turn(self) -> None:
        move = self._seat.move(solve(self.known.position, tidy=False))
        if self._rng.random() < DRAFTS:
            await self._draft(move)
        if self._clock and self._rng.random() < DAWDLES:
            await self._draft(move)
        else:
            await self._ask(move)
            self._on_moment("sent")

    async def _draft(self, move: dict[str, Any]) -> None:
        """Send a draft, then a query whose answer proves that the draft arrived."""
        now = asyncio.get_running_loop().time()
        if now < self._last_draft + DRAFT_GAP:
            return
        self._last_draft = now
        legal = move["type"] == "play" and self._rng.random() >= BOTCHES
        loose = [*table_out(self.known.table), row_out(self.known.rack[:1])]
        table = move["table"] if legal else loose
        said = move["declared"] if legal else []
        draft = {"type": "draft", "turn": move["turn"], "table": table, "declared": said}
        await self._seat.send(draft)
        shown = Drafted(self._game, move["turn"], table_in(table), legal)
        self._confirming[await self._ping()] = shown

    def _new_id(self) -> str:
        self._ids += 1
        return f"{self.name}-{self._ids}"

    async def _ask(self, message: dict[str, Any]) -> None:
        id_ = self._new_id()
        self.sent.add(id_)
        self._pending[id_] = {**message, "id": id_}
        await self._seat.send(self._pending[id_])

    def __str__(self) -> str:
        """Debug output: why a witness waits."""
        known = self.known
        return (
            f"{self.name}: version {known.version}, {known.phase}, seat {known.you}, game "
            f"{self._game}, turn {known.turn} of seat {known.current}, paused {self._paused}, "
            f"pending {[*self._pending.values()]}, lost {self.lost}"
        )
