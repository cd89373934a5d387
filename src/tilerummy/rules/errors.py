"""What goes wrong with input, as exceptions that say what was given and what is possible."""

from __future__ import annotations


class TileRummyError(ValueError):
    """Base of every error this package raises on purpose.

    `code` is stable and meant for programs, the message is meant for people.
    """

    code = "error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
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
