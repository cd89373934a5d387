"""Room groups: rooms that share capacity, because all their players come from one address.

A queue that is fair by room alone favours an address with many rooms.
"""

from __future__ import annotations

from collections import Counter

NO_CONNECTION = ""
"""The group of all rooms without a connection."""


class RoomGroups:
    def __init__(self, *, shared: bool = False) -> None:
        """`shared`: players may be connected to other nodes."""
        self._addresses: dict[str, Counter[str]] = {}
        self._shared = shared

    def enter(self, room: str, address: str) -> None:
        """A guest has opened a connection to a room."""
        self._addresses.setdefault(room, Counter())[address] += 1

    def leave(self, room: str, address: str) -> None:
        """A connection has closed."""
        found = self._addresses[room]
        found[address] -= 1
        if not found[address]:
            del found[address]
        if not found:
            del self._addresses[room]

    def group(self, room: str) -> str:
        """An address, or the room itself if it belongs to no single address."""
        found = self._addresses.get(room)
        if not found:
            return room if self._shared else NO_CONNECTION
        return next(iter(found)) if len(found) == 1 else room
