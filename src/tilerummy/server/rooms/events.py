"""Domain events: what happened in a room, as stored in its append-only log.

The log interleaves the room's own events with those of its games (`play.events`). Both contain
secrets and are for the store only; `protocol.projection` builds what leaves the process. Only a
`Public` event leaves it as it is.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from tilerummy.play import event_json, schema1
from tilerummy.play import events as play
from tilerummy.rules.errors import TileRummyError
from tilerummy.server.rooms.settings import Settings

SCHEMA = 2

Wish: TypeAlias = Literal["pause", "more"]
"""What players vote for: a pause, or more (the next game, or a rematch)."""
Motion: TypeAlias = Literal["remove", "stand-in"]
"""What the other players can agree on about a player: to remove them, or that a bot plays for
them."""
EmoteName: TypeAlias = Literal[
    "hello", "thanks", "well-played", "oops", "thinking", "hurry", "wow", "bye"
]
CloseReason: TypeAlias = Literal["idle", "nobody is left"]


class LogError(TileRummyError):
    """Stored data that is not an event of a known schema."""

    code = "bad-event"


class _Event(msgspec.Struct, frozen=True, tag=str.lower, forbid_unknown_fields=True):
    at: int


class Public(_Event, frozen=True, omit_defaults=True, forbid_unknown_fields=False):
    """The base of events that everybody may see whole. They are sent as they are: a field or a
    docstring of one is part of the protocol. An event with anything to hide has its own struct
    in `protocol.outgoing` and its case in `protocol.projection`."""


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


class Left(Public, frozen=True):
    """With `bot`, a bot continues in this place; otherwise the seat is free."""

    seat: int
    removed: bool = False
    bot: str | None = None


class Forgotten(Public, frozen=True):
    """A guest was erased: these seats have this name now. Discard the chat so far."""

    # The stored events before this one are redacted as well; this one is for rooms in memory.
    seats: tuple[int, ...]
    name: str


class Hosted(Public, frozen=True):
    """This seat is the host now."""

    seat: int


class Began(_Event, frozen=True):
    """A match began with these seats; free seats are removed and the others renumbered."""

    seats: tuple[int, ...]


class Dropped(Public, frozen=True):
    """The player is away: they have no connection any more."""

    seat: int


class Returned(Public, frozen=True):
    seat: int


class Replaced(Public, frozen=True):
    """A bot plays for a seat that is away, or that the others have voted about."""

    seat: int
    bot: str


class Asked(Public, frozen=True):
    """A seat voted for a wish, or withdrew its vote."""

    seat: int
    what: Wish
    want: bool


class Voted(Public, frozen=True):
    """A seat voted about another player, or withdrew its vote. A turn ends votes for `stand-in`."""

    seat: int
    about: int
    what: Motion
    want: bool


class Paused(Public, frozen=True):
    """Everybody who is here wants a pause, or everybody is away. The clock stops and moves are
    refused. If everybody was away, the pause ends when the first player returns."""


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


class Closed(Public, frozen=True):
    why: CloseReason


PublicSeatEvent: TypeAlias = Left | Forgotten | Hosted
PublicPlayEvent: TypeAlias = Dropped | Returned | Replaced | Asked | Voted | Paused
RoomEvent: TypeAlias = (
    Opened
    | Seated
    | PublicSeatEvent
    | Began
    | PublicPlayEvent
    | Resumed
    | ClockHeld
    | ClockReleased
    | Reopened
    | Said
    | Muted
    | Closed
)
LogEvent: TypeAlias = RoomEvent | play.Event


class Cause(NamedTuple):
    """The command that led to an event. Seat and id are the idempotency key."""

    seat: int
    id: str
    digest: str = ""
    """A short hash of the command, which tells a repetition from another command with the same id.
    Empty in events of earlier versions."""


class LogEntry(NamedTuple):
    """An event with its sequence number in the room's log."""

    seq: int
    event: LogEvent
    cause: Cause | None = None


_encoder = msgspec.json.Encoder()
# Threads decode events too, and msgspec crashes the process if one of them uses a type that another
# one is just preparing. A decoder prepares all of its types here, at import.
_prepared = msgspec.json.Decoder(RoomEvent)


def encode(event: LogEvent) -> bytes:
    """The stored form of an event."""
    if isinstance(event, msgspec.Struct):
        tag = event.__struct_config__.tag
        return _encoder.encode({"schema": SCHEMA, "type": tag, **msgspec.structs.asdict(event)})
    return _encoder.encode(event_json.to_dict(event))


def decode(data: bytes) -> LogEvent:
    """The event from its stored form, upgraded from older schemas. Raises LogError."""
    try:
        raw: dict[str, Any] = msgspec.json.decode(data, type=dict)
        if raw.get("type") in play.TYPES:
            return event_json.from_dict(raw)
        schema = raw.pop("schema", None)
        if schema == 1:
            raw = _upgraded(raw)
        elif schema != SCHEMA:
            raise LogError(f"a room event has schema 1 to {SCHEMA}, not {schema!r}")
        event: RoomEvent = msgspec.convert(raw, RoomEvent)
        if unknown := raw.keys() - {"type", *event.__struct_fields__}:
            raise LogError(f"a stored {raw['type']} event has unknown fields: {sorted(unknown)}")
        return event
    except (msgspec.MsgspecError, event_json.EventError) as error:
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
