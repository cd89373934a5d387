"""The clock that stands while a player waits to be shown a play: once a turn, and not for long."""

from __future__ import annotations

import random

import pytest

from tests.server.rooms.desk import OTHER, Desk
from tilerummy.play.commands import Draw
from tilerummy.server.rooms import matches
from tilerummy.server.rooms.settings import Settings

CLOCK, SHOW = 60_000, 10_000


@pytest.fixture
def desk() -> Desk:
    """Ann and Bo, and the first turn has just begun."""
    desk = Desk(Settings(options={"timer.seconds": CLOCK // 1000}))
    desk.begun("Ann", "Bo")
    return desk


def deadline(desk: Desk) -> int:
    assert desk.room.deadline is not None
    return desk.room.deadline


def hold(desk: Desk, after: int = 0) -> None:
    desk.does(matches.HoldClock(desk.current(), desk.turn(), SHOW), after=after)


def release(desk: Desk, after: int) -> None:
    desk.does(matches.ReleaseClock(desk.turn()), after=after)


def pause(desk: Desk, *, want: bool, after: int = 0) -> None:
    for seat in (0, 1) if want else (0,):
        desk.does(matches.Ask(seat, "pause", want, OTHER), after=after)
        after = 0


def test_the_clock_stands_as_long_as_the_player_waits(desk: Desk) -> None:
    before = deadline(desk)
    hold(desk)
    release(desk, after=4000)
    assert deadline(desk) == before + 4000
    assert desk.stored() == desk.room


def test_it_stands_no_longer_than_it_may(desk: Desk) -> None:
    before = deadline(desk)
    hold(desk)
    release(desk, after=SHOW + 7000)
    assert deadline(desk) == before + SHOW


def test_it_stands_once_a_turn(desk: Desk) -> None:
    hold(desk)
    release(desk, after=1000)
    before = deadline(desk)
    hold(desk)
    assert deadline(desk) == before
    assert desk.room.hold is None
    desk.does(matches.TakeTurn(Draw(desk.current()), desk.turn()))
    hold(desk)
    assert desk.room.hold is not None


def test_it_does_not_stand_for_others_or_for_another_turn(desk: Desk) -> None:
    before = deadline(desk)
    desk.does(matches.HoldClock(1 - desk.current(), desk.turn(), SHOW))
    desk.does(matches.HoldClock(desk.current(), desk.turn() + 1, SHOW))
    assert deadline(desk) == before


def test_it_does_not_stand_once_the_time_is_over(desk: Desk) -> None:
    before = deadline(desk)
    hold(desk, after=CLOCK)
    assert deadline(desk) == before
    desk.does(matches.TimeUp(desk.turn()), after=0)
    assert desk.turn() == 2


def test_the_clock_cannot_end_a_turn_while_it_stands(desk: Desk) -> None:
    hold(desk, after=CLOCK - 1)
    desk.refuses(matches.TimeUp(desk.turn()), "too-early")
    desk.does(matches.TimeUp(desk.turn()), after=SHOW)
    assert desk.turn() == 2


def test_a_turn_made_meanwhile_releases_it(desk: Desk) -> None:
    hold(desk)
    desk.does(matches.TakeTurn(Draw(desk.current()), desk.turn()), after=3000)
    assert desk.room.hold is None
    assert deadline(desk) == desk.now + CLOCK
    release(desk, after=1000)  # the answer comes too late, and changes nothing
    assert deadline(desk) == desk.now - 1000 + CLOCK


@pytest.mark.parametrize("answered", ["in the pause", "after it"])
def test_a_pause_and_a_hold_do_not_count_the_same_time_twice(desk: Desk, answered: str) -> None:
    before, began = deadline(desk), desk.now
    hold(desk)
    pause(desk, want=True, after=1000)
    if answered == "in the pause":
        release(desk, after=2000)
    pause(desk, want=False, after=6000)
    assert deadline(desk) == before + desk.now - began
    if answered == "after it":
        release(desk, after=500)
        assert deadline(desk) == before + desk.now - began - 500
    assert desk.stored() == desk.room


@pytest.mark.parametrize("seed", range(30))
def test_the_clock_never_stands_longer_than_the_pauses_and_one_hold(seed: int) -> None:
    rng = random.Random(seed)
    desk = Desk(Settings(options={"timer.seconds": CLOCK // 1000}))
    desk.begun("Ann", "Bo")
    before, stood = deadline(desk), 0
    for _ in range(12):
        after = rng.randint(0, 3000)
        if desk.room.paused is not None:
            stood += after
        if rng.random() < 0.5:
            if desk.room.paused is None:
                hold(desk, after)
            else:
                release(desk, after)
        elif rng.random() < 0.5:
            pause(desk, want=desk.room.paused is None, after=after)
        else:
            release(desk, after)
    if desk.room.paused is not None:
        pause(desk, want=False)
    assert before + stood <= deadline(desk) <= before + stood + SHOW
    assert desk.stored() == desk.room
