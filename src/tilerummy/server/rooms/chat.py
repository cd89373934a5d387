"""Decisions about chat: messages, emotes and mutes."""

from __future__ import annotations

from typing import get_args

from tilerummy.server.rooms import commands
from tilerummy.server.rooms.decision import Decision
from tilerummy.server.rooms.events import EmoteName, Muted, Said
from tilerummy.server.rooms.refusals import RoomRefused

EMOTES: tuple[EmoteName, ...] = get_args(EmoteName)
LONGEST_TEXT = 200
JOINERS = {0x200C: None, 0x200D: None}
"""Invisible joiners, which Persian words and many emoji contain."""


def say(decision: Decision, command: commands.Say) -> None:
    decision.seat(command.seat)
    if command.emote:
        decision.record(Said(decision.now, command.seat, emote=_emote(command.emote)))
        return
    text = " ".join(command.text.split())
    if not _is_sayable(text):
        raise RoomRefused("bad-text", f"say 1 to {LONGEST_TEXT} printable characters")
    decision.record(Said(decision.now, command.seat, text))


def mute(decision: Decision, command: commands.Mute) -> None:
    decision.seat(command.seat)
    decision.seat(command.other)
    if command.seat == command.other:
        raise RoomRefused("own-seat", "you cannot mute yourself")
    decision.record(Muted(decision.now, command.seat, command.other, command.on))


def _emote(text: str) -> EmoteName:
    for emote in EMOTES:
        if emote == text:
            return emote
    raise RoomRefused("unknown-emote", f"unknown emote {text[:20]!r}: {', '.join(EMOTES)}")


def _is_sayable(text: str) -> bool:
    visible = text.translate(JOINERS)
    return bool(visible) and len(text) <= LONGEST_TEXT and visible.isprintable()
