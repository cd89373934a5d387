"""Reserved names: what bots and guests without a name are called, in every language."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from tilerummy.bots.roster import ROSTER
from tilerummy.locales.catalogues import Catalogue, catalogue, read_catalogue
from tilerummy.locales.languages import LANGUAGES
from tilerummy.play.names import stem


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
        for spec in ROSTER:
            found |= {stem(_text(words, key)) for key in (spec.name_key, spec.kind_key)}
    return frozenset(found)


@cache
def _guest_stems() -> frozenset[str]:
    page = files("tilerummy.locales") / "page"
    catalogues = [read_catalogue(language, page / f"{language}.toml") for language in LANGUAGES]
    return frozenset([stem(_text(words, "app.guest")) for words in catalogues])


def _text(words: Catalogue, key: str) -> str:
    return words.render(key, {"number": 1})
