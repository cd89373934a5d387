"""What happened in a room. A room is its list of events; its state is a fold over them.

Between the events of the room itself lie those of its games, as `play.events` has them. Both are
for the store: they hold secrets. What leaves the process is built by `seen`.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import msgspec

from tilerummy.play import events as play
from tilerummy.play import schema1
from tilerummy.rules.errors import TileRummyError
from tilerummy.server.rooms.settings import Settings

SCHEMA = 2


class LogError(TileRummyError):
    """Stored data that is no event of a known schema."""

    code = "bad-event"


class _Event(msgspec.Struct, frozen=True, tag=str.lower, forbid_unknown_fields=True):
    at: int


class Opened(_Event, frozen=True):
    """The room is there; `code` is the short name by which people find it."""

    room: str
    code: str
    settings: Settings


class Seated(_Event, frozen=True):
    """Somebody sits down: a guest, or a bot."""

    seat: int
    name: str
    guest: str | None = None
    bot: str | None = None


class Left(_Event, frozen=True):
    """A seat is given up, or taken away (`removed`). In a match a bot goes on in its place."""

    seat: int
    removed: bool = False
    bot: str | None = None


class Forgotten(_Event, frozen=True):
    """Somebody wants to be forgotten: seats that have their name get another, and what was said so
    far is not shown any more. The events before are changed too, but those who know the room from
    them are told so by this one."""

    seats: tuple[int, ...]
    name: str


class Hosted(_Event, frozen=True):
    """Who may add bots, remove seats and begin."""

    seat: int


class Began(_Event, frozen=True):
    """A match begins with those who sit here; their seats close ranks."""

    seats: tuple[int, ...]


class Dropped(_Event, frozen=True):
    """No connection of this seat is left."""

    seat: int


class Returned(_Event, frozen=True):
    """The seat is back, and plays for itself again."""

    seat: int


class Replaced(_Event, frozen=True):
    """A bot plays for a seat that is away."""

    seat: int
    bot: str


class Asked(_Event, frozen=True):
    """A seat wants, or no longer wants, `pause` or `more` (the next game, or a rematch)."""

    seat: int
    what: str
    want: bool


class Paused(_Event, frozen=True):
    """All who are here agreed, or nobody is here any more."""


class Resumed(_Event, frozen=True):
    pass


class ClockHeld(_Event, frozen=True):
    """The clock of a turn stands, for so many milliseconds at most."""

    turn: int
    most: int


class ClockReleased(_Event, frozen=True):
    """The clock goes on; so many milliseconds of the time it could have stood are not used."""

    turn: int
    unused: int


class Reopened(_Event, frozen=True):
    """After a match: the room is open for another, with those who are still there."""


class Said(_Event, frozen=True):
    seat: int
    text: str = ""
    emote: str = ""


class Muted(_Event, frozen=True):
    """A seat does not want to hear another any more, or again."""

    seat: int
    other: int
    on: bool


class Closed(_Event, frozen=True):
    why: str


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
"""The seat and the id of the command that led to an event."""


class Logged(NamedTuple):
    """An event at its place in the room's log."""

    seq: int
    event: LogEvent
    cause: Cause | None = None


_encoder = msgspec.json.Encoder()


def encode(event: LogEvent) -> bytes:
    """The event as it is stored."""
    if isinstance(event, msgspec.Struct):
        return _encoder.encode({"schema": SCHEMA, **msgspec.to_builtins(event)})
    return _encoder.encode(play.to_dict(event))


def decode(data: bytes) -> LogEvent:
    """The event of stored data, upgraded from older schemas. Raises LogError."""
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
        raise LogError(f"a stored event is not readable: {error}") from error


def _upgraded(raw: dict[str, Any]) -> dict[str, Any]:
    """An event of schema 1: a room keeps the rules that it was opened with."""
    settings = raw.get("settings")
    if isinstance(settings, dict):
        raw = {**raw, "settings": upgraded_settings(settings)}
    return raw


def upgraded_settings(settings: dict[str, Any]) -> dict[str, Any]:
    name, options = settings.get("edition", Settings().edition), settings.get("options", {})
    if not isinstance(options, dict):
        return settings
    return {**settings, "options": schema1.upgraded_options(name, options)}
