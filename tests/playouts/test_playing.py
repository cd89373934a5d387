"""A playout is the game that the solver bots play, from any state of it."""

from __future__ import annotations

import pytest

from tests.playouts.starts import HOLD, dealt, start_of
from tilerummy.bots.protocol import Budget
from tilerummy.bots.solver import SolverBot
from tilerummy.play.commands import Start as Deal
from tilerummy.play.commands import Turn
from tilerummy.play.driver import play_turns
from tilerummy.play.game import Game
from tilerummy.play.shuffle import Deal as Tiles
from tilerummy.play.views import view
from tilerummy.playouts import Limits, Outcome, Start, play_out, play_out_many
from tilerummy.rules.editions import CLASSIC, EDITIONS, TAIWAN, TWIST, Edition
from tilerummy.rules.scores import Ending
from tilerummy.rules.tiles import parse_tiles
from tilerummy.solver.cover import kernels
from tilerummy.solver.cover.deadline import Deadline, TimeOverError
from tilerummy.solver.turns.best_turn import can_play

EXACT = Budget(nodes=1 << 40)
"""No limit in seconds, and none in nodes that counts."""
LEAST = (1, 6, HOLD)


def games_of_bots(edition: Edition, start: Start, least: tuple[int, ...]) -> list[Game]:
    """All states of a judged game of solver bots from a deal."""
    bots = [SolverBot(least=each) for each in least]

    def choose(game: Game) -> Turn:
        return bots[game.current].choose(view(game, game.current), EXACT)

    names = "abcdef"[: len(start.racks)]
    waiting, _ = Game.create(edition, names, secret="5a" * 32, now=0, starter=start.starter)
    game, _ = waiting.apply(Deal(Tiles(start.racks, start.pool)), 0, can_play)
    return [game, *(after for after, _ in play_turns(game, choose, can_play))]


def outcome_of(game: Game, turns: int) -> Outcome:
    assert game.result is not None
    result = game.result
    return Outcome(result.winners, result.scores, turns, game.racks, game.table, result.end)


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_a_playout_is_a_judged_game_of_solver_bots(name: str) -> None:
    rules = EDITIONS[name]
    start = dealt(rules, 3, 1)
    games = games_of_bots(rules, start, LEAST)
    end = games[-1]
    middle = len(games) // 2
    for turn in (0, middle, len(games) - 2):
        expected = outcome_of(end, len(games) - 1 - turn)
        assert play_out(rules, start_of(games[turn]), LEAST) == expected


def test_many_playouts_are_those_one_by_one() -> None:
    starts = [dealt(TAIWAN, 4, seed) for seed in range(3)]
    least = (1, 1, 6, 1)
    expected = [play_out(TAIWAN, start, least) for start in starts]
    assert play_out_many(TAIWAN, starts, least) == expected
    assert len({outcome.scores for outcome in expected}) == 3


def test_a_playout_can_be_cut_short() -> None:
    start = dealt(CLASSIC, 4, 1)
    whole = play_out(CLASSIC, start, (1,) * 4)
    cut = play_out(CLASSIC, start, (1,) * 4, most_turns=whole.turns - 1)
    assert cut.turns == whole.turns - 1
    assert (cut.end, cut.winners, cut.scores) == (None, (), (0, 0, 0, 0))
    assert cut.racks != whole.racks
    assert play_out(CLASSIC, start, (1,) * 4, most_turns=whole.turns) == whole


@pytest.mark.parametrize("is_compiled", [True, False])
def test_a_negative_policy_opens_with_few_tiles(
    is_compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_compiled:
        monkeypatch.setattr(kernels, "compiled", None)
    rack = parse_tiles(["r10", "r11", "r12", "b3", "b4", "b5", "k1"])
    other, pool = parse_tiles(["k13", "o9"]), parse_tiles(["o5", "o7"])
    start = Start((), (rack, other), pool, (False, False), 0)
    table = (parse_tiles(["r10", "r11", "r12"]),)
    few = play_out(TAIWAN, start, (-1, 1), most_turns=1)
    assert (few.racks[0], few.table) == (parse_tiles(["b3", "b4", "b5", "k1"]), table)
    assert len(play_out(TAIWAN, start, (1, 1), most_turns=1).table) == 2
    goes_out = start._replace(racks=(rack[:-1], other))
    assert play_out(TAIWAN, goes_out, (-HOLD, 1)).winners == (0,)


@pytest.mark.parametrize("name", ["twist", "classic"])
def test_a_limit_that_no_turn_reaches_changes_nothing(name: str) -> None:
    start = dealt(EDITIONS[name], 3, 2)
    whole = play_out(EDITIONS[name], start, LEAST)
    assert play_out(EDITIONS[name], start, LEAST, limits=Limits(nodes=1 << 40)) == whole


def test_a_turn_takes_the_best_that_a_few_states_find() -> None:
    def played(nodes: int | None) -> list[Outcome]:
        starts = [dealt(TWIST, 4, seed) for seed in range(3)]
        return [play_out(TWIST, start, (1,) * 4, limits=Limits(nodes)) for start in starts]

    hasty = played(1)
    assert hasty == played(1)
    assert all(outcome.end is not None for outcome in hasty)
    assert hasty != played(None)


@pytest.mark.parametrize("is_compiled", [True, False])
def test_a_playout_ends_at_its_deadline(is_compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_compiled:
        monkeypatch.setattr(kernels, "compiled", None)
    past = Limits(deadline=Deadline(1.0, lambda: 2.0))
    with pytest.raises(TimeOverError):
        play_out(TWIST, dealt(TWIST, 2, 1), (1, 1), limits=past)
    far = Limits(deadline=Deadline(1_000.0, lambda: 2.0))
    start = dealt(TAIWAN, 2, 1)
    assert play_out(TAIWAN, start, (1, 1), limits=far) == play_out(TAIWAN, start, (1, 1))


def test_a_state_that_is_the_end_of_a_game_is_not_played_on() -> None:
    table = (parse_tiles(["b4", "b5", "b6"]),)
    won = Start(table, ((), parse_tiles(["r2", "J"])), parse_tiles(["k1"]), (True, True), 1)
    expected = Outcome((0,), (32, -32), 0, won.racks, table, Ending.OUT)
    assert play_out(CLASSIC, won, (1, 1)) == expected
    racks = (parse_tiles(["r9"]), parse_tiles(["r2", "r3"]))
    stuck = Start(table, racks, (), (True, True), 0)
    expected = Outcome((1,), (-4, 4), 0, racks, table, Ending.NOBODY_CAN)
    assert play_out(CLASSIC, stuck, (1, 1)) == expected
