"""Verification of records: replay every turn by the rules and compare the events.

This covers legal turns, the clock, conservation of tiles, the endings, the scores and the shuffle
(commitment, draw for the start, deal), because all of them are computed again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from tilerummy.play import commands
from tilerummy.play.endings import CanPlay
from tilerummy.play.events import (
    Cancelled,
    Committed,
    Created,
    Dealt,
    Drew,
    Ended,
    Event,
    Fixed,
    Passed,
    Played,
    Revealed,
    Seeded,
    StarterDrawn,
)
from tilerummy.play.game import Game
from tilerummy.play.invariants import InvariantError
from tilerummy.play.match import Match
from tilerummy.play.notation import event_lines
from tilerummy.play.record import Record
from tilerummy.play.refusals import RefusalCode, Refused
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.position import Position
from tilerummy.rules.scores import Ending


class Breach(StrEnum):
    """The kind of a problem. Each has words in every language."""

    HEAD = "head"  # players and rules of the match
    COMMITMENT = "commitment"  # what the dealer committed to before the deal
    OPENING = "opening"  # what a seat committed to, and what it revealed
    KNOWN_SECRET = "known-secret"  # a shuffle that others could know
    DEAL = "deal"  # draw for the start, racks and pool
    STARTER = "starter"
    TURN = "turn"
    RESULT = "result"
    TIME = "time"
    ORDER = "order"  # the order of events and games
    INCOMPLETE = "incomplete"
    BROKEN = "broken"  # cannot be replayed at all


@dataclass(frozen=True, slots=True)
class Problem:
    """Where a record is not valid, and why."""

    breach: Breach
    game: int
    turn: int | None
    """From 1; None if it is not about a turn."""
    message: str

    def __str__(self) -> str:
        where = f"game {self.game}" + (f", turn {self.turn}" if self.turn else "")
        return f"{where}: {self.message}"


@dataclass(frozen=True, slots=True)
class Unproven:
    """A turn whose search ran out of time, so that the game continued without a proof.

    `holds` is whether the turn has the same events once it is proven. None without a `can_play`.
    """

    game: int
    turn: int
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a verification. Unproven turns are not problems: the rules accept them."""

    problems: tuple[Problem, ...]
    unproven: tuple[Unproven, ...] = ()


def verify(record: Record, can_play: CanPlay | None = None) -> list[Problem]:
    """Verify a record; returns all problems, an empty list if it is valid.

    `can_play` proves whether a player can play at all. Without it, the answers that the record
    implies are taken. Raises nothing for an invalid record.
    """
    return [*examine(record, can_play).problems]


def examine(record: Record, can_play: CanPlay | None = None) -> Report:
    """Verify a record.

    `can_play` proves whether a player can play at all, exactly and without a deadline. Without it
    the answers that the record implies are taken.
    """
    try:
        match = Match(record.rules(), record.players, record.rounds)
    except TileRummyError as error:
        return Report((Problem(Breach.HEAD, 1, None, str(error)),))
    ended = 0
    secrets: set[str] = set()
    unproven: list[Unproven] = []
    for number, events in enumerate(record.games, 1):
        own = [event.secret for event in events if isinstance(event, (Created, Cancelled))]
        if secrets.intersection(own) or len({*own}) < len(own):
            known = "its secret was known from an earlier deal"
            return _broken(Problem(Breach.KNOWN_SECRET, number, None, known), unproven)
        secrets.update(own)
        check = _GameCheck(number, record, match, can_play, unproven)
        try:
            game = check.play(events)
        except (TileRummyError, InvariantError, IndexError) as error:
            problem = Problem(_breach(error, check.turn), number, check.turn or None, str(error))
            return _broken(problem, unproven)
        if number > 1 and events and events[0].at < ended:
            backwards = Problem(Breach.TIME, number, None, "time runs backwards")
            return _broken(backwards, unproven)
        ended = events[-1].at if events else ended
        if game is None:
            break
        if game.result is not None:
            match = match.with_result(game.result, game.starter)
        elif number < len(record.games):
            early = "another game begins before this one has ended"
            return _broken(Problem(Breach.ORDER, number, None, early), unproven)
    return Report((), tuple(unproven))


def _broken(problem: Problem, unproven: list[Unproven]) -> Report:
    return Report((problem,), tuple(unproven))


class _GameCheck:
    """Replays one game of a record."""

    def __init__(
        self,
        number: int,
        record: Record,
        match: Match,
        can_play: CanPlay | None,
        unproven: list[Unproven],
    ) -> None:
        self.number = number
        self.record = record
        self.match = match
        self.can_play = can_play
        self.unproven = unproven
        self.turn = 0

    def play(self, events: tuple[Event, ...]) -> Game | None:
        """The game that the events lead to. Raises an error for the first problem."""
        if self.match.is_over:
            raise _MismatchError(Breach.ORDER, "the match was over before this game")
        game: Game | None = None
        place = 0
        while place < len(events):
            event = events[place]
            if isinstance(event, Created):
                _check_created(event, self.number, self.record, self.match)
                game, expected = Game.create(
                    self.record.rules(),
                    event.players,
                    secret=event.secret,
                    now=event.at,
                    number=event.game,
                    starter=event.starter,
                    rules_version=event.rules_version,
                    shuffle_version=event.shuffle_version,
                )
            elif game is None:
                raise _MismatchError(Breach.ORDER, "a game begins with its created event")
            else:
                game, expected = self._turn(game, event, events[place + 1 :])
            found = events[place : place + len(expected)]
            if found != expected:
                raise _difference(found, expected)
            place += len(expected)
        return game

    def _turn(
        self, game: Game, event: Event, later: tuple[Event, ...]
    ) -> tuple[Game, tuple[Event, ...]]:
        """The game after the command behind an event, with the events that the rules give."""
        if event.at < (game.last.at if game.last else event.at):
            raise _MismatchError(Breach.TIME, "time runs backwards")
        self.turn = game.turn
        command = _command(event, game)
        if isinstance(event, StarterDrawn) and later:
            event, later = later[0], later[1:]  # the deal, which belongs to the same command
        unproven = isinstance(event, (Dealt, Played, Drew, Passed)) and event.unproven
        recorded = _as_recorded(event, later[:1], game)
        answers = recorded if unproven else self.can_play or recorded
        after, expected = game.apply(command, event.at, answers)
        if unproven:
            holds = self._holds(game, command, event.at, expected)
            self.unproven.append(Unproven(self.number, game.turn, holds))
        return after, expected

    def _holds(
        self, game: Game, command: commands.Command, now: int, expected: tuple[Event, ...]
    ) -> bool | None:
        """Whether an unproven command leads to the same events once it is proven."""
        if self.can_play is None:
            return None
        try:
            _, proven = game.apply(command, now, self.can_play)
        except Refused:
            return False
        return proven == tuple([_proven(event) for event in expected])


def _proven(event: Event) -> Event:
    if isinstance(event, (Dealt, Played, Drew, Passed)):
        return replace(event, unproven=False)
    return event


def _breach(error: Exception, turn: int) -> Breach:
    if isinstance(error, _MismatchError):
        return error.breach
    if isinstance(error, Refused) and error.code in _UNTIMELY:
        return Breach.ORDER
    if isinstance(error, Refused) and error.code in _OPENINGS:
        return Breach.OPENING
    return Breach.TURN if turn else Breach.BROKEN


_UNTIMELY: tuple[RefusalCode, ...] = (
    "already-fixed",
    "already-started",
    "commit-first",
    "game-over",
    "not-fixed",
    "not-started",
    "seeds-missing",
)
_OPENINGS: tuple[RefusalCode, ...] = ("bad-opening", "bad-seed", "seed-given", "seed-withheld")


class _MismatchError(TileRummyError):
    code = "mismatch"

    def __init__(self, breach: Breach, message: str) -> None:
        super().__init__(message)
        self.breach = breach


def _check_created(event: Created, number: int, record: Record, match: Match) -> None:
    same_rules = event.edition == record.edition and dict(event.options) == dict(record.options)
    if event.players != record.players or not same_rules:
        raise _MismatchError(Breach.HEAD, "players or rules differ from the head of the record")
    if event.game != number:
        raise _MismatchError(Breach.ORDER, f"it calls itself game {event.game}")
    expected = match.next_starter()
    if event.starter != expected:
        named = "a draw" if expected is None else f"seat {expected + 1}"
        raise _MismatchError(
            Breach.STARTER,
            f"{match.edition.match_next_starter}: the starter is decided by {named}",
        )


def _command(event: Event, game: Game) -> commands.Command:
    """The command that leads to an event."""
    match event:
        case Seeded():
            return commands.GiveSeed(event.seat, event.seed)
        case Committed():
            return commands.Commit(event.seat, event.commitment)
        case Fixed():
            sources = enumerate(event.sources)
            return commands.FixCommitments(
                tuple([n for n, source in sources if source == "dealer"])
            )
        case Revealed():
            return commands.Reveal(event.seat, event.seed)
        case Cancelled():
            return commands.CancelDeal(event.secret)
        case StarterDrawn() | Dealt():
            return commands.Start()
        case Played(by_clock=True):
            return commands.TimeOut(game.turn, event.table, event.declared)
        case Played():
            return commands.Play(event.seat, event.table, event.declared)
        case Drew(why="illegal") | Passed(why="illegal"):
            return commands.Play(event.seat, event.draft or (), event.declared)
        case Drew(why="choice"):
            return commands.Draw(event.seat)
        case Passed(why="choice"):
            return commands.Pass(event.seat)
        case Drew() | Passed():
            return commands.TimeOut(game.turn, event.draft, event.declared)
        case Created():
            raise _MismatchError(Breach.ORDER, "the game is created twice")
        case Ended():
            raise _MismatchError(Breach.RESULT, "the game ends although it could go on")


PROVEN_ENDINGS = (Ending.NOBODY_CAN, Ending.FIRST_UNABLE, Ending.FINAL_ROUND)


def _as_recorded(event: Event, following: tuple[Event, ...], game: Game) -> CanPlay:
    """The answers that the record implies.

    A player who drew tiles until they could play was able with the last of them; one who had to
    play and passed was not; and at the end of a turn a player was able unless the game ended.
    """
    own = game.racks[game.current] if game.racks else ()
    open_question = isinstance(event, (Dealt, Played, Drew, Passed)) and event.unproven
    ended = any(isinstance(e, Ended) and e.end in PROVEN_ENDINGS for e in following)

    def answer(position: Position) -> bool | None:
        drawn = len(position.rack) - len(own)
        mine = bool(own) and position.rack[: len(own)] == own
        if isinstance(event, Drew) and mine and 0 < drawn < len(game.pool):
            if drawn < len(event.tiles):
                return False
            return None if open_question else True
        if isinstance(event, Passed) and event.why == "choice" and mine:
            return None if open_question else False
        if ended:
            return False
        return None if open_question else True

    return answer


def _difference(found: tuple[Event, ...], expected: tuple[Event, ...]) -> _MismatchError:
    if len(found) < len(expected):
        missing = expected[len(found)].type
        return _MismatchError(
            Breach.INCOMPLETE, f"the record stops before the {missing} event that follows"
        )
    wrong = next(number for number, event in enumerate(found) if event != expected[number])
    event = expected[wrong]
    match event:
        case Created() | Cancelled() if _other_commitment(found[wrong], event):
            return _MismatchError(Breach.COMMITMENT, "the commitment is not the hash of the secret")
        case Dealt() | StarterDrawn():
            return _MismatchError(
                Breach.DEAL, "the tiles were not dealt as the secret and the seeds say"
            )
        case Ended():
            breach = Breach.RESULT
        case Created():
            breach = Breach.COMMITMENT
        case Committed() | Fixed() | Revealed() | Cancelled():
            breach = Breach.OPENING
        case Seeded() | Played() | Drew() | Passed():
            breach = Breach.TURN
        case _:
            assert_never(event)
    return _MismatchError(
        breach, f"recorded {_brief(found[wrong])}, but the rules give {_brief(expected[wrong])}"
    )


def _other_commitment(found: Event, expected: Created | Cancelled) -> bool:
    return isinstance(found, type(expected)) and found.commitment != expected.commitment


def _brief(event: Event) -> str:
    text = " ".join(" ".join(event_lines(event)).split())
    return f"“{text if len(text) <= 120 else text[:117] + '…'}”"
