"""The compiled lane: playouts whose turns the kernel finds without the interpreter."""

from __future__ import annotations

from tilerummy.rules.editions import Edition


def serves(edition: Edition) -> bool:
    """Return whether the compiled lane can play an edition; the real `Game` plays the others."""
    return False
