"""Questions about a record: does it hold, and what happened turn by turn?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self, TypedDict

from tilerummy.play.commit_reveal import SeedSource
from tilerummy.play.deal_report import DealReport, deal_reports
from tilerummy.play.events import Drew, Event, Passed, Played
from tilerummy.play.game import Game
from tilerummy.play.notation import load
from tilerummy.play.record import Record, RecordError
from tilerummy.play.verification import Breach, Report, examine
from tilerummy.queries.contract import Request
from tilerummy.queries.parsing import read_int, read_text
from tilerummy.rules.tiles import face_texts
from tilerummy.solver.turns.best_turn import can_play

MOST_GAMES = 1_000_000
TURNS = (Played, Drew, Passed)


class VerifyQuestionJson(TypedDict):
    """Does this record hold? The record is text or JSON Lines, as a file has it."""

    record: str


class ProblemJson(TypedDict):
    """Where a record is not valid; `turn` is null if the problem is not about a turn."""

    breach: Breach
    game: int
    turn: int | None
    message: str


class UnprovenJson(TypedDict):
    """A turn at which a search ran out of time; `holds` is whether it would go the same way now."""

    game: int
    turn: int
    holds: bool | None


class DealJson(TypedDict):
    """How a game was dealt: where the seed of each seat came from, and for each cancelled deal the
    seats that did not reveal their seeds. Seats count from 0."""

    game: int
    shuffle_version: int
    sources: list[SeedSource]
    withheld: list[list[int]]


class VerifyAnswerJson(TypedDict):
    """What checking a record found, and how much it holds."""

    holds: bool
    problems: list[ProblemJson]
    unproven: list[UnprovenJson]
    deals: list[DealJson]
    games: int
    turns: int


class ReplayQuestionJson(VerifyQuestionJson):
    """What happened in a game of this record? Games count from 1."""

    game: int


class FrameJson(TypedDict):
    """The game after one event; `event` is its type, such as `played`."""

    turn: int
    event: str
    table: list[list[str]]
    racks: list[list[str]]
    pool: int


class ReplayAnswerJson(TypedDict):
    """A game event by event, from its creation."""

    players: list[str]
    frames: list[FrameJson]


@dataclass(frozen=True, slots=True)
class VerifyQuestion:
    """Is this record valid: rules, tiles, clock, scores and shuffle?"""

    record: Record

    @classmethod
    def from_json(cls, request: Request) -> Self:
        """Reads `VerifyQuestionJson`. Raises QueryError or RecordError."""
        return cls(load(read_text(request, "record")))

    def answer(self) -> VerifyAnswer:
        """Plays the record again. The solver answers whether a player could play at all."""
        return VerifyAnswer(self.record, examine(self.record, can_play))


@dataclass(frozen=True, slots=True)
class VerifyAnswer:
    """The result of verifying a record."""

    record: Record
    report: Report

    @property
    def holds(self) -> bool:
        """Whether the record is valid."""
        return not self.report.problems

    @property
    def turns(self) -> int:
        """How many turns the record holds."""
        return sum(isinstance(event, TURNS) for game in self.record.games for event in game)

    @property
    def deals(self) -> tuple[DealReport, ...]:
        """How each game was dealt."""
        return deal_reports(self.record)

    def to_json(self, lang: str = "en") -> VerifyAnswerJson:
        """The answer as `VerifyAnswerJson`, its sentences in a language."""
        return {
            "holds": self.holds,
            "problems": [
                {
                    "breach": problem.breach,
                    "game": problem.game,
                    "turn": problem.turn,
                    "message": problem.message,
                }
                for problem in self.report.problems
            ],
            "unproven": [
                {"game": each.game, "turn": each.turn, "holds": each.holds}
                for each in self.report.unproven
            ],
            "deals": [
                {
                    "game": deal.game,
                    "shuffle_version": deal.shuffle_version,
                    "sources": list(deal.sources),
                    "withheld": [list(seats) for seats in deal.withheld],
                }
                for deal in self.deals
            ],
            "games": len(self.record.games),
            "turns": self.turns,
        }


@dataclass(frozen=True, slots=True)
class Frame:
    """An event, the turn in which it happened, and the game after it."""

    turn: int
    event: Event
    game: Game

    @property
    def is_turn(self) -> bool:
        """Whether the event is a whole turn, and not part of the setup or the end."""
        return isinstance(self.event, TURNS)


@dataclass(frozen=True, slots=True)
class ReplayQuestion:
    """What happened in a game of a record, event by event?"""

    record: Record
    game: int
    """From 1."""

    def __post_init__(self) -> None:
        if not 1 <= self.game <= len(self.record.games):
            raise RecordError(
                "there is no game {game}: the record holds {count}",
                key="error.record.no-game",
                game=self.game,
                count=len(self.record.games),
            )

    @classmethod
    def from_json(cls, request: Request) -> Self:
        """Reads `ReplayQuestionJson`. Raises QueryError or RecordError."""
        record = load(read_text(request, "record"))
        return cls(record, read_int(request, "game", 1, MOST_GAMES))

    def answer(self) -> ReplayAnswer:
        """Raises RecordError for a game that cannot be replayed."""
        return ReplayAnswer(self.record, tuple(self.frames()))

    def frames(self) -> Iterator[Frame]:
        """The frames after the first event, which creates the game. Raises as `answer`."""
        self.record.game(self.game - 1)
        return self._frames(self.record.games[self.game - 1])

    def _frames(self, events: tuple[Event, ...]) -> Iterator[Frame]:
        game = Game.fold(events[:1])
        for event in events[1:]:
            turn, game = game.turn, game.evolve(event)
            yield Frame(turn, event, game)


@dataclass(frozen=True, slots=True, repr=False)
class ReplayAnswer:
    """A game of a record, event by event."""

    record: Record
    frames: tuple[Frame, ...]

    def __repr__(self) -> str:
        return f"<ReplayAnswer: {self.record!r}, {len(self.frames)} frames>"

    def to_json(self, lang: str = "en") -> ReplayAnswerJson:
        """The answer as `ReplayAnswerJson`; it has no sentences."""
        return {
            "players": list(self.record.players),
            "frames": [
                {
                    "turn": frame.turn,
                    "event": frame.event.type,
                    "table": [face_texts(row) for row in frame.game.table],
                    "racks": [face_texts(rack) for rack in frame.game.racks],
                    "pool": len(frame.game.pool),
                }
                for frame in self.frames
            ],
        }
