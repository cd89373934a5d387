"""The summary of a finished game: what statistics and tournaments need of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tilerummy.play.events import Dealt, Drew, Ended, Event, Passed, Played
from tilerummy.play.game import Game
from tilerummy.play.record import Record
from tilerummy.rules.scores import Ending


class GameSummary(NamedTuple):
    """A finished game. Players are listed in the order of play: the first one began."""

    players: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    """The places of those who are credited with a win; several if they tie, none if nobody is."""
    end: Ending
    turns: int
    opened: tuple[int | None, ...]
    """In which of its own turns, counted from 1, each player opened."""

    def win_share(self, place: int) -> float:
        """1 for a win, an equal part of it for a tie, 0 otherwise."""
        return 1 / len(self.winners) if place in self.winners else 0.0

    def to_json(self) -> dict[str, object]:
        """As a dictionary, ready for JSON."""
        return {**self._asdict(), "end": self.end.value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> GameSummary:
        """Read it back. Raises KeyError, TypeError or ValueError for anything else."""
        return cls(
            tuple(data["players"]),
            tuple(data["scores"]),
            tuple(data["winners"]),
            Ending(data["end"]),
            data["turns"],
            tuple(data["opened"]),
        )


def summarise(players: Sequence[str], events: Sequence[Event], step: int) -> GameSummary | None:
    """The summary of a game from its events; None if it did not end.

    `players` are the names by seat, `step` is 1 or -1: the way from a seat to the next one.
    """
    starter = 0
    own_turns = [0] * len(players)
    opened: list[int | None] = [None] * len(players)
    for event in events:
        match event:
            case Dealt():
                starter = event.starter
            case Played() | Drew() | Passed():
                own_turns[event.seat] += 1
                if isinstance(event, Played) and opened[event.seat] is None:
                    opened[event.seat] = own_turns[event.seat]
            case Ended():
                order = [(starter + step * place) % len(players) for place in range(len(players))]
                end = event.end or _end_of(events)
                return GameSummary(
                    players=tuple(players[seat] for seat in order),
                    scores=tuple(event.scores[seat] for seat in order),
                    winners=tuple(
                        place for place, seat in enumerate(order) if seat in event.winners
                    ),
                    end=end,
                    turns=sum(own_turns),
                    opened=tuple(opened[seat] for seat in order),
                )
            case _:
                pass  # before the deal
    return None


def _end_of(events: Sequence[Event]) -> Ending:
    """The ending of a game whose events do not say it: rules version 1."""
    result = Game.fold(events).result
    assert result is not None
    assert result.end is not None, "evolve finds the ending"
    return result.end


def summaries_of(record: Record) -> tuple[list[GameSummary], int]:
    """The finished games of a record, and the number of those that did not end."""
    step = record.rules().step
    found = [summarise(record.players, events, step) for events in record.games]
    finished = [summary for summary in found if summary is not None]
    return finished, len(found) - len(finished)
