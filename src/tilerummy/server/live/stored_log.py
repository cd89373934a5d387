"""Reads rooms from the store: decodes log entries, loads snapshots and replays events."""

from __future__ import annotations

from collections.abc import Iterable

from tilerummy.server.rooms.events import Cause, LogEntry, decode, encode
from tilerummy.server.rooms.fold import evolve, fold
from tilerummy.server.rooms.room import Room, Transition
from tilerummy.server.rooms.snapshot import thaw
from tilerummy.server.store import Loaded, StoredEvent


def entry_of(stored: StoredEvent) -> LogEntry:
    cause = None
    if stored.cause is not None:
        seat, _, command = stored.cause.partition(":")
        id_, _, digest = command.partition(" ")  # without a digest in events of earlier versions
        cause = Cause(int(seat), id_, digest)
    return LogEntry(stored.seq, decode(stored.data), cause)


def stored_event(step: Transition) -> StoredEvent:
    seq, event, cause = step.entry
    text = None if cause is None else f"{cause.seat}:{cause.id} {cause.digest}".rstrip()
    return StoredEvent(seq, step.at, text, encode(event))


def room_of(loaded: Loaded, moment: int | None = None) -> Room:
    """The room from its snapshot and the events after it.

    With a `moment` as it was then, at the earliest at its snapshot or its first event.
    """
    if loaded.snapshot is not None:
        return evolved(thaw(loaded.snapshot), loaded.events, moment)
    first, *later = loaded.events
    return evolved(fold([entry_of(first)]), later, moment)


def evolved(room: Room, stored: Iterable[StoredEvent], moment: int | None = None) -> Room:
    """The room after stored events; with a `moment` after those that had happened by then."""
    for event in stored:
        if moment is not None and event.at > moment:
            break
        room = evolve(room, entry_of(event))
    return room


def replay(room: Room, stored: Iterable[StoredEvent]) -> list[Transition]:
    """The transitions that stored events lead to, starting from a room."""
    transitions: list[Transition] = []
    for event in stored:
        entry = entry_of(event)
        room = evolve(room, entry)
        transitions.append(Transition(entry, room))
    return transitions
