"""News of a room on their way to its listeners, put into bytes once for all who see the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tilerummy.locales.sentences import Named, Sentence
from tilerummy.queries import PlannedStep, SolveAnswer
from tilerummy.rules.reasons import Reason
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.projection import seen_event, seen_from, seen_room
from tilerummy.server.protocol.tiles import declared_out, faces_out, row_out, table_out
from tilerummy.server.rooms.room import Happened, Room
from tilerummy.solver.turns.solution import Solution

Seats: TypeAlias = tuple[int | None, ...]
NO_CAUSES: Mapping[int, str] = {}


class Telling:
    """What happened in one go."""

    def __init__(self, happened: Sequence[Happened], causes: Mapping[int, str] = NO_CAUSES) -> None:
        """`causes` has the ids of the commands that led to it, by their seats."""
        self.happened = happened
        self.room: Room = happened[-1].room
        self._causes = causes
        self._made: dict[tuple[Seats, str | None], bytes] = {}

    def answer(self, seat: int | None) -> str | None:
        """The id of the command, for the seat whose command it was."""
        return None if seat is None else self._causes.get(seat)

    def events(self, guest: str | None) -> bytes:
        """The message for a guest, or for somebody unknown who watches."""
        seats = seats_of(self.happened, guest)
        re = self.answer(seats[-1])
        key = (*map(seen_from, self.happened, seats),), re
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = out.encode(events_message(self.happened, seats, re))
        return made

    def snapshot(self, guest: str | None, now: int) -> bytes:
        seat = None if guest is None else self.room.seat_of(guest)
        return out.encode(snapshot_message(self.room, seat, now, re=self.answer(seat)))


def seats_of(happened: Sequence[Happened], guest: str | None) -> Seats:
    """Where a guest sat after each event: seats get other numbers, and other people."""
    if guest is None:
        return (None,) * len(happened)
    return tuple([step.room.seat_of(guest) for step in happened])


def events_message(happened: Sequence[Happened], seats: Seats, re: str | None = None) -> out.Events:
    """What happened, as whoever sat there then may see it."""
    seen = [seen_event(step, seat) for step, seat in zip(happened, seats, strict=True)]
    return out.Events(happened[-1].room.version, seen, re)


def snapshot_message(
    room: Room,
    seat: int | None,
    now: int,
    draft: out.DraftInfo | None = None,
    re: str | None = None,
) -> out.Snapshot:
    return out.Snapshot(room.version, now, seat, seen_room(room, seat, draft), re)


def hint_message(re: str, turn: int, answer: SolveAnswer) -> out.Hint:
    found = answer.solution
    return out.Hint(
        re,
        turn,
        found.tiles,
        found.value,
        row_out(found.played),
        table_out(found.table),
        [step_info(planned) for planned in answer.steps or ()],
        found.exact,
        declared_out(found.declared),
    )


def missed_message(re: str, game: int, plays: Mapping[int, Solution]) -> out.Missed:
    found = [
        out.MissedInfo(seat, row_out(solution.played), table_out(solution.table))
        for seat, solution in sorted(plays.items())
    ]
    return out.Missed(re, game, found)


def step_info(planned: PlannedStep) -> out.StepInfo:
    """A step with the table after it and its sentence."""
    step = planned.step
    return out.StepInfo(
        step.kind,
        row_out(step.tiles),
        table_out(planned.table),
        sentence_info(planned.sentence),
        row_out(step.source),
        table_out(step.left),
        row_out(step.target),
        table_out(step.result),
        row_out(step.freed),
    )


def sentence_info(sentence: Sentence) -> out.SentenceInfo:
    """The sentence for a step, whose parameters are all tiles."""
    return out.SentenceInfo(
        sentence.key,
        {
            name: out.NamedInfo(param.how, row_out(param.tiles))
            for name, param in sentence.params.items()
            if isinstance(param, Named) and param.tiles
        },
    )


def reason_info(reason: Reason) -> out.ReasonInfo:
    """A reason of the referee with the parameters of its sentence."""
    params = {name: value for name, value in reason.params.items() if isinstance(value, int | str)}
    return out.ReasonInfo(reason.code, str(reason), faces_out(reason.tiles), params)
