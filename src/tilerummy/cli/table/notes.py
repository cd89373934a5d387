"""What the referee says while a turn is in the making: of each row, and of the turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tilerummy.cli.table.draft import Draft
from tilerummy.locales import join, kind_name, reason_text
from tilerummy.play.game import Game
from tilerummy.rules.editions import Edition
from tilerummy.rules.faults import judge_row
from tilerummy.rules.orders import settled
from tilerummy.rules.reasons import Reason
from tilerummy.rules.rows import Kind, is_ambiguous, reader
from tilerummy.rules.tiles import Row, Table, faces_of, row_text
from tilerummy.rules.turns import TurnVerdict


@dataclass(frozen=True, slots=True)
class Note:
    """A caption for a row; `reason` is the whole sentence where something is wrong."""

    good: bool
    caption: str
    reason: str = ""


def row_note(edition: Edition, row: Row, declared: Mapping[Row, Kind], lang: str) -> Note:
    counted = settled(edition, row)
    if counted is None:
        reason = judge_row(edition, faces_of(row)).reasons[0]
        return Note(
            False, f"✗ {bare_reason(reason, lang, edition)}", reason_text(reason, lang, edition)
        )
    verdict = judge_row(edition, faces_of(counted))
    kind, value, readings = verdict.kind, verdict.value, verdict.readings
    if is_ambiguous(faces_of(counted), readings):
        said = declared.get(row)
        if said is None and edition.joker_declare == "explicit":
            kinds = join([kind_name(reading.kind, lang) for reading in readings], lang, "or")
            return Note(True, f"? {kinds}")
        kind, value = next(
            ((one.kind, one.value) for one in readings if one.kind == said), (kind, value)
        )
    return Note(True, f"✓ {kind_name(str(kind), lang)} {value}")


def undeclared_rows(
    game: Game, rows: Table, declared: Mapping[Row, Kind]
) -> list[tuple[Row, list[Kind]]]:
    """The rows of which the player must say what they are, with what they can be."""
    if game.edition.joker_declare != "explicit":
        return []
    found = []
    for row in rows:
        faces = faces_of(settled(game.edition, row) or row)
        readings = reader(game.edition).readings(faces)
        if is_ambiguous(faces, readings) and row not in declared:
            found.append((row, [reading.kind for reading in readings]))
    return found


def bare_reason(reason: Reason, lang: str, edition: Edition) -> str:
    """The sentence without the tiles before it, where they are in sight anyway."""
    text = reason_text(reason, lang, edition)
    return text.removeprefix(row_text(reason.tiles)).lstrip(":： ")


def opening_points(edition: Edition, draft: Draft) -> int:
    """The points laid so far towards the opening: rows of own tiles that are sets."""
    own = set(draft.placed)
    values = [0]
    for row in draft.rows:
        counted = settled(edition, row)
        if counted is not None and own.issuperset(row):
            values.append(reader(edition).readings(faces_of(counted))[0].value)
    return max(values) if edition.initial_single_set else sum(values)


def turn_reasons(verdict: TurnVerdict, lang: str, edition: Edition) -> list[str]:
    """Everything against a turn, in words, each once."""
    return list(dict.fromkeys(reason_text(reason, lang, edition) for reason in verdict.reasons))
