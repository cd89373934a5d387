"""A room update for its listeners, encoded once per distinct view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from tilerummy.server.protocol import infos
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.infos import seen_room
from tilerummy.server.protocol.projection import own_view, seen_event, seen_from
from tilerummy.server.rooms import events
from tilerummy.server.rooms.room import Room, Transition

Seats: TypeAlias = tuple[int | None, ...]
NO_CAUSES: Mapping[int, str] = {}
RENUMBERING = frozenset({events.Began, events.Reopened, events.Seated, events.Left})
"""Events after which a seat number may belong to another person."""


class Update:
    """Transitions that are sent in one message."""

    def __init__(
        self, transitions: Sequence[Transition], causes: Mapping[int, str] = NO_CAUSES
    ) -> None:
        """`causes` maps seats to the ids of their commands that led to these transitions."""
        self.transitions = transitions
        self.room: Room = transitions[-1].room
        kinds = [type(step.entry.event) for step in transitions]
        self.has_drops = events.Dropped in kinds
        """Whether somebody counts as away now."""
        self._has_one_seating = len(kinds) == 1 or RENUMBERING.isdisjoint(kinds)
        self._causes = causes
        self._seats: dict[str | None, int] = {}
        for number, seat in enumerate(self.room.seats):
            if seat.guest is not None:
                self._seats[seat.guest] = number
        self._own = _own_messages(transitions, causes)
        self._by_seat: dict[int | None, bytes] = {}
        self._encoded: dict[tuple[Seats, str | None], bytes] = {}
        self._seen: dict[tuple[int, int | None], msgspec.Raw] = {}
        self._snapshots: dict[int | None, bytes] = {}

    def seat_of(self, guest: str | None) -> int | None:
        """Where a guest sits after the update."""
        return self._seats.get(guest)

    def dropped(self) -> list[int]:
        """The seats that count as away now."""
        found = [step.entry.event for step in self.transitions]
        return [event.seat for event in found if isinstance(event, events.Dropped)]

    def answers(self, seat: int | None) -> str | None:
        """The id of the seat's command that this update answers, if any."""
        return None if seat is None else self._causes.get(seat)

    def events(self, guest: str | None) -> bytes:
        """The `events` message for a guest, or for an anonymous spectator."""
        if not self._has_one_seating:
            return self._encode(seats_of(self.transitions, guest))
        seat = self._seats.get(guest)
        if self._own is not None and seat not in self._own:
            seat = None
        encoded = self._by_seat.get(seat)
        if encoded is None:
            encoded = self._by_seat[seat] = self._encode((seat,) * len(self.transitions))
        return encoded

    def _encode(self, seats: Seats) -> bytes:
        """Listeners who see the same share the bytes, and the events that look the same to them."""
        re = self.answers(seats[-1])
        views = (*map(seen_from, self.transitions, seats),)
        encoded = self._encoded.get((views, re))
        if encoded is None:
            seen: Any = [*map(self._event, range(len(seats)), views, seats)]
            encoded = out.encode(out.Events(self.room.version, seen, re))
            self._encoded[views, re] = encoded
        return encoded

    def _event(self, index: int, view: int | None, seat: int | None) -> msgspec.Raw:
        """An event in bytes: the message to the player who moved differs by its `re` alone."""
        seen = self._seen.get((index, view))
        if seen is None:
            event = seen_event(self.transitions[index], seat)
            seen = self._seen[index, view] = msgspec.Raw(out.encode(event))
        return seen

    def snapshot(self, seat: int | None, now: int) -> bytes:
        """The `snapshot` message for a seat; all spectators share one."""
        encoded = self._snapshots.get(seat)
        if encoded is None:
            message = snapshot_message(self.room, seat, now, re=self.answers(seat))
            encoded = self._snapshots[seat] = out.encode(message)
        return encoded


def _own_messages(transitions: Sequence[Transition], causes: Mapping[int, str]) -> set[int] | None:
    """The seats that get a message of their own: all others get that of a spectator. None if every
    seat may get its own."""
    seats = {*causes}
    for step in transitions:
        own = own_view(step)
        if own is None:
            return None
        seats.update(own)
    return seats


def updates_of(commands: Iterable[Sequence[Transition]]) -> list[Update]:
    """The transitions of several commands in as few updates as can answer each seat's command.

    An update ends where seats are renumbered.
    """
    updates: list[Update] = []
    batch: list[Transition] = []
    causes: dict[int, str] = {}
    for transitions in commands:
        if not transitions:
            continue
        cause = transitions[-1].entry.cause  # the seat may have another number by now
        if batch and (_renumbers(transitions) or (cause is not None and cause[0] in causes)):
            updates.append(Update(batch, causes))
            batch, causes = [], {}
        batch += transitions
        if cause is not None:
            causes[cause[0]] = cause[1]
    if batch:
        updates.append(Update(batch, causes))
    return updates


def _renumbers(transitions: Sequence[Transition]) -> bool:
    return any(type(step.entry.event) in RENUMBERING for step in transitions)


def seats_of(transitions: Sequence[Transition], guest: str | None) -> Seats:
    """Where a guest sat after each event: seats are renumbered and change hands."""
    if guest is None:
        return (None,) * len(transitions)
    return tuple([step.room.seat_of(guest) for step in transitions])


def events_message(
    transitions: Sequence[Transition], seats: Seats, re: str | None = None
) -> out.Events:
    """The transitions, each as seen from the given seat."""
    seen = [seen_event(step, seat) for step, seat in zip(transitions, seats, strict=True)]
    return out.Events(transitions[-1].room.version, seen, re)


def snapshot_message(
    room: Room,
    seat: int | None,
    now: int,
    draft: infos.DraftInfo | None = None,
    re: str | None = None,
) -> out.Snapshot:
    return out.Snapshot(room.version, now, seat, seen_room(room, seat, draft), re)
