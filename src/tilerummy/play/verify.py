"""Checking a record: every turn is played again by the rules and must give the same events.

That covers the referee (legal turns), the clock, conservation of tiles, the scores and the shuffle
(commitment, draw for the start, deal), because all of them are recomputed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tilerummy.play import commands
from tilerummy.play.events import (
    Created,
    Dealt,
    Drew,
    Ended,
    Event,
    Passed,
    Played,
    Seeded,
    StarterDrawn,
)
from tilerummy.play.game import CanPlay, Game, InvariantError, Refused
from tilerummy.play.match import Match
from tilerummy.play.notation import event_lines
from tilerummy.play.record import Record
from tilerummy.rules.errors import TileRummyError


class Breach(StrEnum):
    """What does not hold, in broad terms; each has words in every language."""

    HEAD = "head"  # players and rules of the match
    COMMITMENT = "commitment"  # what the dealer had promised before the deal
    KNOWN_SECRET = "known-secret"  # a shuffle that others could know
    DEAL = "deal"  # draw for the start, racks and pool
    STARTER = "starter"
    TURN = "turn"
    RESULT = "result"
    TIME = "time"
    ORDER = "order"  # what follows each other in a match
    INCOMPLETE = "incomplete"
    BROKEN = "broken"  # what cannot even be played again


@dataclass(frozen=True, slots=True)
class Problem:
    """Where a record does not hold, and why."""

    breach: Breach
    game: int
    turn: int | None
    """From 1; None where it is not about a turn."""
    message: str

    def __str__(self) -> str:
        where = f"game {self.game}" + (f", turn {self.turn}" if self.turn else "")
        return f"{where}: {self.message}"


def verify(record: Record, can_play: CanPlay | None = None) -> list[Problem]:
    """Everything that is wrong with a record; empty when it holds.

    Where the rules ask whether a player could have played at all, `can_play` tells, which must be
    certain; without it the record's own answer is taken.
    """
    problems: list[Problem] = []
    try:
        match = Match(record.rules(), record.players, record.rounds)
    except TileRummyError as error:
        return [Problem(Breach.HEAD, 1, None, str(error))]
    ended = 0
    secrets: set[str] = set()
    for number, events in enumerate(record.games, 1):
        own = {event.secret for event in events if isinstance(event, Created)}
        if own & secrets:
            known = "its secret was known from an earlier game"
            problems.append(Problem(Breach.KNOWN_SECRET, number, None, known))
            break
        secrets |= own
        game, problem = _verify_game(number, events, record, match, can_play)
        if problem is None and number > 1 and events and events[0].at < ended:
            problem = Problem(Breach.TIME, number, None, "time runs backwards")
        ended = events[-1].at if events else ended
        if problem is not None or game is None:
            problems += [problem] if problem else []
            break
        if game.result is not None:
            match = match.with_result(game.result, game.starter)
        elif number < len(record.games):
            early = "another game begins before this one has ended"
            problems.append(Problem(Breach.ORDER, number, None, early))
            break
    return problems


def _verify_game(
    number: int, events: tuple[Event, ...], record: Record, match: Match, can_play: CanPlay | None
) -> tuple[Game | None, Problem | None]:
    if match.is_over:
        return None, Problem(Breach.ORDER, number, None, "the match was over before this game")
    game: Game | None = None
    place = turn = 0
    while place < len(events):
        event = events[place]
        try:
            if isinstance(event, Created):
                _check_created(event, number, record, match)
                game, expected = Game.create(
                    record.rules(),
                    event.players,
                    secret=event.secret,
                    now=event.at,
                    number=event.game,
                    starter=event.starter,
                )
            elif game is None:
                raise _MismatchError(Breach.ORDER, "a game begins with its created event")
            else:
                if event.at < (game.last.at if game.last else event.at):
                    raise _MismatchError(Breach.TIME, "time runs backwards")
                turn = game.turn
                answer = can_play or _as_recorded(event, game)
                game, expected = game.apply(_command(event, game), event.at, answer)
            found = events[place : place + len(expected)]
            if found != expected:
                raise _difference(found, expected)
            place += len(expected)
        except (TileRummyError, InvariantError, IndexError) as error:
            return None, Problem(_breach(error, turn), number, turn or None, str(error))
    return game, None


def _breach(error: Exception, turn: int) -> Breach:
    if isinstance(error, _MismatchError):
        return error.breach
    if isinstance(error, Refused) and error.code in _UNTIMELY:
        return Breach.ORDER
    return Breach.TURN if turn else Breach.BROKEN


_UNTIMELY = ("not-started", "already-started", "game-over")


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


def _as_recorded(event: Event, game: Game) -> CanPlay:
    """The answers that the record gives: able once the recorded tiles were drawn, else unable."""
    enough = len(game.racks[game.current]) if game.racks else 0
    if isinstance(event, Drew):
        enough += len(event.tiles)
    return lambda position: isinstance(event, Drew) and len(position.rack) >= enough


def _difference(found: tuple[Event, ...], expected: tuple[Event, ...]) -> _MismatchError:
    if len(found) < len(expected):
        missing = expected[len(found)].type
        return _MismatchError(
            Breach.INCOMPLETE, f"the record stops before the {missing} event that follows"
        )
    wrong = next(number for number, event in enumerate(found) if event != expected[number])
    match expected[wrong]:
        case Created():
            return _MismatchError(Breach.COMMITMENT, "the commitment is not the hash of the secret")
        case Dealt() | StarterDrawn():
            return _MismatchError(
                Breach.DEAL, "the tiles were not dealt as the secret and the seeds say"
            )
        case Ended():
            breach = Breach.RESULT
        case _:
            breach = Breach.TURN
    return _MismatchError(
        breach, f"recorded {_brief(found[wrong])}, but the rules give {_brief(expected[wrong])}"
    )


def _brief(event: Event) -> str:
    text = " ".join(" ".join(event_lines(event)).split())
    return f"“{text if len(text) <= 120 else text[:117] + '…'}”"
