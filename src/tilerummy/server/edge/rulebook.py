"""The rule book as an HTTP reply."""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

import msgspec

from tilerummy.locales.rulebook import (
    Block,
    Paragraph,
    RowExample,
    ScoreExample,
    ScoreSheet,
    TurnExample,
    Variations,
    rulebook,
)
from tilerummy.rules.editions import Edition
from tilerummy.rules.tiles import Table, face_texts
from tilerummy.server.protocol import replies


@lru_cache(64)
def book(edition: Edition, language: str) -> bytes:
    """The reply as JSON. Memoised, as judging the examples takes some hundredths of a second."""
    sections = [
        replies.RulesSection(section.id, section.title, [_block(each) for each in section.blocks])
        for section in rulebook(edition, language)
    ]
    return msgspec.json.encode(replies.RulesReply(sections))


def _block(block: Block) -> replies.Block:
    match block:
        case Paragraph():
            return replies.ParagraphBlock(block.text, block.about_letters)
        case RowExample():
            row = face_texts(block.row)
            return replies.RowBlock(row, block.valid, block.kind, block.value, block.caption)
        case TurnExample():
            before, after = _rows(block.before), _rows(block.after)
            rack, caption = face_texts(block.rack), block.caption
            return replies.TurnBlock(block.opened, rack, before, after, block.legal, caption)
        case ScoreExample():
            racks, scores = _rows(block.racks), [*block.scores]
            return replies.ScoresBlock(racks, block.blocked, scores, block.caption)
        case ScoreSheet():
            return _sheet(block)
        case Variations():
            items = [replies.Variation(item.text, item.option) for item in block.items]
            return replies.VariationsBlock(items, block.caption)
        case _:
            assert_never(block)


def _sheet(sheet: ScoreSheet) -> replies.SheetBlock:
    place, labels = sheet.standing, sheet.labels
    return replies.SheetBlock(
        [replies.SheetGame([*game.scores], [*game.winners]) for game in sheet.games],
        [*place.totals],
        [*place.wins],
        [*place.leaders],
        replies.SheetLabels(labels.game, labels.total, labels.wins),
        sheet.caption,
    )


def _rows(rows: Table) -> list[replies.Faces]:
    return [face_texts(row) for row in rows]
