"""What an edition calls the kinds of sets, where its box has words of its own.

`term.group` and `term.run` are the usual words of a language, `term.<edition>.group` those of an
edition. The sentences of the book are written in the usual words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tilerummy.locales.catalogues import Catalogue
from tilerummy.locales.names import kind_name
from tilerummy.rules.editions import Edition

TERMS = ("group", "run")
KEEPS = ("term.", "text.sets.terms")
"""Messages that explain the difference between two terms."""


def with_terms_of(edition: Edition, words: Catalogue) -> Catalogue:
    """The words of the book, with the terms of the edition in place of the usual ones."""
    terms = _terms(edition, words)
    if not terms:
        return words
    messages = {
        key: message
        if key.startswith(KEEPS)
        else replace(message, forms={n: _put(form, terms) for n, form in message.forms.items()})
        for key, message in words.messages.items()
    }
    return Catalogue(words.language, messages)


def kind_label(kind: str, edition: Edition, words: Catalogue) -> str:
    """The name of a kind of set: `run` → 順組, in Twist 順牌."""
    return _put(kind_name(kind, words.language), _terms(edition, words))


def _terms(edition: Edition, words: Catalogue) -> Mapping[str, str]:
    """Usual word → word of the edition, where they differ."""
    own = {
        words.text(f"term.{term}"): words.text(key)
        for term in TERMS
        if (key := f"term.{edition.name}.{term}") in words.messages
    }
    return {usual: word for usual, word in own.items() if usual != word}


def _put(text: str, terms: Mapping[str, str]) -> str:
    for usual, word in terms.items():
        text = text.replace(usual, word)
    return text
