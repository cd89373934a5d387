"""Commands about chat: messages, emotes and mutes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from tilerummy.server.rooms.decision import Decision
from tilerummy.server.rooms.events import EmoteName, Muted, Said
from tilerummy.server.rooms.refusals import RoomRefused

EMOTES: tuple[EmoteName, ...] = get_args(EmoteName)
LONGEST_TEXT = 200
JOINERS = {0x200C: None, 0x200D: None}
"""Invisible joiners, which Persian words and many emoji contain."""


@dataclass(frozen=True, slots=True)
class Say:
    seat: int
    text: str = ""
    emote: str = ""

    def decide(self, decision: Decision) -> None:
        decision.seat(self.seat)
        decision.check_talk()
        if self.emote:
            decision.record(Said(decision.now, self.seat, emote=_emote(self.emote)))
            return
        text = " ".join(self.text.split())
        if not _is_sayable(text):
            raise RoomRefused("bad-text", f"say 1 to {LONGEST_TEXT} printable characters")
        decision.record(Said(decision.now, self.seat, text))


@dataclass(frozen=True, slots=True)
class Mute:
    seat: int
    other: int
    on: bool

    def decide(self, decision: Decision) -> None:
        decision.seat(self.seat)
        decision.seat(self.other)
        if self.seat == self.other:
            raise RoomRefused("own-seat", "you cannot mute yourself")
        if ((self.seat, self.other) in decision.room.muted) != self.on:
            decision.check_talk()
            decision.record(Muted(decision.now, self.seat, self.other, self.on))


def _emote(text: str) -> EmoteName:
    for emote in EMOTES:
        if emote == text:
            return emote
    raise RoomRefused("unknown-emote", f"unknown emote {text[:20]!r}: {', '.join(EMOTES)}")


def _is_sayable(text: str) -> bool:
    visible = text.translate(JOINERS)
    return bool(visible) and len(text) <= LONGEST_TEXT and visible.isprintable()
