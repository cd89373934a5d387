"""The dealer's secret: the server's own randomness in the shuffle of a game."""

from __future__ import annotations

import secrets


def new_secret() -> str:
    return secrets.token_hex(32)
