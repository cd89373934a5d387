"""The error of the lab: a request that it cannot carry out, and what to do about it."""

from __future__ import annotations

from tilerummy.rules.errors import TileRummyError


class LabError(TileRummyError):
    """A tournament that cannot be played, or a file that does not belong to it."""

    code = "bad-lab"
