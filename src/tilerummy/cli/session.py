"""A match at one keyboard: the driver, the bots, the clock and the record file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tilerummy.bots.remarks import Remark, last_remark
from tilerummy.bots.roster import BOTS
from tilerummy.bots.seats import BotSeats
from tilerummy.cli.plan import Plan
from tilerummy.cli.recordfile import RecordFile
from tilerummy.play.commands import Command, TimeOut
from tilerummy.play.driver import MatchDriver
from tilerummy.play.events import Drew, Passed, Played
from tilerummy.play.game import Game
from tilerummy.play.match import MatchError
from tilerummy.rules.tiles import Tile
from tilerummy.solver.turns.best_turn import can_play

TurnEvent: TypeAlias = Played | Drew | Passed


class StopClock:
    """A stopwatch in milliseconds of play, paused while no player is to think."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._began = seconds()
        self._lost = 0.0
        self._stopped: float | None = None

    def now(self) -> int:
        until = self._seconds() if self._stopped is None else self._stopped
        return int(1000 * (until - self._began - self._lost))

    @property
    def running(self) -> bool:
        return self._stopped is None

    def stop(self) -> None:
        if self._stopped is None:
            self._stopped = self._seconds()

    def go(self) -> None:
        if self._stopped is not None:
            self._lost += self._seconds() - self._stopped
            self._stopped = None


class Session:
    def __init__(
        self,
        plan: Plan,
        clock: StopClock,
        secrets: Callable[[], str],
        file: RecordFile | None = None,
    ) -> None:
        self.plan = plan
        self.clock = clock
        self.driver = MatchDriver(plan.match(), can_play)
        self.bots = BotSeats(
            {n: BOTS[seat.bot].make() for n, seat in enumerate(plan.seats) if not seat.human}
        )
        self.remarks: dict[int, Remark] = {}
        """What each bot says of its latest turn, by seat."""
        self.secrets = secrets
        self.file = file

    @property
    def game(self) -> Game:
        if self.driver.game is None:
            raise MatchError("no game has been dealt yet", key="error.match.no-game")
        return self.driver.game

    @property
    def humans(self) -> tuple[int, ...]:
        return self.plan.humans

    def is_human(self, seat: int) -> bool:
        return self.plan.seats[seat].human

    # What happens

    def deal(self) -> Game:
        game = self.driver.new_game(self.secrets(), self.clock.now())
        self.bots.start(game)
        self.remarks.clear()
        return game

    def apply(self, command: Command) -> Game:
        """Apply a command now, and write it down at once: nothing that was played gets lost."""
        game = self.driver.apply(command, self.clock.now())
        self.bots.see(game)
        self.save()
        return game

    def bot_turn(self) -> Game:
        game = self.game
        self.remarks.pop(game.current, None)
        if self.time_is_up:
            return self.apply(TimeOut(game.turn))
        after = self.apply(self.bots.choose(game))
        bot = self.plan.seats[game.current].bot
        said = last_remark(bot, after, self.driver.record.games[-1])
        if said is not None:
            self.remarks[game.current] = said
        return after

    @property
    def time_left(self) -> int | None:
        """Milliseconds left for this turn; None where there is no clock."""
        deadline = self.game.deadline
        return None if deadline is None else max(0, deadline - self.clock.now())

    @property
    def time_is_up(self) -> bool:
        return self.time_left == 0

    def save(self) -> None:
        """Write the record, if one is wanted. Raises RecordFileError."""
        if self.file is not None:
            self.file.write(self.driver.record)

    # What happened

    def turns(self) -> list[TurnEvent]:
        """The turns of this game so far."""
        games = self.driver.record.games
        events = games[-1] if games else ()
        return [event for event in events if isinstance(event, Played | Drew | Passed)]

    def last_turns(self) -> dict[int, TurnEvent]:
        """The latest turn of each seat."""
        return {event.seat: event for event in self.turns()}

    def news(self, seat: int) -> tuple[TurnEvent, ...]:
        """What the others have done since this seat's own turn."""
        found: list[TurnEvent] = []
        for event in reversed(self.turns()):
            if event.seat == seat:
                break
            found.append(event)
        return tuple(reversed(found))

    def fresh_tiles(self, seat: int) -> frozenset[Tile]:
        """The tiles that came onto the table since this seat's own turn."""
        return frozenset(
            tile for event in self.news(seat) if isinstance(event, Played) for tile in event.tiles
        )

    def own_draw(self, seat: int) -> tuple[Tile, ...]:
        """What this seat drew in its latest turn, if it drew."""
        event = self.last_turns().get(seat)
        return event.tiles if isinstance(event, Drew) else ()
