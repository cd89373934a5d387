"""Bearer tokens, which authenticate a guest. The store keeps only their hash."""

from __future__ import annotations

import hmac
import re
import secrets
from hashlib import sha256

from tilerummy.server.limits.addresses import Headers

BYTES = 32
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def new_token() -> str:
    """A random token in characters that need no quoting."""
    return secrets.token_urlsafe(BYTES)


def token_hash(token: str) -> bytes:
    """The stored hash. A fast hash is enough, as tokens have too much entropy to guess."""
    return sha256(token.encode()).digest()


def same_token(token: str, stored: bytes) -> bool:
    """Compares a token with a stored hash in constant time."""
    return hmac.compare_digest(token_hash(token), stored)


def bearer(headers: Headers) -> str | None:
    """The token of a program without cookies: `Authorization: Bearer …`."""
    lines = [value for name, value in headers if name == b"authorization"]
    if len(lines) != 1:
        return None
    scheme, _, token = lines[0].decode("latin-1").partition(" ")
    token = token.strip()
    return token if scheme.lower() == "bearer" and _TOKEN.fullmatch(token) else None
