"""Tiles as people type them: `紅3藍3、百搭`, `R7`, full-width digits.

The notation itself stays strict (`tilerummy.rules.tiles`): programs and records use nothing else.
Where a person types, the text goes through `in_notation` first.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from tilerummy.locales.catalogues import catalogue
from tilerummy.locales.languages import LANGUAGES
from tilerummy.rules.tiles import COLOURS, JOKER_LETTERS, Row, Table, parse_row, parse_table

_NUMBER = r"0*(1[0-3]|[1-9])(?![0-9])"
_LATIN = re.compile(
    rf"(?<![a-z0-9])(?:([{COLOURS}y]){_NUMBER}|([{JOKER_LETTERS}])(?![a-z0-9]))", re.I
)
_SEPARATORS = re.compile(r"[,;、。·]")
_OTHER_NAMES = {"M": ("鏡像百搭牌", "镜射百搭牌"), "J": ("一般百搭牌", "普通百搭牌")}
"""Names of jokers that players know from other boxes."""


def in_notation(text: str) -> str:
    """The text with every tile in it written as `r7` or `J`; the rest stays as it is."""
    text = _SEPARATORS.sub(" ", unicodedata.normalize("NFKC", text))
    if not text.isascii():
        names, pattern = _chinese()
        text = pattern.sub(lambda found: f" {_written(found, names)} ", text)
    return _LATIN.sub(_latin, text)


def typed_row(text: str) -> Row:
    """The tiles of a row that a person typed. Raises TileError."""
    return parse_row(in_notation(text))


def typed_table(text: str) -> Table:
    """The rows of a table that a person typed, with / between them. Raises TileError."""
    return parse_table(in_notation(text))


@cache
def _chinese() -> tuple[dict[str, str], re.Pattern[str]]:
    """What the Chinese names of colours and jokers stand for, and how to find them."""
    colours: dict[str, str] = {}
    jokers: dict[str, str] = {}
    for words in (catalogue(language) for language in LANGUAGES if language.startswith("zh")):
        colours |= {words.text(f"colour.{letter}"): letter for letter in COLOURS}
        colours[words.text("colour.yellow")] = "o"
        jokers |= {words.text(f"tile.{letter}"): letter for letter in JOKER_LETTERS}
    jokers |= {name: letter for letter, names in _OTHER_NAMES.items() for name in names}
    jokers |= {name.removesuffix("牌"): letter for name, letter in jokers.items()}
    longest_first = sorted(jokers, key=len, reverse=True)
    colour = rf"([{''.join(colours)}])色?\s*{_NUMBER}"
    return colours | jokers, re.compile(rf"{colour}|({'|'.join(longest_first)})")


def _written(found: re.Match[str], names: dict[str, str]) -> str:
    colour, number, joker = found.groups()
    return names[joker] if joker else f"{names[colour]}{number}"


def _latin(found: re.Match[str]) -> str:
    colour, number, joker = found.groups()
    return joker.upper() if joker else f"{colour.lower().replace('y', 'o')}{number}"
