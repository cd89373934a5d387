"""One WebSocket connection: a seat of a room, or a spectator."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from tilerummy.play.refusals import Refused
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.tiles import has_tile_twice
from tilerummy.server.edge.outbox import Outbox
from tilerummy.server.edge.services import Services
from tilerummy.server.edge.wire import EXTENSION, Wire
from tilerummy.server.jobs.advice import Advisor
from tilerummy.server.limits.rate_limiter import Client
from tilerummy.server.live.bus import SeatRef
from tilerummy.server.live.delayed import DelayedFeed, DelayedListener
from tilerummy.server.live.live_room import LiveRoom
from tilerummy.server.live.update import Update, events_message, seats_of, snapshot_message
from tilerummy.server.protocol import drafts, incoming, infos
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.closing import Closing
from tilerummy.server.protocol.hints import reason_info
from tilerummy.server.protocol.tiles import declared_in, table_in
from tilerummy.server.rooms import events
from tilerummy.server.rooms.events import Cause
from tilerummy.server.rooms.refusals import RoomRefused
from tilerummy.server.rooms.room import Room, Transition
from tilerummy.server.store import StoreError
from tilerummy.server.telemetry.logs import Log
from tilerummy.server.telemetry.metrics import DONE, FAILED, REFUSED

log = Log("tilerummy.sockets")

CLOSE_SECONDS = 1.0
"""Time to send the remaining messages and the close code."""
PATIENCE = 20
"""Messages beyond the rate limit that get an error; then the connection is closed."""
HELLO_SECONDS = 15.0
TALK = {
    incoming.Say,
    incoming.Emote,
    incoming.Mute,
    incoming.Ask,
    incoming.Vote,
    incoming.Back,
    incoming.Bot,
    incoming.Remove,
}
"""What players do besides playing; it has a rate limit of its own."""


class Connection:
    """Reads commands and sends updates. Each tab of a seat has its own connection."""

    def __init__(
        self,
        socket: WebSocket,
        room: str,
        guest: str | None,
        limits: Client,
        services: Services,
    ) -> None:
        self._socket = socket
        self._id = room
        self._guest = guest
        self._limits = limits
        self._keeper = services.keeper
        self._presence = services.presence
        self._draft_sync = services.draft_sync
        self._room_groups = services.room_groups
        self._metrics = services.metrics
        self._advisor = Advisor(
            services.keeper, services.bot_pool, services.gate, services.metrics, limits, self._send
        )
        self._outbox = Outbox(socket, services.send_budget, self._stop_reading)
        self._whole = False
        self._is_spectator = True
        self._delay = 0
        """The spectator delay in milliseconds."""
        self._feed: DelayedFeed | None = None
        """Where a delayed spectator gets the updates from."""
        self._known = 0
        """The version up to which the feed has nothing new for this client."""
        self._late = DelayedListener(self._notify_late)
        self._receive_event: Callable[[], Awaitable[Any]] = socket.receive
        self._reader: asyncio.Task[Any] | None = None
        """The task that reads messages."""
        self._is_receiving = False
        self._is_grouped = False
        self._live: LiveRoom | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._excess = 0

    # Life cycle

    async def serve(self) -> None:
        """Serve the connection until either side closes it."""
        writer: asyncio.Task[None] | None = None
        try:
            wire: Wire | None = self._socket.scope.get("extensions", {}).get(EXTENSION)
            if wire is not None:
                wire.on_flood = lambda: self._metrics.limited("frames")
            if not await self._begin():
                return
            if wire is not None:
                self._outbox.wire = wire
                self._receive_event = wire.receive
            writer = asyncio.create_task(self._outbox.run())
            # In its own task: resuming this one goes through a frame of every middleware.
            await asyncio.create_task(self._read())
            await asyncio.wait((writer,), timeout=CLOSE_SECONDS)
        except WebSocketDisconnect:
            pass
        except StoreError as error:
            self._keeper.store.outage.note(error, room=self._id)
            await self._socket.close(Closing.LATER)
        finally:
            self._outbox.end()
            if self._live is not None:
                self._draft_sync.leave(self._live, self)
            if self._feed is not None:
                self._feed.leave(self._late)
            self._keeper.unlisten(self._id, self)
            if self._live is not None and self._guest is not None:
                self._presence.go(self._id, self._guest)
            if self._is_grouped:
                self._room_groups.leave(self._id, self._limits.address)
            for task in (*self._tasks, *([writer] if writer else [])):
                task.cancel()

    async def _begin(self) -> bool:
        """The handshake: the first message says what the client already knows."""
        self._reader = asyncio.current_task()
        self._is_receiving = True
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                received = await self._receive_event()
            message = self._message_in(received)
        except TimeoutError:
            message = None
        finally:
            self._is_receiving = False
        if not isinstance(message, incoming.Hello):
            error = out.Error("no-hello", "the first message must be a hello")
            await self._refuse(error, Closing.POLICY)
            return False
        live = await self._keeper.listen(self._id, self)
        if live is None:
            error = out.Error("no-room", "this room does not exist any more")
            await self._refuse(error, Closing.NO_ROOM)
            return False
        self._live = live
        self._draft_sync.join(live, self)
        if message.version > live.room.version:  # another node had sent it to the client
            await self._keeper.catch_up(live)
        if self._guest is not None:
            self._room_groups.enter(self._id, self._limits.address)
            self._is_grouped = True
            await self._presence.arrive(self._id, self._guest)
        self._whole = message.whole
        self._delay = 1000 * live.room.settings.spectator_delay
        if self._delay and self._seat(live.room) is None:
            await self._welcome_delayed(live)
        else:
            await self._welcome(live, message.version)
        return True

    async def _welcome(self, live: LiveRoom, version: int) -> None:
        """Send what the client missed since `version`, or a snapshot."""
        seat = self._seat(live.room)
        draft = None if seat is None else await self._draft_sync.saved(live, seat)
        # No awaits from here on: later updates are queued after this message.
        seat = self._seat(live.room)
        self._is_spectator = seat is None
        missed = live.after(version) if version and not self._whole else None
        if missed is not None and any(map(self._sits_down, missed)):
            missed = None
        self._outbox.clear()
        if missed is None:
            self._send(snapshot_message(live.room, seat, self._keeper.store.now(), draft))
            return
        if missed:
            self._send(events_message(missed, seats_of(missed, self._guest)))
        if draft is not None:
            self._send(out.Draft(draft))

    def _sits_down(self, step: Transition) -> bool:
        event = step.entry.event
        return isinstance(event, events.Seated) and event.guest == self._guest is not None

    async def _welcome_delayed(self, live: LiveRoom) -> None:
        """For a delayed spectator: the room as it was, then the updates as they become due."""
        feed = await self._keeper.delayed(live)
        # No awaits from here on: later updates are queued after this message.
        self._outbox.clear()
        self._follow(feed, known=0)

    async def _follow_later(self, live: LiveRoom, known: int) -> None:
        """For a player who left: what they know already is not sent again."""
        feed = await self._keeper.delayed(live)
        if self._is_spectator and self._feed is None:
            self._follow(feed, known)

    def _follow(self, feed: DelayedFeed, known: int) -> None:
        """Send the updates of the feed that are newer than version `known`."""
        if feed.room.version > known:
            self._send(snapshot_message(feed.room, None, self._keeper.store.now()))
            known = feed.room.version
        self._known = known
        self._feed = feed
        feed.join(self._late)

    @property
    def seat(self) -> int | None:
        return None if self._live is None else self._seat(self._live.room)

    def _seat(self, room: Room) -> int | None:
        return None if self._guest is None else room.seat_of(self._guest)

    async def _refuse(self, error: out.Error, why: Closing) -> None:
        await self._socket.send_text(out.encode(error).decode())
        await self._socket.close(why)

    # Sending

    def notify(self, update: Update) -> None:
        seat = update.seat_of(self._guest)
        if seat is not None and not (self._is_spectator or self._whole or update.has_drops):
            self._outbox.put(update.events(self._guest))  # as almost always
            return
        was_spectator, self._is_spectator = self._is_spectator, seat is None
        if was_spectator and seat is not None:
            # Events do not say whose seat it is, and a player is not delayed any more.
            if self._feed is not None:
                self._feed.leave(self._late)
                self._feed = None
            self._outbox.put(update.snapshot(seat, self._keeper.store.now()))
        elif not was_spectator or not self._delay:
            self._put(update, seat)
            if seat is None and self._delay and not was_spectator and self._live is not None:
                self._spawn(self._follow_later(self._live, update.room.version))
        if seat is None and not was_spectator and not update.room.settings.spectators:
            self._outbox.close(Closing.NO_SPECTATORS)
        if update.has_drops and seat is not None and seat in update.dropped():
            self._spawn(self._presence.returned(self._id, seat))

    def send_draft(self, text: bytes) -> None:
        self._outbox.put(text)

    def _send(self, message: out.Outgoing) -> None:
        self._outbox.put(out.encode(message))

    def _put(self, update: Update, seat: int | None) -> None:
        if self._whole:
            text = update.snapshot(seat, self._keeper.store.now())
            self._outbox.put(text, replaceable=update.answers(seat) is None)
        else:
            self._outbox.put(update.events(self._guest if self._feed is None else None))

    def _notify_late(self, update: Update) -> None:
        new = [step for step in update.transitions if step.entry.seq > self._known]
        if new:
            self._put(update if len(new) == len(update.transitions) else Update(new), None)

    # Receiving

    def _stop_reading(self) -> None:
        if self._is_receiving and self._reader is not None:
            self._reader.cancel()

    async def _read(self) -> None:
        self._reader = asyncio.current_task()
        while not self._outbox.is_closing():
            self._is_receiving = True
            try:
                received = await self._receive_event()
            except asyncio.CancelledError:
                if not self._outbox.is_closing():
                    raise
                return  # cancelled by `_stop_reading`
            finally:
                self._is_receiving = False
            message = self._message_in(received)
            if message is None:
                continue
            began = time.perf_counter()
            outcome = await self._answer(message)
            name = type(message).__name__.lower()
            self._metrics.command(name, outcome, time.perf_counter() - began)

    def _message_in(self, received: Any) -> incoming.Incoming | None:
        """The message of an ASGI event, or None after an error was sent for an invalid one."""
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received.get("code", Closing.NORMAL))
        data: str | bytes = received.get("text") or received.get("bytes") or b""
        wait = self._limits.message()
        if wait:
            self._excess += 1
            self._metrics.limited("messages")
            if self._excess > PATIENCE:
                self._outbox.close(Closing.POLICY)
            self._send(out.Error("too-fast", f"slow down: wait {wait:.1f} s"))
            return None
        if len(data) > incoming.LARGEST:
            self._send(out.Error("too-large", f"a message has at most {incoming.LARGEST} bytes"))
            return None
        try:
            return incoming.decode(data)
        except msgspec.DecodeError as error:  # the base class of ValidationError
            self._send(out.Error("bad-message", str(error), _id_in(data)))
            return None
        except (UnicodeError, RecursionError):
            self._send(out.Error("bad-message", "a message is JSON in UTF-8"))
            return None

    async def _answer(self, message: incoming.Incoming) -> str:
        """Handle a message and report errors to the client; returns the outcome."""
        re = incoming.id_of(message)
        try:
            await self._handle(message)
            return DONE
        except Refused as error:
            reasons = [] if error.verdict is None else error.verdict.reasons
            self._send(out.refused(re or "", error, [reason_info(each) for each in reasons]))
            return REFUSED
        except StoreError as error:
            self._keeper.store.outage.note(error, room=self._id)
            self._send(out.Error("unavailable", "this could not be stored: try again", re))
            return FAILED
        except TileRummyError as error:
            self._send(out.refused(re or "", error))
            return REFUSED
        except Exception:
            log.exception("message failed", room=self._id, kind=type(message).__name__)
            self._send(out.Error("internal", "the server failed to handle this message", re))
            return FAILED

    async def _handle(self, message: incoming.Incoming) -> None:
        assert self._live is not None, "the handshake is done"
        match message:
            case incoming.Ping():
                self._send(out.Pong(message.id, self._keeper.store.now()))
            case incoming.Ack():
                pass
            case incoming.Hello():
                raise RoomRefused("twice", "send only one hello")
            case incoming.Draft():
                if self._may(self._limits.draft, "commands", None):
                    await self._save_draft(message, self._live)
            case incoming.Hint():
                room = self._live.room
                self._spawn(self._advisor.hint(message.id, room, self._seat(room)))
            case incoming.Missed():
                room = self._live.room
                seen_at = room.since + self._delay  # when a spectator sees the end
                behind = self._seat(room) is None and self._keeper.store.now() < seen_at
                self._spawn(self._advisor.missed(message.id, room, behind=behind))
            case _:
                seat = self._own_seat(self._live)
                if not self._may(self._limits.command, "commands", message.id):
                    return
                if type(message) in TALK and not self._may(self._limits.talk, "talk", message.id):
                    return
                cause = Cause(seat, message.id, incoming.digest(message))
                applied = await self._keeper.apply(
                    self._id, message.command(seat), cause, self._guest, self._limits.spend_cpu
                )
                # After leaving, updates have no `re` for this guest: they are a spectator now.
                if not applied.is_new or isinstance(message, incoming.Leave):
                    self._send(out.Done(message.id, applied.version))

    def _may(self, limit: Callable[[str, str], float], what: str, re: str | None) -> bool:
        """Whether a limit per guest and room allows a message; if not, sends an error."""
        wait = limit(self._id, self._guest or "")
        if wait:
            self._metrics.limited(what)
            self._send(out.Error("too-fast", f"slow down: wait {wait:.1f} s", re))
        return not wait

    def _own_seat(self, live: LiveRoom) -> int:
        seat = self._seat(live.room)
        if seat is None:
            raise RoomRefused("no-seat", "you have no seat: you are a spectator")
        return seat

    async def _save_draft(self, message: incoming.Draft, live: LiveRoom) -> None:
        """Save a draft: for the clock, for a reload and for other tabs."""
        seat = self._own_seat(live)
        table, declared = table_in(message.table), declared_in(message.declared)
        if has_tile_twice(table):
            raise RoomRefused("tile-twice", "the draft contains a tile twice")
        game = live.room.game
        if game is None or game.turn != message.turn or game.current != seat:
            return  # too late: the turn is over
        draft = infos.DraftInfo(message.turn, message.table, message.declared)
        data = drafts.encode(table, declared)
        await self._draft_sync.save(SeatRef(self._id, seat), draft, data, self)

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _id_in(data: str | bytes) -> str | None:
    """The id of an invalid message, if it has one."""
    try:
        found = msgspec.json.decode(data, type=dict).get("id")
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found if isinstance(found, str) and len(found) <= 40 else None
