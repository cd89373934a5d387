"""Command handlers before the deal: commitments, seeds, cancelled deals, and the deal itself.

Nothing here changes a game: `Game.apply` folds the events in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, assert_never

from tilerummy.play import commit_reveal, shuffle
from tilerummy.play.commands import (
    CancelDeal,
    Commit,
    FixCommitments,
    GiveSeed,
    Reveal,
    Start,
)
from tilerummy.play.events import (
    Cancelled,
    Committed,
    Dealt,
    Event,
    Fixed,
    Revealed,
    Seeded,
    StarterDrawn,
)
from tilerummy.play.refusals import GameRefused
from tilerummy.rules.tiles import Tile

if TYPE_CHECKING:
    from tilerummy.play.game import Game

DealingCommand: TypeAlias = GiveSeed | Commit | FixCommitments | Reveal | CancelDeal | Start


def decide(game: Game, command: DealingCommand, now: int) -> list[Event]:
    """The events of a command before the deal. Raises GameRefused."""
    check_not_over(game)
    if not game.is_waiting:
        raise GameRefused("already-started", "the tiles are dealt already")
    if isinstance(command, Start):
        return _start(game, command, now)
    if isinstance(command, GiveSeed) != (game.shuffle_version == 1):
        raise GameRefused(
            "commit-first",
            f"this game has shuffle version {game.shuffle_version}: in version 1 seats give "
            "seeds, from version 2 on they commit to them first and reveal them later",
        )
    try:
        return [_before_deal(game, command, now)]
    except shuffle.SeedError as error:
        raise GameRefused("bad-seed", str(error)) from error


def check_not_over(game: Game) -> None:
    """Raise GameRefused if the game is over."""
    if game.is_over:
        raise GameRefused("game-over", "the game is over")


def check_seat(game: Game, seat: int) -> None:
    """Raise GameRefused for a seat that is not at this table."""
    if not 0 <= seat < len(game.players):
        raise GameRefused("unknown-seat", f"there is no seat {seat}")


def _before_deal(
    game: Game, command: GiveSeed | Commit | FixCommitments | Reveal | CancelDeal, now: int
) -> Event:
    match command:
        case GiveSeed():
            check_seat(game, command.seat)
            _check_no_seed(game, command.seat)
            return Seeded(now, command.seat, shuffle.check_seed(command.seed))
        case Commit():
            return _commit(game, command, now)
        case FixCommitments():
            return _fix(game, command, now)
        case Reveal():
            return _reveal(game, command, now)
        case CancelDeal():
            return _cancel(game, command, now)
        case _:
            assert_never(command)


def _check_no_seed(game: Game, seat: int) -> None:
    if game.seeds[seat] is not None:
        raise GameRefused("seed-given", f"seat {seat} has given its seed already")


def _commit(game: Game, command: Commit, now: int) -> Event:
    check_seat(game, command.seat)
    _check_not_fixed(game)
    if game.commitments[command.seat] is not None:
        raise GameRefused("seed-given", f"seat {command.seat} has committed to a seed already")
    if not game.may_commit(command.seat):
        raise GameRefused(
            "seed-withheld",
            f"seat {command.seat} did not reveal its seed {commit_reveal.MOST_WITHHELD} times in "
            "this game: it plays with the default seed",
        )
    return Committed(now, command.seat, commit_reveal.check_commitment(command.commitment))


def _check_not_fixed(game: Game) -> None:
    if game.is_fixed:
        raise GameRefused("already-fixed", "the commitments of this deal are fixed")


def _fix(game: Game, command: FixCommitments, now: int) -> Event:
    _check_not_fixed(game)
    for seat in command.local:
        check_seat(game, seat)

    def source(seat: int, commitment: str | None) -> commit_reveal.SeedSource:
        if commitment is not None:
            return "own"
        return "dealer" if seat in command.local else "default"

    return Fixed(now, tuple([source(seat, made) for seat, made in enumerate(game.commitments)]))


def _reveal(game: Game, command: Reveal, now: int) -> Event:
    seat = command.seat
    check_seat(game, seat)
    if not game.is_fixed:
        raise GameRefused("not-fixed", "keep your seed to yourself until all commitments are fixed")
    _check_no_seed(game, seat)
    made = commit_reveal.seat_commitment(game.transcript, seat, command.seed)
    if game.sources[seat] != "own" or made != game.commitments[seat]:
        raise GameRefused("bad-opening", f"seat {seat} has not committed to this seed")
    return Revealed(now, seat, command.seed)


def _cancel(game: Game, command: CancelDeal, now: int) -> Event:
    missing = game.missing_seeds
    if not missing:
        raise GameRefused("not-fixed", "no seed is missing: this deal cannot be cancelled")
    if command.secret in (game.secret, *[deal.secret for deal in game.cancelled]):
        raise GameRefused("bad-seed", "the dealer needs a new secret for every deal")
    return Cancelled(now, missing, command.secret, shuffle.commitment(command.secret))


def _start(game: Game, command: Start, now: int) -> list[Event]:
    if command.deal is not None:
        return [Dealt(now, command.deal.racks, command.deal.pool, game.fixed_starter or 0)]
    events: list[Event] = []
    if game.shuffle_version > 1:
        if not game.is_fixed:
            if any(game.commitments):
                raise GameRefused("not-fixed", "seats have committed: fix the commitments first")
            everybody = tuple(range(len(game.players)))
            events.append(_fix(game, FixCommitments(everybody), now))
            game = game.evolve(events[0])
        if game.missing_seeds:
            named = ", ".join(map(str, game.missing_seeds))
            raise GameRefused("seeds-missing", f"these seats have not revealed: {named}")
    players = len(game.players)
    tiles = game.edition.box(players).tiles()
    fair = game.fairness()
    kept: tuple[Tile | None, ...] = (None,) * players
    starter = game.fixed_starter
    if starter is None:
        drawn = shuffle.draw_for_start(game.edition, tiles, players, fair)
        starter, kept = drawn.starter, drawn.kept
        events.append(StarterDrawn(now, drawn.draws, starter))
    dealt = shuffle.deal(game.edition, tiles, kept, fair)
    events.append(Dealt(now, dealt.racks, dealt.pool, starter))
    return events
