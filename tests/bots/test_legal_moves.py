"""No bot makes an illegal move: whole games of all bots, by every edition and by random options."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.rules.strategies import random_edition
from tilerummy.bots.protocol import NO_LIMIT, Budget, StatelessBot
from tilerummy.bots.roster import BOTS
from tilerummy.bots.spec import BotSpec, Offer, Style
from tilerummy.lab.bot_games import DealKey, play_bots
from tilerummy.play.commands import Play, Turn
from tilerummy.play.events import Drew, Passed
from tilerummy.play.refusals import Refused
from tilerummy.play.views import View
from tilerummy.rules.editions import CLASSIC, EDITIONS, Edition

BUDGETS = (Budget(nodes=1, samples=1), Budget(nodes=50, samples=4), Budget(nodes=2_000, samples=8))
SOAK_GAMES = int(os.environ.get("SOAK_BOT_GAMES", "100000"))
PARTS = 4
"""The soak test is cut in parts, so that several processes share it."""
MOST_SPECIAL_JOKERS = 6
"""More of them form so many rows that a game takes minutes."""
LONGEST_SECONDS = 60
"""A game of random options that takes longer is given up: a budget that counts has no clock, and
some positions take hours."""


def check_game(rng: random.Random, rules: Edition) -> None:
    """Play one game of bots with small budgets. Raises Refused for a turn that is not allowed;
    where an illegal turn is played and judged, there must be none."""
    seating = rng.choices([*BOTS], k=rng.randint(rules.players_min, rules.players_max))
    deal = DealKey(rng.randrange(2**32), 0)
    for game, events in play_bots(rules, seating, deal, rng.choice(BUDGETS)):
        illegal = [e for e in events if isinstance(e, Drew | Passed) and e.why == "illegal"]
        assert not illegal, (rules.name, rules.changed_options(), seating, deal, game.turn)


def any_edition(rng: random.Random) -> Edition:
    while True:
        rules = random_edition(rng)
        if sum(rules.jokers[1:]) <= MOST_SPECIAL_JOKERS:
            return rules


class TooLongError(Exception):
    """A game is given up."""


@contextmanager
def given_up_after(seconds: float) -> Iterator[None]:
    """Raises TooLongError inside, wherever that is."""

    def give_up(*_: object) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Cheat(StatelessBot):
    """Lays the first tile of its rack alone."""

    def choose(self, view: View, budget: Budget = NO_LIMIT) -> Turn:
        return Play(view.current, (*view.table, (view.rack[0],)))


@pytest.mark.parametrize("strict", [False, True])
def test_an_illegal_move_is_found(strict: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    cheat = BotSpec("cheat", Offer.LAB, 0, Style.SIMPLE, Cheat)
    for spec in [*BOTS]:
        monkeypatch.setitem(BOTS, spec, cheat)
    with pytest.raises(AssertionError if strict else Refused):
        check_game(random.Random(1), CLASSIC.with_options({"strict_submit": strict}))


@pytest.mark.parametrize("name", EDITIONS)
def test_no_bot_makes_an_illegal_move(name: str) -> None:
    rng = random.Random(f"legal {name}")
    for _ in range(2):
        check_game(rng, EDITIONS[name])


def test_no_bot_makes_an_illegal_move_by_any_options() -> None:
    rng = random.Random("legal options")
    for _ in range(6):
        check_game(rng, any_edition(rng))


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_no_bot_makes_an_illegal_move_in_many_games(
    part: int, capfd: pytest.CaptureFixture[str]
) -> None:
    began = time.monotonic()
    games = range(part, SOAK_GAMES, PARTS)
    long = []
    for count, number in enumerate(games, 1):
        rng = random.Random(f"legal {number}")
        name = rng.choice([*EDITIONS, "options"])
        try:
            with given_up_after(LONGEST_SECONDS):
                check_game(rng, any_edition(rng) if name == "options" else EDITIONS[name])
        except TooLongError:
            long.append((number, name))
        if count % 100 == 0 or count == len(games):
            spent = time.monotonic() - began
            with capfd.disabled():
                told = f"part {part + 1} of {PARTS}: {count} of {len(games)} games, {spent:.0f} s"
                print(f"{told}, given up: {len(long)}", file=sys.stderr, flush=True)
    assert {name for _, name in long} <= {"options"}, long
    assert len(long) <= len(games) // 100
