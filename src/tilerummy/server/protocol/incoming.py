"""Incoming messages: what a client sends over its socket. Decoding is strict: an unknown field, a
wrong type or an excessive length is an error that names the problem, and the connection stays open.

Every command has an `id` chosen by the client and is idempotent: sent twice with the same id, it is
applied once, and both times the answer is the same. A seat's ids are remembered for two minutes at
least, and always the latest 32. Another command with an id that is remembered is refused with
`id-reused`.
"""

from __future__ import annotations

from hashlib import blake2s
from typing import Annotated, TypeAlias, get_args

import msgspec
from msgspec import Meta

from tilerummy.bots.roster import BOTS
from tilerummy.play import commands as moves
from tilerummy.server.protocol.dealer import new_secret
from tilerummy.server.protocol.tiles import Declaration, RowText, declared_in, table_in
from tilerummy.server.rooms import chat, matches, seating, votes
from tilerummy.server.rooms.chat import EMOTES, LONGEST_TEXT
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.events import Motion, Wish

LARGEST = 16_384
"""Bytes of one message."""

Id = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_.:-]+$(?!\n)")]
# In Python `$` also matches before a final line break.
Number = Annotated[int, Meta(ge=0, le=2**31)]
HashText = Annotated[str, Meta(max_length=64)]
TableText = Annotated[list[RowText], Meta(max_length=64)]
DeclaredText = Annotated[list[Declaration], Meta(max_length=64)]

# The room validates these, with messages that list the alternatives.
BotText = Annotated[str, Meta(max_length=20, extra_json_schema={"enum": [*BOTS]})]
EmoteText = Annotated[str, Meta(max_length=20, extra_json_schema={"enum": [*EMOTES]})]
VoteText = Annotated[str, Meta(max_length=10, extra_json_schema={"enum": [*get_args(Motion)]})]
WishText = Annotated[str, Meta(max_length=10, extra_json_schema={"enum": [*get_args(Wish)]})]


class _Message(msgspec.Struct, frozen=True, tag=str.lower, forbid_unknown_fields=True):
    pass


class Hello(_Message, frozen=True):
    """The first message: what the client already knows.

    `version` is the version of the latest event it has seen, 0 for none. It gets the events after
    it, or a snapshot. With `whole` it gets a snapshot after every change instead of events, which
    is all that a simple client needs.
    """

    version: Number = 0
    whole: bool = False


class Ack(_Message, frozen=True):
    """Acknowledges all events up to this version. Once per second is often enough."""

    version: Number


class Ping(_Message, frozen=True):
    """Requests a pong with the server's time."""

    id: Id


class _Command(_Message, frozen=True):
    id: Id


class Begin(_Command, frozen=True):
    """The host begins the match with everybody who is seated."""

    def command(self, by: int) -> Command:
        return matches.Begin(by, new_secret())


class Bot(_Command, frozen=True):
    """The host adds a bot, on the given seat or on the first free one."""

    bot: BotText
    seat: Number | None = None

    def command(self, by: int) -> Command:
        return seating.AddBot(by, self.bot, self.seat)


class Remove(_Command, frozen=True):
    """The host removes a player or a bot from the lobby. During a match only a player who has been
    away for long: a bot takes their place. A removed player does not get a seat here again."""

    seat: Number

    def command(self, by: int) -> Command:
        return seating.Remove(by, self.seat)


class Leave(_Command, frozen=True):
    """Leaves the seat; during a match a bot takes its place."""

    def command(self, by: int) -> Command:
        return seating.Leave(by)


class Commit(_Command, frozen=True):
    """Commits to your seed for the deal with this `transcript`. The commitment is SHA-256, in
    hexadecimal digits, of the JSON text `["tilerummy-commit-2","TRANSCRIPT",SEAT,"SEED"]` without
    spaces. The seed is 32 to 64 random hexadecimal digits, new for every deal: keep it to yourself
    until the commitments are fixed."""

    transcript: HashText
    commitment: HashText

    def command(self, by: int) -> Command:
        return matches.Commit(by, self.transcript, self.commitment)


class Reveal(_Command, frozen=True):
    """Reveals your seed, once the commitments are fixed. Without it the deal is cancelled, and
    everybody learns who did not reveal."""

    transcript: HashText
    seed: Annotated[str, Meta(max_length=64)]

    def command(self, by: int) -> Command:
        return matches.Reveal(by, self.transcript, self.seed)


class Seed(_Command, frozen=True):
    """Adds your own randomness to the shuffle, in a game of shuffle version 1. Newer games refuse
    it: `commit` first, then `reveal`."""

    seed: Annotated[str, Meta(max_length=64)]

    def command(self, by: int) -> Command:
        return matches.Seed(by, self.seed)


class Play(_Command, frozen=True):
    """The whole table as it is to be after this turn.

    `declared` says what sets and their jokers are, where the rules require it.
    """

    turn: Number
    table: TableText
    declared: DeclaredText = []

    def command(self, by: int) -> Command:
        table, declared = table_in(self.table), declared_in(self.declared)
        return matches.TakeTurn(moves.Play(by, table, declared), self.turn)


class Draw(_Command, frozen=True):
    turn: Number

    def command(self, by: int) -> Command:
        return matches.TakeTurn(moves.Draw(by), self.turn)


class Pass(_Command, frozen=True):
    turn: Number

    def command(self, by: int) -> Command:
        return matches.TakeTurn(moves.Pass(by), self.turn)


class Draft(_Message, frozen=True):
    """The unfinished table on the player's screen. Saved for the clock, for a reload and for the
    player's other tabs; no other player sees it. Send at most one per second."""

    turn: Number
    table: TableText
    declared: DeclaredText = []


class Ask(_Command, frozen=True):
    """Votes for `pause`, or for `more`: the next game, or a rematch. It happens once everybody who
    is here agrees; a pause ends when one of them withdraws the vote."""

    what: WishText
    want: bool = True

    def command(self, by: int) -> Command:
        return matches.Ask(by, self.what, self.want, new_secret())


class Vote(_Command, frozen=True):
    """Votes about the player `about` during a match, or withdraws the vote. It happens once every
    other player who is here agrees: `remove` removes them, which two others have to agree on;
    `stand-in` lets a bot play for them, if they have not moved for two minutes and no clock runs.
    """

    about: Number
    what: VoteText
    want: bool = True

    def command(self, by: int) -> Command:
        return votes.CastVote(by, self.about, self.what, self.want)


class Back(_Command, frozen=True):
    """Takes over again from the bot that plays for you."""

    def command(self, by: int) -> Command:
        return seating.Return(by)


class Say(_Command, frozen=True):
    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]

    def command(self, by: int) -> Command:
        return chat.Say(by, self.text)


class Emote(_Command, frozen=True):
    emote: EmoteText

    def command(self, by: int) -> Command:
        return chat.Say(by, emote=self.emote)


class Mute(_Command, frozen=True):
    """Hides the chat of another seat, or shows it again."""

    seat: Number
    on: bool = True

    def command(self, by: int) -> Command:
        return chat.Mute(by, self.seat, self.on)


class Hint(_Command, frozen=True):
    """Requests the best turn from the solver, if the room allows hints. It is always allowed when
    the pool is empty and players who can play must: then it queues for a busy solver, and the clock
    stops."""


class Missed(_Command, frozen=True):
    """Requests what each player could still have played when the game ended."""


SeatCommand: TypeAlias = (
    Begin
    | Bot
    | Remove
    | Leave
    | Commit
    | Reveal
    | Seed
    | Play
    | Draw
    | Pass
    | Ask
    | Vote
    | Back
    | Say
    | Emote
    | Mute
)
"""Messages of a seat that are commands to its room. `command(by)` gives the command, where `by` is
the seat; it raises TileError or DeclarationError."""
Incoming: TypeAlias = Hello | Ack | Ping | SeatCommand | Draft | Hint | Missed

_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)


def decode(data: bytes | str) -> Incoming:
    """Raises msgspec.ValidationError, or DecodeError for text that is not JSON."""
    return _decoder.decode(data)


def digest(command: SeatCommand) -> str:
    """A short hash of a command, which tells it from another one with the same id."""
    return blake2s(_encode(command), digest_size=4).hexdigest()


def id_of(message: Incoming) -> str | None:
    match message:
        case Hello() | Ack() | Draft():
            return None
        case Ping() | Hint() | Missed():
            return message.id
        case _:
            command: SeatCommand = message
            return command.id
