"""Codes of errors and refusals on the wire. The sets are closed; the page's types follow them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tilerummy.play.refusals import RefusalCode
from tilerummy.server.rooms.refusals import RoomRefusal

RuleError: TypeAlias = Literal["bad-declaration", "bad-name", "bad-position", "bad-tile"]
"""Errors of the rules that a command can raise."""
Refusal: TypeAlias = RoomRefusal | RefusalCode | RuleError
"""Why a command is not allowed now."""

ServerError: TypeAlias = Literal[
    "bad-edition",
    "bad-message",
    "bad-option",
    "bad-request",
    "costly-jokers",
    "costly-minimum",
    "foreign-origin",
    "internal",
    "method-not-allowed",
    "no-guest",
    "no-hello",
    "no-record",
    "no-spectators",
    "not-found",
    "not-ready",
    "players-only",
    "too-large",
    "too-many-connections",
    "unavailable",
]
ErrorCode: TypeAlias = ServerError | Refusal
"""Why a message or a request failed. A request is also refused with an error."""
