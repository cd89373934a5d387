"""Invariants of a game, checked after every command."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

from tests.play.wild import Step, WildGame
from tilerummy.play.game import Game, Phase
from tilerummy.play.notation import load, to_text
from tilerummy.play.record import Record, to_jsonl
from tilerummy.play.verification import verify
from tilerummy.play.views import View, view
from tilerummy.rules.orders import settled


def play_and_check(wild: WildGame) -> Game:
    """Play to the end; every step is checked."""
    folded = Game.fold(wild.events)
    for step in wild.steps():
        for event in step.events:
            folded = folded.evolve(event)
        check_step(step)
        assert folded == step.after
    assert Game.fold(wild.events) == wild.game
    check_record(record_of(wild))
    return wild.game


def record_of(wild: WildGame) -> Record:
    game = wild.game
    record = Record(game.edition.name, game.edition.changed_options(), game.players)
    return record.with_events(tuple(wild.events))


def check_record(record: Record) -> None:
    """Written down and read again it is the same, and it holds."""
    assert load(to_text(record)) == record
    assert load(to_jsonl(record)) == record
    assert verify(record) == []


def check_step(step: Step) -> None:
    game = step.after
    if step.refused is not None:
        assert game is step.before
        assert not step.events
        assert step.refused.code
        return
    assert step.events
    check_tiles(game)
    if game.result is not None:
        assert sum(game.result.scores) == 0
        assert game.phase is Phase.OVER
    check_view(game, None)
    check_view(game, game.turn % len(game.players))


def check_tiles(game: Game) -> None:
    """The same as `Game.check`, written differently."""
    if game.phase is Phase.WAITING:
        return
    found = [*game.pool]
    for rack in game.racks:
        found += rack
    for row in game.table:
        found += row
        assert settled(game.edition, row) == row
    assert len(found) == len(set(found))
    assert set(found) == set(game.edition.box(len(game.players)).tiles())


def check_view(game: Game, seat: int | None) -> None:
    """No tile of another rack or of the pool, and nothing of the secret, while the game is on."""
    seen = view(game, seat)
    if game.phase is Phase.OVER:
        assert seen.final is not None
        assert seen.final.racks == game.racks
        assert seen.final.secret == game.secret
        return
    assert seen.final is None
    assert game.secret not in repr(seen)
    hidden = set(game.pool)
    for other, rack in enumerate(game.racks):
        if other != seat:
            hidden |= set(rack)
    shown = dict(tiles_of(seen))
    for name, tiles in shown.items():
        if name != "starter_draws":  # drawn before everybody's eyes
            assert not hidden & tiles, name
    if seat is not None and game.racks:
        assert seen.rack == game.racks[seat]


_COUNTS = {
    "game", "seat", "rack_sizes", "pool_size", "current", "turn", "turn_began", "deadline",
    "passes", "final_turns", "starter", "edition", "opened", "shuffle_version",
}  # fmt: skip
"""Fields with numbers that are not tiles; their values are checked one by one."""


def tiles_of(seen: View) -> Iterator[tuple[str, set[int]]]:
    """Every whole number anywhere in the view that could be a tile, by field."""
    for item in dataclasses.fields(seen):
        if item.name in _COUNTS:
            continue
        if item.name == "last" and seen.last is not None:
            last = seen.last
            yield "last", {*last.played, *last.own_drawn}
            rest = dataclasses.replace(last, played=(), own_drawn=(), seat=0, drawn=0)
            assert not set(_numbers(rest))
            continue
        if item.name == "declared":  # the names of jokers are faces, not tiles
            yield "declared", set(_numbers(tuple(seen.declared)))
            continue
        yield item.name, set(_numbers(getattr(seen, item.name)))


def _numbers(value: object) -> Iterator[int]:
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield value
        return
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from (
            number
            for item in dataclasses.fields(value)
            if (item.name, getattr(value, item.name)) not in (("seat", 0), ("drawn", 0))
            for number in _numbers(getattr(value, item.name))
        )
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _numbers(key)
            yield from _numbers(inner)
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from _numbers(inner)
    else:
        assert value is None or isinstance(value, str), f"what is {value!r} doing in a view?"
