"""The roster holds everything that the rest of the house knows about a bot."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pytest

from tests.play.states import arranged, dealt
from tilerummy.bots import (
    BOTS,
    DEFAULT_LEVEL,
    LADDER,
    NO_LIMIT,
    OFFERED,
    ROSTER,
    STAND_IN,
    Budget,
    StatelessBot,
    stand_in,
)
from tilerummy.bots.seats import play_match
from tilerummy.bots.solver import SolverBot
from tilerummy.bots.spec import BotSpec, Offer, Style
from tilerummy.locales import LANGUAGES, catalogue
from tilerummy.play.commands import Draw, Play, Turn
from tilerummy.play.driver import MatchDriver
from tilerummy.play.game import Game, Phase
from tilerummy.play.match import Match
from tilerummy.play.views import View, view
from tilerummy.rules.editions import edition
from tilerummy.solver.turns.best_turn import can_play

NODES = 50
NO_CLOCK = Budget(nodes=20_000, samples=24)
"""Enough for every decision, and the same on every machine."""


def test_ids_are_unique_and_short_enough_for_the_protocol() -> None:
    assert list(BOTS) == [spec.id for spec in ROSTER]
    assert all(spec.id.isidentifier() and len(spec.id) <= 20 for spec in ROSTER)
    assert BOTS[STAND_IN].level == DEFAULT_LEVEL


def test_the_ladder_has_every_level_once_from_weak_to_strong() -> None:
    assert [spec.level for spec in LADDER] == list(range(1, len(LADDER) + 1))
    assert len(LADDER) >= 6
    assert all((spec.level > 0) == (spec.offer is Offer.LADDER) for spec in ROSTER)
    assert {*LADDER} < {*OFFERED}
    assert "hold" in {spec.id for spec in OFFERED}


def test_stored_rooms_and_the_lab_find_their_bots() -> None:
    assert {"simple", "solver", "club", "hold", "lay6", "lay12"} <= BOTS.keys()
    assert {"simple", "solver"}.isdisjoint({spec.id for spec in OFFERED})


def test_a_seat_is_taken_over_at_the_level_of_the_room() -> None:
    assert stand_in(()) == stand_in((None, "simple")) == STAND_IN
    assert stand_in((None, "chick", "fox", "puppy", "gone")) == "fox"


@pytest.mark.parametrize("spec", ROSTER, ids=lambda spec: spec.id)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_bot_has_words_in_every_language(language: str, spec: BotSpec) -> None:
    words = catalogue(language)
    assert words.text(spec.name_key)
    assert words.text(spec.character_key)


@pytest.mark.parametrize("spec", ROSTER, ids=lambda spec: spec.id)
def test_a_budget_of_nodes_gives_the_same_turn_every_time(spec: BotSpec) -> None:
    game = dealt(edition("taiwan", {"hand_size": 20}), 2)
    shown, budget = view(game, game.current), Budget(nodes=NODES)
    turns = []
    for _ in range(2):
        bot = spec.make(seed=3)
        bot.start(shown)
        turns.append(bot.choose(shown, budget))
    assert turns[0] == turns[1]
    game.apply(turns[0], 1, can_play)


def test_a_budget_shortens_the_time_of_a_bot_and_never_extends_it() -> None:
    assert NO_LIMIT.seconds_within(2.0) == 2.0
    assert Budget(seconds=1.0).seconds_within(2.0) == 1.0
    assert Budget(seconds=9.0).seconds_within(2.0) == 2.0
    assert Budget(seconds=9.0, nodes=5).seconds_within(2.0) == 2.0


def test_a_budget_of_nodes_alone_has_no_clock_until_a_server_caps_it() -> None:
    budget = Budget(nodes=5)
    assert budget.seconds_within(2.0) is None
    assert budget.capped(3.0) == Budget(3.0, 5)
    assert budget.capped(3.0).capped(1.0) == Budget(1.0, 5)
    assert budget.capped(3.0).capped(4.0) == Budget(3.0, 5)


def test_a_tight_budget_still_gives_a_legal_turn_on_an_empty_pool() -> None:
    table = "r7 b7 k7 / r8 b8 k8 / r9 b9 k9"
    game = arranged(edition("taiwan"), racks=["r10", "r2"], table=table, pool=0, filler=1)
    for spec in ROSTER:
        turn = spec.make().choose(view(game, 0), Budget(seconds=0.0, nodes=1))
        assert isinstance(turn, Play)
        assert game.judge(turn.table, turn.declared).legal


@dataclass
class Gambler(StatelessBot):
    """Always draws, and keeps its parameters."""

    nerve: int
    seed: int

    def choose(self, view: View, budget: Budget = NO_LIMIT) -> Turn:
        return Draw(view.current)


def test_a_factory_gets_parameters_and_a_seed() -> None:
    seeded = BotSpec("g", Offer.LAB, 0, Style.GREEDY, Gambler, {"nerve": 4}, seeded=True, seed=5)
    assert seeded.make() == Gambler(4, 5)
    assert seeded.make(seed=6) == Gambler(4, 6)
    plain = BotSpec("p", Offer.LAB, 0, Style.GREEDY, Gambler, {"nerve": 4, "seed": 1})
    assert plain.make(seed=6) == Gambler(4, 1)
    assert seeded.title == "G"


class Witness(SolverBot):
    """Writes down what it is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, View]] = []

    def start(self, view: View) -> None:
        self.calls.append(("start", view))

    def see(self, view: View) -> None:
        self.calls.append(("see", view))

    def choose(self, view: View, budget: Budget = NO_LIMIT) -> Turn:
        self.calls.append(("choose", view))
        return super().choose(view, budget)


def test_a_bot_is_started_once_a_game_and_sees_every_turn_from_its_own_seat() -> None:
    driver = MatchDriver(Match(edition("classic", {"hand_size": 4}), ("A", "B")), can_play)
    bots, rng = [Witness(), Witness()], random.Random(2)
    play_match(driver, list(bots), lambda: rng.randbytes(32).hex())
    for seat, bot in enumerate(bots):
        names = [name for name, _ in bot.calls]
        assert names[0] == "start"
        assert names.count("start") == len(driver.match.results)
        assert {shown.seat for _, shown in bot.calls} == {seat}
        turns = [shown.turn for name, shown in bot.calls if name == "see" and shown.game == 1]
        assert turns == list(range(2, len(turns) + 2))
        assert all(shown.my_turn for name, shown in bot.calls if name == "choose")


def reshuffled(game: Game, seat: int, rng: random.Random) -> Game:
    """The same game for this seat, with all tiles that it does not see dealt anew."""
    hidden = [tile for number, rack in enumerate(game.racks) if number != seat for tile in rack]
    hidden += game.pool
    rng.shuffle(hidden)
    deal = iter(hidden)
    racks = [
        rack if number == seat else tuple([next(deal) for _ in rack])
        for number, rack in enumerate(game.racks)
    ]
    return replace(game, racks=tuple(racks), pool=tuple(deal))


@pytest.mark.parametrize("spec", ROSTER, ids=lambda spec: spec.id)
def test_hidden_tiles_change_no_decision(spec: BotSpec) -> None:
    rng = random.Random(7)
    game = dealt(edition("classic"), 3)
    for turn in range(40):
        if game.phase is not Phase.PLAYING:
            break
        seat = game.current
        chosen = spec.make(seed=1).choose(view(game, seat), NO_CLOCK)
        other = reshuffled(game, seat, rng)
        assert spec.make(seed=1).choose(view(other, seat), NO_CLOCK) == chosen
        game, _ = game.apply(chosen, turn, can_play)
