"""Options that several commands share, and how a command ends on bad input."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from tilerummy.locales import match_language, system_language
from tilerummy.rules.editions import Edition, edition, parse_option
from tilerummy.rules.errors import OptionError, TileRummyError

EditionName = Annotated[
    str, typer.Option("--edition", "-e", help="classic, taiwan, sixplayer, twist or sabra.")
]
OptionTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="KEY=VALUE",
        help="Change a rule, as in joker.rack_penalty=25; may be repeated. "
        "'tilerummy editions' lists them all.",
    ),
]
Language = Annotated[
    str | None,
    typer.Option("--lang", help="en, zh-Hans or zh-Hant; otherwise the language of the system."),
]


def chosen_edition(name: str, options: list[str] | None) -> Edition:
    """The edition of the flags --edition and --option."""
    return edition(name, parsed_options(options))


def parsed_options(texts: list[str] | None) -> dict[str, object]:
    """The options of repeated --option flags; each may be given once."""
    parsed: dict[str, object] = {}
    for text in texts or ():
        key, value = parse_option(text)
        if key in parsed:
            raise OptionError(f"{key} is given twice: give it once")
        parsed[key] = value
    return parsed


def chosen_language(lang: str | None) -> str:
    """The language of the flag --lang, or of the system."""
    return system_language(os.environ) if lang is None else match_language(lang)


@contextmanager
def bad_input_exits() -> Iterator[None]:
    """Turn our own errors into a line on standard error and exit code 2."""
    try:
        yield
    except TileRummyError as error:
        typer.echo(f"tilerummy: {error}", err=True)
        raise typer.Exit(2) from None
