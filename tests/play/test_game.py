"""One game: the procedures of the rules, every option that steers it, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.copies import by_id
from tests.play.states import NAMES, SECRET, SEED, arranged, dealt, started, with_tiles
from tests.rules.examples import positions
from tilerummy.play.commands import (
    Command,
    Commit,
    Draw,
    FixCommitments,
    GiveSeed,
    Pass,
    Play,
    Reveal,
    Start,
    TimeOut,
)
from tilerummy.play.commit_reveal import dealer_seed, seat_commitment
from tilerummy.play.event_json import from_dict, to_dict
from tilerummy.play.events import (
    Committed,
    Created,
    Dealt,
    Drew,
    Ended,
    Fixed,
    Passed,
    Played,
    Revealed,
    Seeded,
    StarterDrawn,
)
from tilerummy.play.game import Game, Phase
from tilerummy.play.invariants import InvariantError
from tilerummy.play.match import MatchError
from tilerummy.play.refusals import Refused
from tilerummy.rules.declarations import parse_declaration
from tilerummy.rules.editions import CLASSIC, EDITIONS, SABRA, TWIST, Edition, edition
from tilerummy.rules.position import Position
from tilerummy.rules.rows import Kind
from tilerummy.rules.scores import Ending
from tilerummy.rules.tiles import (
    Face,
    Row,
    Table,
    Tile,
    face_of,
    faces_of,
    parse_row,
    row_text,
    table_text,
    tile,
)
from tilerummy.solver.turns.best_turn import can_play

PROCEDURES = {case["id"]: case for case in positions("procedure")}


def refused(game: Game, command: Command, now: int = 1, **more: Any) -> Refused:
    """The refusal of a command; the game must not have changed."""
    before = repr(game)
    with pytest.raises(Refused) as found:
        game.apply(command, now, **more)
    assert repr(game) == before
    return found.value


# Procedures of the rules

TABLE = "b4 b5 b6 / r8 k8 o8"
RACK = "b3 b8 r1 k1 o13"
DRAFTS = {
    "unchanged": TABLE,
    "illegal": "b3 b4 b5 b6 / r8 k8 o8 / r1 k1",
    "legal": "b3 b4 b5 b6 / r8 k8 o8 b8",
}


def procedure_game(case: dict[str, Any], rules: Edition) -> Game:
    return arranged(rules, racks=[RACK, "r2"], table=TABLE, pool=case["pool_before"], filler=1)


@pytest.mark.parametrize("key", ["P60", "P61", "P62", "P64"])
@pytest.mark.parametrize("name", EDITIONS)
def test_drawing_and_passing_by_the_rules(key: str, name: str) -> None:
    case = PROCEDURES[key]
    game = procedure_game(case, EDITIONS[name])
    command: Command = Draw(0) if case["action"] == "draw" else Pass(0)
    if case.get("legal") is False:
        wanted = "pool-empty" if case["action"] == "draw" else "pool-not-empty"
        assert refused(game, command, can_play=can_play).code == wanted
        return
    after, events = game.apply(command, 1, can_play)
    assert len(after.racks[0]) - len(game.racks[0]) == case["rack_delta"]
    if case["action"] == "draw":
        assert len(after.pool) == case["pool_after"]
        assert events[0] == Drew(1, 0, (game.pool[-1],))
        assert game.pool[-1] in after.racks[0]
    assert case["turn_ends"]
    assert after.turn == game.turn + 1


@pytest.mark.parametrize("key", ["P65", "P66", "P67", "P68", "P69"])
@pytest.mark.parametrize("name", EDITIONS)
def test_time_outs_by_the_rules(key: str, name: str) -> None:
    case = PROCEDURES[key]
    game = procedure_game(case, EDITIONS[name])
    assert game.deadline is not None
    draft = with_tiles(game, DRAFTS[case["draft"]])
    after, events = game.apply(TimeOut(game.turn, draft), game.deadline, can_play)
    grown = len(after.racks[0]) - len(game.racks[0])
    if case["rack_delta"] == "minus played":
        assert grown == -2
        assert isinstance(events[0], Played)
        assert events[0].by_clock
        assert table_text(after.table) == DRAFTS["legal"]
    else:
        assert grown == case["rack_delta"]
        assert after.table == game.table
    assert len(after.pool) == case["pool_after"]
    assert after.turn == game.turn + 1
    if case.get("counts_as_pass"):
        assert after.passes == 1 or after.phase is Phase.OVER
        assert isinstance(events[0], Passed)
        assert events[0].why == "penalty"


def test_a_time_out_without_a_draft_counts_as_nothing_moved() -> None:
    game = procedure_game(PROCEDURES["P65"], CLASSIC)
    after, events = game.apply(TimeOut(game.turn), 60_000)
    assert events == (Drew(60_000, 0, (game.pool[-1],), "clock"),)
    assert after.current == 1


def test_the_leftover_penalty_of_the_rules() -> None:
    case = PROCEDURES["P70"]
    rules = edition("twist", {"penalty.mode": "leftover_count"})
    game = procedure_game(case, rules)
    draft = with_tiles(game, "b3 b4 b5 b6 / r8 k8 / r1 k1 / o8")
    assert case["leftover"] == 5
    after, _ = game.apply(TimeOut(game.turn, draft), 60_000)
    assert len(after.racks[0]) - len(game.racks[0]) == case["rack_delta"]
    assert len(after.pool) == case["pool_after"]


def test_tiles_left_off_the_table_count_as_left_over() -> None:
    rules = edition("twist", {"penalty.mode": "leftover_count"})
    game = procedure_game(PROCEDURES["P70"], rules)
    after, _ = game.apply(TimeOut(game.turn, with_tiles(game, "r8 k8 o8")), 60_000)
    assert len(after.racks[0]) == len(game.racks[0]) + 3


# A judge with a time limit


def no_verdict(*_: object) -> None:
    """A judge that is out of time."""


@pytest.mark.parametrize("strict", [False, True])
def test_a_play_without_a_verdict_is_refused_and_can_be_repeated(strict: bool) -> None:
    game = procedure_game(PROCEDURES["P65"], edition("classic", {"strict_submit": strict}))
    play = Play(0, with_tiles(game, DRAFTS["legal"]))
    assert refused(game, play, judge=no_verdict).code == "too-complicated"
    assert refused(game, play, judge=no_verdict).code == "too-complicated"
    after, events = game.apply(play, 1)
    assert isinstance(events[0], Played)
    assert len(after.racks[0]) == len(game.racks[0]) - 2


@pytest.mark.parametrize("mode", ["fixed", "leftover_count"])
def test_a_draft_without_a_verdict_counts_as_none_when_time_is_up(mode: str) -> None:
    game = procedure_game(PROCEDURES["P65"], edition("classic", {"penalty.mode": mode}))
    draft = with_tiles(game, DRAFTS["legal"])
    _, events = game.apply(TimeOut(game.turn, draft), 60_000, judge=no_verdict)
    assert events == (Drew(60_000, 0, (game.pool[-1],), "clock"),)


# Set-up


def test_a_game_waits_for_seeds_then_draws_and_deals() -> None:
    game, (created,) = Game.create(CLASSIC, NAMES[:3], secret=SECRET, now=5)
    assert isinstance(created, Created)
    assert game.phase is Phase.WAITING
    made = seat_commitment(game.transcript, 1, SEED)
    game, (committed,) = game.apply(Commit(1, made), 6)
    assert committed == Committed(6, 1, made)
    game, (fixed,) = game.apply(FixCommitments((0,)), 6)
    assert fixed == Fixed(6, ("dealer", "own", "default"))
    game, (revealed,) = game.apply(Reveal(1, SEED), 6)
    assert revealed == Revealed(6, 1, SEED)
    game, events = game.apply(Start(), 7)
    assert [type(event) for event in events] == [StarterDrawn, Dealt]
    assert game.phase is Phase.PLAYING
    assert game.current == game.starter
    assert game.fairness().seeds == (dealer_seed(SECRET, game.transcript, 0), SEED, "-")
    assert game.deadline == 7 + 60_000


def test_a_seed_changes_the_deal() -> None:
    game, _ = Game.create(CLASSIC, NAMES[:2], secret=SECRET, now=0)
    deals = {game.apply(Start(), 0)[0].racks}
    for seed in (SEED, SEED[::-1]):
        seeded = game
        made = seat_commitment(game.transcript, 0, seed)
        for command in (Commit(0, made), FixCommitments((1,)), Reveal(0, seed), Start()):
            seeded, _ = seeded.apply(command, 0)
        deals.add(seeded.racks)
    assert len(deals) == 3


def test_games_of_the_old_shuffle_take_seeds_without_a_commitment() -> None:
    game, _ = Game.create(CLASSIC, NAMES[:2], secret=SECRET, now=0, shuffle_version=1)
    assert refused(game, Commit(0, "ab" * 32)).code == "commit-first"
    game, (seeded,) = game.apply(GiveSeed(0, "x"), 0)
    assert seeded == Seeded(0, 0, "x")
    game, events = game.apply(Start(), 0)
    assert [type(event) for event in events] == [StarterDrawn, Dealt]
    assert game.fairness().seeds == ("x", "-")


def test_a_known_starter_needs_no_draw() -> None:
    game, events = started(CLASSIC, 3, starter=2)
    assert [event.type for event in events] == ["created", "fixed", "dealt"]
    assert game.current == 2


@pytest.mark.parametrize(("name", "players"), [("classic", 1), ("classic", 5), ("sixplayer", 7)])
def test_the_number_of_players_is_that_of_the_edition(name: str, players: int) -> None:
    with pytest.raises(Refused) as found:
        Game.create(EDITIONS[name], ["x"] * players, secret=SECRET, now=0)
    assert found.value.code == "bad-players"


def test_a_starter_sits_at_the_table() -> None:
    with pytest.raises(Refused, match="no seat 2"):
        Game.create(CLASSIC, NAMES[:2], secret=SECRET, now=0, starter=2)


# What is refused


def test_before_the_deal_there_is_nothing_to_play() -> None:
    game, _ = Game.create(CLASSIC, NAMES[:2], secret=SECRET, now=0)
    for command in (Draw(0), Pass(0), Play(0, ()), TimeOut(1), TimeOut(0)):
        assert refused(game, command).code == "not-started"


def test_seeds_of_the_old_shuffle_come_once_and_before_the_deal() -> None:
    game, _ = Game.create(CLASSIC, NAMES[:2], secret=SECRET, now=0, shuffle_version=1)
    game, _ = game.apply(GiveSeed(0, "x"), 0)
    assert refused(game, GiveSeed(0, "y")).code == "seed-given"
    assert refused(game, GiveSeed(2, "y")).code == "unknown-seat"
    assert refused(game, GiveSeed(-1, "y")).code == "unknown-seat"
    for seed in ("", "x" * 65, "a\nb"):
        assert refused(game, GiveSeed(1, seed)).code == "bad-seed"
    game, _ = game.apply(Start(), 0)
    assert refused(game, GiveSeed(1, "y")).code == "already-started"
    assert refused(game, Start()).code == "already-started"


@pytest.mark.parametrize("seat", [1, 2, -1, -2, 99])
def test_only_the_seat_whose_turn_it_is_may_act(seat: int) -> None:
    game = dealt()
    wanted = "not-your-turn" if seat == 1 else "unknown-seat"
    for command in (Draw(seat), Pass(seat), Play(seat, ())):
        assert refused(game, command).code == wanted


def test_a_command_sent_twice_counts_once() -> None:
    game, _ = dealt().apply(Draw(0), 1)
    assert refused(game, Draw(0)).code == "not-your-turn"


def test_after_the_time_only_the_clock_may_act() -> None:
    game = dealt()
    for command in (Draw(0), Pass(0), Play(0, ())):
        assert refused(game, command, 60_000).code == "too-late"
    game.apply(Draw(0), 59_999)
    assert refused(game, TimeOut(1), 59_999).code == "too-early"
    for turn in (0, 2, -1):
        assert refused(game, TimeOut(turn), 60_000).code == "wrong-turn"
    game, _ = game.apply(TimeOut(1), 60_000)
    assert refused(game, TimeOut(1), 120_000).code == "wrong-turn"
    assert game.deadline == 120_000


def test_without_a_clock_there_is_no_time_out() -> None:
    game = dealt(edition("classic", {"timer.seconds": 0}))
    assert game.deadline is None
    assert refused(game, TimeOut(1), 10**9).code == "too-early"
    game.apply(Draw(0), 10**12)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    "rows",
    [
        ((10**9,),), ((-1, -2, -3),), ((),), ((), ()), (tuple(range(10_000)),),
        tuple((n,) for n in range(3000)), ((0, 0, 0),),
    ],
)  # fmt: skip
def test_garbage_for_a_table_is_refused(rows: Table, strict: bool) -> None:
    game = arranged(
        edition("classic", {"strict_submit": strict}), racks=["r9 b9 k9", "r2"], table="b4 b5 b6"
    )
    assert refused(game, Play(0, rows)).code == "illegal-play"
    assert refused(game, Play(0, (*game.table, *rows))).code == "illegal-play"


def test_a_refused_play_says_why() -> None:
    game = arranged(racks=["r9 b9", "r2"], table="b4 b5 b6")
    refusal = refused(game, Play(0, with_tiles(game, "b4 b5 b6 / r9 b9")))
    assert refusal.verdict is not None
    assert [reason.code for reason in refusal.verdict.reasons] == ["too-short"]
    assert "too-short: r9 b9" in str(refusal)


def test_a_game_that_is_over_takes_no_command() -> None:
    game = arranged(racks=["b7", "r2"], table="b4 b5 b6")
    game, events = game.apply(Play(0, with_tiles(game, "b4 b5 b6 b7")), 1)
    assert events[-1] == Ended(1, False, (0,), (2, -2), Ending.OUT)
    for command in (Draw(0), Draw(1), Pass(1), Play(1, ()), TimeOut(2), Start(), GiveSeed(0, "x")):
        assert refused(game, command).code == "game-over"


# Options


def test_play_goes_round_clockwise_or_the_other_way() -> None:
    for direction, order in (("cw", [0, 1, 2, 0]), ("ccw", [0, 2, 1, 0])):
        game = dealt(edition("classic", {"direction": direction}), 3)
        seats = []
        for now in range(4):
            seats.append(game.current)
            game, _ = game.apply(Draw(game.current), now)
        assert seats == order


def test_an_illegal_submission_may_cost_a_penalty() -> None:
    table = "b4 b5 b6 / r9 b9"
    game = arranged(racks=["r9 b9", "r2"], table="b4 b5 b6")
    assert refused(game, Play(0, with_tiles(game, table))).code == "illegal-play"
    strict = edition("classic", {"strict_submit": True})
    game = arranged(strict, racks=["r9 b9", "r2"], table="b4 b5 b6")
    draft = with_tiles(game, table)
    after, events = game.apply(Play(0, draft), 1)
    assert events == (Drew(1, 0, game.pool[:-4:-1], "illegal", draft),)
    assert after.table == game.table
    assert len(after.racks[0]) == 5
    assert after.current == 1
    empty = arranged(strict, racks=["r9 b9", "r2"], table="b4 b5 b6", pool=0, filler=1)
    refusal = refused(empty, Play(0, with_tiles(empty, table)))
    assert refusal.code == "illegal-play"  # with nothing to draw it would be a way to pass


@pytest.mark.parametrize("tiles", [1, 3, 7])
def test_the_size_of_a_penalty(tiles: int) -> None:
    rules = edition("classic", {"penalty.tiles": tiles})
    game = procedure_game(PROCEDURES["P66"], rules)
    after, _ = game.apply(TimeOut(1, with_tiles(game, DRAFTS["illegal"])), 60_000)
    assert len(after.racks[0]) == len(game.racks[0]) + tiles


def test_a_leftover_penalty_draws_at_least_one_tile() -> None:
    rules = edition("classic", {"penalty.mode": "leftover_count", "timer.legal_draft": "restore"})
    game = procedure_game(PROCEDURES["P66"], rules)
    after, _ = game.apply(TimeOut(1, with_tiles(game, DRAFTS["legal"])), 60_000)
    assert len(after.racks[0]) == len(game.racks[0]) + 1


def test_a_legal_draft_may_be_taken_back_when_time_runs_out() -> None:
    rules = edition("classic", {"timer.legal_draft": "restore"})
    game = procedure_game(PROCEDURES["P69"], rules)
    after, events = game.apply(TimeOut(1, with_tiles(game, DRAFTS["legal"])), 60_000)
    assert after.table == game.table
    assert isinstance(events[0], Drew)
    assert events[0].why == "penalty"
    assert len(events[0].tiles) == 3


def test_the_length_of_a_turn() -> None:
    for rules in (CLASSIC, SABRA, edition("classic", {"timer.seconds": 7})):
        assert dealt(rules).deadline == 1000 * rules.timer_seconds


def test_what_a_draft_cannot_hold_is_left_out_of_it() -> None:
    game = procedure_game(PROCEDURES["P69"], CLASSIC)
    legal = with_tiles(game, DRAFTS["legal"])
    wrong = [(*row, Tile(-7 - n)) for n, row in enumerate(legal)]
    strange = ((), by_id(10**9, -1), *wrong, game.racks[1])
    after, events = game.apply(TimeOut(1, strange), 60_000)
    assert isinstance(events[0], Played)
    assert after.table == legal
    nothing = (*game.table, by_id(-5), ())
    _, events = game.apply(TimeOut(1, nothing), 60_000)
    assert isinstance(events[0], Drew)
    assert events[0].why == "clock"


def test_a_draft_with_one_tile_twice_is_refused() -> None:
    game = procedure_game(PROCEDURES["P69"], CLASSIC)
    first, *others = with_tiles(game, DRAFTS["legal"])
    for draft in (((*first, first[0]), *others), (first, first, *others)):
        assert refused(game, TimeOut(1, draft), 60_000).code == "tile-twice"


def test_a_time_out_over_rows_merely_put_in_another_order_draws_one() -> None:
    game = arranged(racks=["r1", "r2"], table="r7 b7 k7 / b1 b2 b3", pool=10, filler=1)
    group, run = game.table
    _, events = game.apply(TimeOut(1, (run, group[::-1])), 60_000)
    assert events == (Drew(60_000, 0, game.pool[-1:], "clock"),)


@pytest.mark.parametrize("name", ["", "x" * 41, "\ud800", "\x1b[2J", "a\nb", "\u2028"])
def test_a_name_that_cannot_be_written_is_refused(name: str) -> None:
    with pytest.raises(MatchError, match="name"):
        Game.create(CLASSIC, ["Ann", name], secret="00" * 32, now=0)


def test_drawing_until_a_play_is_possible() -> None:
    rules = edition("sabra", {"draw.mode": "until_playable"})
    game = arranged(rules, racks=["r1", "r2"], pool=10, filler=1)

    def after_four(position: Position) -> bool:
        assert position.opened
        return len(position.rack) >= 5

    after, events = game.apply(Draw(0), 1, after_four)
    assert events == (Drew(1, 0, game.pool[:-5:-1]),)
    assert after.current == 1
    drawn_out, _ = game.apply(Draw(0), 1, lambda *_: False)
    assert drawn_out.pool == ()
    one, _ = game.apply(Draw(0), 1, lambda *_: True)
    assert len(one.pool) == 9
    with pytest.raises(TypeError, match="can_play"):
        game.apply(Draw(0), 1)
    # the clock draws one all the same
    by_clock, _ = game.apply(TimeOut(1), 120_000)
    assert len(by_clock.pool) == 9


def test_rearranging_in_the_final_round_is_an_option() -> None:
    for allowed in (True, False):
        rules = edition("taiwan", {"final_round.manipulation": allowed})
        game = arranged(rules, racks=["k1", "r6 k2"], table="r4 r5 r6 r7 r8", pool=1)
        game, _ = game.apply(Draw(0), 1, lambda _: True)
        assert game.final_turns is not None
        split = Play(1, with_tiles(game, "r4 r5 r6 / r6 r7 r8"))
        if allowed:
            game.apply(split, 2, can_play)
        else:
            refusal = refused(game, split, 2)
            assert refusal.verdict is not None
            assert refusal.verdict.reasons[0].code == "no-manipulation"


def test_what_was_said_of_a_row_stands_as_long_as_the_row() -> None:
    rules = edition("classic", {"joker.declare": "kind"})
    game = arranged(rules, racks=["r8 J J r1", "b7 r9", "r2"], table="b4 b5 b6")
    table = with_tiles(game, "b4 b5 b6 / r8 J J")
    assert refused(game, Play(0, table)).code == "illegal-play"
    game, _ = game.apply(Play(0, table, {table[1]: Kind.GROUP}), 1)
    assert game.declared == {table[1]: Kind.GROUP}
    game, _ = game.apply(Play(1, ((*table[0], *_tiles(game, "b7")), table[1])), 2)
    assert game.declared == {table[1]: Kind.GROUP}
    assert row_text(next(iter(game.declared))) == "r8 J J"


def test_what_was_said_of_a_joker_goes_where_it_goes() -> None:
    rules = edition("sabra", {"joker.declare": "explicit"})
    game = arranged(rules, racks=["r8 J J r1", "b8 o11 o12 r9", "k8 o10 r2"], table="b4 b5 b6")
    table = with_tiles(game, "b4 b5 b6 / r8 J J")
    assert refused(game, Play(0, table, {table[1]: Kind.GROUP})).code == "illegal-play"
    names = parse_declaration(["r8", "b8", "k8"])
    game, _ = game.apply(Play(0, table, {table[1]: names}), 1)
    assert game.declared == {table[1]: names}
    red, blue, black = table[1]
    [b8] = _tiles(game, "b8")
    run = (*_tiles(game, "o11 o12"), blue)
    game, (played,) = game.apply(Play(1, (table[0], (red, b8, black), run)), 2)
    assert game.declared == {(red, b8, black): names}
    again = from_dict(to_dict(played))
    assert again == played
    wrong = (*_tiles(game, "o10"), *run), (red, b8, *_tiles(game, "k8"), black)
    assert game.judge((table[0], *wrong)).legal  # black replaces it, and it becomes the orange 8
    assert game.judge((table[0], *wrong)).declared == {}


def _tiles(game: Game, text: str) -> Row:
    rack = list(game.racks[game.current])
    return tuple(next(t for t in rack if face_of(t) == face) for face in faces_of(parse_row(text)))


def test_an_unopened_player_leaves_named_rows_alone() -> None:
    game = arranged(racks=["r8 J J r1", "r10 b10 k10 r9"], table="", opened=[True, False])
    table = with_tiles(game, "r8 J J")
    game, _ = game.apply(Play(0, table, {table[0]: Kind.RUN}), 1)
    game, _ = game.apply(Play(1, with_tiles(game, "r8 J J / r10 b10 k10")), 2)
    assert game.opened == (True, True)


def test_not_having_opened_costs_extra_where_the_tournament_says_so() -> None:
    rules = edition("classic", {"tournament.unopened_penalty": 100})
    racks = ["b7", "r2", "r3"]
    game = arranged(rules, racks=racks, table="b4 b5 b6", opened=[True, False, True])
    game, _ = game.apply(Play(0, with_tiles(game, "b4 b5 b6 b7")), 1)
    assert game.result is not None
    assert game.result.scores == (105, -102, -3)


# Events and invariants


def test_a_clock_that_is_set_back_does_not_turn_time_around() -> None:
    game, _ = dealt().apply(Draw(0), 5000)
    after, (drew,) = game.apply(Draw(1), 10)
    assert drew.at == 5000
    assert after.turn_began == 5000
    assert refused(after, Draw(0), 65_000).code == "too-late"


def test_a_game_is_the_fold_of_its_events() -> None:
    game, events = started(TWIST, 4)
    for now in range(1, 30):
        game, more = game.apply(Draw(game.current), now)
        events += more
    assert Game.fold(events) == game
    with pytest.raises(Refused, match="begins with its created event"):
        Game.fold(events[1:])
    with pytest.raises(Refused, match="begins with its created event"):
        Game.fold([])


def test_a_lost_or_doubled_tile_is_noticed() -> None:
    game = dealt()
    for broken in (
        replace(game, pool=game.pool[1:]),
        replace(game, pool=(*game.pool, game.pool[0])),
        replace(game, pool=(*game.pool, tile(Face(0), 9))),
        replace(game, racks=(game.racks[0], game.racks[0])),
    ):
        with pytest.raises(InvariantError):
            broken.check()
        with pytest.raises(InvariantError):
            broken.apply(Draw(0), 1)
    with pytest.raises(InvariantError, match="not a set"):
        replace(game, pool=game.pool[2:], table=(game.pool[:2],)).check()


@pytest.mark.parametrize("size", [1, 7, 14, 26])
def test_the_size_of_a_hand(size: int) -> None:
    game = dealt(edition("classic", {"hand_size": size}), 4)
    assert [len(rack) for rack in game.racks] == [size] * 4


def test_how_many_may_play_is_an_option() -> None:
    rules = edition("classic", {"players.min": 3, "players.max": 6})
    for players, allowed in ((2, False), (3, True), (6, True), (7, False)):
        if allowed:
            Game.create(rules, ["x"] * players, secret=SECRET, now=0)
        else:
            with pytest.raises(Refused, match="takes 3 to 6"):
                Game.create(rules, ["x"] * players, secret=SECRET, now=0)
