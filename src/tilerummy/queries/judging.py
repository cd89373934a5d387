"""Questions to the referee: is this row a set, and is this turn legal?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NotRequired, Self, TypedDict

from tilerummy.queries.contract import Request
from tilerummy.queries.declaring import DeclarationJson, declared_json
from tilerummy.queries.parsing import (
    declared_of,
    read_bool,
    read_declared,
    read_edition,
    read_row,
    read_rows,
)
from tilerummy.queries.sentences import reason_text
from tilerummy.rules.declarations import Declared
from tilerummy.rules.editions import Edition
from tilerummy.rules.faults import RowVerdict, judge_row
from tilerummy.rules.orders import best_order
from tilerummy.rules.position import Position
from tilerummy.rules.reasons import Reason, ReasonCode
from tilerummy.rules.rows import Faces, Kind
from tilerummy.rules.tiles import Row, Table, face_texts, faces_of
from tilerummy.rules.turns import TurnVerdict, check_position, judge_turn


class ReasonJson(TypedDict):
    """A reason of the referee: a stable code, a sentence, and the tiles concerned."""

    code: ReasonCode
    message: str
    tiles: list[str]


class ReadingJson(TypedDict):
    """One way to read a row."""

    kind: Kind
    value: int


class RowQuestionJson(TypedDict):
    """Is this row a set, as laid?"""

    edition: str
    options: NotRequired[dict[str, Any]]
    set: list[str]


class RowAnswerJson(TypedDict):
    """`normalised` is an order in which the tiles of an invalid row are a set."""

    valid: bool
    kind: Kind | None
    value: int | None
    readings: list[ReadingJson]
    normalised: list[str] | None
    reasons: list[ReasonJson]


class TurnQuestionJson(TypedDict):
    """Is this turn legal? `declared` is about rows of both tables."""

    edition: str
    options: NotRequired[dict[str, Any]]
    opened: bool
    rack: list[str]
    before: list[list[str]]
    after: list[list[str]]
    declared: NotRequired[list[DeclarationJson]]


class TurnAnswerJson(TypedDict):
    """`value` is that of the opening, or the points that leave the rack."""

    legal: bool
    reasons: list[ReasonJson]
    played: list[str]
    value: int | None
    declared: NotRequired[list[DeclarationJson]]


@dataclass(frozen=True, slots=True)
class RowQuestion:
    """Is this row a set, as laid?"""

    edition: Edition
    row: Faces

    @classmethod
    def from_json(cls, request: Request) -> Self:
        """Reads `RowQuestionJson`. Raises QueryError, TileError or OptionError."""
        return cls(read_edition(request), faces_of(read_row(request, "set")))

    def answer(self) -> RowAnswer:
        """The verdict, and for an invalid row the best order of its tiles."""
        verdict = judge_row(self.edition, self.row)
        order = None if verdict.valid else best_order(self.edition, self.row)
        return RowAnswer(self.edition, verdict, order)


@dataclass(frozen=True, slots=True)
class RowAnswer:
    """The referee's verdict on a row."""

    edition: Edition
    verdict: RowVerdict
    order: Faces | None
    """An order in which the tiles of an invalid row are a set."""

    def to_json(self, lang: str = "en") -> RowAnswerJson:
        """The answer as `RowAnswerJson`, its sentences in a language."""
        verdict = self.verdict
        return {
            "valid": verdict.valid,
            "kind": verdict.kind,
            "value": verdict.value,
            "readings": [{"kind": r.kind, "value": r.value} for r in verdict.readings],
            "normalised": None if self.order is None else face_texts(self.order),
            "reasons": _reasons(verdict.reasons, self.edition, lang),
        }


@dataclass(frozen=True, slots=True)
class TurnQuestion:
    """May the player of this position turn its table into `after`?"""

    position: Position
    after: Table
    declared: Declared

    @classmethod
    def of(
        cls,
        edition: Edition,
        *,
        opened: bool,
        rack: Row,
        before: Table,
        after: Table,
        declared: Declared,
    ) -> Self:
        """A turn with declarations about rows of both tables.

        Raises PositionError where the box does not allow the position, and DeclarationError for
        a declaration about a row that is on neither table.
        """
        check_position(edition, rack, before)
        declared_of((*before, *after), declared)
        old = {row: said for row, said in declared.items() if row in before}
        new = {row: said for row, said in declared.items() if row in after}
        return cls(Position(edition, before, rack, opened, declared=old), after, new)

    @classmethod
    def from_json(cls, request: Request) -> Self:
        """Reads `TurnQuestionJson`. Raises QueryError, and what `of` raises."""
        return cls.of(
            read_edition(request),
            opened=read_bool(request, "opened"),
            rack=read_row(request, "rack"),
            before=read_rows(request, "before"),
            after=read_rows(request, "after"),
            declared=read_declared(request),
        )

    def answer(self) -> TurnAnswer:
        """The verdict of the referee."""
        position = self.position
        verdict = judge_turn(position, self.after, self.declared)
        return TurnAnswer(position.edition, verdict)


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """The referee's verdict on a turn."""

    edition: Edition
    verdict: TurnVerdict

    def to_json(self, lang: str = "en") -> TurnAnswerJson:
        """The answer as `TurnAnswerJson`, its sentences in a language."""
        verdict = self.verdict
        answer: TurnAnswerJson = {
            "legal": verdict.legal,
            "reasons": _reasons(verdict.reasons, self.edition, lang),
            "played": face_texts(verdict.played),
            "value": verdict.value,
        }
        if verdict.declared:  # in this turn or before
            answer["declared"] = declared_json(verdict.declared)
        return answer


def _reasons(reasons: tuple[Reason, ...], edition: Edition, lang: str) -> list[ReasonJson]:
    return [
        {
            "code": reason.code,
            "message": reason_text(reason, lang, edition),
            "tiles": face_texts(reason.tiles),
        }
        for reason in reasons
    ]
