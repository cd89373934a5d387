"""The rule book as it is sent to a client."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from tilerummy.locales.rulebook import Block, Paragraph, RowExample, TurnExample, rulebook
from tilerummy.rules.editions import Edition
from tilerummy.rules.tiles import Face, face_text
from tilerummy.server.protocol import replies


@lru_cache(64)
def book(edition: Edition, language: str) -> bytes:
    """A reply in JSON. To make one takes the judge of its examples some hundredths of a second."""
    sections = [
        replies.RulesSection(section.id, section.title, [_block(each) for each in section.blocks])
        for section in rulebook(edition, language)
    ]
    return msgspec.json.encode(replies.RulesReply(sections))


def _block(block: Block) -> replies.Block:
    match block:
        case Paragraph(text, about_letters):
            return replies.ParagraphBlock(text, about_letters)
        case RowExample():
            row = _faces(block.row)
            return replies.RowBlock(row, block.valid, block.kind, block.value, block.caption)
        case TurnExample():
            before, after = _rows(block.before), _rows(block.after)
            rack, caption = _faces(block.rack), block.caption
            return replies.TurnBlock(block.opened, rack, before, after, block.legal, caption)
        case _:
            racks, scores = _rows(block.racks), [*block.scores]
            return replies.ScoresBlock(racks, block.blocked, scores, block.caption)


def _rows(rows: Iterable[Iterable[Face]]) -> list[replies.Faces]:
    return [_faces(row) for row in rows]


def _faces(row: Iterable[Face]) -> replies.Faces:
    return [face_text(face) for face in row]
