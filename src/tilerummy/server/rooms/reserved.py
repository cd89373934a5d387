"""Reserved names, in every language: those of bots, of guests without a name, and the labels that
the page puts beside or in place of a name.

`own_name` is the one check of a name that somebody gives themselves on a server.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from tilerummy.bots.roster import ROSTER
from tilerummy.locales.catalogues import Catalogue, catalogue, read_catalogue
from tilerummy.locales.languages import LANGUAGES
from tilerummy.play.names import BadName, chosen, skeleton, stem

LABELS = (
    *("players.you", "players.pool", "players.opened", "players.replaced"),
    *("lobby.you", "lobby.host", "lobby.away", "lobby.free"),
)
"""Texts of the page that stand where a name does, or after one: `You`, `(host)`."""

_BREAK = re.compile(r"[^\w\s'\u2019-]|_|(?<!\w)-|-(?!\w)")
"""What separates a label from a name: brackets, dots, dashes, but no hyphen inside a word."""


def own_name(given: str) -> str:
    """The name of a guest in its normal form. Raises BadName if it is reserved, or no name."""
    name = chosen(given)
    if is_bots(name):
        raise BadName(
            "{name} looks like the name of a bot: choose another one",
            key="error.name.bot",
            name=name,
        )
    if is_label(name):
        raise BadName(
            "{name} looks like a label of the table: choose another name",
            key="error.name.label",
            name=name,
        )
    return name


def is_label(name: str) -> bool:
    """Whether this is a label, or ends with one: `You`, `Ann (host)`. A Chinese one needs only a
    space before it; in English, `Ann Host` may be somebody's name."""
    *_, last = [part for part in _BREAK.split(name) if part.strip()] or [""]
    *_, word = last.split() or [""]
    return skeleton(last) in _labels() or (not word.isascii() and skeleton(word) in _labels())


def is_bots(name: str) -> bool:
    """Whether people would take this for the name of a bot, with or without a number."""
    return stem(name) in _bot_stems()


def is_nobodys(name: str) -> bool:
    """Whether this is what guests without a name are called, with or without a number."""
    return stem(name) in _guest_stems()


@cache
def _bot_stems() -> frozenset[str]:
    found = {stem(spec.title) for spec in ROSTER}
    for language in LANGUAGES:
        words = catalogue(language)
        found.add(stem(_text(words, "play.bot-name")))
        found |= {stem(_text(words, spec.name_key)) for spec in ROSTER}
    return frozenset(found)


@cache
def _guest_stems() -> frozenset[str]:
    return frozenset([stem(_text(words, "app.guest")) for words in _page_words()])


@cache
def _labels() -> frozenset[str]:
    texts = [_text(words, key) for words in _page_words() for key in LABELS]
    return frozenset([skeleton(_BREAK.sub("", text)) for text in texts])


@cache
def _page_words() -> tuple[Catalogue, ...]:
    page = files("tilerummy.locales") / "page"
    return tuple([read_catalogue(each, page / f"{each}.toml") for each in LANGUAGES])


def _text(words: Catalogue, key: str) -> str:
    return words.render(key, {"number": 1})
