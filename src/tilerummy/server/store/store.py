"""The store: everything that the server persists, in SQLite or PostgreSQL."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Self

from sqlalchemy import Connection

from tilerummy.server.store import appends, claims, drafts, games, guests, reads, retention
from tilerummy.server.store.database import Database
from tilerummy.server.store.dialects import statements_of
from tilerummy.server.store.errors import CodeTaken
from tilerummy.server.store.group import Group
from tilerummy.server.store.opening import POOL, TIMEOUT, open_database
from tilerummy.server.store.outage import Outage
from tilerummy.server.store.readiness import Readiness, write_probe
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
    Snapshot,
    Statistics,
    StoredEvent,
)


class Store:
    """One per process. Every method raises Unavailable while the database is unavailable."""

    def __init__(self, database: Database) -> None:
        """For an open database with the newest schema: see `connect`."""
        self._database = database
        self.outage = Outage()
        self.readiness = Readiness(self._write_probe, self.outage)
        # The metrics read their counts of items and batches.
        self.grouped_appends = Group(self._append_all, key=lambda append: append.room)
        self.grouped_drafts = Group(self._save_drafts)
        self.grouped_claims = Group(self._claim_known, key=lambda claim: claim.what)
        self.grouped_news = Group(self._read_news, key=lambda wanted: wanted[0])

    @classmethod
    async def connect(cls, url: str, *, pool: int = POOL, timeout: float = TIMEOUT) -> Self:
        """Open the database at a URL and migrate it to the newest schema.

        On PostgreSQL, appends have their own connection and most other statements share `pool`
        connections. After `timeout` seconds without an answer, PostgreSQL counts as unavailable.
        """
        database = await open_database(url, pool=pool, timeout=timeout)
        if moment := await database.read(reads.latest_moment):
            database.start_clock(moment)
        return cls(database)

    async def close(self) -> None:
        """Write what is queued, then close the database."""
        grouped = (
            self.grouped_appends,
            self.grouped_drafts,
            self.grouped_claims,
            self.grouped_news,
        )
        for group in grouped:
            await group.drain()
        await self.readiness.close()
        await self._database.close()

    async def ready(self) -> bool:
        """Whether the database can be written, as of the last second; `readiness` says why not."""
        return await self.readiness.problem() is None

    @property
    def shared(self) -> bool:
        """Whether other processes may write to the database."""
        return self._database.shared

    def now(self) -> int:
        """The database's time in milliseconds. It is monotonic."""
        return self._database.now()

    # Rooms

    async def create(self, code: str, append: Append, *, edition: str, public: bool) -> None:
        """Store a new room with its first events. Raises CodeTaken."""
        appends.check(append)
        await self._database.write(_create, code, append, edition, public)

    async def append(self, append: Append) -> bool:
        """Store events. They are durable when this returns.

        Returns False and stores nothing if the room is not at the expected version. Concurrent
        appends share a transaction. Raises Unknown if the connection was lost and did not come
        back.
        """
        appends.check(append)
        return await self.grouped_appends.add(append)

    async def _append_all(self, batch: list[Append]) -> list[bool]:
        stored = await appends.append_all(self._database, batch)
        if any(stored):
            self.readiness.note_write()
        return stored

    async def _write_probe(self) -> None:
        await self._database.write_relaxed(write_probe, self._database.probe_bytes)

    async def load(self, room: str, limit: int | None = None) -> Loaded | None:
        """The latest snapshot of a room and the events after it, at most `limit` of them."""
        return await self._database.read(reads.load, room, limit)

    async def events(
        self, room: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[StoredEvent]:
        """The events of a room with `after` < `seq` <= `upto` or to the end, at most `limit`."""
        return await self._database.read(reads.read_events, room, after, upto, limit)

    async def news(self, room: str, after: int) -> list[StoredEvent]:
        """The events of a room after a version. Concurrent reads share one query."""
        return await self.grouped_news.add((room, after))

    async def _read_news(self, batch: list[tuple[str, int]]) -> list[list[StoredEvent]]:
        return await reads.read_news(self._database, batch)

    async def room_of(self, code: str) -> str | None:
        return await self._database.read(reads.room_of, code)

    async def versions(self, rooms: Sequence[str]) -> dict[str, int]:
        """The versions of the rooms, without those that do not exist."""
        return await self._database.read(reads.versions, rooms)

    async def public_rooms(self, limit: int) -> list[ListedRoom]:
        """Open public rooms with somebody here, one per host; the lobbies come first."""
        return await self._database.read(reads.public_rooms, limit)

    async def hosted_rooms(self, guest: str) -> int:
        """How many open public rooms a guest is the host of."""
        return await self._database.read(reads.hosted_rooms, guest)

    async def is_member(self, room: str, guest: str) -> bool:
        """Whether a guest has, or has had, a seat in a room."""
        return await self._database.read(reads.is_member, room, guest)

    # Drafts

    async def save_draft(self, room: str, seat: int, turn: int, data: bytes) -> None:
        """Store a draft, replacing the seat's previous one."""
        await self.grouped_drafts.add(SavedDraft(room, seat, turn, data))

    async def _save_drafts(self, batch: list[SavedDraft]) -> list[None]:
        latest = {(draft.room, draft.seat): draft for draft in batch}
        await self._database.write(drafts.save_drafts, list(latest.values()))
        return [None] * len(batch)

    async def drafts(self, room: str) -> list[Draft]:
        return await self._database.read(drafts.read_drafts, room)

    # Timers

    async def claim(
        self, limit: int, lease_ms: int, kinds: Sequence[str] | None = None
    ) -> list[Claimed]:
        """Claim up to `limit` due timers. No other process gets them until the lease ends.

        A claimed timer exists until an append removes or replaces it.
        """
        return await self._database.write_relaxed(
            claims.claim_due, self.now(), limit, lease_ms, kinds
        )

    async def claim_one(self, room: str, kind: str, key: int, lease_ms: int) -> bool:
        """Claim a timer that the caller knows to be due. False if it is leased or done."""
        return await self.grouped_claims.add(Claim(room, kind, key, lease_ms))

    async def _claim_known(self, batch: list[Claim]) -> list[bool]:
        return await self._database.write_relaxed(claims.claim_known, self.now(), batch)

    async def postpone(self, moments: Sequence[Claimed]) -> None:
        """Set new times for existing timers, without an event. Creates no timers, and skips those
        that another process is changing."""
        if moments:
            await self._database.write_relaxed(claims.postpone, moments)

    async def next_timer(self) -> int | None:
        """When the next timer can be claimed: at its time, or when its lease ends."""
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
        """Whether the guest exists. Rooms keep the name with which a guest took a seat."""
        return await self._database.write(guests.change_guest, guest, {"name": name})

    async def touch_guest(self, guest: str) -> None:
        """Record that a guest was seen now."""
        await self._database.write_relaxed(guests.change_guest, guest, {"seen_at": self.now()})

    async def rooms_of_guest(self, guest: str) -> list[str]:
        """The rooms in which a guest has had a seat, the newest first."""
        return await self._database.read(guests.rooms_of, guest)

    async def statistics(self, guest: str) -> Statistics:
        return await self._database.read(guests.statistics, guest)

    async def delete_guest(self, guest: str) -> list[str]:
        """Delete a guest: name, token and results.

        Returns the rooms whose events still hold the name. They hold it until `redact` replaces
        it or `purge` deletes the room.
        """
        return await self._database.write(guests.delete_guest, guest)

    # Finished games

    async def games(self, room: str, limit: int | None = None) -> list[FinishedGame]:
        """The finished games of a room, in order; the last ones, if there are more than `limit`."""
        return await self._database.read(games.finished_games, room, None, limit)

    async def record_bytes(self, room: str, match: int) -> int:
        """The size of the events of a match, from its first game to its last one."""
        return await self._database.read(games.record_bytes, room, match)

    async def record_log(
        self, room: str, match: int
    ) -> list[tuple[FinishedGame, list[StoredEvent]]]:
        """The finished games of a match, each with the events of the room during the game.

        They include events that are not of the game, such as chat.
        """
        return await self._database.read(games.record_log, room, match)

    # Erasure and retention

    async def redact(
        self,
        room: str,
        data: Mapping[int, bytes],
        players: Mapping[tuple[int, int], Sequence[str]],
        snapshot: Snapshot | None = None,
    ) -> None:
        """Replace the data of events, by sequence number, the players of finished games, by
        the numbers of match and game, and the snapshot of the room.

        Processes that hold the room must learn of it beforehand, from an event.
        """
        await self._database.write(games.redact, room, data, players, snapshot)

    async def purge(self, closed_before: int, guests_unseen_before: int) -> Purged:
        """Delete rooms that were closed, and guests who were last seen, before these times.

        A room is deleted with all its rows except the results of its guests. A guest is deleted
        with their results, but not while they are in an open room.
        """
        rooms = guests = 0
        while deleted := await self._database.write(retention.purge_rooms, closed_before):
            rooms += deleted
        while deleted := await self._database.write(retention.purge_guests, guests_unseen_before):
            guests += deleted
        if rooms or guests:
            await self._database.shrink()
        return Purged(rooms, guests)


def _create(connection: Connection, code: str, append: Append, edition: str, public: bool) -> None:
    values = {"id": append.room, "code": code, "version": 0, "public": public, "edition": edition}
    values |= {"opened_at": append.events[0].at, **append.listing._asdict()}
    done = connection.execute(
        statements_of(connection).insert(rooms).on_conflict_do_nothing(index_elements=["code"]),
        values,
    )
    if done.rowcount == 0:
        raise CodeTaken(f"the room code {code} is taken")
    appends.write_appends(connection, [append])
