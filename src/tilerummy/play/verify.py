"""Checking a record: every turn is played again by the rules and must give the same events.

That covers the referee (legal turns), the clock, conservation of tiles, the scores and the shuffle
(commitment, draw for the start, deal), because all of them are recomputed.
"""

from __future__ import annotations

from dataclasses import dataclass

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
from tilerummy.play.game import CanPlay, Game, InvariantError
from tilerummy.play.match import Match
from tilerummy.play.notation import event_lines
from tilerummy.play.record import Record
from tilerummy.rules.errors import TileRummyError


@dataclass(frozen=True, slots=True)
class Problem:
    """Where a record does not hold, and why."""

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
        return [Problem(1, None, str(error))]
    ended = 0
    secrets: set[str] = set()
    for number, events in enumerate(record.games, 1):
        own = {event.secret for event in events if isinstance(event, Created)}
        if own & secrets:
            problems.append(Problem(number, None, "its secret was known from an earlier game"))
            break
        secrets |= own
        game, problem = _verify_game(number, events, record, match, can_play)
        if problem is None and number > 1 and events and events[0].at < ended:
            problem = Problem(number, None, "time runs backwards")
        ended = events[-1].at if events else ended
        if problem is not None or game is None:
            problems += [problem] if problem else []
            break
        if game.result is not None:
            match = match.with_result(game.result, game.starter)
        elif number < len(record.games):
            problems.append(Problem(number, None, "another game begins before this one has ended"))
            break
    return problems


def _verify_game(
    number: int, events: tuple[Event, ...], record: Record, match: Match, can_play: CanPlay | None
) -> tuple[Game | None, Problem | None]:
    if match.is_over:
        return None, Problem(number, None, "the match was over before this game")
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
                return None, Problem(number, None, "a game begins with its created event")
            else:
                if event.at < (game.last.at if game.last else event.at):
                    raise _MismatchError("time runs backwards")
                turn = game.turn
                answer = can_play or _as_recorded(event, game)
                game, expected = game.apply(_command(event, game), event.at, answer)
            found = events[place : place + len(expected)]
            if found != expected:
                raise _MismatchError(_difference(found, expected))
            place += len(expected)
        except (TileRummyError, InvariantError, IndexError) as error:
            return None, Problem(number, turn, str(error))
    return game, None


class _MismatchError(TileRummyError):
    code = "mismatch"


def _check_created(event: Created, number: int, record: Record, match: Match) -> None:
    same_rules = event.edition == record.edition and dict(event.options) == dict(record.options)
    if event.players != record.players or not same_rules:
        raise _MismatchError("players or rules differ from the head of the record")
    if event.game != number:
        raise _MismatchError(f"it calls itself game {event.game}")
    expected = match.next_starter()
    if event.starter != expected:
        named = "a draw" if expected is None else f"seat {expected + 1}"
        raise _MismatchError(
            f"{match.edition.match_next_starter}: the starter is decided by {named}"
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
            raise _MismatchError("the game is created twice")
        case Ended():
            raise _MismatchError("the game ends although it could go on")


def _as_recorded(event: Event, game: Game) -> CanPlay:
    """The answers that the record gives: able once the recorded tiles were drawn, else unable."""
    enough = len(game.racks[game.current]) if game.racks else 0
    if isinstance(event, Drew):
        enough += len(event.tiles)
    return lambda position: isinstance(event, Drew) and len(position.rack) >= enough


def _difference(found: tuple[Event, ...], expected: tuple[Event, ...]) -> str:
    if len(found) < len(expected):
        return f"the record stops before the {expected[len(found)].type} event that follows"
    wrong = next(number for number, event in enumerate(found) if event != expected[number])
    if isinstance(expected[wrong], Dealt | StarterDrawn):
        return "the tiles were not dealt as the secret and the seeds say"
    if isinstance(expected[wrong], Created):
        return "the commitment is not the hash of the secret"
    return f"recorded {_brief(found[wrong])}, but the rules give {_brief(expected[wrong])}"


def _brief(event: Event) -> str:
    text = " ".join(" ".join(event_lines(event)).split())
    return f"“{text if len(text) <= 120 else text[:117] + '…'}”"
