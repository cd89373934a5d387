"""Tournaments of bots: paired deals, the same bytes for a seed, the real rules."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tilerummy.bots.protocol import NO_LIMIT, Budget, StatelessBot, idle_turn
from tilerummy.bots.roster import BOTS
from tilerummy.lab.bot_games import DealKey, play_bots
from tilerummy.lab.errors import LabError
from tilerummy.lab.fingerprints import fingerprint
from tilerummy.lab.line_ups import pair_line_ups, seatings
from tilerummy.lab.run_file import to_line
from tilerummy.lab.scoreboard import scoreboard_of
from tilerummy.lab.tournament import Task, Tournament
from tilerummy.lab.workers import on_processes
from tilerummy.play.commands import Turn
from tilerummy.play.events import Dealt, Event
from tilerummy.play.game import Game
from tilerummy.play.record import Record
from tilerummy.play.refusals import Refused
from tilerummy.play.verification import verify
from tilerummy.play.views import View
from tilerummy.rules.editions import EDITIONS, edition
from tilerummy.solver.turns.best_turn import can_play

TAIWAN = edition("taiwan")
SMALL = Tournament(TAIWAN, (("solver", "solver", "simple"),), seed=7)


def dealt(events: list[Event]) -> Dealt:
    (found,) = [event for event in events if isinstance(event, Dealt)]
    return found


def test_a_deal_is_the_same_in_every_seating_and_differs_from_the_next() -> None:
    deals = {
        dealt([*next(play_bots(TAIWAN, seating, DealKey(7, 0), Budget(nodes=100)))[1]])
        for seating in seatings(("solver", "simple", "simple"))
    }
    other = dealt([*next(play_bots(TAIWAN, ("solver",) * 3, DealKey(7, 1), Budget(nodes=100)))[1]])
    assert len(deals) == 1
    assert other.racks not in {deal.racks for deal in deals}


@pytest.mark.parametrize("name", EDITIONS)
def test_a_game_of_the_lab_is_a_record_that_verifies(name: str) -> None:
    rules = edition(name)
    events: list[Event] = []
    for _, more in play_bots(rules, ("solver", "solver"), DealKey(1, 0), Budget(nodes=2_000)):
        events += more
    players = Game.fold(events).players
    record = Record(rules.name, {}, players, 1, (tuple(events),))
    assert verify(record, can_play) == []


def test_games_are_for_each_line_up_and_deals_are_whole() -> None:
    assert SMALL.deals_for(1) == 1
    assert SMALL.deals_for(6) == 2
    assert SMALL.deals_for(7) == 3
    pairs = Tournament(TAIWAN, pair_line_ups(("solver", "simple"), 4), pairs=True)
    assert pairs.deals_for(100) == 25
    assert [*pairs.tasks(2)] == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_line_ups_that_search_may_play_fewer_deals() -> None:
    line_ups = (("club", "hold"), ("master", "hold"))
    plan = Tournament(TAIWAN, line_ups, pairs=True, search_every=3)
    assert [*plan.tasks(4)] == [(0, 0), (0, 1), (1, 0), (2, 0), (3, 0), (3, 1)]


def test_the_json_of_a_tournament_gives_the_same_tournament() -> None:
    rules = edition("classic", {"hand_size": 10})
    changed = Tournament(rules, (("simple", "solver"),), True, 3, 5, 7, 2)
    assert Tournament.from_json(json.loads(json.dumps(changed.to_json()))) == changed


def test_the_same_bytes_on_any_number_of_workers() -> None:
    alone = [*on_processes(Tournament.play, SMALL, SMALL.tasks(3))]
    together = [*on_processes(Tournament.play, SMALL, SMALL.tasks(3), workers=2)]
    assert [*map(to_line, alone)] == [*map(to_line, together)]
    boards = [scoreboard_of(SMALL, results).to_json() for results in (alone, together)]
    assert json.dumps(boards[0]) == json.dumps(boards[1])


def test_another_seed_gives_other_games() -> None:
    other = Tournament(TAIWAN, SMALL.line_ups, seed=8)
    assert SMALL.play(Task(0, 0)).games != other.play(Task(0, 0)).games


class Watching(StatelessBot):
    """Remembers what it was given."""

    seen: list[tuple[View, Budget, int]]

    def __init__(self, seen: list[tuple[View, Budget, int]], seed: int) -> None:
        self.seen, self.seed = seen, seed

    def choose(self, view: View, budget: Budget = NO_LIMIT) -> Turn:
        self.seen.append((view, budget, self.seed))
        return idle_turn(view)


def watching(monkeypatch: pytest.MonkeyPatch) -> list[tuple[View, Budget, int]]:
    """Puts a bot `watching` into the roster, and returns what its seats see."""
    seen: list[tuple[View, Budget, int]] = []
    bot = replace(
        BOTS["simple"], id="watching", factory=Watching, parameters={"seen": seen}, seeded=True
    )
    monkeypatch.setitem(BOTS, "watching", bot)
    return seen


def test_a_bot_has_a_budget_of_nodes_a_seed_of_its_own_and_neutral_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = watching(monkeypatch)
    game = play_bots(TAIWAN, ("watching", "watching"), DealKey(1, 0), Budget(nodes=321))
    for _ in range(5):
        next(game)
    assert {budget for _, budget, _ in seen} == {Budget(nodes=321)}
    assert len({seed for _, _, seed in seen}) == 2
    assert {view.players for view, _, _ in seen} == {("Player 1", "Player 2")}


def test_the_judge_looks_at_every_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    watching(monkeypatch)
    monkeypatch.setattr(Watching, "choose", lambda self, view, budget: SMALL)
    with pytest.raises((Refused, TypeError, AssertionError)):
        [*play_bots(TAIWAN, ("watching", "watching"), DealKey(1, 0), Budget(nodes=10))]


def test_a_fingerprint_is_that_of_the_play(monkeypatch: pytest.MonkeyPatch) -> None:
    budget = Budget(nodes=100)
    assert fingerprint("solver", TAIWAN, budget) == fingerprint("solver", TAIWAN, budget)
    copy = replace(BOTS["solver"], id="copy")
    monkeypatch.setitem(BOTS, "copy", copy)
    assert fingerprint("copy", TAIWAN, budget) == fingerprint("solver", TAIWAN, budget)
    assert fingerprint("simple", TAIWAN, budget) != fingerprint("solver", TAIWAN, budget)


def test_a_tournament_without_bots_is_refused() -> None:
    with pytest.raises(LabError, match="name the bots"):
        Tournament(TAIWAN, ())
