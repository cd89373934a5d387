"""Successful HTTP replies. Everything else is an `Error`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from tilerummy.server.protocol.infos import SeatInfo
from tilerummy.server.rooms.room import RoomPhase
from tilerummy.server.rooms.settings import Settings

Faces: TypeAlias = list[str]
"""What is printed on tiles, such as `r7` and `J`."""


class _Reply(msgspec.Struct, frozen=True):
    pass


# Guests


class GuestReply(_Reply, frozen=True, omit_defaults=True):
    """`token` is present if it was requested with `bearer`; otherwise it is in a cookie."""

    name: str
    token: str | None = None


class TallyInfo(_Reply, frozen=True):
    games: int
    wins: int
    points: int


class StatisticsInfo(_Reply, frozen=True):
    """The results of a guest, in total and by edition."""

    total: TallyInfo
    editions: dict[str, TallyInfo]


class MeReply(_Reply, frozen=True):
    name: str
    statistics: StatisticsInfo


class NameReply(_Reply, frozen=True):
    name: str


# Rooms


class ListedRoom(_Reply, frozen=True):
    """A listed room: how many people are seated, and how many seats are free."""

    id: str
    code: str
    phase: RoomPhase
    people: int
    free: int
    here: int
    edition: str
    opened_at: int
    active_at: int


class RoomsReply(_Reply, frozen=True):
    rooms: list[ListedRoom]


class OpenedReply(_Reply, frozen=True):
    """The code of the new room, and your seat in it."""

    code: str
    seat: int


class RoomReply(_Reply, frozen=True):
    """`you` is your seat, if you have one. `removed`: whether you were removed, and get none."""

    code: str
    you: int | None
    phase: RoomPhase
    settings: Settings
    seats: list[SeatInfo]
    host: int | None
    removed: bool = False


class SeatReply(_Reply, frozen=True):
    """Your seat; null if you have already left it."""

    seat: int | None


# Records


class GameReply(_Reply, frozen=True):
    """A finished game; `first_seq` and `last_seq` are the versions of its room."""

    match: int
    game: int
    first_seq: int
    last_seq: int
    edition: str
    options: Mapping[str, Any]
    players: Sequence[str]
    rounds: int
    finished_at: int


class GamesReply(_Reply, frozen=True):
    games: list[GameReply]


class ProblemReply(_Reply, frozen=True):
    """Why a record is invalid: a stable code, a sentence, the game, and the turn if any."""

    code: str
    message: str
    game: int
    turn: int | None


class UnprovenReply(_Reply, frozen=True):
    """A turn without a proof in time; `holds` is the result of a longer search."""

    game: int
    turn: int
    holds: bool | None


class VerifyReply(_Reply, frozen=True):
    """Whether a record is valid, and the problems if it is not. `cancelled` counts the cancelled
    deals on record."""

    holds: bool
    problems: list[ProblemReply]
    unproven: list[UnprovenReply] = []
    cancelled: int = 0


# The rules


class ParagraphBlock(_Reply, frozen=True, tag="paragraph", omit_defaults=True):
    """`letters`: explains how tiles are written; omit it where tiles are drawn as pictures."""

    text: str
    letters: bool = False


class RowBlock(_Reply, frozen=True, tag="row"):
    """A row, and whether it is a set. `kind` and `value` are those of a set."""

    row: Faces
    valid: bool
    kind: str | None
    value: int | None
    caption: str


class TurnBlock(_Reply, frozen=True, tag="turn"):
    """The rack of a player, who may have `opened` before, and the table before and after a turn."""

    opened: bool
    rack: Faces
    before: list[Faces]
    after: list[Faces]
    legal: bool
    caption: str


class ScoresBlock(_Reply, frozen=True, tag="scores"):
    """The end of a game: what every player still has, and what that scores."""

    racks: list[Faces]
    blocked: bool
    scores: list[int]
    caption: str


class SheetGame(_Reply, frozen=True):
    """A line of a score sheet: a score for each player, and who won."""

    scores: list[int]
    winners: list[int]


class SheetLabels(_Reply, frozen=True):
    """The words on a score sheet, in the language of the book."""

    game: str
    total: str
    wins: str


class SheetBlock(_Reply, frozen=True, tag="sheet"):
    """A score sheet over several games: totals, games won, and who wins the match."""

    games: list[SheetGame]
    totals: list[int]
    wins: list[int]
    leaders: list[int]
    labels: SheetLabels
    caption: str


class Variation(_Reply, frozen=True):
    """A known variation, and the option that switches it on as `key=value`."""

    text: str
    option: str


class VariationsBlock(_Reply, frozen=True, tag="variations"):
    """Variations that can be switched on. `caption` introduces them."""

    items: list[Variation]
    caption: str


Block: TypeAlias = (
    ParagraphBlock | RowBlock | TurnBlock | ScoresBlock | SheetBlock | VariationsBlock
)


class RulesSection(_Reply, frozen=True):
    id: str
    title: str
    blocks: list[Block]


class RulesReply(_Reply, frozen=True):
    """A rule book. Its examples are judged by the rules that it describes."""

    sections: list[RulesSection]


# Operations


class StatusReply(_Reply, frozen=True):
    status: Literal["ok"] = "ok"
