"""Snapshots: a serialised room, so that loading it does not replay its whole log.

The current game is stored as its events: they are few, and a game is a fold over them anyway.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tilerummy.play import event_json
from tilerummy.play.game import Game
from tilerummy.play.match import Match
from tilerummy.rules.editions import Edition
from tilerummy.rules.scores import Ending, Result
from tilerummy.server.rooms.events import LogError, Said, upgraded_settings
from tilerummy.server.rooms.room import SILENCE, Hold, Remembered, Room, RoomPhase, Talk, Vote
from tilerummy.server.rooms.seats import Seat
from tilerummy.server.rooms.settings import Settings

SCHEMA = 2


class _Result(msgspec.Struct, frozen=True, array_like=True):
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    blocked: bool
    end: Ending | None = None
    """None in snapshots of schema 1."""


class _Match(msgspec.Struct, frozen=True):
    players: tuple[str, ...]
    results: tuple[_Result, ...]
    last_starter: int | None


class _Frozen(msgspec.Struct, frozen=True):
    schema: int
    id: str
    code: str
    settings: Settings
    opened: int
    seats: tuple[Seat, ...]
    version: int
    phase: RoomPhase
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
    causes: dict[int, dict[str, int | Remembered]]
    """By seat and id. Earlier versions stored only the version that the command led to."""
    hold: Hold | None = None
    held_turn: int = 0
    talk: Talk = SILENCE
    votes: tuple[Vote, ...] = ()
    removed: tuple[str, ...] = ()
    mover: str | None = None


def freeze(room: Room) -> bytes:
    """Serialise a room."""
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
            tuple([_Result(r.scores, r.winners, r.blocked, r.end) for r in match.results]),
            match.last_starter,
        ),
        room.matches,
        tuple([event_json.to_dict(event) for event in room.game_log]),
        room.game_first,
        room.paused,
        room.lost,
        room.chat,
        tuple(sorted(room.muted)),
        {seat: dict(ids) for seat, ids in room.causes.items()},
        room.hold,
        room.held_turn,
        room.talk,
        tuple(sorted(room.votes)),
        tuple(sorted(room.removed)),
        room.mover,
    )
    return msgspec.json.encode(frozen)


def thaw(data: bytes) -> Room:
    """Deserialise a room. Raises LogError."""
    try:
        frozen = _decode(_upgraded(data))
        if frozen.schema != SCHEMA:
            raise LogError(f"a snapshot has schema 1 to {SCHEMA}, not {frozen.schema}")
        return _thawed(frozen)
    except (msgspec.MsgspecError, event_json.EventError) as error:
        raise LogError(f"a snapshot cannot be read: {error}") from error


class _Head(msgspec.Struct, frozen=True):
    schema: int
    settings: dict[str, Any]


# Prepared at import, as in `events`: threads decode snapshots too.
_decode = msgspec.json.Decoder(_Frozen).decode
_decode_head = msgspec.json.Decoder(_Head).decode


def _upgraded(data: bytes) -> bytes:
    """Upgrade a snapshot of schema 1: a room keeps the rules with which it was opened."""
    head = _decode_head(data)
    if head.schema != 1:
        return data
    raw = msgspec.json.decode(data, type=dict[str, Any])
    raw |= {"schema": SCHEMA, "settings": upgraded_settings(head.settings)}
    return msgspec.json.encode(raw)


def _thawed(frozen: _Frozen) -> Room:
    edition = frozen.settings.rules()
    match = None
    if frozen.match is not None:
        match = Match(
            edition,
            frozen.match.players,
            frozen.settings.rounds,
            tuple([_result(edition, result) for result in frozen.match.results]),
            frozen.match.last_starter,
        )
    log = tuple([event_json.from_dict(event) for event in frozen.game_log])
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
        causes={seat: _remembered(ids) for seat, ids in frozen.causes.items()},
        hold=frozen.hold,
        mover=frozen.mover,
        held_turn=frozen.held_turn,
        talk=frozen.talk,
        votes=frozenset(frozen.votes),
        removed=frozenset(frozen.removed),
    )


def _remembered(ids: dict[str, int | Remembered]) -> dict[str, Remembered]:
    return {
        id_: Remembered(found) if isinstance(found, int) else found for id_, found in ids.items()
    }


def _result(edition: Edition, kept: _Result) -> Result:
    end = kept.end
    if end is None:
        final = edition.empty_pool_end == "final_round"
        blocked = Ending.FINAL_ROUND if final else Ending.ALL_PASSED
        end = blocked if kept.blocked else Ending.OUT
    return Result(kept.scores, kept.winners, kept.blocked, end)
