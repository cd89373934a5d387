"""Data transfer objects: what the store takes and returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class StoredEvent(NamedTuple):
    """An event in the log of a room; `seq` starts at 1."""

    seq: int
    at: int
    cause: str | None
    data: bytes


class Listing(NamedTuple):
    """The columns of a room that a list of rooms shows and that events change."""

    phase: str
    people: int
    free: int
    here: int
    """People who are connected."""
    host: str | None
    """The guest who is the host of an open room."""
    active_at: int
    closed_at: int | None = None


class FinishedGame(NamedTuple):
    """The place of a finished game in the log, and the header of its record."""

    match: int
    game: int
    first_seq: int
    last_seq: int
    edition: str
    options: Mapping[str, Any]
    players: Sequence[str]
    rounds: int
    finished_at: int


class Result(NamedTuple):
    """The result of a finished game for one guest."""

    guest: str
    match: int
    game: int
    edition: str
    score: int
    won: bool
    players: int
    at: int


class Append(NamedTuple):
    """Consecutive events of one room, with everything that is written in the same transaction."""

    room: str
    expected: int
    """The version of the room before: the `seq` of its latest event, 0 for a new room."""
    events: Sequence[StoredEvent]
    listing: Listing
    timers_set: Sequence[tuple[str, int, int]] = ()
    """Kind, key and time of timers that are new or changed."""
    timers_removed: Sequence[tuple[str, int]] = ()
    """Kind and key of timers that are removed."""
    drafts_cleared: Sequence[int] = ()
    """Seats whose drafts are obsolete."""
    snapshot: bytes | None = None
    """The encoded room after the events."""
    seated: Sequence[str] = ()
    """Guests whom the log names for the first time with these events."""
    games: Sequence[FinishedGame] = ()
    results: Sequence[Result] = ()

    @property
    def version(self) -> int:
        """The version of the room after the append."""
        return self.expected + len(self.events)


class Snapshot(NamedTuple):
    """A serialised room at a version."""

    version: int
    data: bytes


class Loaded(NamedTuple):
    """A stored room: its snapshot, if any, and the events after it."""

    snapshot_version: int
    snapshot: bytes | None
    events: list[StoredEvent]

    @property
    def version(self) -> int:
        return self.snapshot_version + len(self.events)


class ListedRoom(NamedTuple):
    id: str
    code: str
    phase: str
    people: int
    free: int
    here: int
    edition: str
    opened_at: int
    active_at: int


class Claimed(NamedTuple):
    """A due timer that this process holds until the lease ends."""

    room: str
    kind: str
    key: int
    at: int


class Draft(NamedTuple):
    seat: int
    turn: int
    data: bytes


class Guest(NamedTuple):
    id: str
    name: str
    created_at: int
    seen_at: int


class Tally(NamedTuple):
    games: int = 0
    wins: int = 0
    points: int = 0


class Statistics(NamedTuple):
    """The results of a guest, in total and by edition."""

    total: Tally
    by_edition: Mapping[str, Tally]


class Purged(NamedTuple):
    """Numbers of deleted rows."""

    rooms: int = 0
    guests: int = 0
