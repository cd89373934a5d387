"""The session cookie with a browser's token: hidden from scripts and from other sites."""

from __future__ import annotations

import re
from typing import Literal

from tilerummy.server.limits.addresses import Headers

LOCKED = "__Host-"
"""Cookie prefix: browsers accept such a cookie only from this host, and only over TLS."""
YEAR = 365 * 24 * 3600
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_VALUE = re.compile(r"[A-Za-z0-9_.~-]*")


def cookie_name(name: str, *, secure: bool) -> str:
    return f"{LOCKED}{name}" if secure else name


def set_cookie(
    name: str,
    value: str,
    *,
    secure: bool,
    max_age: int = YEAR,
    same_site: Literal["Lax", "Strict"] = "Lax",
) -> str:
    """A `Set-Cookie` header. With `Lax` a guest who follows a link into a room is recognised; where
    no external link has to work, `Strict` is better."""
    if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
        raise ValueError("a cookie consists of letters, digits, _ and -")
    parts = [f"{cookie_name(name, secure=secure)}={value}", "Path=/", f"Max-Age={max_age}"]
    parts += ["HttpOnly", f"SameSite={same_site}"]
    return "; ".join([*parts, "Secure"] if secure else parts)


def clear_cookie(name: str, *, secure: bool) -> str:
    """A `Set-Cookie` header that deletes the cookie."""
    return set_cookie(name, "", secure=secure, max_age=0)


def read_cookie(headers: Headers, name: str, *, secure: bool) -> str | None:
    """The value of the cookie. Two different values may be an attack: then neither counts."""
    wanted = cookie_name(name, secure=secure)
    lines = [value.decode("latin-1") for header, value in headers if header == b"cookie"]
    pairs = [pair.strip().partition("=") for pair in ";".join(lines).split(";")]
    values = {value for key, sign, value in pairs if sign and key == wanted}
    return values.pop() if len(values) == 1 else None
