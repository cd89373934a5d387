"""Command handlers: which events follow from a command, or why it is refused.

Nothing here changes a game: `Game.apply` folds the events in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilerummy.play import dealing
from tilerummy.play.commands import (
    CancelDeal,
    Command,
    Commit,
    Draw,
    FixCommitments,
    GiveSeed,
    Pass,
    Play,
    Reveal,
    Start,
    TimeOut,
)
from tilerummy.play.endings import CanPlay
from tilerummy.play.events import Drew, Event, Passed, Played, Why
from tilerummy.play.refusals import GameRefused
from tilerummy.rules.declarations import Declared
from tilerummy.rules.rows import reader
from tilerummy.rules.tiles import Table, Tile, has_tile_twice
from tilerummy.rules.turns import Judge, TurnVerdict

if TYPE_CHECKING:
    from tilerummy.play.game import Game


def decide(
    game: Game,
    command: Command,
    now: int,
    can_play: CanPlay | None,
    judge: Judge,
    *,
    trusted: bool = False,
) -> list[Event]:
    """The events of a command. Raises GameRefused. With `trusted`, a play is not judged."""
    match command:
        case Play():
            _check_turn(game, command.seat, now)
            return [_accept(game, command, now) if trusted else _play(game, command, now, judge)]
        case Draw():
            _check_turn(game, command.seat, now)
            return [_draw(game, now, can_play)]
        case Pass():
            _check_turn(game, command.seat, now)
            return [_pass(game, now, can_play)]
        case TimeOut():
            _check_playing(game)
            return [_time_out(game, command, now, judge)]
        case GiveSeed() | Commit() | FixCommitments() | Reveal() | CancelDeal() | Start():
            return dealing.decide(game, command, now)


# Turns


def _check_playing(game: Game) -> None:
    if not game.is_playing:
        dealing.check_not_over(game)
        raise GameRefused("not-started", "the tiles have not been dealt yet")


def _check_turn(game: Game, seat: int, now: int) -> None:
    _check_playing(game)
    if seat != game.current:
        dealing.check_seat(game, seat)
        raise GameRefused("not-your-turn", f"it is the turn of seat {game.current}, not of {seat}")
    deadline = game.deadline
    if deadline is not None and now >= deadline:
        raise GameRefused("too-late", "the time for this turn is over")


def _play(game: Game, command: Play, now: int, judge: Judge) -> Event:
    verdict = judge(game.position(game.current), command.table, command.declared)
    if verdict is None:
        raise GameRefused(
            "too-complicated",
            "this turn is too complicated to judge in time: lay every row in its order, "
            "or take the turn in a simpler way",
        )
    if verdict.legal:
        return Played(now, command.seat, verdict.played, verdict.table, verdict.declared)
    if _costs_penalty(game, command.table):
        return _penalty(game, now, "illegal", command.table, command.declared, verdict)
    reasons = "; ".join(str(reason) for reason in verdict.reasons)
    raise GameRefused("illegal-play", f"this is not a legal turn ({reasons})", verdict)


def _accept(game: Game, command: Play, now: int) -> Event:
    """A play without a verdict. The caller guarantees that it is legal and in order."""
    laid: set[Tile] = set().union(*command.table)
    played = tuple([tile for tile in game.racks[command.seat] if tile in laid])
    return Played(now, command.seat, played, command.table, command.declared)


def _draw(game: Game, now: int, can_play: CanPlay | None) -> Event:
    if not game.pool:
        raise GameRefused("pool-empty", "the pool is empty: play, or pass")
    count, able = 1, game.edition.draw_mode == "one"
    while not able and count < len(game.pool):
        answer = game.able(can_play, game.current, drawn=count)
        if answer is None:
            return Drew(now, game.current, game.next_tiles(count), unproven=True)
        able = answer
        count += not able
    return Drew(now, game.current, game.next_tiles(count))


def _pass(game: Game, now: int, can_play: CanPlay | None) -> Event:
    if game.pool:
        raise GameRefused("pool-not-empty", "there are tiles in the pool: play, or draw")
    if not game.pass_is_forced:
        return Passed(now, game.current)
    able = game.able(can_play, game.current)
    if able:
        raise GameRefused("must-play", "the pool is empty and you can play, so you must")
    return Passed(now, game.current, unproven=able is None)


def _time_out(game: Game, command: TimeOut, now: int, judge: Judge) -> Event:
    if command.turn != game.turn:
        raise GameRefused("wrong-turn", f"turn {command.turn} is not the turn {game.turn}")
    if game.deadline is None or now < game.deadline:
        raise GameRefused("too-early", "the time for this turn is not over")
    seat = game.current
    if command.draft is not None and has_tile_twice(command.draft):
        raise GameRefused("tile-twice", "the draft holds one tile twice")
    draft = None if command.draft is None else _possible(game, command.draft)
    verdict = None
    if draft is not None and not _same_rows(draft, game.table):
        verdict = judge(game.position(seat), draft, command.declared)
    if draft is None or verdict is None:
        if not game.pool:
            return Passed(now, seat, "clock")
        return Drew(now, seat, game.next_tiles(1), "clock")
    if verdict.legal and game.edition.timer_legal_draft == "commit":
        return Played(now, seat, verdict.played, verdict.table, verdict.declared, by_clock=True)
    return _penalty(game, now, "penalty", draft, command.declared, verdict)


# Penalties


def _costs_penalty(game: Game, table: Table) -> bool:
    """Whether an illegal table costs penalty tiles instead of being refused.

    Not with an empty pool: the player would pay nothing, and so could pass without having to play.
    """
    payable = bool(game.pool) or game.rules_version == 1
    return game.edition.strict_submit and payable and _possible(game, table) == table


def _penalty(
    game: Game, now: int, why: Why, draft: Table, declared: Declared, verdict: TurnVerdict
) -> Event:
    """Restore the table and draw the penalty, as far as the pool has tiles."""
    said = {row: said for row, said in declared.items() if row in draft}
    if not game.pool:
        return Passed(now, game.current, why, draft, said)
    fixed = game.edition.penalty_mode == "fixed"
    count = game.edition.penalty_tiles if fixed else _leftover(game, verdict.table)
    # A player who does not play draws at least one tile, or a game could go on for ever.
    return Drew(now, game.current, game.next_tiles(max(1, count)), why, draft, said)


def _possible(game: Game, table: Table) -> Table:
    """A submitted table without tiles that the player cannot have put there."""
    own = {*game.racks[game.current], *(tile for row in game.table for tile in row)}
    rows = []
    for row in table:
        kept = tuple([tile for tile in dict.fromkeys(row) if tile in own])
        own.difference_update(kept)
        rows.append(kept)
    return tuple([row for row in rows if row])


def _leftover(game: Game, draft: Table) -> int:
    """The tiles of an unfinished turn that are in no valid set, or were taken off the table.

    The judge has put every row into its order, if it has one.
    """
    laid = {tile for row in draft for tile in row}
    read = reader(game.edition).readings_of_tiles
    loose = sum(len(row) for row in draft if not read(row))
    return loose + sum(tile not in laid for row in game.table for tile in row)


def _same_rows(one: Table, other: Table) -> bool:
    """Whether both tables hold the same rows, in any order of rows and tiles."""
    return sorted(sorted(row) for row in one) == sorted(sorted(row) for row in other)
