"""The rule book: the complete rules of any edition with any options, in any language.

Its structure is data: `structure.toml` says which paragraph or example stands where and under
which options, `<language>.toml` has the words. What an option changes is a condition there.

    for section in rulebook(edition("sabra", {"timer.seconds": 0}), "en"):
        print(section.title)
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from tilerummy.locales.catalogue import Catalogue, read_catalogue
from tilerummy.locales.languages import match_language
from tilerummy.locales.names import choice_text, option_text, value_text
from tilerummy.locales.rulebook.blocks import (
    Block,
    Example,
    Paragraph,
    Row,
    RowExample,
    ScoreExample,
    Section,
    TurnExample,
)
from tilerummy.locales.rulebook.conditions import holds
from tilerummy.locales.rulebook.params import Params
from tilerummy.rules.editions import EDITIONS, Edition
from tilerummy.rules.errors import PositionError
from tilerummy.rules.faults import judge_row
from tilerummy.rules.scores import rack_left, score_blocked, score_out
from tilerummy.rules.tiles import FACES, parse_row, parse_table
from tilerummy.rules.turns import judge_turn

__all__ = [
    "Block",
    "Example",
    "Paragraph",
    "RowExample",
    "ScoreExample",
    "Section",
    "TurnExample",
    "claim_holds",
    "rulebook",
]


def rulebook(edition: Edition, lang: str) -> tuple[Section, ...]:
    """The rules of an edition as sections, ready to be shown."""
    return _rulebook(edition, match_language(lang))


@lru_cache(64)
def _rulebook(edition: Edition, language: str) -> tuple[Section, ...]:
    sections = [
        Section(section.id, section.title, tuple(b for b in section.blocks if _true(b, edition)))
        for section in claimed_sections(edition, language)
    ]
    return tuple(section for section in sections if section.blocks)


def _true(block: Block, edition: Edition) -> bool:
    """An unusual house rule may make an example untrue; the book then does without it."""
    return isinstance(block, Paragraph) or claim_holds(block, edition)


def claimed_sections(edition: Edition, lang: str) -> tuple[Section, ...]:
    """What the structure claims for an edition, before the judge is asked about the examples."""
    words = book_words(lang)
    params = Params(edition, words)
    sections = []
    for entry in structure():
        if holds(entry.get("when", {}), edition):
            blocks = [
                _block(entry["id"], item, edition, words, params)
                for item in entry["blocks"]
                if holds(item.get("when", {}), edition) and _in_box(item, edition)
            ]
            sections.append(Section(entry["id"], words.text(f"title.{entry['id']}"), tuple(blocks)))
    house = tuple(_house_rules(edition, words))
    if house:
        sections.append(Section("house", words.text("title.house"), house))
    return tuple(sections)


def claim_holds(example: Example, edition: Edition) -> bool:
    """Whether the judge agrees with an example."""
    if isinstance(example, ScoreExample):  # computed, not claimed
        return True
    if isinstance(example, RowExample):
        row = judge_row(edition, example.row)
        return (
            row.valid == example.valid
            and (row.kind, row.value) == (example.kind, example.value)
            and (not example.reason or example.reason in {reason.code for reason in row.reasons})
        )
    try:
        turn = judge_turn(
            edition,
            opened=example.opened,
            rack=example.rack,
            before=example.before,
            after=example.after,
        )
    except PositionError:
        return False
    return turn.legal == example.legal and (
        not example.reason or example.reason in {reason.code for reason in turn.reasons}
    )


@cache
def structure() -> tuple[Mapping[str, Any], ...]:
    source = files(__package__) / "structure.toml"
    return tuple(tomllib.loads(source.read_text("utf-8"))["section"])


@cache
def book_words(lang: str) -> Catalogue:
    language = match_language(lang)
    return read_catalogue(language, files(__package__) / f"{language}.toml")


def _block(
    section: str, item: Mapping[str, Any], edition: Edition, words: Catalogue, params: Params
) -> Block:
    if "text" in item:
        text = words.render(f"text.{section}.{item['text']}", params)
        return Paragraph(text, item.get("letters", False))
    name = f"{section}.{item['id']}"
    caption = _caption(f"caption.{name}", words, params)
    if "row" in item:
        kind, value = item.get("kind"), item.get("value")
        row = parse_row(item["row"])
        return RowExample(name, row, kind is not None, kind, value, item.get("reason"), caption)
    if "racks" in item:
        racks = tuple(parse_row(rack) for rack in item["racks"])
        scores = _scores(edition, racks, item["blocked"])
        return ScoreExample(name, racks, item["blocked"], scores, caption)
    return TurnExample(
        name,
        item.get("opened", True),
        parse_row(item["rack"]),
        parse_table(item["before"]),
        parse_table(item["after"]),
        item["legal"],
        item.get("reason"),
        caption,
    )


def _caption(key: str, words: Catalogue, params: Params) -> str:
    """A caption may begin with the name of a tile, which then begins a sentence."""
    text = words.render(key, params)
    begins_with_name = words.messages[key].form(params).startswith("{")
    return text[:1].upper() + text[1:] if begins_with_name else text


def _in_box(item: Mapping[str, Any], edition: Edition) -> bool:
    """Whether the box of this edition holds the tiles of an example."""
    box = edition.box()
    shown = " ".join([item.get("row", ""), item.get("rack", ""), *item.get("racks", ())])
    faces = Counter(parse_row(f"{shown} {item.get('before', '').replace('/', ' ')}"))
    return all(count <= box.count(face % FACES) for face, count in faces.items())


def _scores(edition: Edition, racks: tuple[Row, ...], blocked: bool) -> tuple[int, ...]:
    left = [rack_left(edition, rack) for rack in racks]
    return (score_blocked(edition, left) if blocked else score_out(left, racks.index(()))).scores


def _house_rules(edition: Edition, words: Catalogue) -> Iterator[Paragraph]:
    usual = EDITIONS[edition.name].options()
    for key, value in edition.options().items():
        if value != usual[key]:
            choice = choice_text(key, value, words.language)
            yield Paragraph(
                words.text(
                    f"text.house.{'choice' if choice else 'option'}",
                    key=key,
                    value=value_text(value),
                    usual=value_text(usual[key]),
                    meaning=option_text(key, words.language),
                    choice=choice or "",
                )
            )
