"""Exceptions of the store."""

from __future__ import annotations

from tilerummy.rules.errors import TileRummyError


class StoreError(TileRummyError):
    """A read or write failed. Nothing was written."""

    code = "store-error"


class Unavailable(StoreError):  # noqa: N818 - transient; callers retry
    """The database does not answer or cannot write. The failure is transient."""

    code = "store-unavailable"


class Busy(Unavailable):
    """Another process holds the lock of an SQLite file. Nothing was written."""

    code = "store-busy"


class Unknown(Unavailable):
    """The connection was lost and did not come back: the write may have happened or not.

    The caller reloads the room before it does anything else with it. Repeating the command is safe:
    of two appends to one version, one wins.
    """

    code = "store-unknown"


class CodeTaken(StoreError):  # noqa: N818 - an answer, not a failure
    """Another room has this code."""

    code = "code-taken"


class InUse(StoreError):  # noqa: N818 - an answer, not a failure
    """Another process has this SQLite file open."""

    code = "store-in-use"


class OwnTool(StoreError):  # noqa: N818 - an answer, not a failure
    """This database is backed up with a program of its own."""

    code = "own-tool"

    def __init__(self, command: str) -> None:
        super().__init__(f"back it up with {command}")
        self.command = command
