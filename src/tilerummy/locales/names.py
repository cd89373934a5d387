"""Names of tiles, reasons and options in a language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tilerummy.locales.catalogues import catalogue
from tilerummy.rules import tiles
from tilerummy.rules.declarations import Declaration, declaration_text
from tilerummy.rules.editions import Edition
from tilerummy.rules.options import EVERY_JOKER, Spec
from tilerummy.rules.rows import Kind

YELLOW_EDITIONS = frozenset({"twist"})
"""Boxes whose fourth colour is called yellow; its letter is `o` all the same."""


def colour_name(letter: str, lang: str, edition: Edition | None = None) -> str:
    """The name of a colour: `r` → `red`. `edition` decides between orange and yellow.

    Raises LanguageError for an unknown language, and KeyError for an unknown letter.
    """
    yellow = letter == "o" and edition is not None and edition.name in YELLOW_EDITIONS
    return catalogue(lang).text("colour.yellow" if yellow else f"colour.{letter}")


def tile_name(
    tile_or_face: tiles.Tile | tiles.Face, lang: str, edition: Edition | None = None
) -> str:
    """The name of a tile for reading aloud: `red 7`, `double joker`.

    Raises LanguageError for an unknown language.
    """
    words, face = catalogue(lang), tiles.face_of(tile_or_face)
    if tiles.is_joker(face):
        return words.text(f"tile.{tiles.face_text(face)}")
    colour = colour_name(tiles.COLOURS[tiles.colour_of(face)], lang, edition)
    return words.text("tile.number", colour=colour, number=tiles.NUMBER[face])


def tiles_text(
    tiles_or_faces: Iterable[tiles.Tile | tiles.Face], lang: str, edition: Edition | None = None
) -> str:
    """The names of several tiles: `red 7, blue 7 and joker`.

    Raises LanguageError for an unknown language.
    """
    return join([tile_name(item, lang, edition) for item in tiles_or_faces], lang)


def join(parts: Sequence[str], lang: str, last: str = "and") -> str:
    """Join parts into a list: `red, blue and black`.

    `last` is `and`, `or`, `and-count` before a Latin letter or digit, or `and-clause` if every
    part is a clause: `J is the joker`. Raises LanguageError for an unknown language.
    """
    if len(parts) < 2:
        return "".join(parts)
    words = catalogue(lang)
    comma = words.text("list.clause" if last == "and-clause" else "list.comma")
    return comma.join(parts[:-1]) + words.text(f"list.{last}") + parts[-1]


def refusal_text(code: str, lang: str) -> str:
    """The sentence for the code of a refusal.

    Raises LanguageError for an unknown language, and KeyError for an unknown code.
    """
    return catalogue(lang).text(f"refusal.{code}")


def declaration_name(said: Declaration, lang: str) -> str:
    """The name of a declaration: a kind such as `group`, or tiles in notation.

    Raises LanguageError for an unknown language.
    """
    return meaning_name(declaration_text(said), lang)


def meaning_name(text: str, lang: str) -> str:
    """What a row is read as: the name of a kind of set, or tiles in notation as they are."""
    return kind_name(text, lang) if text in {str(kind) for kind in Kind} else text


def kind_name(kind: str, lang: str) -> str:
    """The name of a kind of set: `group`.

    Raises LanguageError for an unknown language, and KeyError for an unknown kind.
    """
    return catalogue(lang).text(f"kind.{kind}")


def option_text(key: str, lang: str) -> str:
    """The explanation of an option in one line.

    Raises LanguageError for an unknown language, and KeyError for an unknown option.
    """
    return catalogue(lang).text(f"option.{key}")


def choice_text(key: str, value: object, lang: str) -> str | None:
    """The explanation of a value of an option, or None if the value explains itself.

    Raises LanguageError for an unknown language.
    """
    words, name = catalogue(lang), f"choice.{key}.{value_text(value)}"
    return words.text(name) if name in words.messages else None


def value_text(value: object) -> str:
    """A value as written on the command line and in JSON: `true`, `null`, `30`."""
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def possible_text(spec: Spec, lang: str) -> str:
    """The allowed values of an option: `true | false`.

    Raises LanguageError for an unknown language.
    """
    words = catalogue(lang)
    if spec.kind == "bool":
        parts = ["true", "false"]
    elif spec.kind == "jokers":
        parts = [words.text("possible.jokers", every=EVERY_JOKER, high=spec.high)]
    else:
        parts = list(spec.choices)
        if spec.kind == "int":
            parts.append(words.text("possible.int", low=spec.low, high=spec.high))
    if spec.nullable:
        parts.append("null")
    return " | ".join(parts)
