"""One game as an immutable state machine.

`Game.apply(command, now)` gives the game after the command and the events that happened; a command
that is not allowed raises `Refused` and changes nothing. `Game.evolve(event)` folds one event in,
so a stored list of events gives the same game again. `now` is in milliseconds of the caller's
clock: the game itself knows no time and no randomness.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import Any

from tilerummy.play import shuffle
from tilerummy.play.change import changed, put
from tilerummy.play.commands import (
    Command,
    Draw,
    GiveSeed,
    Play,
    Start,
    TimeOut,
)
from tilerummy.play.endings import CanPlay, outcome
from tilerummy.play.events import (
    RULES_VERSION,
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
from tilerummy.play.match import check_names
from tilerummy.rules.declarations import NOTHING_DECLARED, Declared
from tilerummy.rules.editions import Box, Edition, edition
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.orders import settled
from tilerummy.rules.position import Position
from tilerummy.rules.scores import Ending, Result, rack_left, score_blocked, score_out
from tilerummy.rules.tiles import Row, Table, Tile, has_tile_twice, sorted_tiles
from tilerummy.rules.turns import TurnVerdict, judge_turn


class Refused(TileRummyError):  # noqa: N818 - it is an answer, not a failure
    """A command that is not allowed now. The game has not changed."""

    code = "refused"

    def __init__(self, code: str, message: str, verdict: TurnVerdict | None = None) -> None:
        super().__init__(message, code=code, key=f"refusal.{code}")
        self.verdict = verdict


class InvariantError(AssertionError):
    """The game has lost or doubled a tile: a bug, never a player's fault."""


class Phase(StrEnum):
    WAITING = "waiting"  # seeds may be given
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True)
class Game:
    edition: Edition
    players: tuple[str, ...]
    number: int
    secret: str
    commitment: str
    fixed_starter: int | None
    rules_version: int
    seeds: tuple[str | None, ...]
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
    last: Event | None = None
    """The turn before this one, or the latest event before the first turn."""
    result: Result | None = None

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
    ) -> tuple[Game, tuple[Event, ...]]:
        """A game that waits for seeds. `secret` is the dealer's, 64 hexadecimal digits."""
        low, high = edition_.players_min, edition_.players_max
        if not low <= len(players) <= high:
            raise Refused(
                "bad-players", f"{len(players)} players: {edition_.name} takes {low} to {high}"
            )
        check_names(players)
        if starter is not None and not 0 <= starter < len(players):
            raise Refused("unknown-seat", f"there is no seat {starter}")
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
            seeds=(None,) * len(event.players),
            last=event,
        )

    @classmethod
    def fold(cls, events: Iterable[Event]) -> Game:
        """The game that these events lead to."""
        stream = iter(events)
        first = next(stream, None)
        if not isinstance(first, Created):
            raise Refused("bad-record", "a game begins with its created event")
        game = cls._created(first, edition(first.edition, first.options))
        for event in stream:
            game = game.evolve(event)
        return game

    # What can be asked

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
        """What the referee says of this table as the current player's turn.

        What was said of a joker stands until it is retrieved, or until it is said differently.
        """
        seat = self.current
        return judge_turn(
            self.edition,
            opened=self.opened[seat],
            rack=self.racks[seat],
            before=self.table,
            after=table,
            declared_before=self.declared,
            declared=declared,
            manipulation=self.manipulation,
        )

    def position(self, seat: int, drawn: int = 0) -> Position:
        """What lies before a seat as if it were to move, after drawing some tiles."""
        rack = (*self.racks[seat], *self._from_pool(drawn))
        opened, free = self.opened[seat], self.manipulation
        return Position(self.edition, self.table, rack, opened, free, self.declared)

    def seats_from_current(self) -> list[int]:
        """All seats in the order of play, the one to move first."""
        players = len(self.players)
        return [(self.current + n * self._step) % players for n in range(players)]

    @property
    def _step(self) -> int:
        return 1 if self.edition.direction == "cw" else -1

    # Commands

    def apply(
        self, command: Command, now: int, can_play: CanPlay | None = None
    ) -> tuple[Game, tuple[Event, ...]]:
        """The game after a command, with the events that happened. Raises Refused.

        `can_play` is needed where the rules ask whether a player can play at all: with
        `draw.mode=until_playable`, and on an empty pool.
        """
        if self.last is not None:
            now = max(now, self.last.at)  # a clock that is set back must not turn time around
        can_play = None if can_play is None else cache(can_play)  # one answer to one question
        before = game = self
        events: list[Event] = []
        for event in self._decide(command, now, can_play):
            before, game = game, game.evolve(event)
            events.append(event)
        if game.phase is Phase.PLAYING:
            end, unproven = outcome(game, lambda seat: game._able(can_play, seat))
            latest = events[-1]
            if unproven and isinstance(latest, (Dealt, Played, Drew, Passed)):
                events[-1] = replace(latest, unproven=True)
                game = before.evolve(events[-1])
            if end is not None:
                events.append(game._ended(end, now))
                game = game.evolve(events[-1])
        game.check(self.table)
        return game, tuple(events)

    def _decide(self, command: Command, now: int, can_play: CanPlay | None) -> list[Event]:
        if self.phase is Phase.OVER:
            raise Refused("game-over", "the game is over")
        if isinstance(command, GiveSeed):
            return [self._give_seed(command, now)]
        if isinstance(command, Start):
            return self._start(now)
        if self.phase is Phase.WAITING:
            raise Refused("not-started", "the tiles have not been dealt yet")
        if isinstance(command, TimeOut):
            return [self._time_out(command, now)]
        self._check_turn(command.seat, now)
        if isinstance(command, Play):
            return [self._play(command, now)]
        if isinstance(command, Draw):
            return [self._draw(now, can_play)]
        return [self._pass(now, can_play)]

    def _give_seed(self, command: GiveSeed, now: int) -> Event:
        if self.phase is not Phase.WAITING:
            raise Refused("already-started", "the tiles are dealt: seeds come before the deal")
        self._check_seat(command.seat)
        if self.seeds[command.seat] is not None:
            raise Refused("seed-given", f"seat {command.seat} has given its seed already")
        try:
            return Seeded(now, command.seat, shuffle.check_seed(command.seed))
        except shuffle.SeedError as error:
            raise Refused(error.code, str(error)) from error

    def _start(self, now: int) -> list[Event]:
        if self.phase is not Phase.WAITING:
            raise Refused("already-started", "the tiles are dealt already")
        players = len(self.players)
        tiles = self.edition.box(players).tiles()
        fair = self.fairness()
        events: list[Event] = []
        kept: tuple[Tile | None, ...] = (None,) * players
        starter = self.fixed_starter
        if starter is None:
            drawn = shuffle.draw_for_start(self.edition, tiles, players, fair)
            starter, kept = drawn.starter, drawn.kept
            events.append(StarterDrawn(now, drawn.draws, starter))
        dealt = shuffle.deal(self.edition, tiles, kept, fair)
        events.append(Dealt(now, dealt.racks, dealt.pool, starter))
        return events

    def fairness(self) -> shuffle.Fairness:
        seeds = tuple(seed or shuffle.DEFAULT_SEED for seed in self.seeds)
        return shuffle.Fairness(self.secret, self.number, seeds)

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < len(self.players):
            raise Refused("unknown-seat", f"there is no seat {seat}")

    def _check_turn(self, seat: int, now: int) -> None:
        self._check_seat(seat)
        if seat != self.current:
            raise Refused("not-your-turn", f"it is the turn of seat {self.current}, not of {seat}")
        if self.deadline is not None and now >= self.deadline:
            raise Refused("too-late", "the time for this turn is over")

    def _play(self, command: Play, now: int) -> Event:
        verdict = self.judge(command.table, command.declared)
        if verdict.legal:
            return Played(now, command.seat, verdict.played, verdict.table, verdict.declared)
        if self._costs_penalty(command.table):
            return self._penalty(now, "illegal", command.table, command.declared)
        reasons = "; ".join(str(reason) for reason in verdict.reasons)
        raise Refused("illegal-play", f"this is not a legal turn ({reasons})", verdict)

    def _costs_penalty(self, table: Table) -> bool:
        """Whether an illegal table is paid for with tiles, instead of being refused.

        With an empty pool there is nothing to pay with: it would be a pass around must-play.
        """
        payable = bool(self.pool) or self.rules_version == 1
        return self.edition.strict_submit and payable and self._possible(table) == table

    def _draw(self, now: int, can_play: CanPlay | None) -> Event:
        if not self.pool:
            raise Refused("pool-empty", "the pool is empty: play, or pass")
        count, able = 1, self.edition.draw_mode == "one"
        while not able and count < len(self.pool):
            answer = self._able(can_play, self.current, drawn=count)
            if answer is None:
                return Drew(now, self.current, self._from_pool(count), unproven=True)
            able = answer
            count += not able
        return Drew(now, self.current, self._from_pool(count))

    def _pass(self, now: int, can_play: CanPlay | None) -> Event:
        if self.pool:
            raise Refused("pool-not-empty", "there are tiles in the pool: play, or draw")
        if not self.pass_is_forced:
            return Passed(now, self.current)
        able = self._able(can_play, self.current)
        if able:
            raise Refused("must-play", "the pool is empty and you can play, so you must")
        return Passed(now, self.current, unproven=able is None)

    def _able(self, can_play: CanPlay | None, seat: int, drawn: int = 0) -> bool | None:
        """Whether a seat can play, after drawing some tiles; None where there is no proof."""
        if can_play is None:
            raise TypeError("the rules ask whether a player can play: give apply() a can_play")
        return can_play(self.position(seat, drawn))

    def _from_pool(self, count: int) -> tuple[Tile, ...]:
        """The next tiles of the pool, in the order in which they are drawn."""
        return self.pool[::-1][:count]

    def _time_out(self, command: TimeOut, now: int) -> Event:
        if command.turn != self.turn:
            raise Refused("wrong-turn", f"turn {command.turn} is not the turn {self.turn}")
        if self.deadline is None or now < self.deadline:
            raise Refused("too-early", "the time for this turn is not over")
        seat = self.current
        if command.draft is not None and has_tile_twice(command.draft):
            raise Refused("tile-twice", "the draft holds one tile twice")
        draft = None if command.draft is None else self._possible(command.draft)
        if draft is None or _same_rows(draft, self.table):
            if not self.pool:
                return Passed(now, seat, "clock")
            return Drew(now, seat, self._from_pool(1), "clock")
        if self.edition.timer_legal_draft == "commit":
            verdict = self.judge(draft, command.declared)
            if verdict.legal:
                return Played(
                    now, seat, verdict.played, verdict.table, verdict.declared, by_clock=True
                )
        return self._penalty(now, "penalty", draft, command.declared)

    def _penalty(self, now: int, why: str, draft: Table, declared: Declared) -> Event:
        """The table goes back as it was and the player draws the penalty, as far as there is."""
        said = {row: said for row, said in declared.items() if row in draft}
        if not self.pool:
            return Passed(now, self.current, why, draft, said)
        fixed = self.edition.penalty_mode == "fixed"
        count = self.edition.penalty_tiles if fixed else self._leftover(draft)
        # Whoever does not play draws at least one tile, or a game could go on for ever.
        return Drew(now, self.current, self._from_pool(max(1, count)), why, draft, said)

    def _possible(self, table: Table) -> Table:
        """A table as somebody sent it, without tiles that the player cannot have laid there."""
        own = {*self.racks[self.current], *(tile for row in self.table for tile in row)}
        rows = []
        for row in table:
            kept = tuple([tile for tile in dict.fromkeys(row) if tile in own])
            own.difference_update(kept)
            rows.append(kept)
        return tuple([row for row in rows if row])

    def _leftover(self, draft: Table) -> int:
        """The tiles of an unfinished turn that lie in no valid row, or were left off the table."""
        laid = {tile for row in draft for tile in row}
        loose = sum(len(row) for row in draft if not self._stands(row))
        return loose + sum(tile not in laid for row in self.table for tile in row)

    def _stands(self, row: Row) -> bool:
        return settled(self.edition, row) is not None

    def _ended(self, end: Ending, now: int) -> Ended:
        racks = [
            rack_left(self.edition, rack, opened=opened)
            for rack, opened in zip(self.racks, self.opened, strict=True)
        ]
        if end is Ending.OUT:
            result = score_out(racks, self.racks.index(()))
        else:
            result = score_blocked(self.edition, racks, self.starter or 0, end)
        said = None if self.rules_version == 1 else end
        return Ended(now, result.blocked, result.winners, result.scores, said)

    # Events

    def evolve(self, event: Event) -> Game:
        """The game after one event. Events are facts: they are not judged again."""
        match event:
            case Created():
                return self._created(event, edition(event.edition, event.options))
            case Seeded():
                seeds = put(self.seeds, event.seat, event.seed)
                return changed(self, seeds=seeds, last=event)
            case StarterDrawn():
                return changed(self, starter=event.starter, starter_draws=event.draws, last=event)
            case Dealt():
                return self._after_deal(event)
            case Played():
                laid = {*event.tiles}
                rack = tuple([tile for tile in self.racks[event.seat] if tile not in laid])
                return self._next_turn(
                    event,
                    self.pool,
                    racks=put(self.racks, event.seat, rack),
                    table=event.table,
                    declared=event.declared,
                    opened=put(self.opened, event.seat, True),
                    passes=0,
                )
            case Drew():
                rack = sorted_tiles((*self.racks[event.seat], *event.tiles))
                return self._next_turn(
                    event,
                    self.pool[: len(self.pool) - len(event.tiles)],
                    racks=put(self.racks, event.seat, rack),
                    passes=0,
                )
            case Passed():
                return self._next_turn(event, self.pool, passes=self.passes + 1)
            case Ended():
                end = event.end or outcome(self, lambda seat: None).end
                result = Result(event.scores, event.winners, event.blocked, end)
                return changed(self, phase=Phase.OVER, result=result)

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
            last=event,
        )

    def _next_turn(self, event: Event, pool: tuple[Tile, ...], **changes: Any) -> Game:
        """The turn passes on, with this pool and whatever else the event has changed."""
        players = len(self.players)
        final = self.final_turns
        if final is not None:
            final -= 1
        elif not pool and self.edition.empty_pool_end == "final_round":
            final = players
        return changed(
            self,
            **changes,
            pool=pool,
            current=(self.current + self._step) % players,
            turn=self.turn + 1,
            turn_began=event.at,
            final_turns=final,
            last=event,
        )

    # Invariants

    def check(self, checked: Table = ()) -> None:
        """Every tile of the box is in exactly one place and every row is a set.

        `checked` is a table whose rows need no second look.
        """
        if self.phase is Phase.WAITING:
            return
        tiles = [*self.pool]
        for part in (*self.racks, *self.table):
            tiles += part
        box = self.edition.box(len(self.players))
        if len(tiles) != len(box) or {*tiles} != _all_tiles(box):
            raise InvariantError("the tiles of the box are not all in one place each")
        known = {*checked}
        for row in self.table:
            if row not in known and not self._stands(row):
                raise InvariantError(f"a row of the table is no set: {row}")


@cache
def _all_tiles(box: Box) -> set[Tile]:
    return {*box.tiles()}


def _same_rows(one: Table, other: Table) -> bool:
    """Whether the same tiles lie together, in whatever order."""
    return sorted(sorted(row) for row in one) == sorted(sorted(row) for row in other)
