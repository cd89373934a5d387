"""The stopping clock, and what one seat hears of the others."""

from __future__ import annotations

from tilerummy.cli.plan import Plan, Seat, dealer
from tilerummy.cli.session import Session, StopClock
from tilerummy.play.commands import Draw, Pass
from tilerummy.play.game import Phase
from tilerummy.rules.editions import CLASSIC


class Seconds:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def session(seconds: Seconds) -> Session:
    plan = Plan(CLASSIC, (Seat("Ann", True), Seat("Bot 1", False)))
    return Session(plan, StopClock(seconds), dealer("1"))


def test_the_clock_leaves_out_the_time_it_stood_still() -> None:
    seconds = Seconds()
    clock = StopClock(seconds)
    seconds.now += 2
    clock.stop()
    clock.stop()
    seconds.now += 10
    assert clock.now() == 2000
    assert not clock.running
    clock.go()
    clock.go()
    seconds.now += 1
    assert clock.now() == 3000


def test_a_bot_that_is_too_late_loses_its_turn_to_the_clock() -> None:
    seconds = Seconds()
    one = session(seconds)
    while one.deal().current != 1:
        one = session(seconds)
        one.secrets = dealer(f"{int(seconds.now):x}")
        seconds.now += 1
    seconds.now += 61
    assert one.time_is_up
    one.bot_turn()
    assert one.last_turns()[1].why == "clock"  # type: ignore[union-attr]


def test_news_are_the_turns_since_ones_own() -> None:
    seconds = Seconds()
    one = session(seconds)
    game = one.deal()
    assert one.news(0) == ()
    for _ in range(6):
        assert game.phase is Phase.PLAYING
        seconds.now += 1
        seat = game.current
        game = one.apply(Draw(seat) if game.pool else Pass(seat))
        assert one.news(seat) == ()
        assert one.own_draw(seat)
        assert [event.seat for event in one.news(1 - seat)] in ([seat], [])
    assert set(one.last_turns()) == {0, 1}
    assert one.fresh_tiles(0) == frozenset()
