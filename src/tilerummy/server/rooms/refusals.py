"""Refusal codes of the server: why it does not allow a command now. A game has codes of its own."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tilerummy.play.refusals import Refused

RoomRefusal: TypeAlias = Literal[
    "already-begun",
    "already-started",
    "bad-log",
    "bad-players",
    "bad-text",
    "bad-vote",
    "bad-wish",
    "busy",
    "free-seat",
    "game-over",
    "here",
    "id-reused",
    "in-match",
    "name-taken",
    "needs-vote",
    "no-code",
    "no-hints",
    "no-room",
    "no-seat",
    "not-here",
    "not-host",
    "not-started",
    "not-your-turn",
    "own-seat",
    "paused",
    "removed",
    "room-closed",
    "room-full",
    "seat-moved",
    "seat-taken",
    "seated",
    "tile-twice",
    "too-few",
    "too-fast",
    "too-many-rooms",
    "too-much-talk",
    "too-soon",
    "twice",
    "unknown-bot",
    "unknown-emote",
    "unknown-seat",
    "wrong-game",
    "wrong-moment",
    "wrong-turn",
]


class RoomRefused(Refused):
    """The server refuses a command. Nothing has changed."""

    def __init__(self, code: RoomRefusal, message: str) -> None:
        super().__init__(code, message)
