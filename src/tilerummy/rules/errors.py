"""Exceptions for invalid input: each message says what was given and what is valid.

The English template stands once, where it is raised. `key` names the same sentence in the
catalogues of the other languages, and `params` fill in its placeholders. `locales.error_text`
gives the sentence in a language.
"""

from __future__ import annotations

from collections.abc import Mapping

LONGEST_QUOTE = 40


class TileRummyError(ValueError):
    """Base of every error this package raises on purpose.

    `code` is stable and meant for programs, the message is meant for people. With `params` the
    message is a `str.format` template. A parameter may be a tuple of names, an object that
    describes the valid values, or another error.
    """

    code = "error"

    def __init__(
        self, message: str, *, code: str | None = None, key: str | None = None, **params: object
    ) -> None:
        super().__init__(message.format_map(_in_english(params)) if params else message)
        self.template = message
        self.key = key
        self.params: Mapping[str, object] = params
        if code is not None:
            self.code = code


class TileError(TileRummyError):
    """Text that names no tile, or a tile this box does not hold."""

    code = "bad-tile"


class OptionError(TileRummyError):
    """An unknown edition or option, a value out of range, or options that contradict each other."""

    code = "bad-option"


class PositionError(TileRummyError):
    """A rack and table that cannot occur with this box and these rules."""

    code = "bad-position"


def quoted(value: object) -> str:
    """Input for an error message: short, and safe to print with any content."""
    try:
        text = str(value)
    except (ValueError, RecursionError):  # a huge number, or a list that is nested too deeply
        text = type(value).__name__
    shown = text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 3] + "…"
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in shown
    )


def _in_english(params: Mapping[str, object]) -> dict[str, object]:
    return {name: _plain(value) for name, value in params.items()}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, OSError):
        return value.strerror or type(value).__name__
    return value
