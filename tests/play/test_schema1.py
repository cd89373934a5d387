"""Records written before the endings of the rule books were told apart keep their rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilerummy.play.commands import Pass
from tilerummy.play.events import RULES_VERSION, Created, Ended
from tilerummy.play.game import Game, Phase
from tilerummy.play.notation import load, to_text
from tilerummy.play.record import Record, to_jsonl
from tilerummy.play.schema1 import upgraded_options
from tilerummy.play.verification import Breach, Report, examine, verify
from tilerummy.rules.editions import EDITIONS, edition
from tilerummy.rules.scores import Ending
from tilerummy.solver.turns.best_turn import can_play

DATA = Path(__file__).parent.parent / "data" / "schema1"
NAMES = sorted(path.name for path in DATA.glob("*") if path.suffix in (".txt", ".jsonl"))


def record_of(name: str) -> Record:
    return load((DATA / name).read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_an_old_record_holds_with_and_without_a_solver(name: str) -> None:
    record = record_of(name)
    assert examine(record, can_play) == examine(record) == Report(())
    created = record.games[0][0]
    assert isinstance(created, Created)
    assert created.rules_version == 1 < RULES_VERSION
    assert dict(created.options) == dict(record.options)


@pytest.mark.parametrize("name", NAMES)
def test_an_old_record_is_written_in_the_new_schema_and_stays_the_same(name: str) -> None:
    record = record_of(name)
    for text in (to_text(record), to_jsonl(record)):
        assert load(text) == record
    assert "schema 3" in to_text(record)


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("classic-passed.txt", Ending.ALL_PASSED),
        ("classic-house.txt", Ending.ALL_PASSED),
        ("taiwan-clock.jsonl", Ending.FINAL_ROUND),
    ],
)
def test_an_old_game_ended_as_it_did(name: str, end: Ending) -> None:
    game = record_of(name).game(0)
    assert game.result is not None
    assert game.result.end is end
    ended = record_of(name).games[0][-1]
    assert isinstance(ended, Ended)
    assert ended.end is None, "nobody said so then"


def test_players_who_could_play_ended_old_games() -> None:
    """So that by the rules of today these records would not hold."""
    for name in ("classic-passed.txt", "taiwan-clock.jsonl"):
        game = record_of(name).game(0)
        assert any(can_play(game.position(seat)) for seat in range(len(game.players)))


def test_a_running_game_ends_as_it_began() -> None:
    game = record_of("classic-running.jsonl").game(0)
    assert game.phase is Phase.PLAYING
    assert not game.pool
    assert game.passes == 1
    assert can_play(game.position(game.current))
    game, events = game.apply(Pass(game.current), game.turn_began + 1000)  # nobody asks a solver
    assert [event.type for event in events] == ["passed", "ended"]
    assert game.result is not None
    assert game.result.end is Ending.ALL_PASSED
    record = record_of("classic-running.jsonl")
    assert verify(record.with_events(events), can_play) == []


def test_only_old_games_are_judged_by_old_rules() -> None:
    text = to_text(record_of("taiwan-clock.jsonl"))
    new = text.replace(", rules version 1", "").replace("ends blocked", "ends final_round")
    (problem,) = verify(load(new), can_play)
    assert problem.breach is Breach.RESULT, "the clock proves nothing today"


@pytest.mark.parametrize("name", EDITIONS)
def test_options_of_schema_1_are_those_of_today_spelled_out(name: str) -> None:
    old = edition(name, upgraded_options(name, {}))
    wanted = {
        "classic": ("voluntary", "all_pass"),
        "taiwan": ("forced_if_able", "final_round"),
        "sixplayer": ("forced_if_able", "final_round"),
        "twist": ("voluntary", "all_pass"),
        "sabra": ("voluntary", "all_pass"),
    }[name]
    assert (old.empty_pool_pass, old.empty_pool_end) == wanted
    others = {key: value for key, value in old.options().items() if "empty_pool" not in key}
    usual = EDITIONS[name].options()
    assert others == {key: value for key, value in usual.items() if "empty_pool" not in key}


def test_what_was_chosen_then_is_kept() -> None:
    forced = {"empty_pool.pass": "forced_if_able", "hand_size": 10}
    assert upgraded_options("classic", forced) == {"empty_pool.end": "all_pass", "hand_size": 10}
    assert upgraded_options("sabra", {"penalty.tiles": 0}) == {"penalty.tiles": 1}
    assert upgraded_options("sabra", {"joker.declare": "explicit"}) == {"joker.declare": "kind"}
    assert upgraded_options("sabra", {"penalty.tiles": False}) == {"penalty.tiles": False}
    assert upgraded_options("chess", {"x": 1}) == {"x": 1}


def test_a_game_cannot_say_it_follows_rules_that_do_not_exist() -> None:
    text = to_text(record_of("classic-passed.txt"))
    for version in ("0", "3"):
        with pytest.raises(ValueError, match="unknown rules version"):
            load(text.replace("rules version 1", f"rules version {version}"))


def test_a_fold_of_old_events_is_the_old_game() -> None:
    record = record_of("classic-passed.txt")
    assert Game.fold(record.games[0]).rules_version == 1
