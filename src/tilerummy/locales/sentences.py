"""Sentences: a message key with typed parameters, and the renderer that fills in the names.

`tilerummy.queries.sentences` chooses the sentence for a step or a reason. Here it becomes text
in a language: the only choice left is what tiles are called. The page has a renderer of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias, assert_never

from tilerummy.locales.catalogues import catalogue
from tilerummy.locales.names import colour_name, join, meaning_name, tile_name
from tilerummy.rules.editions import Edition
from tilerummy.rules.tiles import (
    COLOURS,
    NUMBER,
    Row,
    Tile,
    colour_of,
    face_of,
    face_text,
    faces_of,
    is_joker,
    row_text,
)

Naming: TypeAlias = Literal[
    "tile",  # the name of one tile: `joker`
    "notation",  # `r7 b7 J`
    "tiles",  # a list of names: `red 7, blue 7 and the joker`
    "numbers",  # consecutive tiles of one colour: `red 5 6 7`
    "run",  # a row of those: `the red run 5 6 7`
    "group",  # `the sevens`
    "group-told",  # the same, with its tiles, where the table has two groups of that number
    "rest",  # what is left of a row, too short for a set, as a list of names
    "rest-numbers",  # the same as `numbers`
    "row",  # any other row, tile by tile
]
"""How a sentence names tiles or a row."""


class Named(NamedTuple):
    """Tiles or faces, and how a sentence names them."""

    how: Naming
    tiles: Row


@dataclass(frozen=True, slots=True)
class Meanings:
    """What a row may be read as: kinds of sets, or its tiles in notation."""

    texts: tuple[str, ...]


Param: TypeAlias = int | str | Named | Meanings


@dataclass(frozen=True, slots=True)
class Sentence:
    """The key of a message and its parameters, before any language is chosen."""

    key: str
    params: Mapping[str, Param] = field(default_factory=dict, hash=False)


def sentence_text(sentence: Sentence, lang: str, edition: Edition | None = None) -> str:
    """The sentence in a language.

    `edition` decides what the fourth colour is called. Raises LanguageError for an unknown
    language, and KeyError for a key or parameter that the catalogue lacks.
    """
    names = _Names(lang, edition)
    params = {name: names.shown(param) for name, param in sentence.params.items()}
    return catalogue(lang).text(sentence.key, **params)


class _Names:
    """The names of tiles and rows in a language."""

    def __init__(self, lang: str, edition: Edition | None) -> None:
        self.lang = lang
        self.edition = edition
        self.words = catalogue(lang)

    def shown(self, param: Param) -> object:
        match param:
            case Named(how, tiles):
                return self.named(how, tiles)
            case Meanings(texts):
                return join([meaning_name(text, self.lang) for text in texts], self.lang, "or")
            case int() | str():
                return param
            case _:
                assert_never(param)

    def named(self, how: Naming, tiles: Row) -> str:
        match how:
            case "tile":
                return tile_name(tiles[0], self.lang, self.edition)
            case "notation":
                return row_text(tiles)
            case "tiles":
                return join([self._tile(tile) for tile in tiles], self.lang)
            case "numbers" | "run":
                return self.words.text(f"step.{how}", **self._straight(tiles))
            case "rest":
                return self.words.text("step.rest", tiles=self.named("tiles", tiles))
            case "rest-numbers":
                return self.words.text("step.rest", tiles=self.named("numbers", tiles))
            case "row":
                return self.words.text("step.row", tiles=row_text(tiles))
            case "group" | "group-told":
                number = self.words.text("step.counted").split()[_highest(tiles) - 1]
                return self.words.text(f"step.{how}", number=number, tiles=row_text(tiles))
            case _:
                assert_never(how)

    def _tile(self, tile: Tile) -> str:
        name = tile_name(tile, self.lang, self.edition)
        return self.words.text("step.joker", name=name) if is_joker(face_of(tile)) else name

    def _straight(self, row: Row) -> dict[str, str]:
        faces = faces_of(row)
        colour = next(colour_of(face) for face in faces if not is_joker(face))
        numbers = [face_text(face) if is_joker(face) else str(NUMBER[face]) for face in faces]
        return {
            "colour": colour_name(COLOURS[colour], self.lang, self.edition),
            "numbers": self.words.text("step.between-numbers").join(numbers),
        }


def _highest(row: Row) -> int:
    """The number of a group; its jokers have none."""
    return max(NUMBER[face] for face in faces_of(row))
