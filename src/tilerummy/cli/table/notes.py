"""What the referee says while a turn is in the making: of each row, and of the turn."""

from __future__ import annotations

from dataclasses import dataclass

from tilerummy.cli.table.draft import Draft
from tilerummy.locales import catalogue, join, kind_name
from tilerummy.play.game import Game
from tilerummy.queries import reason_text
from tilerummy.rules.declarations import (
    Declaration,
    Declared,
    declaration_text,
    distinct,
    readings_of,
    relaid,
)
from tilerummy.rules.editions import Edition
from tilerummy.rules.faults import judge_row
from tilerummy.rules.namings import declared_ways, ways
from tilerummy.rules.orders import settled
from tilerummy.rules.reasons import Reason
from tilerummy.rules.rows import Kind, best_kind, reader
from tilerummy.rules.tiles import Row, Table, faces_of, row_text
from tilerummy.rules.turns import TurnVerdict


@dataclass(frozen=True, slots=True)
class Note:
    """A caption for a row; `reason` is the whole sentence where something is wrong."""

    good: bool
    caption: str
    reason: str = ""


def row_note(
    edition: Edition, row: Row, said: Declaration | None, lang: str, *, asked: bool = False
) -> Note:
    """The caption of a row; `asked` where the player still has to say what it is."""
    counted = settled(edition, row)
    if counted is None:
        reason = judge_row(edition, faces_of(row)).reasons[0]
        return Note(
            False, f"✗ {bare_reason(reason, lang, edition)}", reason_text(reason, lang, edition)
        )
    faces = faces_of(counted)
    verdict = judge_row(edition, faces)
    if asked and edition.joker_declare == "explicit":
        return Note(True, f"? {catalogue(lang).text('play.name-jokers')}")
    if asked:
        kinds = [kind_name(reading.kind, lang) for reading in verdict.readings]
        return Note(True, f"? {join(kinds, lang, 'or')}")
    kind, value = verdict.kind, verdict.value
    if said is not None:
        readings = readings_of(faces, declared_ways(edition, faces, said))
        if readings:
            kind, value = best_kind(faces, readings), readings[0].value
    caption = f"✓ {kind_name(str(kind), lang)} {value}"
    if said is None or isinstance(said, Kind):
        return Note(True, caption)
    return Note(True, f"{caption} ({declaration_text(said)})")


def row_notes(game: Game, rows: Table, declared: Declared, lang: str) -> tuple[Note, ...]:
    """The captions of a table in the making, with what jokers bring along from their old rows."""
    edition = game.edition
    if edition.joker_declare == "position" and not declared and not game.declared:
        return tuple(row_note(edition, row, None, lang) for row in rows)
    verdict = game.judge(rows, declared)
    asked = _asked(verdict)
    return tuple(
        row_note(edition, row, verdict.declared.get(counted), lang, asked=row in asked)
        for row, counted in zip(rows, verdict.table, strict=True)
    )


def undeclared_rows(game: Game, rows: Table, declared: Declared) -> list[Row]:
    """The rows of which the player must say what they are."""
    if game.edition.joker_declare == "position":
        return []
    asked = _asked(game.judge(rows, declared))
    return [row for row in rows if row in asked]


def _asked(verdict: TurnVerdict) -> set[Row]:
    return {reason.tiles for reason in verdict.reasons if reason.code == "undeclared"}


def meanings(edition: Edition, row: Row) -> list[Declaration]:
    """What a player may say that a row is, the most valuable first."""
    counted = settled(edition, row) or row
    faces = faces_of(counted)
    if edition.joker_declare != "explicit":
        return [reading.kind for reading in reader(edition).readings(faces)]
    return [relaid(way.names, counted, row) for way in distinct(faces, ways(edition, faces))]


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
    """The sentences of all reasons against a turn, without duplicates."""
    return list(dict.fromkeys(reason_text(reason, lang, edition) for reason in verdict.reasons))
