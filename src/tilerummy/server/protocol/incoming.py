"""What a client sends over its socket. Strict: an unknown field, a wrong type or too much of
anything is an error that tells what was wrong, and the connection lives.

Every command has an `id` of the client's choice. A command that is sent twice with the same id is
applied once; both times the answer is the same.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from tilerummy.bots.roster import BOTS
from tilerummy.server.protocol.tiles import Declaration, RowText
from tilerummy.server.rooms.room import EMOTES, LONGEST_TEXT

LARGEST = 16_384
"""Bytes of one message."""

Id = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_.:-]+$")]
Number = Annotated[int, Meta(ge=0, le=2**31)]
TableText = Annotated[list[RowText], Meta(max_length=64)]
DeclaredText = Annotated[list[Declaration], Meta(max_length=64)]

# The room judges these, and says what there is instead.
BotText = Annotated[str, Meta(max_length=20, extra_json_schema={"enum": [*BOTS]})]
EmoteText = Annotated[str, Meta(max_length=20, extra_json_schema={"enum": [*EMOTES]})]
WishText = Annotated[str, Meta(max_length=10, extra_json_schema={"enum": ["pause", "more"]})]


class _Message(msgspec.Struct, frozen=True, tag=str.lower, forbid_unknown_fields=True):
    pass


class Hello(_Message, frozen=True):
    """The first message: what the client knows already.

    `version` is that of the latest event it has seen, 0 if none. It gets what it missed, or a
    snapshot. With `whole` it gets a snapshot after every change instead of events, which is all
    that a simple client needs.
    """

    version: Number = 0
    whole: bool = False


class Ack(_Message, frozen=True):
    """All events up to this version have arrived. Once a second is often enough."""

    version: Number


class Ping(_Message, frozen=True):
    """Asks for a pong with the server's time."""

    id: Id


class _Command(_Message, frozen=True):
    id: Id


class Begin(_Command, frozen=True):
    """The host begins the match with those who sit here."""


class Bot(_Command, frozen=True):
    """The host gives a free seat, or the first that is free, to a bot."""

    bot: BotText
    seat: Number | None = None


class Remove(_Command, frozen=True):
    """The host sends somebody away; in a match a bot goes on in their place."""

    seat: Number


class Leave(_Command, frozen=True):
    """Gives up the seat; in a match a bot goes on in its place."""


class Seed(_Command, frozen=True):
    """Adds the seat's own randomness to the shuffle, after the dealer's commitment."""

    seed: Annotated[str, Meta(max_length=64)]


class Play(_Command, frozen=True):
    """The whole table as it shall be after this turn.

    `declared` says what rows and their jokers are, where the rules ask for it.
    """

    turn: Number
    table: TableText
    declared: DeclaredText = []


class Draw(_Command, frozen=True):
    turn: Number


class Pass(_Command, frozen=True):
    turn: Number


class Draft(_Message, frozen=True):
    """The table as it lies on the player's screen. Kept for the clock and for a reload, shown to
    nobody else. At most one a second is looked at."""

    turn: Number
    table: TableText
    declared: DeclaredText = []


class Ask(_Command, frozen=True):
    """Wants `pause`, or `more`: the next game, or a rematch. It happens when all who are here
    want it; a pause ends when one of them no longer does."""

    what: WishText
    want: bool = True


class Say(_Command, frozen=True):
    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]


class Emote(_Command, frozen=True):
    emote: EmoteText


class Mute(_Command, frozen=True):
    """No longer shows what another seat says, or shows it again."""

    seat: Number
    on: bool = True


class Hint(_Command, frozen=True):
    """Asks the solver for the best turn, where the room allows it, and always where the pool is
    empty and whoever can play must: then it waits for a busy solver, and the clock stands."""


class Missed(_Command, frozen=True):
    """Asks what each player could still have played when the game ended."""


Incoming: TypeAlias = (
    Hello
    | Ack
    | Ping
    | Begin
    | Bot
    | Remove
    | Leave
    | Seed
    | Play
    | Draw
    | Pass
    | Draft
    | Ask
    | Say
    | Emote
    | Mute
    | Hint
    | Missed
)

_decoder: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)


def decode(data: bytes | str) -> Incoming:
    """Raises msgspec.ValidationError, or DecodeError for what is no JSON."""
    return _decoder.decode(data)
