"""One socket: a seat of a room, or somebody who watches."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from tilerummy.play import commands as moves
from tilerummy.play.refusals import Refused
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.tiles import has_tile_twice
from tilerummy.server.edge.wire import EXTENSION, Wire
from tilerummy.server.jobs.advice import Advisor
from tilerummy.server.jobs.bot_pool import Thinkers
from tilerummy.server.limits.gate import Client, Gate
from tilerummy.server.live.bus import Place
from tilerummy.server.live.draft_sync import Mirror
from tilerummy.server.live.keeper import Held, Keeper
from tilerummy.server.live.presence import Presence
from tilerummy.server.live.scheduler import new_secret
from tilerummy.server.live.update import (
    Telling,
    events_message,
    reason_info,
    seats_of,
    snapshot_message,
)
from tilerummy.server.protocol import drafts, incoming
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.closing import Closing
from tilerummy.server.protocol.tiles import declared_in, table_in
from tilerummy.server.rooms import commands, events
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.room import Happened, Room
from tilerummy.server.store import StoreError
from tilerummy.server.telemetry.logs import Log
from tilerummy.server.telemetry.metrics import DONE, FAILED, REFUSED, Metrics

log = Log("tilerummy.sockets")

MOST_WAITING = 256
"""Messages that a slow client may be behind before its connection is closed."""
CLOSE_SECONDS = 1.0
"""For a client to be told that, and why, its connection is closed."""
PATIENCE = 20
"""Messages beyond the limit that are answered; then the connection is closed."""
HELLO_SECONDS = 15.0


class Surroundings(NamedTuple):
    """What every connection of a node shares."""

    keeper: Keeper
    presence: Presence
    mirror: Mirror
    thinkers: Thinkers
    gate: Gate
    metrics: Metrics


class Connection:
    """Reads commands, and writes what happens. Both tabs of a seat have one."""

    def __init__(
        self,
        socket: WebSocket,
        room: str,
        guest: str | None,
        limits: Client,
        around: Surroundings,
    ) -> None:
        self._socket = socket
        self._id = room
        self._guest = guest
        self._limits = limits
        self._keeper, self._presence, self._mirror = around[:3]
        thinkers, gate, self._metrics = around[3:]
        self._advisor = Advisor(self._keeper, thinkers, gate, self._metrics, limits, self._send)
        self._whole = False
        self._watches = True
        """Whether it has no seat."""
        self._delay = 0
        """Milliseconds by which those who watch are kept behind."""
        self._ready = asyncio.Event()
        self._wire: Wire | None = None
        """The short way, once the client has been welcomed."""
        self._out: deque[bytes] = deque()
        """What is to be sent."""
        self._sending = False
        """Whether the first of it is on its way."""
        self._late: deque[tuple[int, bytes]] = deque()
        """What is to be sent later, and when."""
        self._timer: asyncio.TimerHandle | None = None
        self._closing: int | None = None
        self._reading: asyncio.Task[Any] | None = None
        """The task that waits for a message, while it does."""
        self._held: Held | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._excess = 0

    # The life of a connection

    async def serve(self) -> None:
        """Until either side ends it."""
        writer: asyncio.Task[None] | None = None
        try:
            if not await self._begin():
                return
            self._wire = self._socket.scope.get("extensions", {}).get(EXTENSION)
            writer = asyncio.create_task(self._write())
            await self._read()
            await asyncio.wait((writer,), timeout=CLOSE_SECONDS)
        except WebSocketDisconnect:
            pass
        except StoreError as error:
            self._keeper.store.outage.note(error, room=self._id)
            await self._socket.close(Closing.LATER)
        finally:
            if self._timer is not None:
                self._timer.cancel()
            if self._held is not None:
                self._mirror.leave(self._held, self)
            self._keeper.unlisten(self._id, self)
            if self._held is not None and self._guest is not None:
                self._presence.go(self._id, self._guest)
            for task in (*self._tasks, *([writer] if writer else [])):
                task.cancel()

    async def _begin(self) -> bool:
        """The first message says what the client knows already."""
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                message = await self._receive()
        except TimeoutError:
            message = None
        if not isinstance(message, incoming.Hello):
            error = out.Error("no-hello", "the first message is a hello")
            await self._refuse_all(error, Closing.POLICY)
            return False
        held = await self._keeper.listen(self._id, self)
        if held is None:
            error = out.Error("no-room", "there is no such room any more")
            await self._refuse_all(error, Closing.NO_ROOM)
            return False
        self._held = held
        self._mirror.join(held, self)
        if message.version > held.room.version:  # the client was told by another node
            await self._keeper.catch_up(held)
        if self._guest is not None:
            await self._presence.arrive(self._id, self._guest)
        self._whole = message.whole
        self._delay = 1000 * held.room.settings.spectator_delay
        if self._delay and self._seat(held.room) is None:
            await self._welcome_late(held)
        else:
            await self._welcome(held, message.version)
        return True

    async def _welcome(self, held: Held, version: int) -> None:
        seat = self._seat(held.room)
        draft = None if seat is None else await self._mirror.kept(held, seat)
        # From here on nothing waits: what happens later is told after this.
        seat = self._seat(held.room)
        self._watches = seat is None
        missed = held.after(version) if version and not self._whole else None
        if missed is not None and any(map(self._sits_down, missed)):
            missed = None
        self._forget_unsent()
        if missed is None:
            self._send(snapshot_message(held.room, seat, self._keeper.store.now(), draft))
            return
        if missed:
            self._send(events_message(missed, seats_of(missed, self._guest)))
        if draft is not None:
            self._send(out.Draft(draft))

    def _sits_down(self, step: Happened) -> bool:
        event = step.logged.event
        return isinstance(event, events.Seated) and event.guest == self._guest is not None

    async def _welcome_late(self, held: Held) -> None:
        """Somebody who watches with a delay: the room as it was, and what has happened since."""
        now = self._keeper.store.now()
        room, later = await self._keeper.since(held, now - self._delay)
        self._forget_unsent()
        self._send(snapshot_message(room, None, now))
        for step in later:
            self._put(self._text(Telling([step])), step.at + self._delay)

    def _forget_unsent(self) -> None:
        self._out.clear()
        self._late.clear()

    @property
    def seat(self) -> int | None:
        return None if self._held is None else self._seat(self._held.room)

    def _seat(self, room: Room) -> int | None:
        return None if self._guest is None else room.seat_of(self._guest)

    async def _refuse_all(self, error: out.Error, why: Closing) -> None:
        await self._socket.send_text(out.encode(error).decode())
        await self._socket.close(why)

    # Writing

    def tell(self, telling: Telling) -> None:
        seat = self._seat(telling.room)
        watched, self._watches = self._watches, seat is None
        if watched and seat is not None:
            # No event says whose seat it is, and whoever sits down is no longer kept behind.
            self._late.clear()
            self._put(telling.snapshot(self._guest, self._keeper.store.now()))
        else:
            is_late = self._delay and watched and seat is None
            self._put(self._text(telling), telling.happened[-1].at + self._delay if is_late else 0)
        if seat is None and not watched and not telling.room.settings.spectators:
            self._close(Closing.NO_SPECTATORS)
        for step in telling.happened:
            if isinstance(step.logged.event, events.Dropped) and step.logged.event.seat == seat:
                self._spawn(self._presence.returned(self._id, step.logged.event.seat))

    def tell_draft(self, draft: out.DraftInfo) -> None:
        self._send(out.Draft(draft))

    def _send(self, message: out.Outgoing) -> None:
        self._put(out.encode(message))

    def _text(self, telling: Telling) -> bytes:
        if self._whole:
            return telling.snapshot(self._guest, self._keeper.store.now())
        return telling.events(self._guest)

    def _put(self, text: bytes, at: int = 0) -> None:
        if self._closing is not None:
            return
        if at and at > self._keeper.store.now():
            self._late.append((at, text))
            self._wait_for_late()
        elif self._is_idle() and self._wire is not None and self._wire.put(text):
            pass
        elif len(self._out) < MOST_WAITING:
            self._out.append(text)
            self._ready.set()
        else:
            self._out.clear()
            self._close(Closing.LATER)

    def _is_idle(self) -> bool:
        """Whether nothing waits to be sent."""
        return not self._out and not self._sending

    def _wait_for_late(self) -> None:
        if self._late and self._timer is None:
            wait = max(0, self._late[0][0] - self._keeper.store.now()) / 1000
            self._timer = asyncio.get_running_loop().call_later(wait, self._release)

    def _release(self) -> None:
        """Send what has been held back for long enough."""
        self._timer = None
        while self._late and self._late[0][0] <= self._keeper.store.now():
            self._put(self._late.popleft()[1])
        self._wait_for_late()

    def _close(self, code: int) -> None:
        """Close the connection, once what waits has been sent."""
        self._closing = code
        self._ready.set()
        if self._reading is not None:
            self._reading.cancel()

    def _is_closing(self) -> bool:
        return self._closing is not None

    async def _write(self) -> None:
        try:
            while self._closing is None or self._out:
                await self._ready.wait()
                self._ready.clear()
                self._sending = True
                while self._out:
                    await self._socket.send_text(self._out.popleft().decode())
                self._sending = False
            await self._socket.close(self._closing)
        except (WebSocketDisconnect, RuntimeError):
            return  # the other side is gone; the reader will notice

    # Reading

    async def _read(self) -> None:
        while not self._is_closing():
            try:
                message = await self._receive()
            except asyncio.CancelledError:
                if not self._is_closing():
                    raise
                return  # it was `_close`
            if message is None:
                continue
            began = time.perf_counter()
            outcome = await self._answer(message)
            name = type(message).__name__.lower()
            self._metrics.command(name, outcome, time.perf_counter() - began)

    async def _receive(self) -> incoming.Incoming | None:
        """The next message, or None if it was not readable; then the sender was told."""
        self._reading = asyncio.current_task()
        try:
            received = await self._socket.receive()
        finally:
            self._reading = None
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received.get("code", Closing.NORMAL))
        data: str | bytes = received.get("text") or received.get("bytes") or b""
        wait = self._limits.message()
        if wait:
            self._excess += 1
            self._metrics.limited("messages")
            if self._excess > PATIENCE:
                self._close(Closing.POLICY)
            self._send(out.Error("too-fast", f"slow down: wait {wait:.1f} s"))
            return None
        if len(data) > incoming.LARGEST:
            self._send(out.Error("too-large", f"a message has at most {incoming.LARGEST} bytes"))
            return None
        try:
            return incoming.decode(data)
        except msgspec.DecodeError as error:  # ValidationError is one
            self._send(out.Error("bad-message", str(error), _id_of(data)))
            return None
        except (UnicodeError, RecursionError):
            self._send(out.Error("bad-message", "a message is JSON in UTF-8"))
            return None

    async def _answer(self, message: incoming.Incoming) -> str:
        """Do what a message asks for; says how it went."""
        re = getattr(message, "id", None)
        try:
            await self._handle(message)
            return DONE
        except Refused as error:
            reasons = [] if error.verdict is None else error.verdict.reasons
            self._send(
                out.Refused(
                    re or "",
                    error.code,
                    str(error),
                    [reason_info(reason) for reason in reasons],
                )
            )
            return REFUSED
        except StoreError as error:
            self._keeper.store.outage.note(error, room=self._id)
            self._send(out.Error("unavailable", "this could not be stored: try again", re))
            return FAILED
        except TileRummyError as error:
            self._send(out.Refused(re or "", error.code, str(error)))
            return REFUSED
        except Exception:
            log.exception("a message failed", room=self._id, kind=type(message).__name__)
            self._send(out.Error("internal", "something went wrong here, not with you", re))
            return FAILED

    async def _handle(self, message: incoming.Incoming) -> None:
        assert self._held is not None, "the connection has begun"
        match message:
            case incoming.Ping():
                self._send(out.Pong(message.id, self._keeper.store.now()))
            case incoming.Ack():
                pass
            case incoming.Hello():
                raise Refused("twice", "one hello is enough")
            case incoming.Draft():
                await self._keep_draft(message)
            case incoming.Hint():
                room = self._held.room
                self._spawn(self._advisor.hint(message.id, room, self._seat(room)))
            case incoming.Missed():
                room = self._held.room
                seen_at = room.since + self._delay  # of the end, by a spectator
                behind = self._seat(room) is None and self._keeper.store.now() < seen_at
                self._spawn(self._advisor.missed(message.id, room, behind=behind))
            case _:
                seat = self._own_seat()
                done = await self._keeper.apply(
                    self._id, _command(message, seat), (seat, message.id), self._guest
                )
                # Whoever has left is told of it as others are, who have asked for nothing.
                if not done.now or isinstance(message, incoming.Leave):
                    self._send(out.Done(message.id, done.version))

    def _own_seat(self) -> int:
        assert self._held is not None
        seat = self._seat(self._held.room)
        if seat is None:
            raise Refused("no-seat", "you are only watching")
        return seat

    async def _keep_draft(self, message: incoming.Draft) -> None:
        """Mirror a draft, for the clock, for a reload and for other tabs."""
        seat = self._own_seat()
        held = self._held
        assert held is not None
        table, declared = table_in(message.table), declared_in(message.declared)
        if has_tile_twice(table):
            raise Refused("tile-twice", "the draft holds one tile twice")
        game = held.room.game
        if game is None or game.turn != message.turn or game.current != seat:
            return  # late: the turn is over
        draft = out.DraftInfo(message.turn, message.table, message.declared)
        data = drafts.encode(table, declared)
        await self._mirror.keep(Place(self._id, seat), draft, data, self)

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _command(message: incoming.Incoming, seat: int) -> Command:
    """What a message of a seat asks of the room. Raises TileError."""
    return _COMMANDS[type(message)](message, seat)


def _id_of(data: str | bytes) -> str | None:
    """The id of a message that is not readable otherwise, if it has one."""
    try:
        found = msgspec.json.decode(data, type=dict).get("id")
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found if isinstance(found, str) and len(found) <= 40 else None


_COMMANDS: dict[type, Callable[[Any, int], Command]] = {
    incoming.Begin: lambda m, seat: commands.Begin(seat, new_secret()),
    incoming.Bot: lambda m, seat: commands.AddBot(seat, m.bot, m.seat),
    incoming.Remove: lambda m, seat: commands.Remove(seat, m.seat),
    incoming.Leave: lambda m, seat: commands.Leave(seat),
    incoming.Seed: lambda m, seat: commands.Seed(seat, m.seed),
    incoming.Play: lambda m, seat: commands.TakeTurn(
        moves.Play(seat, table_in(m.table), declared_in(m.declared)), m.turn
    ),
    incoming.Draw: lambda m, seat: commands.TakeTurn(moves.Draw(seat), m.turn),
    incoming.Pass: lambda m, seat: commands.TakeTurn(moves.Pass(seat), m.turn),
    incoming.Ask: lambda m, seat: commands.Ask(seat, m.what, m.want, new_secret()),
    incoming.Say: lambda m, seat: commands.Say(seat, m.text),
    incoming.Emote: lambda m, seat: commands.Say(seat, emote=m.emote),
    incoming.Mute: lambda m, seat: commands.Mute(seat, m.seat, m.on),
}
