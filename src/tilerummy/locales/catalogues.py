"""Catalogues: messages by key, in one language.

A catalogue is a TOML file. Nested tables join into dotted keys; a value is a `str.format` template,
or a table of templates chosen by a number:

    [inventory]
    by = "count"          # the parameter that decides; `count` by default
    zero = "…"            # optional: for 0
    one = "…"             # optional: for 1, and what the language treats like 1
    two = "…"             # optional, as are few and many: CLDR's plural categories
    other = "…"
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Formatter
from typing import Any

from tilerummy.locales.languages import match_language
from tilerummy.locales.plurals import CATEGORIES, Plural, plural_of


@dataclass(frozen=True, slots=True)
class Message:
    """One text, in the forms that a number asks for."""

    forms: Mapping[str, str]
    by: str = "count"
    plural: Plural | None = None
    """The rule of the language; needed where there are several forms."""

    def format(self, params: Mapping[str, object]) -> str:
        return self.form(params).format_map(params)

    def form(self, params: Mapping[str, object]) -> str:
        """The form for 0 or 1, if there is one, or else that of the number's plural category."""
        forms = self.forms
        if len(forms) > 1 and self.plural is not None:
            number = int(str(params[self.by]))
            exact = forms.get({0: "zero", 1: "one"}.get(number, ""))
            return exact or forms.get(self.plural(abs(number)), forms["other"])
        return forms["other"]

    def placeholders(self) -> frozenset[str]:
        """The parameters that this message uses, in any of its forms."""
        return frozenset(
            name
            for form in self.forms.values()
            for _, name, _, _ in Formatter().parse(form)
            if name
        )


@dataclass(frozen=True, slots=True, repr=False)
class Catalogue:
    """The messages of one language."""

    language: str
    messages: Mapping[str, Message]

    def __repr__(self) -> str:
        return f"<Catalogue {self.language}, {len(self.messages)} messages>"

    def text(self, key: str, /, **params: object) -> str:
        """The message of that key with its parameters filled in.

        Raises KeyError for an unknown key or a missing parameter.
        """
        return self.render(key, params)

    def render(self, key: str, params: Mapping[str, object]) -> str:
        """Like `text`, with the parameters in a mapping, which may compute them on demand."""
        message = self.messages.get(key)
        if message is None:
            raise KeyError(f"no text {key!r} in {self.language}")
        try:
            return message.format(params)
        except KeyError as error:
            raise KeyError(f"{key!r} in {self.language} needs the parameter {error}") from error


def read_catalogue(language: str, source: Traversable) -> Catalogue:
    table = tomllib.loads(source.read_text("utf-8"))
    return Catalogue(language, dict(_flatten("", table, plural_of(language))))


@cache
def catalogue(lang: str) -> Catalogue:
    """The general catalogue of a language, in any spelling that `match_language` knows.

    Raises LanguageError for an unknown language.
    """
    language = match_language(lang)
    return read_catalogue(language, files(__package__) / f"{language}.toml")


@cache
def terminal_words(lang: str) -> Catalogue:
    """The translations of texts whose English is in the code: errors and `--help`.

    The one of English is empty.
    """
    language = match_language(lang)
    if language == "en":
        return Catalogue(language, {})
    return read_catalogue(language, files(__package__) / "terminal" / f"{language}.toml")


def _flatten(
    prefix: str, table: Mapping[str, Any], plural: Plural
) -> Iterator[tuple[str, Message]]:
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, str):
            yield key, Message({"other": value})
        elif isinstance(value, Mapping) and isinstance(value.get("other"), str):
            unknown = set(value) - {*CATEGORIES, "by"}
            if unknown:
                raise ValueError(f"{key}: unknown form {min(unknown)!r}")
            forms: dict[str, str] = {form: value[form] for form in CATEGORIES if form in value}
            yield key, Message(forms, value.get("by", "count"), plural)
        elif isinstance(value, Mapping):
            yield from _flatten(f"{key}.", value, plural)
        else:
            raise ValueError(f"{key}: a message is text or a table of texts, not {value!r}")
