"""Endings: whether a game is over, and by which rule.

Most endings on an empty pool depend on whether a player can play at all. `CanPlay` decides that
with an exact search. The search may have a deadline, so there may be no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, assert_never

from tilerummy.rules.position import Position
from tilerummy.rules.scores import Ending

if TYPE_CHECKING:
    from tilerummy.play.game import Game

CanPlay: TypeAlias = Callable[[Position], bool | None]
"""Whether the position has any legal play; None if that was not proven in time."""


def memoised(can_play: CanPlay) -> CanPlay:
    """`can_play` with a cache: one answer to one question. Cheaper to make than functools.cache."""
    known: dict[Position, bool | None] = {}

    def ask(position: Position) -> bool | None:
        if position not in known:
            known[position] = can_play(position)
        return known[position]

    return ask


class Outcome(NamedTuple):
    """The ending, if the game is over; `unproven` if it continues for lack of a proof."""

    end: Ending | None
    unproven: bool = False


GOES_ON = Outcome(None)


def outcome(game: Game, can_play: CanPlay | None) -> Outcome:
    """The ending after the latest turn. `can_play` is needed on an empty pool."""
    if () in game.racks:
        return Outcome(Ending.OUT)
    if game.pool:
        return GOES_ON
    if game.rules_version == 1:
        return Outcome(_version_1(game))
    end, unproven = _by_mode(game, can_play)
    if end is None and _full_round_without_play(game):
        end = Ending.ALL_PASSED  # `unproven` if another rule might have come first
    return Outcome(end, unproven)


def _by_mode(game: Game, can_play: CanPlay | None) -> Outcome:
    """The ending by `empty_pool.end`."""
    mode = game.edition.empty_pool_end
    match mode:
        case "nobody_can":
            anybody = _any(game.able(can_play, seat) for seat in game.seats_from_current())
            return Outcome(Ending.NOBODY_CAN if anybody is False else None, anybody is None)
        case "final_round" if game.final_turns == 0:
            return Outcome(Ending.FINAL_ROUND)
        case "final_round" | "first_unable":
            to_move = game.able(can_play, game.current)
            return Outcome(Ending(mode) if to_move is False else None, to_move is None)
        case "all_pass":
            return GOES_ON
        case _:
            assert_never(mode)


def _any(answers: Iterable[bool | None]) -> bool | None:
    """True if any is true, False if all are false, else None. Stops at the first true."""
    unknown = False
    for answer in answers:
        if answer:
            return True
        unknown |= answer is None
    return None if unknown else False


def _version_1(game: Game) -> Ending | None:
    """Endings of rules version 1: by passes alone, without proofs."""
    if game.final_turns is not None and (game.final_turns <= 0 or game.passes > 0):
        return Ending.FINAL_ROUND
    return Ending.ALL_PASSED if _full_round_without_play(game) else None


def _full_round_without_play(game: Game) -> bool:
    return game.passes >= len(game.players)


def unable_seat(game: Game) -> int | None:
    """The seat whose proven inability to play ended the game, if any."""
    if game.result is None or game.rules_version == 1:
        return None
    stopped = game.result.end is Ending.FIRST_UNABLE or (
        game.result.end is Ending.FINAL_ROUND and game.final_turns != 0
    )
    return game.current if stopped else None
