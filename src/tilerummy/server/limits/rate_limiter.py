"""Rate limits per connection and per address, with token buckets."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import NamedTuple

from tilerummy.server.limits.addresses import visitor
from tilerummy.server.limits.buckets import Bucket, Clock, Rate, take

REFUSALS = Rate(1, 10)
"""Sockets per address that are opened only to send an error, which a slow client can keep open for
seconds. Beyond this rate sockets are refused without an error."""

LONGEST_QUEUE = 2.0
"""Seconds that a request may wait; those that would wait longer are refused."""


class Limits(NamedTuple):
    """The limits of one node."""

    messages: Rate = Rate(10, 40)
    """Messages per connection."""
    frames: Rate = Rate(50, 300)
    """WebSocket frames per connection, whatever their kind."""
    address_messages: Rate = Rate(200, 800)
    """Messages per address, which many players may share."""
    joins: Rate = Rate(0.5, 30)
    """Rooms opened or joined, and guests created, per address."""
    public_rooms: Rate = Rate(1 / 30, 20)
    """Public rooms opened per address."""
    misses: Rate = Rate(0.1, 30)
    """Room codes that do not exist, per address. Beyond this rate only players of a room find it
    from that address."""
    http: Rate = Rate(200, 400)
    """HTTP requests of any kind per address, files of the page included; beyond it they wait."""
    requests: Rate = Rate(20, 200)
    """All other requests, and sockets opened, per address."""
    records: Rate = Rate(0.5, 20)
    """Records exported or verified, and rule books read, per address."""
    commands: Rate = Rate(10, 40)
    """Commands and drafts per guest and room, from all tabs together."""
    address_commands: Rate = Rate(25, 1000)
    """Commands per address, which many players may share: what they change is stored for months."""
    address_cpu: Rate = Rate(0.1, 2)
    """CPU seconds for judging commands, per address."""
    talk: Rate = Rate(1, 10)
    """Chat messages, emotes, mutes and requests for a pause, per guest and room."""
    hints: Rate = Rate(0.2, 3)
    """Hints per connection."""
    address_hints: Rate = Rate(2, 20)
    """Hints per address."""
    connections: int = 100
    """Concurrent sockets per address."""
    tcp_connections: int = 250
    """Concurrent TCP connections per address, except from trusted proxies."""
    addresses: int = 10_000
    """Addresses without a connection that are remembered."""
    solver_cpu: Rate = Rate(0.5, 10)
    """CPU seconds for the hints of one room."""
    solver_at_once: int = 2
    """Hints of one room in the queue; they are computed one after the other, fair by room."""
    records_cpu: Rate = Rate(0.5, 10)
    """CPU seconds for all records together."""
    records_at_once: int = 8
    """Record requests in the queue; they are processed one after the other."""


class _Visitor:
    """The buckets of one address."""

    __slots__ = (
        "commands",
        "connections",
        "cpu",
        "hints",
        "http",
        "joins",
        "messages",
        "misses",
        "public_rooms",
        "records",
        "refusals",
        "requests",
    )

    def __init__(self, limits: Limits, now: float) -> None:
        self.messages = Bucket(limits.address_messages, now)
        self.http = Bucket(limits.http, now)
        self.commands = Bucket(limits.address_commands, now)
        self.cpu = Bucket(limits.address_cpu, now)
        self.joins = Bucket(limits.joins, now)
        self.requests = Bucket(limits.requests, now)
        self.records = Bucket(limits.records, now)
        self.public_rooms = Bucket(limits.public_rooms, now)
        self.misses = Bucket(limits.misses, now)
        self.refusals = Bucket(REFUSALS, now)
        self.hints = Bucket(limits.address_hints, now)
        self.connections = 0


class RateLimiter:
    """The rate limits of all clients of one node.

    Addresses with a connection are always remembered; the others in a bounded LRU cache.
    """

    def __init__(self, limits: Limits, clock: Clock = time.monotonic) -> None:
        self.limits = limits
        self.clock = clock
        self._present: dict[str, _Visitor] = {}
        self._past: OrderedDict[str, _Visitor] = OrderedDict()
        self._talk: OrderedDict[tuple[str, str], Bucket] = OrderedDict()
        self._commands: OrderedDict[tuple[str, str], Bucket] = OrderedDict()

    def __len__(self) -> int:
        """The number of remembered addresses."""
        return len(self._present) + len(self._past)

    def http(self, address: str) -> float:
        """A client sends any request: the seconds for which it waits.

        Requests queue: each waits a little longer than the one before.
        """
        bucket = self._visitor(visitor(address)).http
        wait = bucket.lack(self.clock())
        if wait <= LONGEST_QUEUE:
            bucket.spend()
        return wait

    def is_flooding(self, address: str) -> bool:
        """Whether the next request of an address would be refused; takes nothing."""
        return self._visitor(visitor(address)).http.lack(self.clock()) > LONGEST_QUEUE

    def join(self, address: str) -> float:
        """A client opens or joins a room, or becomes a guest."""
        return take(self.clock(), self._visitor(visitor(address)).joins)

    def request(self, address: str) -> float:
        """A client sends another request, or opens a socket."""
        return take(self.clock(), self._visitor(visitor(address)).requests)

    def public_room(self, address: str) -> float:
        """A client opens a public room."""
        return take(self.clock(), self._visitor(visitor(address)).public_rooms)

    def misses_left(self, address: str) -> float:
        """Seconds until a client may look for another room that may not exist; takes nothing."""
        return self._visitor(visitor(address)).misses.lack(self.clock())

    def miss(self, address: str) -> None:
        """A client gave a room code that does not exist."""
        self._visitor(visitor(address)).misses.spend()

    def record(self, address: str) -> float:
        """A client exports or verifies a record."""
        found = self._visitor(visitor(address))
        return take(self.clock(), found.requests, found.records)

    def talk(self, room: str, guest: str) -> float:
        """A guest talks in a room, from whatever tab or address."""
        return self._take_for(self._talk, self.limits.talk, (room, guest))

    def command(self, room: str, guest: str, *shared: Bucket) -> float:
        """A guest sends a command or a draft to a room, from whatever tab or address."""
        return self._take_for(self._commands, self.limits.commands, (room, guest), *shared)

    def _take_for(
        self,
        buckets: OrderedDict[tuple[str, str], Bucket],
        rate: Rate,
        key: tuple[str, str],
        *shared: Bucket,
    ) -> float:
        """Take a token from the bucket of this key and from those that it shares with others."""
        now = self.clock()
        bucket = buckets.get(key)
        if bucket is None:
            buckets[key] = bucket = Bucket(rate, now)
            while len(buckets) > self.limits.addresses:
                buckets.popitem(last=False)
        else:
            buckets.move_to_end(key)
        return take(now, bucket, *shared)

    def refuse(self, address: str) -> bool:
        """Whether a client that may not connect gets an error first."""
        return not take(self.clock(), self._visitor(visitor(address)).refusals)

    def connect(self, address: str) -> Client | None:
        """A new connection, None if there are too many. The caller closes it."""
        key = visitor(address)
        found = self._visitor(key)
        if found.connections >= self.limits.connections:
            return None
        found.connections += 1
        self._past.pop(key, None)
        self._present[key] = found
        return Client(self, key, found)

    def _visitor(self, key: str) -> _Visitor:
        if found := self._present.get(key):
            return found
        found = self._past.pop(key, None) or _Visitor(self.limits, self.clock())
        self._remember(key, found)
        return found

    def _remember(self, key: str, found: _Visitor) -> None:
        self._past[key] = found
        while len(self._past) > self.limits.addresses:
            self._past.popitem(last=False)

    def _leave(self, key: str, found: _Visitor) -> None:
        found.connections -= 1
        if not found.connections:
            del self._present[key]
            self._remember(key, found)


class Client:
    """The limits of one connection: `with rate_limiter.connect(address) as client`."""

    __slots__ = ("_hints", "_key", "_limiter", "_messages", "_open", "_visitor")

    def __init__(self, limiter: RateLimiter, key: str, found: _Visitor) -> None:
        now = limiter.clock()
        self._limiter = limiter
        self._key = key
        self._visitor = found
        self._messages = Bucket(limiter.limits.messages, now)
        self._hints = Bucket(limiter.limits.hints, now)
        self._open = True

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def address(self) -> str:
        """The key under which the address of the client is limited."""
        return self._key

    def message(self) -> float:
        """The client sends a message."""
        return take(self._limiter.clock(), self._messages, self._visitor.messages)

    def talk(self, room: str, guest: str) -> float:
        """The client talks in a room, as this guest."""
        return self._limiter.talk(room, guest)

    def command(self, room: str, guest: str) -> float:
        """The client sends a command to a room, as this guest."""
        return self._overdrawn or self._limiter.command(room, guest, self._visitor.commands)

    def draft(self, room: str, guest: str) -> float:
        """The client sends a draft to a room, as this guest: it replaces the one before."""
        return self._overdrawn or self._limiter.command(room, guest)

    @property
    def _overdrawn(self) -> float:
        """Seconds until earlier commands of the address are paid for."""
        return self._visitor.cpu.lack(self._limiter.clock(), 0)

    def spend_cpu(self, seconds: float) -> None:
        """A command of the client has taken this long: one that is hard to judge costs more."""
        self._visitor.cpu.spend(seconds)

    def hint(self) -> float:
        """The client asks for a hint."""
        return take(self._limiter.clock(), self._hints, self._visitor.hints)

    def close(self) -> None:
        if self._open:
            self._open = False
            self._limiter._leave(self._key, self._visitor)
