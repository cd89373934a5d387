"""Domain events: what happened in a room, as stored in its append-only log.

The log interleaves the room's own events with those of its games (`play.events`). Both contain
secrets and are for the store only; `protocol.projection` builds what leaves the process.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from tilerummy.play import events as play
from tilerummy.play import schema1
from tilerummy.rules.errors import TileRummyError
from tilerummy.server.rooms.settings import Settings

SCHEMA = 2

Wish: TypeAlias = Literal["pause", "more"]
"""What players vote for: a pause, or more (the next game, or a rematch)."""
EmoteName: TypeAlias = Literal[
    "hello", "thanks", "well-played", "oops", "thinking", "hurry", "wow", "bye"
]
CloseReason: TypeAlias = Literal["idle", "nobody is left"]


class LogError(TileRummyError):
    """Stored data that is not an event of a known schema."""

    code = "bad-event"


class _Event(msgspec.Struct, frozen=True, tag=str.lower, forbid_unknown_fields=True):
    at: int


class Opened(_Event, frozen=True):
    """The room exists; `code` is the short name by which people find it."""

    room: str
    code: str
    settings: Settings


class Seated(_Event, frozen=True):
    """A guest or a bot took a seat."""

    seat: int
    name: str
    guest: str | None = None
    bot: str | None = None


class Left(_Event, frozen=True):
    """A guest left a seat, or the host removed them. During a match a bot takes their place."""

    seat: int
    removed: bool = False
    bot: str | None = None


class Forgotten(_Event, frozen=True):
    """A guest was erased: the seats with their name get another one, and the chat so far is
    dropped. The stored events before this one are redacted as well; this event informs those who
    hold the room in memory."""

    seats: tuple[int, ...]
    name: str


class Hosted(_Event, frozen=True):
    """This seat is the host now: it may add bots, remove people and begin."""

    seat: int


class Began(_Event, frozen=True):
    """A match began with these seats; free seats are removed and the others renumbered."""

    seats: tuple[int, ...]


class Dropped(_Event, frozen=True):
    """The seat has no connection any more."""

    seat: int


class Returned(_Event, frozen=True):
    """The guest is back and plays for themselves again."""

    seat: int


class Replaced(_Event, frozen=True):
    """A bot plays for a seat that is away."""

    seat: int
    bot: str


class Asked(_Event, frozen=True):
    """A seat voted for a wish, or withdrew its vote."""

    seat: int
    what: Wish
    want: bool


class Paused(_Event, frozen=True):
    """Everybody who is here agreed on a pause, or everybody is away."""


class Resumed(_Event, frozen=True):
    pass


class ClockHeld(_Event, frozen=True):
    """The clock of a turn is stopped, for at most this many milliseconds."""

    turn: int
    most: int


class ClockReleased(_Event, frozen=True):
    """The clock runs again; `unused` milliseconds of the hold are given back."""

    turn: int
    unused: int


class Reopened(_Event, frozen=True):
    """After a match: back to the lobby, with everybody who is still here."""


class Said(_Event, frozen=True):
    seat: int
    text: str = ""
    emote: EmoteName | Literal[""] = ""


class Muted(_Event, frozen=True):
    """A seat muted another one, or unmuted it."""

    seat: int
    other: int
    on: bool


class Closed(_Event, frozen=True):
    why: CloseReason


RoomEvent: TypeAlias = (
    Opened
    | Seated
    | Left
    | Forgotten
    | Hosted
    | Began
    | Dropped
    | Returned
    | Replaced
    | Asked
    | Paused
    | Resumed
    | ClockHeld
    | ClockReleased
    | Reopened
    | Said
    | Muted
    | Closed
)
LogEvent: TypeAlias = RoomEvent | play.Event

Cause: TypeAlias = tuple[int, str]
"""The seat and the id of the command that led to an event: the idempotency key."""


class LogEntry(NamedTuple):
    """An event with its sequence number in the room's log."""

    seq: int
    event: LogEvent
    cause: Cause | None = None


_encoder = msgspec.json.Encoder()


def encode(event: LogEvent) -> bytes:
    """The stored form of an event."""
    if isinstance(event, msgspec.Struct):
        return _encoder.encode({"schema": SCHEMA, **msgspec.to_builtins(event)})
    return _encoder.encode(play.to_dict(event))


def decode(data: bytes) -> LogEvent:
    """The event from its stored form, upgraded from older schemas. Raises LogError."""
    try:
        raw: dict[str, Any] = msgspec.json.decode(data, type=dict)
        if raw.get("type") in play.TYPES:
            return play.from_dict(raw)
        schema = raw.pop("schema", None)
        if schema == 1:
            raw = _upgraded(raw)
        elif schema != SCHEMA:
            raise LogError(f"a room event has schema 1 to {SCHEMA}, not {schema!r}")
        event: RoomEvent = msgspec.convert(raw, RoomEvent)
        return event
    except (msgspec.MsgspecError, play.EventError) as error:
        raise LogError(f"a stored event cannot be read: {error}") from error


def _upgraded(raw: dict[str, Any]) -> dict[str, Any]:
    """Upgrade an event of schema 1: a room keeps the rules with which it was opened."""
    settings = raw.get("settings")
    if isinstance(settings, dict):
        raw = {**raw, "settings": upgraded_settings(settings)}
    return raw


def upgraded_settings(settings: dict[str, Any]) -> dict[str, Any]:
    name, options = settings.get("edition", Settings().edition), settings.get("options", {})
    if not isinstance(options, dict):
        return settings
    return {**settings, "options": schema1.upgraded_options(name, options)}
