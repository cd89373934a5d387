"""Options that several commands share, and how a command ends on bad input."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated

import typer

from tilerummy.locales import (
    LANGUAGES,
    Catalogue,
    LanguageError,
    catalogue,
    error_text,
    match_language,
    system_language,
)
from tilerummy.queries.parsing import DEFAULT_EDITION
from tilerummy.rules.editions import EDITIONS, Edition, edition, parse_option
from tilerummy.rules.errors import OptionError, TileRummyError

EDITION_NAMES = ", ".join(EDITIONS)
EditionName = Annotated[
    str, typer.Option("--edition", "-e", metavar="NAME", help=f"The edition: {EDITION_NAMES}.")
]
QuestionEdition = Annotated[
    str | None,
    typer.Option(
        "--edition",
        "-e",
        metavar="NAME",
        help=f"The edition: {EDITION_NAMES}. Default: {DEFAULT_EDITION}. "
        "With --json, the edition of lines that do not name one.",
    ),
]
Statements = Annotated[
    list[str] | None,
    typer.Option(
        "--declare",
        metavar="ROW=MEANING",
        help="State what the jokers of a row on the table stand for, tile by tile "
        '("r8 J J = r8 b8 k8") or as a kind of set ("r8 J J = run"). Can be repeated.',
    ),
]
OptionTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="KEY=VALUE",
        help="Change a rule, for example joker.rack_penalty=25. Can be repeated. "
        "'tilerummy editions' lists all options.",
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--lang",
        metavar="TAG",
        help=f"The language: {', '.join(LANGUAGES)}. Default: the system language.",
    ),
]

_LANGUAGE_GIVEN: ContextVar[str | None] = ContextVar("language", default=None)


def chosen_edition(name: str, options: list[str] | None) -> Edition:
    """The edition of the flags --edition and --option."""
    return edition(name, parsed_options(options))


def parsed_options(texts: list[str] | None) -> dict[str, object]:
    """The options of repeated --option flags; each may be given once."""
    parsed: dict[str, object] = {}
    for text in texts or ():
        key, value = parse_option(text)
        if key in parsed:
            raise OptionError(
                "{option} is given twice: give it once", key="error.option.twice", option=key
            )
        parsed[key] = value
    return parsed


def chosen_language(lang: str | None) -> str:
    """The language of the flag --lang, before or after the command, or of the system."""
    wanted = _LANGUAGE_GIVEN.get() if lang is None else lang
    return system_language(os.environ) if wanted is None else match_language(wanted)


def spoken_language(lang: str | None) -> str:
    """As `chosen_language`; where --lang makes no sense, the language of the system."""
    try:
        return chosen_language(lang)
    except LanguageError:
        return system_language(os.environ)


def session_words() -> Catalogue:
    """The words of a command that has no --lang of its own."""
    return catalogue(spoken_language(None))


def language_of_arguments(arguments: Sequence[str]) -> str | None:
    """The value of the first --lang on a command line that has not been parsed yet."""
    for number, argument in enumerate(arguments):
        if argument == "--":
            break
        flag, equals, value = argument.partition("=")
        if flag == "--lang":
            return value if equals else next(iter(arguments[number + 1 :]), None)
    return None


@contextmanager
def language_given(lang: str | None) -> Iterator[None]:
    """What --lang says on the whole command line, for everything that is done meanwhile."""
    token = _LANGUAGE_GIVEN.set(lang)
    try:
        yield
    finally:
        _LANGUAGE_GIVEN.reset(token)


@contextmanager
def bad_input_exits(lang: str | None = None) -> Iterator[None]:
    """Turn our own errors into a line on standard error and exit code 2.

    The line is in the language of the flag --lang, or of the system.
    """
    try:
        yield
    except TileRummyError as error:
        typer.echo(f"tilerummy: {error_text(error, spoken_language(lang))}", err=True)
        raise typer.Exit(2) from None
