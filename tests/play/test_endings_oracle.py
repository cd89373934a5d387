"""Whole games with very few tiles: they end where the oracle says so, and how it says."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

import pytest

from tests import oracle
from tests.play.endgames import ENDS, PASSES
from tests.play.states import NAMES
from tilerummy.play.commands import Command, Draw, Pass, Play, Start, TimeOut
from tilerummy.play.events import Dealt, Drew, Ended, Event, Played
from tilerummy.play.game import Game, Phase
from tilerummy.play.refusals import Refused
from tilerummy.rules.box import Box
from tilerummy.rules.editions import EDITIONS, Edition, edition
from tilerummy.rules.tiles import JOKER_FACES, Tile, numbered, row_text, tile
from tilerummy.solver.turns.best_turn import can_play, solve

MOST_TURNS = 60
GAMES = 25


@dataclass(frozen=True)
class FewTiles:
    """A box with a few of the tiles of an edition."""

    held: tuple[Tile, ...]

    def __len__(self) -> int:
        return len(self.held)

    def tiles(self) -> tuple[Tile, ...]:
        return self.held


def few_tiles(rng: random.Random, rules: Edition, count: int) -> tuple[Tile, ...]:
    """Low numbers of three colours, so that there is something to play, and perhaps a joker."""
    faces = [numbered(colour, number) for colour in range(3) for number in range(1, 6)]
    chosen = rng.sample(faces, count)
    if rng.random() < 0.5:
        joker = rng.choice([face for face in JOKER_FACES if rules.box().count(face)])
        chosen[0] = joker
    return tuple([tile(face, 1) for face in chosen])


def faces(tiles: tuple[Tile, ...]) -> tuple[str, ...]:
    return tuple(row_text(tiles).split())


class Watched:
    """A small game, of which the oracle is told after every turn."""

    def __init__(self, rng: random.Random, rules: Edition) -> None:
        self.rng = rng
        self.rules = rules
        self.options = {
            key: value for key, value in rules.changed_options().items() if key in oracle.DEFAULTS
        }
        self.history: list[oracle.Turn] = []
        players = rng.randint(2, 3)
        self.game, _ = Game.create(
            rules, NAMES[:players], secret=rng.randbytes(32).hex(), now=0, starter=0
        )

    def play(self) -> str:
        self.apply(Start(), 0)
        while self.game.phase is not Phase.OVER:
            assert self.game.turn < MOST_TURNS, "the game does not end"
            self.turn()
        assert self.game.result is not None
        return str(self.game.result.end)

    def turn(self) -> None:
        game, seat = self.game, self.game.current
        now = game.turn_began + 1
        what = self.rng.random()
        if what < 0.15:
            assert game.deadline is not None
            self.apply(TimeOut(game.turn), game.deadline)
            return
        if what < 0.6 and game.pool:
            self.apply(Draw(seat), now)
            return
        if not game.pool and what < 0.4 and self.passes(seat, now):
            return
        found = solve(game.position(seat), self.rng.choice(["tiles", "value"]))
        assert found.plays == self.able(seat)
        if found.plays:
            self.apply(Play(seat, found.table, found.declared), now)
        elif game.pool:
            self.apply(Draw(seat), now)
        else:
            assert self.passes(seat, now)

    def passes(self, seat: int, now: int) -> bool:
        """Try to pass: whether that was allowed, which the oracle knows."""
        allowed = self.rules.empty_pool_pass == "voluntary" or not self.able(seat)
        if allowed:
            self.apply(Pass(seat), now)
            return True
        with pytest.raises(Refused) as refused:
            self.apply(Pass(seat), now)
        assert refused.value.code == "must-play"
        return False

    def able(self, seat: int) -> bool:
        game = self.game
        table = tuple([faces(row) for row in game.table])
        options = tuple(sorted(self.options.items()))
        return _able(self.rules.name, options, game.opened[seat], faces(game.racks[seat]), table)

    def apply(self, command: Command, now: int) -> None:
        self.game, events = self.game.apply(command, now, can_play)
        self.history.append(oracle.Turn(_kind(events), len(self.game.pool)))
        expected = oracle.ending(
            self.rules.empty_pool_end,
            self.game.racks,  # type: ignore[arg-type]  # only their lengths matter
            self.history,
            self.able,
            self.game.current,
        )
        last = events[-1]
        assert (str(last.end) if isinstance(last, Ended) else None) == expected


@cache
def _able(
    name: str,
    options: tuple[tuple[str, object], ...],
    opened: bool,
    rack: tuple[str, ...],
    table: tuple[tuple[str, ...], ...],
) -> bool:
    return oracle.can_play(name, dict(options), opened, rack, table)


def _kind(events: tuple[Event, ...]) -> str:
    kinds = {Dealt: "deal", Played: "play", Drew: "draw"}
    return next((kinds[type(event)] for event in events if type(event) in kinds), "nothing")


def watched(rng: random.Random, name: str, mode: str) -> Watched:
    options: dict[str, object] = {
        "empty_pool.end": mode,
        "empty_pool.pass": rng.choice(PASSES),
        "hand_size": rng.choice([2, 3, 3]),
        "initial.min": rng.choice([0, 0, 6]),
        "penalty.tiles": 1,
    }
    return Watched(rng, edition(name, options))


@pytest.mark.parametrize("mode", ENDS)
def test_small_games_end_as_the_oracle_says(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Edition.box
    held: tuple[Tile, ...] = ()

    def box(rules: Edition, players: int | None = None) -> Box | FewTiles:
        return whole(rules) if players is None else FewTiles(held)

    ends = set()
    for seed in range(GAMES):
        rng = random.Random(f"{mode} {seed}")
        game = watched(rng, rng.choice(list(EDITIONS)), mode)
        held = few_tiles(rng, game.rules, rng.randint(10, 11))
        with monkeypatch.context() as patch:
            patch.setattr(Edition, "box", box)
            ends.add(game.play())
    assert len(ends) > 1
