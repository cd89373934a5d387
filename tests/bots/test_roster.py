"""The roster holds everything that the rest of the house knows about a bot."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from tests.play.states import arranged, dealt
from tilerummy.bots import BOTS, NO_LIMIT, OPPONENTS, ROSTER, STAND_IN, Budget, StatelessBot
from tilerummy.bots.seats import play_match
from tilerummy.bots.solver import SolverBot
from tilerummy.bots.spec import BotSpec, Level, Style
from tilerummy.locales import LANGUAGES, catalogue
from tilerummy.play.commands import Draw, Play, Turn
from tilerummy.play.driver import MatchDriver
from tilerummy.play.match import Match
from tilerummy.play.views import View, view
from tilerummy.rules.editions import edition
from tilerummy.solver.turns.best_turn import can_play

NODES = 50


def test_ids_are_unique_and_short_enough_for_the_protocol() -> None:
    assert list(BOTS) == [spec.id for spec in ROSTER]
    assert all(spec.id.isidentifier() and len(spec.id) <= 20 for spec in ROSTER)
    assert {STAND_IN, *OPPONENTS} <= BOTS.keys()


def test_bots_are_listed_from_weak_to_strong() -> None:
    levels = [[*Level].index(spec.level) for spec in ROSTER]
    assert levels == sorted(levels)


@pytest.mark.parametrize("spec", ROSTER, ids=lambda spec: spec.id)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_bot_has_words_in_every_language(language: str, spec: BotSpec) -> None:
    words = catalogue(language)
    assert words.text(spec.name_key, number=7).endswith("7")
    assert words.text(spec.kind_key)


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
    seeded = BotSpec("g", Level.EXPERT, Style.GREEDY, Gambler, {"nerve": 4}, seeded=True, seed=5)
    assert seeded.make() == Gambler(4, 5)
    assert seeded.make(seed=6) == Gambler(4, 6)
    plain = BotSpec("p", Level.EXPERT, Style.GREEDY, Gambler, {"nerve": 4, "seed": 1})
    assert plain.make(seed=6) == Gambler(4, 1)
    assert seeded.seat_name(2) == "G 2"


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
