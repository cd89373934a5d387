"""The rule book: the complete rules of any edition with any options, in any language.

Its structure is data: `structure.toml` says which paragraph or example stands where and under
which options, `<language>.toml` has the words. What an option changes is a condition there.

    for section in rulebook(edition("sabra", {"timer.seconds": 0}), "en"):
        print(section.title)
"""

from __future__ import annotations

import copy
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from tilerummy.locales.catalogues import Catalogue, read_catalogue
from tilerummy.locales.languages import match_language
from tilerummy.locales.names import choice_text, join, option_text, value_text
from tilerummy.locales.rulebook.blocks import (
    PLAYERS,
    Block,
    Example,
    Paragraph,
    RowExample,
    ScoreExample,
    ScoreSheet,
    Section,
    SheetLabels,
    TurnExample,
    Variation,
    Variations,
)
from tilerummy.locales.rulebook.conditions import holds
from tilerummy.locales.rulebook.params import Params
from tilerummy.locales.rulebook.terms import kind_label, with_terms_of
from tilerummy.rules.editions import EDITIONS, Edition, option_value, parse_option
from tilerummy.rules.errors import OptionError, PositionError
from tilerummy.rules.faults import judge_row
from tilerummy.rules.position import Position
from tilerummy.rules.scores import Result, rack_left, score_blocked, score_out, standing
from tilerummy.rules.tiles import Row, faces_of, parse_row, parse_table
from tilerummy.rules.turns import judge_turn

__all__ = [
    "Block",
    "Example",
    "Paragraph",
    "RowExample",
    "ScoreExample",
    "ScoreSheet",
    "Section",
    "TurnExample",
    "Variation",
    "Variations",
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
    words = with_terms_of(edition, book_words(lang))
    params = Params(edition, words)
    sections = []
    for entry in structure():
        if holds(entry.get("when", {}), edition):
            blocks = [
                _block(entry["id"], item, edition, words, params)
                for item in entry["blocks"]
                if holds(item.get("when", {}), edition) and _in_box(item, edition)
            ]
            title = words.text(f"title.{entry['id']}")
            said = tuple(block for block in blocks if not _is_empty(block))
            sections.append(Section(entry["id"], title, said))
    house = tuple(_house_rules(edition, words))
    if house:
        sections.append(Section("house", words.text("title.house"), house))
    return tuple(sections)


def claim_holds(example: Example | Variations, edition: Edition) -> bool:
    """Whether the judge agrees with an example, or the edition can have the variations."""
    if isinstance(example, Variations):
        return all(can_switch_on(item.option, edition) for item in example.items)
    if isinstance(example, (ScoreExample, ScoreSheet)):  # computed, not claimed
        return True
    if isinstance(example, RowExample):
        row = judge_row(edition, faces_of(example.row))
        return (
            row.valid == example.valid
            and (row.kind, row.value) == (example.kind, example.value)
            and (not example.reason or example.reason in {reason.code for reason in row.reasons})
        )
    try:
        turn = judge_turn(
            Position(edition, example.before, example.rack, example.opened), example.after
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
        name = f"{section}.{item['text']}"
        return Paragraph(name, words.render(f"text.{name}", params), item.get("letters", False))
    name = f"{section}.{item['id']}"
    if "games" in item:
        return _sheet(name, item["games"], edition, words, params)
    if "variations" in item:
        return _variations(name, item["variations"], edition, words, params)
    caption = _caption(f"caption.{name}", words, params)
    if "row" in item:
        kind, value, reason = item.get("kind"), item.get("value"), item.get("reason")
        label = kind_label(kind, edition, words) if kind else None
        row = parse_row(item["row"])
        return RowExample(name, row, kind is not None, kind, label, value, reason, caption)
    if "racks" in item:
        racks = tuple(parse_row(rack) for rack in item["racks"])
        scores = _result(edition, racks, item["blocked"]).scores
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


def _sheet(
    name: str,
    games: Iterable[Iterable[str]],
    edition: Edition,
    words: Catalogue,
    params: Params,
) -> ScoreSheet:
    """The racks at the end of each game decide everything else on the sheet."""
    racks = [tuple(parse_row(rack) for rack in game) for game in games]
    results = tuple(_result(edition, game, blocked=False) for game in racks)
    place = standing(edition, len(racks[0]), results)
    leader = place.leaders[0]
    filled = copy.copy(params)
    filled["leaders"] = join([PLAYERS[seat] for seat in place.leaders], words.language)
    filled |= {"leader_wins": place.wins[leader], "leader_total": place.totals[leader]}
    labels = SheetLabels(*(words.text(f"sheet.{label}") for label in ("game", "total", "wins")))
    return ScoreSheet(name, results, place, labels, words.render(f"caption.{name}", filled))


def _variations(
    name: str,
    items: Iterable[Mapping[str, Any]],
    edition: Edition,
    words: Catalogue,
    params: Params,
) -> Variations:
    found = [
        Variation(
            f"{name}.{item['id']}",
            words.render(f"variation.{name}.{item['id']}", params),
            item["option"],
        )
        for item in items
        if holds(item.get("when", {}), edition) and can_switch_on(item["option"], edition)
    ]
    return Variations(name, tuple(found), words.render(f"caption.{name}", params))


def can_switch_on(option: str, edition: Edition) -> bool:
    """Whether `key=value` is possible here and changes anything."""
    key, value = parse_option(option)
    try:
        edition.with_options({key: value})
    except OptionError:
        return False
    return option_value(edition, key) != value


def _is_empty(block: Block) -> bool:
    """A language may have nothing to say in a place, and a list may have nothing left to offer."""
    if isinstance(block, Paragraph):
        return not block.text
    return isinstance(block, Variations) and not block.items


def _caption(key: str, words: Catalogue, params: Params) -> str:
    """A caption may begin with the name of a tile, which then begins a sentence."""
    text = words.render(key, params)
    begins_with_name = words.messages[key].form(params).startswith("{")
    return text[:1].upper() + text[1:] if begins_with_name else text


def _in_box(item: Mapping[str, Any], edition: Edition) -> bool:
    """Whether the box of this edition holds the tiles of an example."""
    box = edition.box()
    shown = " ".join([item.get("row", ""), item.get("rack", ""), *item.get("racks", ())])
    positions = [f"{shown} {item.get('before', '').replace('/', ' ')}"]
    positions += [" ".join(racks) for racks in item.get("games", ())]
    return all(
        count <= box.count(face)
        for position in positions
        for face, count in Counter(faces_of(parse_row(position))).items()
    )


def _result(edition: Edition, racks: tuple[Row, ...], blocked: bool) -> Result:
    left = [rack_left(edition, rack) for rack in racks]
    return score_blocked(edition, left) if blocked else score_out(left, racks.index(()))


def _house_rules(edition: Edition, words: Catalogue) -> Iterator[Paragraph]:
    usual = EDITIONS[edition.name].options()
    for key, value in edition.options().items():
        if value != usual[key]:
            choice = choice_text(key, value, words.language)
            yield Paragraph(
                f"house.{key}",
                words.text(
                    f"text.house.{'choice' if choice else 'option'}",
                    key=key,
                    value=value_text(value),
                    usual=value_text(usual[key]),
                    meaning=option_text(key, words.language),
                    choice=choice or "",
                ),
            )
