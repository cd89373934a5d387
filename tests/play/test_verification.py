"""Verification of records: every kind of tampering is found."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

from tests.bots.matches import played_match
from tests.copies import by_id
from tests.play.invariants import record_of
from tests.play.test_record import match_record
from tests.play.wild import wild_game
from tilerummy.play.commands import Draw, Pass, TimeOut
from tilerummy.play.driver import MatchDriver
from tilerummy.play.endings import CanPlay
from tilerummy.play.events import (
    Cancelled,
    Committed,
    Created,
    Dealt,
    Drew,
    Ended,
    Event,
    Fixed,
    Passed,
    Played,
    Revealed,
    StarterDrawn,
)
from tilerummy.play.game import Phase
from tilerummy.play.match import Match
from tilerummy.play.notation import load, to_text
from tilerummy.play.record import Record, to_jsonl
from tilerummy.play.shuffle import commitment
from tilerummy.play.verification import Breach, Report, Unproven, examine, verify
from tilerummy.rules.editions import EDITIONS, edition
from tilerummy.rules.position import Position
from tilerummy.rules.scores import Ending
from tilerummy.rules.tiles import Tile
from tilerummy.solver.turns.best_turn import can_play


@cache
def record() -> Record:
    """A game with a seed, plays, draws, passes and penalties."""
    for seed in range(1000):
        wild = wild_game(random.Random(f"verify {seed}"), EDITIONS["classic"], mischief=0.1)
        for _ in wild.steps():
            pass
        types = {event.type for event in wild.events}
        whys = {event.why for event in wild.events if isinstance(event, Drew)}
        # Whether nobody could play at the end is for a solver to say.
        is_own = "own" in wild.game.sources
        is_decided = wild.game.result is not None and wild.game.result.end in (
            Ending.OUT,
            Ending.ALL_PASSED,
        )
        everything = types >= {"cancelled", "revealed", "played", "passed"}
        if is_decided and is_own and everything and whys >= {"choice", "clock", "penalty"}:
            return record_of(wild)
    raise AssertionError("no game with everything in it")


def events() -> list[Event]:
    return list(record().games[0])


def find(kind: type[Event], skip: int = 0, **traits: object) -> int:
    """Where an event of that kind is."""
    places = [
        place
        for place, event in enumerate(events())
        if isinstance(event, kind) and all(getattr(event, k) == v for k, v in traits.items())
    ]
    return places[skip]


def problems(changed: list[Event]) -> list[str]:
    return [str(problem) for problem in verify(replace(record(), games=(tuple(changed),)))]


def put(place: int, event: Event) -> list[Event]:
    changed = events()
    changed[place] = event
    return changed


def test_an_honest_record_holds() -> None:
    assert verify(record()) == []
    assert verify(match_record()) == []
    assert verify(match_record(), can_play) == []


def test_a_record_of_a_game_that_goes_on_holds() -> None:
    for count in range(2, 30):
        cut = events()[:count]
        if not isinstance(cut[-1], StarterDrawn):
            assert problems(cut) == []


def test_another_secret_is_found() -> None:
    created = events()[0]
    assert isinstance(created, Created)
    other = "ab" * 32
    (said,) = problems(put(0, replace(created, secret=other)))
    assert "the commitment is not the hash of the secret" in said
    both = replace(created, secret=other, commitment=commitment(other))
    (said,) = problems(put(0, both))
    assert "has not committed to this seed" in said
    (said,) = problems(put(0, replace(created, secret="nonsense")))
    assert "hexadecimal" in said


def test_another_seed_is_found() -> None:
    place = find(Revealed)
    revealed = events()[place]
    assert isinstance(revealed, Revealed)
    (said,) = problems(put(place, replace(revealed, seed="ab" * 32)))
    assert "has not committed to this seed" in said
    (said,) = problems(put(place, replace(revealed, seed="other")))
    assert "32 to 64" in said
    changed = events()
    del changed[place]
    assert problems(changed)
    changed = put(place, replace(revealed, seed="ab" * 32))
    (problem,) = verify(replace(record(), games=(tuple(changed),)))
    assert problem.breach is Breach.OPENING


def test_another_source_of_a_seed_is_found() -> None:
    place = find(Fixed)
    fixed = events()[place]
    assert isinstance(fixed, Fixed)
    for source in ("dealer", "default"):
        changed = tuple([source if each == "own" else each for each in fixed.sources])
        assert problems(put(place, replace(fixed, sources=changed)))


def test_a_cancelled_deal_can_be_neither_hidden_nor_blamed_on_others() -> None:
    place = find(Cancelled)
    cancelled, created = events()[place], events()[0]
    assert isinstance(cancelled, Cancelled)
    assert isinstance(created, Created)
    (said,) = problems(put(place, replace(cancelled, withheld=())))
    assert "withheld by" in said
    again = replace(created, secret=cancelled.secret, commitment=cancelled.commitment)
    (said,) = problems([again, *events()[place + 1 :]])
    assert "has not committed to this seed" in said, "the seats committed to the first deal as well"
    first = find(Committed)
    committed = events()[first]
    assert isinstance(committed, Committed)
    (said,) = problems(put(first, replace(committed, commitment="ab" * 32)))
    assert "has not committed to this seed" in said


def test_a_secret_is_used_for_one_deal() -> None:
    place = find(Cancelled)
    cancelled, created = events()[place], events()[0]
    assert isinstance(cancelled, Cancelled)
    assert isinstance(created, Created)
    again = replace(cancelled, secret=created.secret, commitment=created.commitment)
    (said,) = problems(put(place, again))
    assert "known from an earlier deal" in said


def test_tiles_swapped_in_the_deal_are_found() -> None:
    place = find(Dealt)
    deal = events()[place]
    assert isinstance(deal, Dealt)
    first, *others = deal.racks
    swapped = (deal.pool[0], *first[1:])
    pool = (first[0], *deal.pool[1:])
    (said,) = problems(put(place, replace(deal, racks=(swapped, *others), pool=pool)))
    assert "not dealt as the secret and the seeds say" in said
    assert problems(put(place, replace(deal, pool=deal.pool[::-1])))
    assert problems(put(place, replace(deal, starter=(deal.starter + 1) % len(deal.racks))))


def test_another_draw_for_the_start_is_found() -> None:
    place = find(StarterDrawn)
    drawn = events()[place]
    assert isinstance(drawn, StarterDrawn)
    assert problems(put(place, replace(drawn, draws=drawn.draws[::-1])))
    changed = events()
    del changed[place]
    assert problems(changed)


def test_an_illegal_play_is_found() -> None:
    place = find(Played)
    played = events()[place]
    assert isinstance(played, Played)
    held: tuple[Tile, ...] = played.table[0]
    (said,) = problems(put(place, replace(played, table=(held[:2], *played.table[1:]))))
    assert "turn " in said
    assert problems(put(place, replace(played, tiles=played.tiles[1:])))
    assert problems(put(place, replace(played, table=(*played.table, by_id(0, 1, 2)))))
    assert problems(put(place, replace(played, by_clock=not played.by_clock)))
    assert problems(put(place, replace(played, seat=played.seat + 1)))


def test_a_wrong_draw_is_found() -> None:
    place = find(Drew, why="choice")
    drew = events()[place]
    assert isinstance(drew, Drew)
    assert problems(put(place, replace(drew, tiles=(*drew.tiles, Tile(0)))))
    assert problems(put(place, replace(drew, tiles=())))
    assert problems(put(place, replace(drew, tiles=by_id(0, 1))))
    assert problems(put(place, replace(drew, why="clock")))
    assert problems(put(place, replace(drew, seat=-1)))


def test_a_penalty_of_another_size_is_found() -> None:
    place = find(Drew, why="penalty")
    drew = events()[place]
    assert isinstance(drew, Drew)
    assert problems(put(place, replace(drew, tiles=drew.tiles[:-1])))
    assert problems(put(place, replace(drew, draft=None)))
    assert problems(put(place, replace(drew, why="choice")))


def test_a_pass_that_was_not_allowed_is_found() -> None:
    place = find(Drew, why="choice")
    drew = events()[place]
    assert isinstance(drew, Drew)
    (said,) = problems(put(place, Passed(drew.at, drew.seat)))
    assert "there are tiles in the pool" in said


def no_proof(_: Position) -> bool | None:
    return None


def empty_pool_record(proof: CanPlay, *passes: bool, **options: object) -> Record:
    """A game whose deal empties the pool, and turns in which players pass, or let time run out."""
    box = {"copies": 1, "jokers": "J0", "hand_size": 26, "players.max": 2}
    driver = MatchDriver(Match(edition("classic", {**box, **options}), ("Ann", "Ben")), proof)
    game = driver.new_game("7b" * 32, 0)
    for passing in passes:
        assert game.deadline is not None
        turn = Pass(game.current) if passing else TimeOut(game.turn)
        game = driver.apply(turn, game.deadline - passing)
    return driver.record


def test_a_forced_play_is_checked_where_a_solver_can_tell() -> None:
    deal = empty_pool_record(no_proof).games[0][-1]
    assert isinstance(deal, Dealt)
    unable = deal.racks[deal.starter]
    record = empty_pool_record(lambda position: position.rack != unable, True)
    assert isinstance(record.games[0][-1], Passed)
    assert verify(record) == []
    (said,) = verify(record, lambda _: True)
    assert "you can play, so you must" in str(said)


def test_an_end_that_was_not_proven_is_found() -> None:
    record = empty_pool_record(lambda _: False)
    ended = record.games[0][-1]
    assert isinstance(ended, Ended)
    assert ended.end is Ending.NOBODY_CAN
    assert verify(record) == []
    (said,) = verify(record, lambda _: True)
    assert said.breach is Breach.RESULT


def test_without_a_solver_nobody_is_taken_for_unable() -> None:
    record = empty_pool_record(lambda _: True, False)
    assert [event.type for event in record.games[0]][-1] == "passed"
    assert verify(record) == []
    (said,) = verify(record, lambda _: False)
    assert said.breach is Breach.RESULT
    assert "the rules give “@0 ends nobody_can" in str(said)


def test_unproven_turns_are_reported_and_accepted() -> None:
    record = empty_pool_record(no_proof, True)
    deal, passed = record.games[0][-2:]
    assert isinstance(deal, Dealt)
    assert isinstance(passed, Passed)
    assert deal.unproven
    assert passed.unproven
    assert examine(record) == Report((), (Unproven(1, 0, None), Unproven(1, 1, None)))
    able = examine(record, lambda _: True)
    assert able == Report((), (Unproven(1, 0, True), Unproven(1, 1, False)))
    unable = examine(record, lambda _: False)
    assert [item.holds for item in unable.unproven] == [False, False]
    assert unable.problems == ()
    assert load(to_text(record)) == load(to_jsonl(record)) == record


def test_an_unproven_draw_is_reported() -> None:
    answers = iter([False, False, None])
    rules = edition("classic", {"draw.mode": "until_playable"})
    driver = MatchDriver(Match(rules, ("Ann", "Ben")), lambda _: next(answers))
    game = driver.new_game("7a" * 32, 0)
    driver.apply(Draw(game.current), 1)
    assert examine(driver.record).problems == ()
    (found,) = examine(driver.record, lambda position: len(position.rack) >= 17).unproven
    assert found == Unproven(1, 1, True)
    (found,) = examine(driver.record, lambda position: len(position.rack) >= 18).unproven
    assert found.holds is False


def test_drawing_until_one_can_play_is_checked_both_ways() -> None:
    rules = edition("classic", {"draw.mode": "until_playable"})

    def able_with(tiles: int) -> CanPlay:
        return lambda position: len(position.rack) >= tiles

    driver = MatchDriver(Match(rules, ("Ann", "Ben")), able_with(17))
    game = driver.new_game("7a" * 32, 0)
    driver.apply(Draw(game.current), 1)
    assert verify(driver.record) == []
    assert [bool(verify(driver.record, able_with(tiles))) for tiles in (16, 17, 18)] == [
        True,
        False,
        True,
    ]


def test_wrong_scores_are_found() -> None:
    place = find(Ended)
    ended = events()[place]
    assert isinstance(ended, Ended)
    scores = (ended.scores[0] + 1, ended.scores[1] - 1, *ended.scores[2:])
    assert problems(put(place, replace(ended, scores=scores)))
    assert problems(put(place, replace(ended, scores=(1, 1, 1))))
    assert problems(put(place, replace(ended, winners=())))
    assert problems(put(place, replace(ended, blocked=not ended.blocked)))
    assert problems(put(place, replace(ended, at=ended.at + 1)))


def test_a_missing_end_is_found() -> None:
    (said,) = problems(events()[:-1])
    assert "stops before the ended event" in said


def test_an_early_end_is_found() -> None:
    changed = events()
    ended = changed[-1]
    assert isinstance(ended, Ended)
    place = find(Drew)
    (said,) = problems([*changed[: place + 1], replace(ended, at=changed[place].at)])
    assert "ends although it could go on" in said


def test_what_comes_after_the_end_is_found() -> None:
    last = events()[-1]
    (said,) = problems([*events(), Drew(last.at, 0, by_id(1))])
    assert "the game is over" in said


def test_events_in_another_order_are_found() -> None:
    rng = random.Random(1)
    for _ in range(60):
        place = rng.randrange(find(StarterDrawn), len(events()) - 1)
        changed = events()
        changed[place], changed[place + 1] = changed[place + 1], changed[place]
        assert problems(changed), place


def test_a_missing_or_doubled_event_is_found() -> None:
    for place in range(1, len(events()) - 1):
        changed = events()
        doubled = [*changed[: place + 1], *changed[place:]]
        del changed[place]
        assert problems(changed), place
        assert problems(doubled), place


def test_time_running_backwards_is_found() -> None:
    place = find(Drew, 3, why="choice")
    drew = events()[place]
    assert isinstance(drew, Drew)
    (said,) = problems(put(place, replace(drew, at=0)))
    assert "time runs backwards" in said


def test_time_running_backwards_between_games_is_found() -> None:
    first, second = match_record().games
    created = second[0]
    assert isinstance(created, Created)
    early = replace(match_record(), games=(first, (replace(created, at=-1), *second[1:])))
    (said,) = verify(early)
    assert "time runs backwards" in str(said)


def test_a_play_after_the_deadline_is_found() -> None:
    for kind in (Played, Drew):
        traits = {"by_clock": False} if kind is Played else {"why": "choice"}
        place = find(kind, **traits)
        late = replace(events()[place], at=10**9)
        said = problems(put(place, late))
        assert "the time for this turn is over" in said[0]


def test_a_time_out_before_the_deadline_is_found() -> None:
    place = find(Drew, why="clock")
    early = replace(events()[place], at=events()[place - 1].at + 1)
    said = problems(put(place, early))
    assert "the time for this turn is not over" in said[0]


def test_other_players_or_rules_than_in_the_head_are_found() -> None:
    created = events()[0]
    assert isinstance(created, Created)
    assert problems(put(0, replace(created, edition="taiwan")))
    assert problems(put(0, replace(created, options={"hand_size": 13})))
    assert problems(put(0, replace(created, players=("X", "Y"))))
    (said,) = problems(put(0, replace(created, game=2)))
    assert "it calls itself game 2" in said
    (said,) = problems(put(0, replace(created, starter=0)))
    assert "the starter is decided by a draw" in said


def test_games_too_many_or_too_early_are_found() -> None:
    honest = match_record()
    first, second = honest.games
    assert isinstance(second[0], Created)
    secret = "77" * 32
    third = (replace(second[0], game=3, secret=secret, commitment=commitment(secret)), *second[1:])
    (said,) = verify(replace(honest, games=(first, second, third)))
    assert "the match was over before this game" in str(said)
    (said,) = verify(replace(honest, games=(first[:-2], second)))
    assert "another game begins before this one has ended" in str(said)


def test_a_secret_that_was_shown_before_is_found() -> None:
    honest = match_record()
    first, second = honest.games
    assert isinstance(first[0], Created)
    assert isinstance(second[0], Created)
    again = replace(second[0], secret=first[0].secret, commitment=first[0].commitment)
    (said,) = verify(replace(honest, games=(first, (again, *second[1:]))))
    assert "known from an earlier deal" in str(said)
    assert said.breach is Breach.KNOWN_SECRET


def test_impossible_rules_in_the_head_are_found() -> None:
    assert verify(replace(record(), edition="nobody"))
    assert verify(replace(record(), options={"copies": 99}))
    assert verify(replace(record(), players=("alone",)))


def test_a_record_without_games_holds() -> None:
    assert verify(replace(record(), games=())) == []


def test_the_starter_follows_the_rule_of_the_match() -> None:
    for rule in ("draw", "winner", "rotate"):
        rules = edition("classic", {"hand_size": 5, "match.next_starter": rule})
        driver = played_match(rules, 3)
        assert verify(driver.record) == []
        assert driver.game is not None
        assert driver.game.phase is Phase.OVER
        second = driver.record.games[1][0]
        assert isinstance(second, Created)
        wrong = replace(second, starter=None if rule != "draw" else 1)
        games = (driver.record.games[0], (wrong, *driver.record.games[1][1:]))
        assert verify(replace(driver.record, games=games))


def test_what_does_not_hold_is_described_in_broad_terms() -> None:
    created, deal, ended = events()[0], events()[find(Dealt)], events()[-1]
    drew, last = events()[find(Drew, 3, why="choice")], events()[-1]
    assert isinstance(created, Created)
    assert isinstance(deal, Dealt)
    assert isinstance(ended, Ended)
    assert isinstance(drew, Drew)
    cases = {
        Breach.HEAD: put(0, replace(created, players=("X", "Y"))),
        Breach.COMMITMENT: put(0, replace(created, secret="ab" * 32)),
        Breach.DEAL: put(find(Dealt), replace(deal, pool=deal.pool[::-1])),
        Breach.STARTER: put(0, replace(created, starter=0)),
        Breach.TURN: put(find(Drew, 3, why="choice"), Passed(drew.at, drew.seat)),
        Breach.RESULT: put(len(events()) - 1, replace(ended, winners=())),
        Breach.TIME: put(find(Drew, 3, why="choice"), replace(drew, at=0)),
        Breach.ORDER: [*events(), Drew(last.at, 0, by_id(1))],
        Breach.INCOMPLETE: events()[:-1],
        Breach.BROKEN: put(0, replace(created, secret="nonsense")),
    }
    for breach, changed in cases.items():
        (found,) = verify(replace(record(), games=(tuple(changed),)))
        assert found.breach is breach
        begun = breach in (Breach.TURN, Breach.RESULT, Breach.TIME, Breach.ORDER, Breach.INCOMPLETE)
        assert (found.turn is not None) is begun
