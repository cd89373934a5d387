"""The game: an immutable, event-sourced state machine.

`Game.apply(command, now)` returns the game after the command and the events that happened; a
command that is not allowed raises `Refused` and changes nothing. `Game.evolve(event)` folds one
event in, so a stored list of events gives the same game again. `now` is in milliseconds of the
caller's clock: the game itself has no clock and no randomness.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, assert_never

from tilerummy.play import commit_reveal, invariants, shuffle
from tilerummy.play.change import changed, put
from tilerummy.play.commands import Command
from tilerummy.play.commit_reveal import CancelledDeal, SeedSource
from tilerummy.play.decisions import decide
from tilerummy.play.endings import CanPlay, memoised, outcome
from tilerummy.play.events import (
    RULES_VERSION,
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
from tilerummy.play.match import check_names
from tilerummy.play.refusals import GameRefused
from tilerummy.rules.declarations import NOTHING_DECLARED, Declared
from tilerummy.rules.editions import Edition, edition
from tilerummy.rules.position import Position
from tilerummy.rules.scores import Ending, Result, rack_left, score_end
from tilerummy.rules.tiles import Table, Tile, sorted_tiles
from tilerummy.rules.turns import Judge, TurnVerdict, judge_turn


class Phase(StrEnum):
    """Where a game is in its life."""

    WAITING = "waiting"  # seats commit to seeds and reveal them
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, repr=False)
class Game:
    """The complete state of one game, secrets included. Players see a `View` of it."""

    edition: Edition
    players: tuple[str, ...]
    number: int
    secret: str
    commitment: str
    fixed_starter: int | None
    rules_version: int
    shuffle_version: int
    transcript: str
    """What the commitments of the seats refer to (see `commit_reveal`)."""
    commitments: tuple[str | None, ...]
    seeds: tuple[str | None, ...]
    """The seeds that the seats have revealed."""
    sources: tuple[SeedSource, ...] = ()
    """Where the seeds come from; empty until the commitments are fixed."""
    cancelled: tuple[CancelledDeal, ...] = ()
    phase: Phase = Phase.WAITING
    starter: int | None = None
    starter_draws: tuple[tuple[int, Tile], ...] = ()
    racks: tuple[tuple[Tile, ...], ...] = ()
    pool: tuple[Tile, ...] = ()
    table: Table = ()
    declared: Declared = field(default_factory=dict, hash=False)
    opened: tuple[bool, ...] = ()
    current: int = 0
    turn: int = 0
    turn_began: int = 0
    passes: int = 0
    final_turns: int | None = None
    """Turns left once the pool is empty, where the edition plays a final round."""
    dealt: Dealt | None = None
    last: Event | None = None
    """The turn before this one, or the latest event before the first turn."""
    result: Result | None = None
    is_checked: bool = field(default=False, init=False, compare=False)
    """Whether `check` has passed, so that the next game needs to check only what changed."""

    def __repr__(self) -> str:
        racks = "+".join(str(len(rack)) for rack in self.racks) or "not dealt"
        return (
            f"<Game {self.number} {self.edition.name} {self.phase}, turn {self.turn}, "
            f"seat {self.current}, racks {racks}, table {len(self.table)}, "
            f"pool {len(self.pool)}>"
        )

    # Making a game

    @classmethod
    def create(
        cls,
        edition_: Edition,
        players: Sequence[str],
        *,
        secret: str,
        now: int,
        number: int = 1,
        starter: int | None = None,
        rules_version: int = RULES_VERSION,
        shuffle_version: int = shuffle.SHUFFLE_VERSION,
    ) -> tuple[Game, tuple[Event, ...]]:
        """A game that waits for commitments, and its first event.

        `secret` is the dealer's, 64 hexadecimal digits; `now` is in milliseconds. Raises Refused
        for a bad number of players or starter, MatchError for a bad name, and SeedError for a bad
        secret.
        """
        low, high = edition_.players_min, edition_.players_max
        if not low <= len(players) <= high:
            raise GameRefused(
                "bad-players", f"{len(players)} players: {edition_.name} takes {low} to {high}"
            )
        check_names(players)
        if starter is not None and not 0 <= starter < len(players):
            raise GameRefused("unknown-seat", f"there is no seat {starter}")
        event = Created(
            now,
            edition_.name,
            edition_.changed_options(),
            tuple(players),
            number,
            secret,
            shuffle.commitment(secret),
            starter,
            rules_version,
            shuffle_version,
        )
        return cls._created(event, edition_), (event,)

    @classmethod
    def _created(cls, event: Created, edition_: Edition) -> Game:
        return cls(
            edition=edition_,
            players=event.players,
            number=event.game,
            secret=event.secret,
            commitment=event.commitment,
            fixed_starter=event.starter,
            rules_version=event.rules_version,
            shuffle_version=event.shuffle_version,
            transcript=commit_reveal.first_transcript(event.game, event.commitment),
            commitments=(None,) * len(event.players),
            seeds=(None,) * len(event.players),
            last=event,
        )

    @classmethod
    def fold(cls, events: Iterable[Event]) -> Game:
        """The game that these events lead to. Raises Refused unless the first creates a game."""
        stream = iter(events)
        first = next(stream, None)
        if not isinstance(first, Created):
            raise GameRefused("bad-record", "a game begins with its created event")
        game = cls._created(first, edition(first.edition, first.options))
        for event in stream:
            game = game.evolve(event)
        return game

    # Queries

    @property
    def is_waiting(self) -> bool:
        """Whether the tiles have not been dealt yet."""
        return self.phase is Phase.WAITING

    @property
    def is_playing(self) -> bool:
        """Whether a seat is to move."""
        return self.phase is Phase.PLAYING

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.phase is Phase.OVER

    @property
    def is_fixed(self) -> bool:
        """Whether all commitments of this deal are fixed."""
        return bool(self.sources)

    @property
    def missing_seeds(self) -> tuple[int, ...]:
        """The seats that have committed to a seed and may reveal it now."""
        return commit_reveal.missing_seats(self.sources, self.seeds)

    def may_commit(self, seat: int) -> bool:
        """Whether a seat may commit to its own seed: not if it withheld too many in this game."""
        withheld = sum(seat in deal.withheld for deal in self.cancelled)
        return withheld < commit_reveal.MOST_WITHHELD

    @property
    def deadline(self) -> int | None:
        """When the turn ends by the clock; None where there is no clock."""
        seconds = self.edition.timer_seconds
        return self.turn_began + 1000 * seconds if seconds and self.phase is Phase.PLAYING else None

    @property
    def manipulation(self) -> bool:
        """Whether rows of the table may be taken apart now."""
        return self.final_turns is None or self.edition.final_round_manipulation

    @property
    def pass_is_forced(self) -> bool:
        """Whether the pool is empty and only a player who cannot play may pass."""
        return not self.pool and self.edition.empty_pool_pass == "forced_if_able"

    def judge(self, table: Table, declared: Declared = NOTHING_DECLARED) -> TurnVerdict:
        """The verdict on this table as the current player's turn.

        The declaration of a joker holds until the joker is retrieved or declared again.
        """
        return judge_turn(self.position(self.current), table, declared)

    def position(self, seat: int, drawn: int = 0) -> Position:
        """The position of a seat as if it were to move, after drawing some tiles."""
        rack = self.racks[seat]
        if drawn:
            rack = (*rack, *self.next_tiles(drawn))
        opened, free = self.opened[seat], self.manipulation
        return Position(self.edition, self.table, rack, opened, free, self.declared)

    def seats_from_current(self) -> list[int]:
        """All seats in the order of play, the one to move first."""
        players = len(self.players)
        return [(self.current + n * self.edition.step) % players for n in range(players)]

    def next_tiles(self, count: int) -> tuple[Tile, ...]:
        """The next tiles of the pool, in the order in which they are drawn."""
        return self.pool[: -count - 1 : -1]

    def able(self, can_play: CanPlay | None, seat: int, drawn: int = 0) -> bool | None:
        """Whether a seat can play, after drawing some tiles; None if that is not proven."""
        if can_play is None:
            raise TypeError("the rules ask whether a player can play: give apply() a can_play")
        return can_play(self.position(seat, drawn))

    def fairness(self) -> shuffle.Fairness:
        """The source of all randomness of this game: the secret and the seeds."""
        if self.shuffle_version == 1:
            given = tuple(seed or shuffle.DEFAULT_SEED for seed in self.seeds)
            return shuffle.Fairness(self.secret, self.number, given, 1)
        seeds = commit_reveal.all_seeds(self.secret, self.transcript, self.sources, self.seeds)
        return shuffle.Fairness(self.secret, self.transcript, seeds)

    # Commands

    def apply(
        self,
        command: Command,
        now: int,
        can_play: CanPlay | None = None,
        *,
        judge: Judge = judge_turn,
        trusted: bool = False,
    ) -> tuple[Game, tuple[Event, ...]]:
        """The game after a command, with the events that happened.

        Raises Refused for a command that is not allowed now; the game is unchanged.

        `can_play` is needed where the rules ask whether a player can play at all: with
        `draw.mode=until_playable`, and on an empty pool.

        `judge` may have a time limit. A play without a verdict in time is refused, and a draft
        without one counts as none when the clock runs out.

        `trusted` skips the judge and the invariants: for simulations whose tables come from the
        solver, in valid order and with complete declarations. Never for a table from outside.
        """
        if self.last is not None and now < self.last.at:
            now = self.last.at  # a clock that is set back must not reverse time
        if can_play is not None and not self.pool:
            can_play = memoised(can_play)  # a pass and the ending may ask of the same position
        before = game = self
        events = decide(self, command, now, can_play, judge, trusted=trusted)
        for event in events:
            before, game = game, game.evolve(event)
        if game.phase is Phase.PLAYING:
            end, unproven = outcome(game, can_play)
            latest = events[-1]
            if unproven and isinstance(latest, (Dealt, Played, Drew, Passed)):
                events[-1] = replace(latest, unproven=True)
                game = before.evolve(events[-1])
            if end is not None:
                events.append(game._ended(end, now))
                game = game.evolve(events[-1])
        if not trusted:
            game.check(self)
        return game, tuple(events)

    def _ended(self, end: Ending, now: int) -> Ended:
        racks = [
            rack_left(self.edition, rack, opened=opened)
            for rack, opened in zip(self.racks, self.opened, strict=True)
        ]
        result = score_end(self.edition, racks, self.starter or 0, end)
        said = None if self.rules_version == 1 else end
        return Ended(now, result.blocked, result.winners, result.scores, said)

    # Events

    def evolve(self, event: Event) -> Game:
        """The game after one event. Events are facts: they are not judged again."""
        match event:
            case Played() | Drew() | Passed():
                return self._after_turn(event)
            case Created():
                return self._created(event, edition(event.edition, event.options))
            case Seeded() | Committed() | Fixed() | Revealed() | Cancelled() | StarterDrawn():
                changes = self._setup_changes(event)
                return changed(self, **changes, last=event, is_checked=False)
            case Dealt():
                return self._after_deal(event)
            case Ended():
                end = event.end or outcome(self, lambda position: None).end
                result = Result(event.scores, event.winners, event.blocked, end)
                return changed(self, phase=Phase.OVER, result=result, is_checked=False)

    def _setup_changes(
        self, event: Seeded | Committed | Fixed | Revealed | Cancelled | StarterDrawn
    ) -> dict[str, Any]:
        match event:
            case Seeded() | Revealed():
                return {"seeds": put(self.seeds, event.seat, event.seed)}
            case Committed():
                return {"commitments": put(self.commitments, event.seat, event.commitment)}
            case Fixed():
                return {"sources": event.sources}
            case Cancelled():
                return self._cancel_changes(event)
            case StarterDrawn():
                return {"starter": event.starter, "starter_draws": event.draws}
            case _:
                assert_never(event)

    def _cancel_changes(self, event: Cancelled) -> dict[str, Any]:
        """All seats commit again, to another transcript."""
        before = CancelledDeal(
            self.secret,
            self.commitment,
            self.transcript,
            self.commitments,
            self.sources,
            self.seeds,
        )
        nothing = (None,) * len(self.players)
        return {
            "secret": event.secret,
            "commitment": event.commitment,
            "transcript": commit_reveal.next_transcript(
                self.transcript, self.commitments, self.seeds, event.commitment
            ),
            "commitments": nothing,
            "seeds": nothing,
            "sources": (),
            "cancelled": (*self.cancelled, before),
        }

    def _after_deal(self, event: Dealt) -> Game:
        players = len(self.players)
        final = self.edition.empty_pool_end == "final_round" and not event.pool
        return changed(
            self,
            phase=Phase.PLAYING,
            starter=event.starter,
            racks=event.racks,
            pool=event.pool,
            opened=(False,) * players,
            current=event.starter,
            turn=1,
            turn_began=event.at,
            final_turns=players if final else None,
            dealt=event,
            last=event,
            is_checked=False,
        )

    def _after_turn(self, event: Played | Drew | Passed) -> Game:
        """The game after a turn: the next seat is to move."""
        racks, pool, table, declared = self.racks, self.pool, self.table, self.declared
        opened, passes, seat = self.opened, 0, event.seat
        match event:
            case Played():
                laid = {*event.tiles}
                left = tuple([tile for tile in racks[seat] if tile not in laid])
                racks = put(racks, seat, left)
                table, declared = event.table, event.declared
                if not opened[seat]:
                    opened = put(opened, seat, True)
            case Drew():
                racks = put(racks, seat, sorted_tiles((*racks[seat], *event.tiles)))
                pool = pool[: len(pool) - len(event.tiles)]
            case Passed():
                passes = self.passes + 1
        players = len(self.players)
        final = self.final_turns
        if final is not None:
            final -= 1
        elif not pool and self.edition.empty_pool_end == "final_round":
            final = players
        return changed(
            self,
            racks=racks,
            pool=pool,
            table=table,
            declared=declared,
            opened=opened,
            current=(self.current + self.edition.step) % players,
            turn=self.turn + 1,
            turn_began=event.at,
            passes=passes,
            final_turns=final,
            last=event,
            is_checked=False,
        )

    # Invariants

    def check(self, before: Game | None = None) -> None:
        """Raise InvariantError unless each tile of the box is in one place and each row is a set.

        `before` is the game before a command. If it was checked, only what differs from it is.
        """
        if self.phase is not Phase.WAITING:
            invariants.check(self, before if before is not None and before.is_checked else None)
            object.__setattr__(self, "is_checked", True)
