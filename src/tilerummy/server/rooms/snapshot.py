"""A room in one piece, so that loading it does not take its whole history.

The game that is on is kept as its events: they are few, and a game is made of them anyway.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tilerummy.play import events as play
from tilerummy.play.game import Game
from tilerummy.play.match import Match
from tilerummy.rules.scores import Result
from tilerummy.server.rooms.events import LogError, Said
from tilerummy.server.rooms.room import Phase, Room, Seat
from tilerummy.server.rooms.settings import Settings

SCHEMA = 1


class _Match(msgspec.Struct, frozen=True):
    players: tuple[str, ...]
    results: tuple[tuple[tuple[int, ...], tuple[int, ...], bool], ...]
    last_starter: int | None


class _Frozen(msgspec.Struct, frozen=True):
    schema: int
    id: str
    code: str
    settings: Settings
    opened: int
    seats: tuple[Seat, ...]
    version: int
    phase: Phase
    since: int
    active: int
    host: int | None
    match: _Match | None
    matches: int
    game_log: tuple[dict[str, Any], ...]
    game_first: int
    paused: int | None
    lost: int
    chat: tuple[Said, ...]
    muted: tuple[tuple[int, int], ...]
    causes: dict[int, dict[str, int]]


def freeze(room: Room) -> bytes:
    match = room.match
    frozen = _Frozen(
        SCHEMA,
        room.id,
        room.code,
        room.settings,
        room.opened,
        room.seats,
        room.version,
        room.phase,
        room.since,
        room.active,
        room.host,
        None
        if match is None
        else _Match(
            match.players,
            tuple([(r.scores, r.winners, r.blocked) for r in match.results]),
            match.last_starter,
        ),
        room.matches,
        tuple([play.to_dict(event) for event in room.game_log]),
        room.game_first,
        room.paused,
        room.lost,
        room.chat,
        tuple(sorted(room.muted)),
        {seat: dict(ids) for seat, ids in room.causes.items()},
    )
    return msgspec.json.encode(frozen)


def thaw(data: bytes) -> Room:
    """Raises LogError."""
    try:
        frozen = msgspec.json.decode(data, type=_Frozen)
        if frozen.schema != SCHEMA:
            raise LogError(f"a snapshot has schema {SCHEMA}, not {frozen.schema}")
        return _thawed(frozen)
    except (msgspec.MsgspecError, play.EventError) as error:
        raise LogError(f"a snapshot is not readable: {error}") from error


def _thawed(frozen: _Frozen) -> Room:
    edition = frozen.settings.rules()
    match = None
    if frozen.match is not None:
        match = Match(
            edition,
            frozen.match.players,
            frozen.settings.rounds,
            tuple([Result(*result) for result in frozen.match.results]),
            frozen.match.last_starter,
        )
    log = tuple([play.from_dict(event) for event in frozen.game_log])
    return Room(
        id=frozen.id,
        code=frozen.code,
        settings=frozen.settings,
        edition=edition,
        opened=frozen.opened,
        seats=frozen.seats,
        version=frozen.version,
        phase=frozen.phase,
        since=frozen.since,
        active=frozen.active,
        host=frozen.host,
        match=match,
        matches=frozen.matches,
        game=Game.fold(log) if log else None,
        game_log=log,
        game_first=frozen.game_first,
        paused=frozen.paused,
        lost=frozen.lost,
        chat=frozen.chat,
        muted=frozenset(frozen.muted),
        causes=frozen.causes,
    )
