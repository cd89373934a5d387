"""What a rule book is made of: sections of paragraphs, examples and lists of variations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tilerummy.rules.scores import Result, Standing
from tilerummy.rules.tiles import Row, Table


@dataclass(frozen=True, slots=True)
class Paragraph:
    id: str
    text: str
    about_letters: bool = False
    """Whether it explains the notation of tiles, which is omitted where tiles are drawn."""


@dataclass(frozen=True, slots=True)
class RowExample:
    """A row with what the rule book claims about it; kind and value only where it is valid.

    `label` is the name of the kind in the rule book.
    """

    id: str
    row: Row
    valid: bool
    kind: str | None
    label: str | None
    value: int | None
    reason: str | None
    caption: str


@dataclass(frozen=True, slots=True)
class TurnExample:
    """A whole turn: one player's rack, the table before and after, legal or not."""

    id: str
    opened: bool
    rack: Row
    before: Table
    after: Table
    legal: bool
    reason: str | None
    caption: str


@dataclass(frozen=True, slots=True)
class ScoreExample:
    """The end of a game: what every player still holds, and what that scores."""

    id: str
    racks: Table
    blocked: bool
    scores: tuple[int, ...]
    caption: str


@dataclass(frozen=True, slots=True)
class SheetLabels:
    """The words on a score sheet."""

    game: str
    total: str
    wins: str


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """Several games on one sheet: their scores, the totals, and the games each player won."""

    id: str
    games: tuple[Result, ...]
    standing: Standing
    labels: SheetLabels
    caption: str


@dataclass(frozen=True, slots=True)
class Variation:
    """One known variation, and the option that switches it on as `key=value`."""

    id: str
    text: str
    option: str


@dataclass(frozen=True, slots=True)
class Variations:
    """A list of variations that can be switched on; the caption introduces it."""

    id: str
    items: tuple[Variation, ...]
    caption: str


Example: TypeAlias = RowExample | TurnExample | ScoreExample | ScoreSheet
Block: TypeAlias = Paragraph | Example | Variations

PLAYERS = "ABCDEF"
"""What the players of an example are called."""


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: str
    blocks: tuple[Block, ...]
