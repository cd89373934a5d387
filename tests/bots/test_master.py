"""Master: legal in every edition, within its budget, and blind to what its seat may not see."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import count

import pytest
from hypothesis import given, settings

from tests.play.states import arranged, dealt
from tests.play.wild import wild_game
from tests.rules.strategies import random_edition, randoms
from tilerummy.bots.master import MasterBot, search
from tilerummy.bots.protocol import Bot, Budget
from tilerummy.bots.seats import BotSeats
from tilerummy.bots.solver import WHOLE_RACK, SolverBot
from tilerummy.play.commands import Draw, Pass, Play
from tilerummy.play.driver import play_turns
from tilerummy.play.game import Game, Phase
from tilerummy.play.views import view
from tilerummy.playouts import Limits, Outcome, Start, play_out
from tilerummy.rules.editions import EDITIONS, Edition, edition
from tilerummy.solver.turns.best_turn import can_play

FEW = Budget(nodes=2_000, samples=8)


def played(game: Game, seats: BotSeats) -> list[Game]:
    seats.start(game)
    games = [game]
    for after, _ in play_turns(game, seats.choose, can_play):
        seats.see(after)
        games.append(after)
    return games


@pytest.mark.parametrize("name", EDITIONS)
def test_it_plays_legal_games_of_every_edition(name: str) -> None:
    game = dealt(edition(name), 3)
    bots: dict[int, Bot] = {0: MasterBot(), 1: SolverBot(), 2: SolverBot(least=WHOLE_RACK)}
    games = played(game, BotSeats(bots, FEW))
    assert games[-1].phase is Phase.OVER


def test_the_same_seed_and_samples_give_the_same_game() -> None:
    def ends() -> list[Game]:
        bots = {seat: MasterBot(seed=seat) for seat in range(2)}
        return played(dealt(edition("classic", {"hand_size": 8}), 2), BotSeats(bots, FEW))

    assert ends() == ends()


@settings(max_examples=4)
@given(randoms)
def test_every_turn_is_legal_in_any_position(rng: random.Random) -> None:
    wild = wild_game(rng, random_edition(rng), mischief=0.05)
    for step in wild.steps():
        game = step.after
        if game.phase is not Phase.PLAYING or rng.random() < 0.8:
            continue
        turn = MasterBot(seed=rng.randrange(9)).choose(view(game, game.current), FEW)
        game.apply(turn, game.turn_began, lambda *_: False)


def test_it_goes_out_when_it_can() -> None:
    game = arranged(racks=["r9 r10 r11", "r2"], table="b4 b5 b6")
    turn = MasterBot().choose(view(game, 0), FEW)
    assert isinstance(turn, Play)
    assert sum(map(len, turn.table)) == 6


def test_it_never_plays_out_more_games_than_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = count()

    def counted(*args: object, **limits: object) -> object:
        next(calls)
        return play_out(*args, **limits)  # type: ignore[arg-type]

    monkeypatch.setattr(search, "play_out", counted)
    game = arranged(racks=["r9 r10 r11 k1 k2 o5 J", "r2"], table="b4 b5 b6 / k3 k4 k5")
    for samples in (0, 1, 7, 40):
        before = next(calls)
        MasterBot().choose(view(game, 0), Budget(samples=samples))
        assert next(calls) - before - 1 <= samples


@pytest.mark.parametrize(("name", "players"), [("classic", 2), ("twist", 3)])
@pytest.mark.parametrize("pool", [None, 0])
def test_a_clock_that_runs_out_at_any_moment_leaves_a_legal_turn(
    pool: int | None, name: str, players: int
) -> None:
    table = "b4 b5 b6 / k3 k4 k5"
    racks = ["r9 r10 r11 k1 k2 o5 b7", "r2 o9 o10", "o3"][:players]
    game = arranged(edition(name), racks=racks, table=table, pool=pool, filler=1)
    for ticks in (0, 1, 2, 3, 5, 9, 17, 40):
        left = iter([0.0] * ticks)
        master = MasterBot(clock=lambda left=left: next(left, 99.0))  # type: ignore[misc]
        turn = master.choose(view(game, 0))
        game.apply(turn, 1, can_play)


def test_where_nothing_is_hidden_one_playout_of_each_turn_decides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = arranged(
        racks=["b7 b8 b9 k10 r4 r5 o1", "b3 o13"],
        table="b4 b5 b6 / k7 k8 k9 / r1 r2 r3",
        pool=0,
        filler=1,
    )
    asked: list[Start] = []

    def fewest_tiles_lose(_: object, start: Start, *__: object, **___: object) -> Outcome:
        asked.append(start)
        score = len(start.racks[0])
        return Outcome((), (score, -score), 0, start.racks, start.table, None)

    monkeypatch.setattr(search, "play_out", fewest_tiles_lose)
    turn = MasterBot().choose(view(game, 0), Budget(samples=60))
    assert isinstance(turn, Play)
    assert sum(map(len, turn.table)) == 10
    assert all({*start.racks[1]} == {*game.racks[1]} for start in asked)
    assert len({start.table for start in asked}) == len(asked) > 3


@pytest.mark.parametrize(("players", "is_small"), [(2, False), (3, True)])
def test_among_many_players_it_opens_with_few_tiles(
    players: int, is_small: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    policies: set[int] = set()

    def noted(rules: Edition, start: Start, least: Sequence[int], *, limits: Limits) -> Outcome:
        policies.add(least[0])
        return play_out(rules, start, least, limits=limits)

    monkeypatch.setattr(search, "play_out", noted)
    racks = ["r10 r11 r12 b10 b11 b12 k1", *["r2 o4 o6"] * (players - 1)]
    game = arranged(racks=racks, opened=False)
    MasterBot().choose(view(game, 0), FEW)
    assert {policy < 0 for policy in policies} == {is_small}
    turn = MasterBot().choose(view(game, 0), Budget(samples=0))
    assert isinstance(turn, Play)
    assert sum(map(len, turn.table)) == (3 if is_small else 6)


def test_special_jokers_are_searched_within_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[Limits] = []

    def noted(*args: object, **given: Limits) -> object:
        limits.append(given["limits"])
        return play_out(*args, **given)  # type: ignore[arg-type]

    monkeypatch.setattr(search, "play_out", noted)
    racks, table = ["r9 r10 D k1 k2 o5 C", "r2 o9", "r3 o11"], "b4 b5 M b5 b4"
    for players, is_searched in ((2, False), (3, True)):
        game = arranged(edition("twist"), racks=racks[:players], table=table)
        MasterBot().choose(view(game, 0), FEW)
        assert bool(limits) is is_searched
    assert len(limits) <= 8
    assert {limit.deadline for limit in limits} == {None}
    limits.clear()
    MasterBot().choose(view(game, 0), Budget(seconds=60.0, samples=8))
    assert all(limit.nodes and limit.deadline for limit in limits)


def test_it_passes_only_where_nothing_can_be_played() -> None:
    stuck = arranged(racks=["k1 b13", "r2"], table="", pool=0, filler=1)
    assert MasterBot().choose(view(stuck, 0), FEW) == Pass(0)


def test_it_draws_where_nothing_can_be_played() -> None:
    game = arranged(racks=["r1", "r2"], table="b4 b5 b6")
    assert MasterBot().choose(view(game, 0), FEW) == Draw(0)


def test_rules_that_playouts_do_not_follow_get_a_plain_turn() -> None:
    rules = edition("classic", {"draw.mode": "until_playable"})
    game = arranged(rules, racks=["r9 r10 r11 k1", "r2"], table="b4 b5 b6")
    assert MasterBot().choose(view(game, 0), FEW) == Draw(0)
    closed = arranged(rules, racks=["r9 r10 r11 k1", "r2"], table="b4 b5 b6", opened=False)
    assert isinstance(MasterBot().choose(view(closed, 0), FEW), Play)
