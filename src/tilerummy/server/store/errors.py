"""What goes wrong with the store."""

from __future__ import annotations

from tilerummy.rules.errors import TileRummyError


class StoreError(TileRummyError):
    """Something could not be stored or read. Of what was to be stored, nothing is."""

    code = "store-error"


class Unavailable(StoreError):  # noqa: N818 - it may pass, and callers wait for it
    """The database does not answer, or cannot write; it may be back in a moment."""

    code = "store-unavailable"


class Unknown(Unavailable):
    """The connection was lost and did not come back: what was to be stored may be, or may not.

    Whoever gets this reads the room anew before doing anything else with it. Repeating what was
    asked is safe: of two appends to one version, one wins.
    """

    code = "store-unknown"


class CodeTaken(StoreError):  # noqa: N818 - an answer, not a failure
    """Another room has this code."""

    code = "code-taken"


class InUse(StoreError):  # noqa: N818 - an answer, not a failure
    """Another process has this SQLite file open."""

    code = "store-in-use"
