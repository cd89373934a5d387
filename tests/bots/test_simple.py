"""The beginner: always a legal turn, the same one for the same view."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from tests.play.states import arranged, dealt, with_tiles
from tests.play.wild import wild_game
from tests.rules.strategies import random_edition, randoms
from tilerummy.bots.last_resort import SECONDS
from tilerummy.bots.protocol import Bot, idle_turn
from tilerummy.bots.simple import SimpleBot, find_play
from tilerummy.play.commands import Draw, Pass, Play
from tilerummy.play.game import Phase
from tilerummy.play.views import view
from tilerummy.rules.declarations import declaration_text
from tilerummy.rules.editions import CLASSIC, EDITIONS, TAIWAN, edition
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import table_text
from tilerummy.solver.turns.best_turn import can_play, solve
from tilerummy.solver.turns.solution import Solution


def played(bot: Bot, racks: list[str], table: str, *, opened: bool = True) -> str | None:
    """The table after the bot's turn; None when it does not play."""
    game = arranged(racks=racks, table=table, opened=opened)
    turn = bot.choose(view(game, 0))
    return table_text(turn.table) if isinstance(turn, Play) else None


def test_lays_sets_from_its_rack() -> None:
    table = played(SimpleBot(), ["r9 b9 k9 r1", "r2"], "b4 b5 b6")
    assert table is not None
    assert {"b4 b5 b6"} < set(table.split(" / "))


def test_adds_tiles_to_rows() -> None:
    assert played(SimpleBot(), ["b7 b3 r1", "r2"], "b4 b5 b6") == "b3 b4 b5 b6 b7"


def test_opens_with_thirty_points_or_waits() -> None:
    assert played(SimpleBot(), ["r9 b9 k9 r1", "r2"], "", opened=False) is None
    assert played(SimpleBot(), ["r10 b10 k10 r1", "r2"], "", opened=False) is not None
    assert played(SimpleBot(), ["r10 b10 J r1", "r2"], "", opened=False) is not None


def test_draws_and_passes_when_it_sees_no_play() -> None:
    game = arranged(racks=["r1", "r2"], table="b4 b5 b6")
    assert SimpleBot().choose(view(game, 0)) == Draw(0) == idle_turn(view(game, 0))
    empty = arranged(racks=["r1", "r2"], table="b4 b5 b6", pool=0, filler=1)
    assert SimpleBot().choose(view(empty, 0)) == Pass(0)


def test_the_same_view_gives_the_same_turn() -> None:
    for name in EDITIONS:
        game = dealt(EDITIONS[name], 2)
        assert SimpleBot().choose(view(game, 0)) == SimpleBot().choose(view(game, 0))


def test_a_play_that_is_seen_is_made() -> None:
    game = arranged(racks=["b7 r1", "r2"], table="b4 b5 b6")
    found = find_play(Position(CLASSIC, game.table, game.racks[0], opened=True))
    assert found == (with_tiles(game, "b4 b5 b6 b7"), {})
    assert find_play(Position(CLASSIC, game.table, game.racks[0], opened=False)) is None


@pytest.mark.parametrize("pool", [0, 1])
def test_a_play_that_is_not_seen_is_made_where_the_rules_force_it(pool: int) -> None:
    table = "r7 b7 k7 / r8 b8 k8 / r9 b9 k9"
    game = arranged(TAIWAN, racks=["r10", "r2"], table=table, pool=pool, filler=1)
    position = Position(TAIWAN, game.table, game.racks[0], opened=True)
    assert find_play(position) is None
    assert can_play(position)
    turn = SimpleBot().choose(view(game, 0))
    assert isinstance(turn, Draw if pool else Play)
    game.apply(turn, 1, can_play)


def test_a_search_that_takes_long_is_cut_short_once_there_is_a_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = "r7 b7 k7 / r8 b8 k8 / r9 b9 k9"
    game = arranged(TAIWAN, racks=["r10", "r2"], table=table, pool=0, filler=1)
    play = solve(game.position(0))
    nothing = solve(Position(TAIWAN, (), game.racks[0], opened=True))
    for found_in_time in (play, nothing):
        limits: list[float | None] = []
        answers = iter([found_in_time._replace(exact=False), play])

        def limited(_: Position, time_limit: float | None = None, **__: bool) -> Solution:
            limits.append(time_limit)  # noqa: B023
            return next(answers)  # noqa: B023

        monkeypatch.setattr("tilerummy.bots.last_resort.solve", limited)
        assert SimpleBot().choose(view(game, 0)) == Play(0, play.table)
        assert limits == ([SECONDS] if found_in_time is play else [SECONDS, None])


@settings(max_examples=8)
@given(randoms)
def test_every_turn_is_legal_in_any_position(rng: random.Random) -> None:
    rules = random_edition(rng)
    wild = wild_game(rng, rules, mischief=0.05)
    for step in wild.steps():
        game = step.after
        if game.phase is not Phase.PLAYING or rng.random() < 0.5:
            continue
        turn = SimpleBot().choose(view(game, game.current))
        game.apply(turn, game.turn_began, lambda *_: False)


@pytest.mark.parametrize("declare", ["position", "kind", "explicit"])
def test_names_ambiguous_rows_and_keeps_what_was_named(declare: str) -> None:
    rules = edition("sabra", {"joker.declare": declare, "initial.min": 0})
    game = arranged(rules, racks=["r8 J J k1", "b1 b2 b3 k9"], table="", opened=False)
    turn = SimpleBot().choose(view(game, 0))
    assert isinstance(turn, Play)
    after, _ = game.apply(turn, 1)
    said = [declaration_text(said) for said in after.declared.values()]
    assert said == {"position": [], "kind": ["run"], "explicit": ["r8 r9 r10"]}[declare]
    then = SimpleBot().choose(view(after, 1))
    assert isinstance(then, Play)
    assert after.apply(then, 2)[0].declared == after.declared
