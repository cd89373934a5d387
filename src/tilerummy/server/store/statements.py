"""The interface of a dialect: the statements that differ between databases.

Each database implements it in a module of its own; everything else is plain SQLAlchemy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import msgspec
from sqlalchemy import ColumnElement, Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

from tilerummy.server.store.values import Append, Claimed

Rows = list[tuple[Any, ...]]
Insert = sqlite.Insert | postgresql.Insert
"""An insert that supports `ON CONFLICT`."""


class Claim(NamedTuple):
    """A request to claim a timer that is known to be due."""

    room: str
    kind: str
    key: int
    lease_ms: int

    @property
    def what(self) -> tuple[str, str, int]:
        return self.room, self.kind, self.key


class SavedDraft(NamedTuple):
    room: str
    seat: int
    turn: int
    data: bytes


class Statements(Protocol):
    def __hash__(self) -> int: ...

    def insert(self, table: Table) -> Insert: ...

    def write_appends(self, connection: Connection, appends: list[Append]) -> set[str]:
        """Write everything; returns the rooms whose version matched."""
        ...

    def save_drafts(self, connection: Connection, saved: list[SavedDraft]) -> None: ...

    def time(self, now: int) -> ColumnElement[int]:
        """The time that leases are compared with; `now` is the clock of this process."""
        ...

    def claim_known(self, connection: Connection, now: int, claims: list[Claim]) -> list[bool]: ...

    def postpone(self, connection: Connection, timers: Sequence[Claimed]) -> None: ...

    def lock_migration(self, connection: Connection) -> None:
        """Let one process migrate at a time."""
        ...


def room_rows(appends: list[Append]) -> Rows:
    return [(append.version, *append.listing, append.room, append.expected) for append in appends]


def event_rows(appends: list[Append]) -> Rows:
    return [(append.room, *event) for append in appends for event in append.events]


def timer_removed_rows(appends: list[Append]) -> Rows:
    return [(append.room, *item) for append in appends for item in append.timers_removed]


def timer_set_rows(appends: list[Append]) -> Rows:
    return [(append.room, *item) for append in appends for item in append.timers_set]


def draft_rows(appends: list[Append]) -> Rows:
    return [(append.room, seat) for append in appends for seat in append.drafts_cleared]


# Rows that few appends have.


def has_more(append: Append) -> bool:
    """Whether an append has more than events, timers and cleared drafts."""
    return append.snapshot is not None or bool(append.seated or append.games or append.results)


def snapshot_rows(appends: list[Append]) -> Rows:
    return [
        (append.room, append.version, append.snapshot)
        for append in appends
        if append.snapshot is not None
    ]


def member_rows(appends: list[Append]) -> Rows:
    return [(append.room, guest) for append in appends for guest in append.seated]


def game_rows(appends: list[Append]) -> Rows:
    return [
        (append.room, *game._replace(options=_json(game.options), players=_json(game.players)))
        for append in appends
        for game in append.games
    ]


def result_rows(appends: list[Append]) -> Rows:
    return [(append.room, *result) for append in appends for result in append.results]


def _json(value: Any) -> Any:
    return msgspec.json.encode(value).decode()
