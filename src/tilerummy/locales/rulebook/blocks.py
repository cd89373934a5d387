"""What a rule book is made of: sections of paragraphs and examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tilerummy.rules.tiles import Face

Row: TypeAlias = tuple[Face, ...]
Table: TypeAlias = tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str
    about_letters: bool = False
    """Whether it tells how tiles are written, which is of no use where they are drawn."""


@dataclass(frozen=True, slots=True)
class RowExample:
    """A row with what the rule book claims about it; kind and value only where it is valid."""

    id: str
    row: Row
    valid: bool
    kind: str | None
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


Example: TypeAlias = RowExample | TurnExample | ScoreExample
Block: TypeAlias = Paragraph | Example


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: str
    blocks: tuple[Block, ...]
