"""The store: all that the server keeps, in SQLite or in PostgreSQL."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from typing import Self

from sqlalchemy import Connection

from tilerummy.server.store import appends, claims, drafts, games, guests, reads, retention
from tilerummy.server.store.database import Database
from tilerummy.server.store.dialects import statements_of
from tilerummy.server.store.errors import CodeTaken, StoreError
from tilerummy.server.store.group import Group
from tilerummy.server.store.opening import POOL, TIMEOUT, open_database
from tilerummy.server.store.outage import Outage
from tilerummy.server.store.schema import rooms
from tilerummy.server.store.statements import Claim, SavedDraft
from tilerummy.server.store.values import (
    Append,
    Claimed,
    Draft,
    FinishedGame,
    Guest,
    ListedRoom,
    Loaded,
    Purged,
    Statistics,
    StoredEvent,
)

READY_SECONDS = 2


class Store:
    """One for each process. Everything raises Unavailable where the database is not there."""

    def __init__(self, database: Database) -> None:
        """For a database that is open and has the newest schema: see `connect`."""
        self._database = database
        self.outage = Outage()
        # How many there were, and in how many transactions, is for the metrics.
        self.grouped_appends = Group(self._append_all, key=lambda append: append.room)
        self.grouped_drafts = Group(self._save_drafts)
        self.grouped_claims = Group(self._claim_known, key=lambda claim: claim.what)
        self.grouped_news = Group(self._read_news, key=lambda wanted: wanted[0])

    @classmethod
    async def connect(cls, url: str, *, pool: int = POOL, timeout: float = TIMEOUT) -> Self:
        """Open the database of an address, and bring it to the newest schema.

        On PostgreSQL `pool` connections are shared by all that is no append; after `timeout`
        seconds without an answer it counts as gone.
        """
        return cls(await open_database(url, pool=pool, timeout=timeout))

    async def close(self) -> None:
        """Let what waits be written, and go."""
        grouped = (
            self.grouped_appends,
            self.grouped_drafts,
            self.grouped_claims,
            self.grouped_news,
        )
        for group in grouped:
            await group.drain()
        await self._database.close()

    async def ready(self) -> bool:
        """Whether the database answers, soon."""
        try:
            await asyncio.wait_for(self._database.read(_nothing), READY_SECONDS)
        except (StoreError, TimeoutError):
            return False
        return True

    @property
    def shared(self) -> bool:
        """Whether other processes may change what is stored."""
        return self._database.shared

    def now(self) -> int:
        """The database's time in milliseconds. It never goes backwards."""
        return self._database.now()

    # Rooms

    async def create(self, code: str, append: Append, *, edition: str, public: bool) -> None:
        """Store a new room with its first events. Raises CodeTaken."""
        appends.check(append)
        await self._database.write(_create, code, append, edition, public)

    async def append(self, append: Append) -> bool:
        """Store events. When this returns they are on the disk.

        False, and nothing is stored, where the room does not have the expected version. Appends
        that wait at the same moment share a transaction. Raises Unknown where the connection was
        lost on the way and did not come back.
        """
        appends.check(append)
        return await self.grouped_appends.add(append)

    async def _append_all(self, batch: list[Append]) -> list[bool]:
        return await appends.append_all(self._database, batch)

    async def load(self, room: str) -> Loaded | None:
        """The latest snapshot of a room and the events after it."""
        return await self._database.read(reads.load, room)

    async def events(self, room: str, after: int = 0, upto: int | None = None) -> list[StoredEvent]:
        """The events of a room from place `after` + 1 to place `upto`, or to the end."""
        return await self._database.read(reads.read_events, room, after, upto)

    async def news(self, room: str, after: int) -> list[StoredEvent]:
        """The events of a room after a version, read together with those of other rooms."""
        return await self.grouped_news.add((room, after))

    async def _read_news(self, batch: list[tuple[str, int]]) -> list[list[StoredEvent]]:
        return await reads.read_news(self._database, batch)

    async def room_of(self, code: str) -> str | None:
        return await self._database.read(reads.room_of, code)

    async def versions(self, rooms: Sequence[str]) -> dict[str, int]:
        """The versions of those of the rooms that there are."""
        return await self._database.read(reads.versions, rooms)

    async def public_rooms(self, limit: int) -> list[ListedRoom]:
        """Open rooms that are listed for everybody; those where people may sit down come first."""
        return await self._database.read(reads.public_rooms, limit)

    # Drafts

    async def save_draft(self, room: str, seat: int, turn: int, data: bytes) -> None:
        """Keep a draft in the place of the seat's last one."""
        await self.grouped_drafts.add(SavedDraft(room, seat, turn, data))

    async def _save_drafts(self, batch: list[SavedDraft]) -> list[None]:
        latest = {(draft.room, draft.seat): draft for draft in batch}
        await self._database.write(drafts.save_drafts, list(latest.values()))
        return [None] * len(batch)

    async def drafts(self, room: str) -> list[Draft]:
        return await self._database.read(drafts.read_drafts, room)

    # What is due

    async def claim(
        self, limit: int, lease_ms: int, kinds: Sequence[str] | None = None
    ) -> list[Claimed]:
        """Take up to `limit` of what is due and nobody has; others keep away until the lease ends.

        What was claimed vanishes with the append that removes or replaces it.
        """
        return await self._database.write_relaxed(
            claims.claim_due, self.now(), limit, lease_ms, kinds
        )

    async def claim_one(self, room: str, kind: str, key: int, lease_ms: int) -> bool:
        """Take what the caller knows to be due. False where somebody has it, or has done it."""
        return await self.grouped_claims.add(Claim(room, kind, key, lease_ms))

    async def _claim_known(self, batch: list[Claim]) -> list[bool]:
        return await self._database.write_relaxed(claims.claim_known, self.now(), batch)

    async def postpone(self, moments: Sequence[Claimed]) -> None:
        """Put off what is due without an event. What is not due stays so, and what somebody else is
        just changing is left to them."""
        if moments:
            await self._database.write_relaxed(claims.postpone, moments)

    async def next_timer(self) -> int | None:
        """When there will be something to claim: the next moment, or the end of a lease."""
        return await self._database.read(claims.next_timer)

    # Guests

    async def add_guest(self, token_hash: bytes, name: str) -> Guest:
        now = self.now()
        guest = Guest(secrets.token_hex(8), name, now, now)
        await self._database.write(guests.add_guest, guest, token_hash)
        return guest

    async def guest_of(self, token_hash: bytes) -> Guest | None:
        return await self._database.read(guests.guest_of, token_hash)

    async def rename_guest(self, guest: str, name: str) -> bool:
        """Whether there is such a guest. Rooms keep the name under which somebody sat down."""
        return await self._database.write(guests.change_guest, guest, {"name": name})

    async def touch_guest(self, guest: str) -> None:
        """A guest was seen just now."""
        await self._database.write_relaxed(guests.change_guest, guest, {"seen_at": self.now()})

    async def rooms_of_guest(self, guest: str) -> list[str]:
        """The rooms in which a guest has had a seat, the newest first."""
        return await self._database.read(guests.rooms_of, guest)

    async def statistics(self, guest: str) -> Statistics:
        return await self._database.read(guests.statistics, guest)

    async def delete_guest(self, guest: str) -> list[str]:
        """Delete a guest: name, token and results.

        The answer names the rooms whose events still hold the name, which the other players need
        as long as the room is kept: until `purge`, or until `redact` has put another in its place.
        """
        return await self._database.write(guests.delete_guest, guest)

    # Finished games

    async def games(self, room: str) -> list[FinishedGame]:
        """The finished games of a room, in their order."""
        return await self._database.read(games.finished_games, room)

    async def record_log(
        self, room: str, match: int
    ) -> list[tuple[FinishedGame, list[StoredEvent]]]:
        """The finished games of a match with what happened in the room during each.

        Among the events of a game lie those of the room.
        """
        return await self._database.read(games.record_log, room, match)

    # Leaving

    async def redact(
        self,
        room: str,
        data: Mapping[int, bytes],
        players: Mapping[tuple[int, int], Sequence[str]],
    ) -> None:
        """Put data without a name in the place of events, and other names into finished games, by
        the numbers of match and game.

        Whoever has the room open has to be told by an event, beforehand. Its snapshot goes, and is
        made anew when the room is next appended to with one.
        """
        await self._database.write(games.redact, room, data, players)

    async def purge(self, closed_before: int, guests_unseen_before: int) -> Purged:
        """Delete rooms that were closed, and guests who were last seen, before these moments.

        A room goes with all that belongs to it, except the results of its guests; a guest goes
        with theirs, unless an open room needs them.
        """
        rooms = guests = 0
        while deleted := await self._database.write(retention.purge_rooms, closed_before):
            rooms += deleted
        while deleted := await self._database.write(retention.purge_guests, guests_unseen_before):
            guests += deleted
        return Purged(rooms, guests)


def _nothing(connection: Connection) -> None:
    connection.exec_driver_sql("SELECT 1").scalar()


def _create(connection: Connection, code: str, append: Append, edition: str, public: bool) -> None:
    values = {"id": append.room, "code": code, "version": 0, "public": public, "edition": edition}
    values |= {"opened_at": append.events[0].at, **append.listing._asdict()}
    done = connection.execute(
        statements_of(connection).insert(rooms).on_conflict_do_nothing(index_elements=["code"]),
        values,
    )
    if done.rowcount == 0:
        raise CodeTaken(f"there is a room {code} already")
    appends.write_appends(connection, [append])
