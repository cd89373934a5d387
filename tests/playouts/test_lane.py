"""The compiled lane plays the games of the real `Game`, tile by tile."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from tests.playouts.starts import HOLD, Case, begin, dealt, go_on
from tests.rules.strategies import random_edition
from tilerummy.play.refusals import GameRefused
from tilerummy.playouts import play_out, serves
from tilerummy.playouts.by_game import play_by_game
from tilerummy.playouts.lane import play_on
from tilerummy.rules.editions import CLASSIC, EDITIONS, SABRA, TAIWAN, edition
from tilerummy.rules.scores import Ending
from tilerummy.solver.cover import kernels

GAMES = {"classic": 30, "taiwan": 40, "sixplayer": 40, "twist": 12, "sabra": 8}
"""In a short run; a game of Sabra costs as much as forty of Taiwan."""
SOAK_GAMES = 10_000
CHUNKS = 20
OPENINGS = (
    {"initial.min": 0},
    {"initial.min": 60},
    {"initial.jokers": False},
    {"initial.single_set": True},
    {"initial.same_turn_manipulation": True},
    {"initial.same_turn_manipulation": True, "initial.min": 0},
    {"initial.same_turn_manipulation": True, "initial.jokers": False},
)
ENDS = (
    ("nobody_can", Ending.NOBODY_CAN),
    ("all_pass", Ending.ALL_PASSED),
    ("first_unable", Ending.FIRST_UNABLE),
    ("final_round", Ending.FINAL_ROUND),
)
needs_kernel = pytest.mark.skipif(kernels.compiled is None, reason="no compiled kernel")


def assert_same(cases: Iterable[Case]) -> None:
    for rules, start, least in cases:
        assert play_out(rules, start, least) == play_by_game(rules, start, least), (start, least)


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_from_the_deal(name: str) -> None:
    assert_same(begin(EDITIONS[name], seed) for seed in range(GAMES[name]))


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_from_the_middle_of_a_game(name: str) -> None:
    assert_same(go_on(EDITIONS[name], seed) for seed in range(GAMES[name] // 4))


@pytest.mark.parametrize("options", OPENINGS, ids=str)
def test_however_a_seat_opens(options: dict[str, object]) -> None:
    assert_same(begin(edition("taiwan", options), seed) for seed in range(6))
    assert_same(begin(edition("twist", options), seed) for seed in range(1))


@pytest.mark.parametrize(("option", "end"), ENDS)
def test_however_a_game_ends(option: str, end: Ending) -> None:
    rules = edition("taiwan", {"empty_pool.end": option, "direction": "ccw"})
    drawn = [begin(rules, seed) for seed in range(20)]
    cases = [case._replace(start=case.start._replace(pool=case.start.pool[:6])) for case in drawn]
    assert_same(cases)
    assert end in {play_out(*case).end for case in cases}


@pytest.mark.parametrize("seed", range(8))
def test_whatever_the_options_are(seed: int) -> None:
    rules = random_edition(random.Random(f"options {seed}"))
    assert_same([begin(rules, seed), go_on(rules, seed)])


@pytest.mark.parametrize("turns", [0, 1, 20, 70])
def test_for_some_turns(turns: int) -> None:
    start, least = dealt(TAIWAN, 3, 1), (1, 6, HOLD)
    assert play_out(TAIWAN, start, least, most_turns=turns) == play_by_game(
        TAIWAN, start, least, turns
    )


@needs_kernel
def test_without_joker_rules_the_kernel_needs_no_help() -> None:
    for seed in range(5):
        reached = play_on(TAIWAN, dealt(TAIWAN, 4, seed), (1,) * 4)
        assert reached.calls == 0
        assert reached.searches < reached.turns


@needs_kernel
def test_which_editions_it_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(serves(rules) for rules in EDITIONS.values())
    assert not serves(CLASSIC.with_options({"draw.mode": "until_playable"}))
    assert not serves(SABRA.with_options({"joker.declare": "kind"}))
    monkeypatch.setattr(kernels, "compiled", None)
    assert not serves(TAIWAN)


def test_without_the_kernel_the_real_game_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    start = dealt(TAIWAN, 2, 1)._replace(pool=())
    expected = play_out(TAIWAN, start, (1, 1))
    monkeypatch.setattr(kernels, "compiled", None)
    assert play_out(TAIWAN, start, (1, 1)) == expected


def test_the_number_of_players_is_checked() -> None:
    with pytest.raises(GameRefused, match="5 players"):
        play_out(CLASSIC, dealt(CLASSIC, 5, 1), (1,) * 5)


@needs_kernel
def test_an_error_of_the_solver_ends_the_playout(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("no answer")

    monkeypatch.setattr("tilerummy.playouts.lane.solve_on", broken)
    start = dealt(SABRA, 4, 1)
    with pytest.raises(RuntimeError, match="no answer"):
        play_out(SABRA, start, (1,) * 4)


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_ten_thousand_games(name: str, chunk: int) -> None:
    assert_same(begin(EDITIONS[name], seed) for seed in range(chunk, SOAK_GAMES, CHUNKS))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(8, 100))
def test_many_options(seed: int) -> None:
    test_whatever_the_options_are(seed)
