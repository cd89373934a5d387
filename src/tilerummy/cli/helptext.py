"""`--help` and usage errors in the chosen language.

The English texts stand in the code: docstrings of commands, `help=` of options, and what Typer
itself says. For another language the commands are translated when the program starts, before
anything is parsed: see `LocalisedGroup`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, cast

import typer
from rich import columns
from rich.table import Table
from typer.core import TyperGroup

from tilerummy.bots.roster import BOTS
from tilerummy.cli.options import language_given, language_of_arguments, spoken_language
from tilerummy.locales import LANGUAGES
from tilerummy.locales.catalogues import Catalogue, catalogue, terminal_words
from tilerummy.rules.editions import EDITIONS

ROOT = "tilerummy"
_EXAMPLE = re.compile(r"\s*(tilerummy |TILERUMMY_\w+=|echo |Examples?:)")
_USAGE_ERROR = cast(type[typer.BadParameter], typer.BadParameter.__mro__[1])
"""The base of all errors of a command line; Typer does not export it."""

_USAGE: dict[str, re.Pattern[str]] = {
    key: re.compile(pattern, re.DOTALL)
    for key, pattern in {
        "no-option-near": r"No such option: (?P<option>.+?) "
        r"(?:\(Possible options: |Did you mean )(?P<near>.+?)[)?]",
        "no-option": r"No such option: (?P<option>.+)",
        "missing-argument": r"Missing argument (?P<name>.+?)\.",
        "missing-option": r"Missing option (?P<name>.+?)\.",
        "no-command-near": r"No such command (?P<name>.+?)\. Did you mean (?P<near>.+)\?",
        "no-command": r"No such command (?P<name>.+)\.",
        "missing-command": r"Missing command\.",
        "extra": r"Got unexpected extra arguments?(?:\(s\))? \((?P<arguments>.+)\)",
        "needs-value": r"Option (?P<option>.+) requires an argument\.",
        "no-value": r"Option (?P<option>.+) does not take a value\.",
        "bad-value": r"Invalid value for (?P<name>.+?): (?P<what>.+)",
        "not-integer": r".+ is not a valid int(?:eger)?(?: range)?\."
        r"|Input should be a valid integer.*",
        "not-number": r".+ is not a valid float(?: range)?\.|Input should be a valid number.*",
        "range": r".+ is not in the range (?P<range>.+)\.",
        "least": r"Input should be greater than or equal to (?P<least>.+)",
        "most": r"Input should be less than or equal to (?P<most>.+)",
    }.items()
}
"""What Typer says about a wrong command line, in older and newer versions."""


class LocalisedGroup(TyperGroup):
    """The root of all commands: detects the language and translates every command.

    Help is printed while arguments are parsed, so the language is read from the arguments and the
    environment beforehand.
    """

    def main(self, args: Sequence[str] | None = None, *more: Any, **settings: Any) -> Any:
        given = language_of_arguments(sys.argv[1:] if args is None else args)
        words = terminal_words(spoken_language(given))
        with ExitStack() as stack:
            stack.enter_context(language_given(given))
            if words.messages:
                translate(self, words)
                stack.enter_context(_typer_speaks(self, words))
            return super().main(args, *more, **settings)

    def make_context(self, *args: Any, **settings: Any) -> Any:
        with _translated_errors():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: Any) -> Any:
        with _translated_errors():
            return super().invoke(ctx)


def translate(command: Any, words: Catalogue, path: str = ROOT) -> None:
    """Translate the help of a command, its options and its subcommands."""
    command.help = translated_help(command.help or "", words, path)
    command.options_metavar = words.text("usage.options-metavar")
    helps = command.get_help_option(typer.Context(command))
    for param in [*command.params, *([] if helps is None else [helps])]:
        text = param_help(words, path, param.name)
        if text is not None:
            param.help = text
    if hasattr(command, "commands"):
        command.subcommand_metavar = words.text("usage.command-metavar")
        for name, part in command.commands.items():
            translate(part, words, name if path == ROOT else f"{path}.{name}")


def param_help(words: Catalogue, path: str, name: str) -> str | None:
    """What an option or argument does: words of its command, or those that commands share."""
    for key in (f"help.{path}.{name}", f"help.shared.{name}"):
        if key in words.messages:
            return words.text(key, **_lists(words))
    return None


def _lists(words: Catalogue) -> dict[str, str]:
    """The lists that a help text can name."""
    comma = catalogue(words.language).text("list.comma")
    return {
        "languages": comma.join(LANGUAGES),
        "editions": comma.join(EDITIONS),
        "bots": ",".join(BOTS),
    }


def translated_help(english: str, words: Catalogue, path: str) -> str:
    """The text of a command: its sentences are translated, its examples stay."""
    sentences = iter(words.text(f"help.{path}.about").strip().split("\n\n"))
    shown = []
    for paragraph in english.split("\n\n"):
        if not _EXAMPLE.match(paragraph):
            shown.append(next(sentences))
        elif paragraph.strip() in ("Examples:", "Example:"):
            shown.append(words.text("help.shared.examples"))
        else:
            shown.append(paragraph)
    return "\n\n".join([*shown, *sentences])


@contextmanager
def _typer_speaks(command: Any, words: Catalogue) -> Iterator[None]:
    """Replace the fixed strings of Typer, which has no other way to translate them."""
    from typer import rich_utils

    titles = {
        "OPTIONS_PANEL_TITLE": "options",
        "ARGUMENTS_PANEL_TITLE": "arguments",
        "COMMANDS_PANEL_TITLE": "commands",
        "ERRORS_PANEL_TITLE": "error",
        "ABORTED_TEXT": "aborted",
        "REQUIRED_LONG_STRING": "required",
    }
    fixed = {name: words.text(f"usage.{key}") for name, key in titles.items()}
    for name, key in {"DEFAULT_STRING": "default", "RICH_HELP": "help"}.items():
        fixed[name] = words.messages[f"usage.{key}"].forms["other"]
    formatter = command.context_class.formatter_class

    class Formatter(formatter):  # type: ignore[misc, valid-type]
        def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
            super().write_usage(prog, args, prefix or words.text("usage.usage"))

    with (
        _replaced(rich_utils, Table=_Table, **fixed),
        _replaced(columns, Table=_Table),
        _replaced(command.context_class, formatter_class=Formatter),
    ):
        yield


class _Table(Table):
    """Chinese has no blanks: a line breaks anywhere, where Typer's would be cut off."""

    def add_row(self, *cells: Any, **settings: Any) -> None:
        super().add_row(*cells, **settings)
        for column in self.columns:
            column.overflow = "fold"


@contextmanager
def _replaced(target: object, **values: object) -> Iterator[None]:
    """Set attributes, and set them back. Those that this version of Typer lacks are left out."""
    before = {name: getattr(target, name) for name in values if hasattr(target, name)}
    for name in before:
        setattr(target, name, values[name])
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(target, name, value)


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Errors of the command line in the language of the session."""
    try:
        yield
    except _USAGE_ERROR as error:
        words = terminal_words(spoken_language(None))
        english = error.format_message()
        said = usage_text(english, words)
        if said == english:
            raise
        raise _USAGE_ERROR(said, ctx=error.ctx) from error


def usage_text(english: str, words: Catalogue) -> str:
    """A sentence of Typer in another language, or unchanged if the catalogue does not have it."""
    for key, pattern in _USAGE.items():
        if words.messages and (found := pattern.fullmatch(english)):
            params = {name: usage_text(text, words) for name, text in found.groupdict().items()}
            return words.text(f"usage.{key}", **params)
    return english
