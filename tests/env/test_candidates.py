"""Candidates: every one is a legal turn, and each slot holds what it promises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.env.agents import random_decisions
from tilerummy.env import FEATURES, SLOTS, raw_env
from tilerummy.env.candidates import Candidates, candidates_of
from tilerummy.play.commands import Draw, Pass, Play
from tilerummy.play.game import Game
from tilerummy.play.views import view
from tilerummy.rules.editions import EDITIONS
from tilerummy.rules.scores import rack_points
from tilerummy.rules.tiles import FACE_OF, IS_JOKER, faces_of
from tilerummy.solver import can_play, solve

COUNT = 9
NODES = 2_000


def positions(
    edition: str, seed: int, options: dict[str, object] | None = None
) -> Iterator[tuple[Game, Candidates]]:
    """Positions of a random game with their candidates."""
    game = raw_env(edition, 3, options, candidates=6)
    for number, _ in enumerate(random_decisions(game, seed)):
        if number % 4 == 0:
            now = game.game
            yield now, candidates_of(view(now, now.current), COUNT, NODES)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_referee_accepts_every_candidate(edition: str) -> None:
    accepted = 0
    for game, candidates in positions(edition, seed=6):
        assert len(candidates) == COUNT
        for candidate in candidates:
            if candidate is None:
                continue
            after, _ = game.apply(candidate.turn, 0, can_play)
            left = set(game.racks[game.current]) - set(after.racks[game.current])
            assert left == {*candidate.played}
            accepted += 1
    assert accepted > 30


def test_slots_hold_what_their_names_say() -> None:
    filled = dict.fromkeys(SLOTS, 0)
    for game, candidates in positions("taiwan", seed=5, options={"jokers": "J4"}):
        for name, candidate in zip(SLOTS, candidates, strict=False):
            if candidate is None:
                continue
            filled[name] += 1
            table = candidate.turn.table if isinstance(candidate.turn, Play) else game.table
            match name:
                case "idle":
                    assert isinstance(candidate.turn, Draw | Pass)
                case "most_tiles":
                    best = solve(game.position(game.current), node_limit=NODES)
                    assert len(candidate.played) == best.tiles
                case "no_jokers":
                    assert not any(IS_JOKER[face] for face in faces_of(candidate.played))
                case "rack_only":
                    assert {*game.table} <= {*table}
                case "one_tile":
                    assert len(candidate.played) == 1
    assert all(filled.values()), filled


def test_no_two_candidates_play_the_same_tiles() -> None:
    for _, candidates in positions("taiwan", seed=8):
        played = [sorted(faces_of(each.played)) for each in candidates if each is not None]
        assert len(played) == len({tuple(faces) for faces in played})


def test_features_describe_the_turn() -> None:
    for game, candidates in positions("classic", seed=9):
        rack = game.racks[game.current]
        for candidate in candidates:
            if candidate is None:
                continue
            found = dict(zip(FEATURES, candidate.features, strict=True))
            played = candidate.played
            left = [tile for tile in rack if tile not in played]
            assert found["tiles"] == len(played)
            assert found["tiles_left"] == len(left)
            assert found["points"] + found["points_left"] == rack_points(game.edition, rack)
            assert found["jokers"] == sum(IS_JOKER[FACE_OF[tile]] for tile in played)
            assert found["goes_out"] == (not left)
            assert found["opens"] == (bool(played) and not game.opened[game.current])
            after, _ = game.apply(candidate.turn, 0, can_play)
            assert found["rows_kept"] == len({*game.table} & {*after.table})
            assert found["rows_new"] == len({*after.table} - {*game.table})


def with_empty_pool(game: Game) -> Game:
    """The same position when the pool is used up: its tiles are on the rack of the next seat."""
    other = game.seats_from_current()[1]
    racks = [*game.racks]
    racks[other] += game.pool
    return replace(game, racks=tuple(racks), pool=())


def test_a_player_who_must_play_cannot_pass() -> None:
    must = may = 0
    for game, _ in positions("classic", seed=7):
        empty = with_empty_pool(game)
        candidates = candidates_of(view(empty, empty.current), COUNT, NODES)
        if can_play(empty.position(empty.current)):
            assert candidates[0] is None
            assert candidates[1] is not None
            must += 1
        else:
            assert candidates[0] is not None
            assert isinstance(candidates[0].turn, Pass)
            may += 1
        short = candidates_of(view(empty, empty.current), 2, nodes=1)
        assert any(each is not None for each in short)
    assert must
    assert may
