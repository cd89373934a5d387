"""The end of a game: every way it can come, and what proves it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.play.states import arranged, dealt, with_tiles
from tests.rules.examples import positions
from tilerummy.play.commands import Command, Draw, Pass, Play, TimeOut
from tilerummy.play.endings import CanPlay
from tilerummy.play.events import Drew, Ended, Event, Passed, Played
from tilerummy.play.game import Game, Phase
from tilerummy.play.refusals import Refused
from tilerummy.play.views import view
from tilerummy.rules.editions import CLASSIC, EDITIONS, SABRA, TAIWAN, edition
from tilerummy.rules.position import Position
from tilerummy.rules.scores import Ending
from tilerummy.solver.turns.best_turn import TimedProof, can_play

PROCEDURES = {case["id"]: case for case in positions("procedure")}
TABLE = "b4 b5 b6"


def unknown(_: Position) -> bool | None:
    return None


def able_seats(game: Game, *seats: int) -> CanPlay:
    """Answers yes for these seats, with any rack."""
    racks = {game.racks[seat] for seat in seats}
    return lambda position: position.rack in racks


def ended(events: tuple[Event, ...]) -> Ended:
    assert isinstance(events[-1], Ended)
    return events[-1]


def refusal(game: Game, command: Command, now: int = 1, proof: CanPlay = can_play) -> str:
    with pytest.raises(Refused) as found:
        game.apply(command, now, proof)
    return found.value.code


def small(name: str, racks: list[str], table: str = TABLE, **more: Any) -> Game:
    """A game whose pool is empty; the last seat holds all tiles that are not mentioned."""
    return arranged(EDITIONS[name], racks=racks, table=table, pool=0, filler=len(racks) - 1, **more)


def over(game: Game) -> Ending:
    assert game.phase is Phase.OVER
    assert game.result is not None
    assert game.result.end is not None
    return game.result.end


# Passing


@pytest.mark.parametrize("name", EDITIONS)
def test_a_player_who_cannot_play_may_pass(name: str) -> None:
    case = PROCEDURES["P63"]
    game = small(name, ["r1 k9", "r2"])
    proof = able_seats(game, 1)
    assert (case["able"], case["legal"]) == (False, True)
    after, events = game.apply(Pass(0), 1, proof)
    assert events == (Passed(1, 0),)
    assert after.racks == game.racks
    assert after.turn == game.turn + 1


@pytest.mark.parametrize("name", PROCEDURES["P87"]["editions"])
def test_a_player_who_can_play_must(name: str) -> None:
    game = small(name, ["b7 r1", "r2"])
    assert refusal(game, Pass(0)) == PROCEDURES["P87"]["illegal_reason"]


def test_in_sabra_a_player_may_pass_who_could_play() -> None:
    assert PROCEDURES["P88"]["legal"]
    game = small(PROCEDURES["P88"]["edition"], ["b7 r1", "r2"])
    _, events = game.apply(Pass(0), 1)
    assert events == (Passed(1, 0),)


def test_a_pass_without_a_proof_in_time_is_accepted_and_says_so() -> None:
    game = small("classic", ["b7 r1", "r2"])
    after, events = game.apply(Pass(0), 1, unknown)
    assert events == (Passed(1, 0, unproven=True),)
    assert after.phase is Phase.PLAYING


def test_must_play_does_not_ask_for_what_is_not_allowed() -> None:
    rules = edition("taiwan", {"final_round.manipulation": False, "timer.seconds": 0})
    racks = ["r6 k1", "r2"]
    game = arranged(rules, racks=racks, table="r4 r5 r6 r7 r8", pool=0, filler=1, final_turns=2)
    asked: list[Position] = []

    def proof(position: Position) -> bool | None:
        asked.append(position)
        return can_play(position)

    game, _ = game.apply(Pass(0), 1, proof)  # only by splitting the run
    assert [position.manipulation for position in asked] == [False, False]


def test_one_question_has_one_answer_within_a_command() -> None:
    game = small("classic", ["b7 r1", "r2"])
    answers = iter([None, False, False])
    after, events = game.apply(Pass(0), 1, lambda _: next(answers))
    assert events == (Passed(1, 0, unproven=True),), "what was open stays open"
    assert after.phase is Phase.PLAYING


# The pool is empty, and nobody can play


@pytest.mark.parametrize("name", PROCEDURES["P89"]["editions"])
def test_a_play_after_which_nobody_can_ends_the_game_at_once(name: str) -> None:
    case = PROCEDURES["P89"]
    game = small(name, ["b7 r1", "r2", "o3", "o1"])
    assert len(game.players) == case["players"]
    play = Play(0, with_tiles(game, "b4 b5 b6 b7"))
    after, events = game.apply(play, 1, lambda _: False)
    assert [event.type for event in events] == ["played", "ended"]
    assert over(after) == ended(events).end == case["end"]
    assert ended(events).blocked


def test_the_game_goes_on_while_anybody_can_play() -> None:
    game = small("classic", ["b7 r1", "r2", "o3", "o1"])
    play = Play(0, with_tiles(game, "b4 b5 b6 b7"))
    for seat in (1, 2, 3):
        after, events = game.apply(play, 1, able_seats(game, seat))
        assert [event.type for event in events] == ["played"]
        assert after.phase is Phase.PLAYING


def test_the_draw_that_empties_the_pool_can_end_the_game() -> None:
    game = arranged(racks=["r1", "r2"], table=TABLE, pool=1, filler=1)
    after, events = game.apply(Draw(0), 1, lambda _: False)
    assert [event.type for event in events] == ["drew", "ended"]
    assert over(after) is Ending.NOBODY_CAN


def test_without_a_proof_the_game_goes_on_and_the_turn_says_so() -> None:
    game = small("classic", ["b7 r1", "r2"])
    after, events = game.apply(Play(0, with_tiles(game, "b4 b5 b6 b7")), 1, unknown)
    assert after.phase is Phase.PLAYING
    assert isinstance(events[0], Played)
    assert events[0].unproven
    assert after.last == events[0]
    proven, (played,) = game.apply(Play(0, with_tiles(game, "b4 b5 b6 b7")), 1, able_seats(game, 1))
    assert isinstance(played, Played)
    assert not played.unproven
    assert proven.last == played


def test_one_yes_is_enough_even_if_others_are_unknown() -> None:
    game = small("classic", ["b7 r1", "r2", "o3"])
    sure = game.racks[2]

    def proof(position: Position) -> bool | None:
        return True if position.rack == sure else None

    _, (played,) = game.apply(Play(0, with_tiles(game, "b4 b5 b6 b7")), 1, proof)
    assert isinstance(played, Played)
    assert not played.unproven


# A full round without a play


def test_in_sabra_a_round_of_passes_ends_the_game() -> None:
    case = PROCEDURES["P71"]
    game = small(case["edition"], ["b7 r1", "r2", "o3", "o1"])
    for seat in range(case["consecutive_passes"]):
        assert game.phase is Phase.PLAYING
        game, events = game.apply(Pass(seat), seat)
    assert over(game) == ended(events).end == case["end"]
    assert ended(events).blocked


def test_a_play_between_passes_lets_the_game_go_on() -> None:
    game = arranged(SABRA, racks=["r1", "b7 k2", "r3"], table=TABLE, pool=0, filler=2)
    game, _ = game.apply(Pass(0), 1)
    game, _ = game.apply(Play(1, with_tiles(game, "b4 b5 b6 b7")), 2)
    assert game.passes == 0
    for seat in (2, 0, 1):
        assert game.phase is Phase.PLAYING
        game, _ = game.apply(Pass(seat), 3)
    assert over(game) is Ending.ALL_PASSED


@pytest.mark.parametrize("name", ["classic", "twist"])
def test_a_round_of_time_outs_ends_the_game_but_proves_nothing(name: str) -> None:
    case = PROCEDURES["P91"]
    game = small(name, ["b7 r1", "r2", "o3", "o1"])
    for _ in range(case["consecutive_timeouts"]):
        assert game.phase is Phase.PLAYING
        assert game.deadline is not None
        game, events = game.apply(TimeOut(game.turn), game.deadline, can_play)
    assert ended(events).end == over(game) == case["end"]


@pytest.mark.parametrize("mode", ["nobody_can", "first_unable"])
def test_a_round_without_a_play_ends_every_game(mode: str) -> None:
    rules = edition("classic", {"empty_pool.end": mode})
    game = arranged(rules, racks=["b7 r1", "r2"], table=TABLE, pool=0, filler=1)
    for _ in range(2):
        assert game.deadline is not None
        game, _ = game.apply(TimeOut(game.turn), game.deadline, unknown)
    assert over(game) is Ending.ALL_PASSED


@pytest.mark.parametrize("mode", ["nobody_can", "first_unable"])
def test_a_round_without_a_play_says_if_an_earlier_rule_was_not_ruled_out(mode: str) -> None:
    rules = edition("classic", {"empty_pool.end": mode})
    game = arranged(rules, racks=["b7 r1", "r2"], table=TABLE, pool=0, filler=1)
    for proof in (unknown, lambda _: True):
        after = game
        for _ in range(2):
            assert after.deadline is not None
            after, events = after.apply(TimeOut(after.turn), after.deadline, proof)
        assert over(after) is Ending.ALL_PASSED
        assert isinstance(events[0], Passed)
        assert events[0].unproven is (proof is unknown)


# The final round


def test_the_first_in_the_final_round_who_cannot_play_ends_it() -> None:
    case = PROCEDURES["P72"]
    game = arranged(TAIWAN, racks=["r1", "r2 r9"], table=TABLE, pool=1)
    assert (case["action"], case["able"]) == ("turn_begins", False)
    game, events = game.apply(Draw(0), 1, lambda _: False)
    assert [event.type for event in events] == ["drew", "ended"]
    assert over(game) == case["end"]
    final = view(game, None).final
    assert final is not None
    assert final.unable == 1


def test_everybody_has_one_more_turn_the_drawer_last() -> None:
    case = PROCEDURES["P73"]
    racks = ["b3 r1 k1 k1", "b7 r2", "b8 r3", "b9 r4"]
    game = arranged(TAIWAN, racks=racks, table=TABLE, pool=1, filler=0)
    seats = []
    game, _ = game.apply(Draw(0), 1, can_play)
    rows = ["b4 b5 b6 b7", "b4 b5 b6 b7 b8", "b4 b5 b6 b7 b8 b9", "b3 b4 b5 b6 b7 b8 b9"]
    for row in rows:
        assert game.phase is Phase.PLAYING
        seats.append(game.current)
        play = Play(game.current, with_tiles(game, row))
        game, events = game.apply(play, 2, can_play)
    assert len(seats) == case["turns_after_empty"]
    assert seats == [1, 2, 3, 0]
    assert ended(events).blocked
    assert over(game) is Ending.FINAL_ROUND
    final = view(game, None).final
    assert final is not None
    assert final.unable is None


def test_the_clock_uses_up_a_turn_of_the_final_round_and_no_more() -> None:
    case = PROCEDURES["P90"]
    racks = ["r1", "b7 r2", "b3 r3", "b7 r4"]
    game = small(case["edition"], racks, current=1, final_turns=4)
    assert game.deadline is not None
    after, events = game.apply(TimeOut(game.turn), game.deadline, can_play)
    assert case["game_over"] is None
    assert events == (Passed(game.deadline, 1, "clock"),)
    assert after.racks == game.racks
    assert after.final_turns == 3


def test_a_player_who_took_the_last_tiles_as_a_penalty_moves_last() -> None:
    game = arranged(TAIWAN, racks=["r1 b7", "r2 b7", "r3"], table=TABLE, pool=2, filler=2)
    draft = with_tiles(game, "b4 b5 b6 / r1 b7")
    assert game.deadline is not None
    game, events = game.apply(TimeOut(1, draft), game.deadline, lambda _: True)
    assert isinstance(events[0], Drew)
    assert len(events[0].tiles) == 2
    assert (game.current, game.final_turns) == (1, 3)


def test_drawing_until_playable_takes_the_last_tile_and_moves_last() -> None:
    rules = edition("taiwan", {"draw.mode": "until_playable"})
    game = arranged(rules, racks=["r1", "r2", "r3"], table=TABLE, pool=5, filler=2)

    def proof(position: Position) -> bool | None:
        return game.racks[0] != position.rack[:1]

    game, _ = game.apply(Draw(0), 1, proof)
    assert (game.pool, game.current, game.final_turns) == ((), 1, 3)


def test_drawing_until_playable_stops_where_nothing_is_proven() -> None:
    rules = edition("classic", {"draw.mode": "until_playable"})
    game = arranged(rules, racks=["r1", "r2"], pool=10, filler=1)
    answers = iter([False, False, None])
    after, events = game.apply(Draw(0), 1, lambda _: next(answers))
    assert events == (Drew(1, 0, game.pool[:-4:-1], unproven=True),)
    assert after.current == 1


def test_a_deal_that_empties_the_pool_begins_the_final_round_with_the_starter() -> None:
    rules = edition("taiwan", {"hand_size": 26, "players.min": 4, "jokers": "J0"})
    game = dealt(rules, 4)
    assert game.pool == ()
    assert game.final_turns == 4
    assert game.phase is Phase.OVER or can_play(game.position(0))


def test_an_able_player_may_pass_in_a_voluntary_final_round() -> None:
    rules = edition("taiwan", {"empty_pool.pass": "voluntary"})
    game = arranged(rules, racks=["b7 r1", "b3 r2"], table=TABLE, pool=0, filler=1, final_turns=2)
    game, events = game.apply(Pass(0), 1, can_play)
    assert events == (Passed(1, 0),)
    game, _ = game.apply(Pass(1), 2, can_play)
    assert over(game) is Ending.FINAL_ROUND


def test_round_after_round_until_the_first_who_cannot_play() -> None:
    case = PROCEDURES["P92"]
    key, _, value = case["option"].partition("=")
    rules = edition(case["edition"], {key: value})
    racks = ["b7 b11 b12 r1", "b8 b12 r2", "b9 b13 r3", "b10 b13 r4"]
    game = arranged(rules, racks=racks, table=TABLE, pool=0, filler=3)
    row, turns = "b4 b5 b6", 0
    for number in range(7, 14):
        row += f" b{number}"
        turns += 1
        game, events = game.apply(Play(game.current, with_tiles(game, row)), turns, lambda _: True)
    assert turns > len(game.players)  # no end after one round
    assert game.phase is Phase.PLAYING
    seat = game.current
    game, events = game.apply(TimeOut(game.turn), game.turn_began + 60_000, lambda _: False)
    assert over(game) == ended(events).end == case["end"]
    final = view(game, None).final
    assert final is not None
    assert final.unable == (seat + 1) % 4


# Out


@pytest.mark.parametrize("name", EDITIONS)
def test_going_out_comes_before_every_other_ending(name: str) -> None:
    game = small(name, ["b7", "r2"])
    game, events = game.apply(Play(0, with_tiles(game, "b4 b5 b6 b7")), 1, lambda _: False)
    assert over(game) is ended(events).end is Ending.OUT


# Proofs with a deadline


def test_a_proof_with_time_is_certain_and_without_time_there_is_none() -> None:
    game = small("classic", ["b7 r1", "r2"])
    position = game.position(0)
    assert TimedProof(60)(position) is True
    assert TimedProof(0)(position) is None
    nothing = Position(CLASSIC, (), game.racks[0][:2], True)
    assert TimedProof(60)(nothing) is False
