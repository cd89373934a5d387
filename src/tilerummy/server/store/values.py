"""What is given to the store, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class StoredEvent(NamedTuple):
    """An event at its place in the log of a room; places are counted from 1."""

    seq: int
    at: int
    cause: str | None
    data: bytes


class Listing(NamedTuple):
    """What a list of rooms shows of one, and changes with its events."""

    phase: str
    people: int
    free: int
    active_at: int
    closed_at: int | None = None


class FinishedGame(NamedTuple):
    """Where in the log a finished game stands, and what a record of it begins with."""

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
    """What a finished game was for one guest."""

    guest: str
    match: int
    game: int
    edition: str
    score: int
    won: bool
    players: int
    at: int


class Append(NamedTuple):
    """Events that follow each other in one room, with all that becomes true together with them."""

    room: str
    expected: int
    """The version of the room before: the place of its latest event, 0 for a new room."""
    events: Sequence[StoredEvent]
    listing: Listing
    timers_set: Sequence[tuple[str, int, int]] = ()
    """Kind, key and moment of what is due now and was not, or at another moment."""
    timers_removed: Sequence[tuple[str, int]] = ()
    """Kind and key of what is no longer due."""
    drafts_cleared: Sequence[int] = ()
    """The seats whose drafts are worthless now."""
    snapshot: bytes | None = None
    """The room after the events."""
    seated: Sequence[str] = ()
    """The guests whom these events name for the first time."""
    games: Sequence[FinishedGame] = ()
    results: Sequence[Result] = ()

    @property
    def version(self) -> int:
        """The version of the room after it."""
        return self.expected + len(self.events)


class Loaded(NamedTuple):
    """A room as it is stored: a snapshot, if there is one, and the events after it."""

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
    edition: str
    opened_at: int
    active_at: int


class Claimed(NamedTuple):
    """Something that is due, and ours to do until the lease is over."""

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
    """What a guest has played."""

    total: Tally
    by_edition: Mapping[str, Tally]


class Purged(NamedTuple):
    """How many were deleted."""

    rooms: int = 0
    guests: int = 0
