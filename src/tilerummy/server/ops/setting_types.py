"""Types of settings: parse and format values as operators write them, `20s` or `10/s burst 40`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from tilerummy.server.edge.safety import Proxies, origin_of
from tilerummy.server.limits.buckets import Rate
from tilerummy.server.live.bus import REDIS
from tilerummy.server.store.database import DRIVERS
from tilerummy.server.telemetry.redaction import is_secret

MASK = "***"
UNITS = {"ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
LONGEST_TIME = 36_500 * UNITS["d"]
_TIME = re.compile(r"(\d+(?:\.\d+)?) ?(ms|s|min|h|d)")
_RATE = re.compile(r"(\d+(?:\.\d+)?)/(s|min|h)(?: burst (\d+(?:\.\d+)?))?")
_FLAGS = {"1": True, "true": True, "yes": True, "on": True}
_FLAGS |= {"0": False, "false": False, "no": False, "off": False}


class Kind(NamedTuple):
    """A type of setting. `parse` raises ValueError for an invalid value; `show` is its inverse."""

    expected: str
    examples: tuple[str, ...]
    parse: Callable[[str], Any]
    show: Callable[[Any], str] = str
    secret: bool = False
    """Whether a value may contain a password."""


def masked(url: str) -> str:
    """A URL with its password and the secrets in its query masked."""
    parts = urlsplit(url)
    login, at, host = parts.netloc.rpartition("@")
    user, colon, _ = login.partition(":")
    query = [
        (name, MASK if is_secret(name) else value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
    ]
    text = f"{parts.scheme}://{user}{colon}{MASK if colon else ''}{at}{host}{parts.path}"
    return f"{text}?{urlencode(query, safe='*/:')}" if query else text


def whole(low: int, high: int, example: int) -> Kind:
    """An integer within bounds."""

    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,15}", text) or not low <= int(text) <= high:
            raise ValueError
        return int(text)

    return Kind(f"a whole number from {low} to {high}", (str(example),), parse)


def time(low: int, example: str) -> Kind:
    """A duration, in milliseconds."""

    def parse(text: str) -> int:
        found = _TIME.fullmatch(text)
        length = float(found[1]) * UNITS[found[2]] if found else -1
        if not low <= length <= LONGEST_TIME:
            raise ValueError
        return round(length)

    least = f", {show_time(low)} or more" if low else ""
    return Kind(f"a time in ms, s, min, h or d{least}", (example,), parse, show_time)


def show_time(length: int) -> str:
    unit = max((unit for unit in UNITS if length % UNITS[unit] == 0), key=lambda unit: UNITS[unit])
    return f"{length // UNITS[unit]}{unit}" if length else "0s"


def choice(*words: str) -> Kind:
    def parse(text: str) -> str:
        if text.lower() not in words:
            raise ValueError
        return text.lower()

    return Kind(f"one of {', '.join(words)}", words[:1], parse)


def _parse_rate(text: str) -> Rate:
    found = _RATE.fullmatch(text)
    if not found or not float(found[1]):
        raise ValueError
    count, burst = float(found[1]), float(found[3] or found[1])
    return Rate(count * 1_000 / UNITS[found[2]], max(burst, 1.0))


def _plain(number: float) -> str:
    """A number without an exponent."""
    return f"{number:.6f}".rstrip("0").rstrip(".")


def _show_rate(rate: Rate) -> str:
    """In the first unit that loses no precision."""
    texts = [
        f"{_plain(rate.per_second * UNITS[unit] / 1_000)}/{unit} burst {_plain(rate.burst)}"
        for unit in ("s", "min", "h")
    ]
    return next((text for text in texts if _parse_rate(text) == rate), texts[0])


def _parse_flag(text: str) -> bool:
    if text.lower() not in _FLAGS:
        raise ValueError
    return _FLAGS[text.lower()]


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in re.split(r"[\s,]+", text) if word)


def _parse_store(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme.partition("+")[0] not in DRIVERS or not parts.path.strip("/"):
        raise ValueError
    if parts.scheme.startswith("sqlite") and parts.netloc:
        raise ValueError
    _ = parts.port  # raises ValueError if it is not a number
    return text


def _parse_bus(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in REDIS or not (parts.hostname or parts.path):
        raise ValueError
    return text


def _parse_public_url(text: str) -> str:
    parts = urlsplit(text)
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError
    return origin_of(text)


def _parse_host(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9.:_-]+", text):
        raise ValueError
    return text


def _show_proxies(proxies: Proxies) -> str:
    return ",".join([*map(str, proxies.networks), *(["unix"] if proxies.socket else [])])


RATE = Kind("a rate", ("10/s burst 40", "6/min"), _parse_rate, _show_rate)
FLAG = Kind("yes or no", ("yes",), _parse_flag, lambda flag: "yes" if flag else "no")
HOST = Kind("a host name or an address of this machine", ("0.0.0.0",), _parse_host)
STORE = Kind(
    "the URL of an SQLite file or of a PostgreSQL database",
    ("sqlite:////var/lib/tilerummy/server.sqlite", "postgresql://user:password@host/database"),
    _parse_store,
    masked,
    secret=True,
)
BUS = Kind(
    "the URL of a Redis server", ("redis://localhost:6379/0",), _parse_bus, masked, secret=True
)
PUBLIC_URL = Kind(
    "the URL that players open, without a path", ("https://game.example",), _parse_public_url
)
ORIGINS = Kind(
    "origins of pages, separated by commas",
    ("https://club.example,https://other.example",),
    lambda text: tuple(origin_of(word) for word in _words(text)),
    ",".join,
)
PROXIES = Kind(
    "addresses or networks of proxies, or the word unix, separated by commas",
    ("127.0.0.1,10.0.0.0/8",),
    lambda text: Proxies.parse(_words(text)),
    _show_proxies,
)
