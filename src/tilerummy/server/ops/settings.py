"""Settings of a server, from the command line and from environment variables `TILERUMMY_*`.

The command line takes precedence. An empty variable means the default.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, TypeVar

from tilerummy.folders import data_dir
from tilerummy.rules.errors import TileRummyError
from tilerummy.server.edge.safety import Origins, Proxies
from tilerummy.server.edge.safety.bodies import LARGEST
from tilerummy.server.limits.buckets import Rate
from tilerummy.server.limits.rate_limiter import Limits
from tilerummy.server.ops import setting_types as kinds
from tilerummy.server.ops.setting_types import Kind
from tilerummy.server.rooms.timers import Pace
from tilerummy.server.store.database import parse_url
from tilerummy.server.store.dialects import database_type
from tilerummy.server.telemetry.logs import FORMATS, LEVELS

PREFIX = "TILERUMMY_"
OTHERS = frozenset((f"{PREFIX}KERNEL",))
"""Variables that other parts of the program use."""
DAY = kinds.UNITS["d"]
MOST_WORKERS = 64

Group = TypeVar("Group", Limits, Pace, "Retention")


class SettingError(TileRummyError):
    """An invalid value. The message names a valid one, and shows no password."""

    code = "bad-setting"


class Retention(NamedTuple):
    """Retention periods, in milliseconds."""

    rooms: int = 90 * DAY
    """Rooms are deleted this long after they were closed."""
    guests: int = 365 * DAY
    """Guests are deleted this long after they were last seen."""


def default_store(environ: Mapping[str, str] = os.environ) -> str:
    return f"sqlite:///{(data_dir(environ) / 'server.sqlite').as_posix()}"


def default_workers() -> int:
    """All processors but one, which the server itself uses; at most four."""
    return max(1, min(4, (os.cpu_count() or 1) - 1))


@dataclass(frozen=True, repr=False)
class ServerSettings:
    store: str = field(default_factory=default_store)
    """The database."""
    bus: str | None = None
    """The pub/sub bus between nodes; a single node needs none."""
    host: str = "127.0.0.1"
    """The address to listen on; `0.0.0.0` is every interface."""
    port: int = 8000
    """The port to listen on; 0 chooses a free one."""
    public_url: str | None = None
    """The public address of the server; by default the `Host` header is trusted."""
    origins: tuple[str, ...] = ()
    """Other origins whose pages may use the server."""
    proxies: Proxies = field(default_factory=Proxies)
    """Proxies whose `X-Forwarded-For` is trusted."""
    tls: bool = False
    """Whether players connect over https, through a proxy that terminates TLS."""
    largest_body: int = LARGEST
    """Largest body of a request, in bytes."""
    bot_workers: int = field(default_factory=default_workers)
    """Worker processes for bots. Hints, records and proofs have processes of their own."""
    log_format: str = "auto"
    """`auto` is human-readable on a terminal, and JSON elsewhere."""
    log_level: str = "info"
    """The lowest level that is logged."""
    limits: Limits = field(default_factory=Limits)
    pace: Pace = field(default_factory=Pace)
    retention: Retention = field(default_factory=Retention)

    @property
    def origin_rule(self) -> Origins:
        """The check of the `Origin` header."""
        return Origins(self.public_url, frozenset(self.origins), self.tls)

    def shown(self) -> dict[str, str]:
        """All settings as an operator writes them, with passwords masked."""
        flat: dict[str, Any] = {
            each.name: getattr(self, each.name) for each in fields(self) if each.name in KINDS
        }
        for prefix, group in GROUPS.items():
            values = getattr(self, group)._asdict()
            flat |= {f"{prefix}_{name}": value for name, value in values.items()}
        return {
            name: "" if value is None else KINDS[name].show(value) for name, value in flat.items()
        }

    def __repr__(self) -> str:
        return f"ServerSettings({self.shown()})"

    def warnings(self) -> list[str]:
        """Valid settings that are probably a mistake."""
        found = []
        if self.tls and self.proxies == Proxies():
            found.append(
                "the TLS proxy is not trusted, so all players appear to have its address and share "
                f"its limits: set {variable('proxies')}"
            )
        if self.bus is None and database_type(parse_url(self.store)).shared:
            found.append(
                "without a bus, nodes that share this store see each other's changes late: "
                f"set {variable('bus')} unless there is only one node"
            )
        return found


GROUPS = {"limit": "limits", "pace": "pace", "keep": "retention"}
"""Settings of a group begin with its prefix: `limit_messages`."""


def _kind_of_limit(default: object) -> Kind:
    if isinstance(default, Rate):
        return kinds.RATE
    return kinds.whole(1, 10_000_000, 100)


KINDS: dict[str, Kind] = {
    "store": kinds.STORE,
    "bus": kinds.BUS,
    "host": kinds.HOST,
    "port": kinds.whole(0, 65_535, 8000),
    "public_url": kinds.PUBLIC_URL,
    "origins": kinds.ORIGINS,
    "proxies": kinds.PROXIES,
    "tls": kinds.FLAG,
    "largest_body": kinds.whole(1_024, 16_777_216, LARGEST),
    "bot_workers": kinds.whole(1, MOST_WORKERS, 2),
    "log_format": kinds.choice(*FORMATS),
    "log_level": kinds.choice(*LEVELS),
    **{f"limit_{name}": _kind_of_limit(value) for name, value in Limits()._asdict().items()},
    **{f"pace_{name}": kinds.time(0, "20s") for name in Pace._fields},
    **{f"keep_{name}": kinds.time(3_600_000, "90d") for name in Retention._fields},
}
"""Every setting by its name."""


def variable(name: str) -> str:
    """The variable of a setting: `log_format` → `TILERUMMY_LOG_FORMAT`."""
    return f"{PREFIX}{name.upper()}"


def option(name: str) -> str:
    """The option of a setting: `log_format` → `--log-format`."""
    return f"--{name.replace('_', '-')}"


def read_settings(
    values: Mapping[str, object] | None = None, environ: Mapping[str, str] = os.environ
) -> ServerSettings:
    """Read the settings of a server. `values` are the options of the command line by setting name;
    None means not given. Raises SettingError."""
    values = values or {}
    if unknown := values.keys() - KINDS.keys():
        raise SettingError(f"no such setting: {', '.join(sorted(unknown))}")
    found: dict[str, Any] = {}
    for name in KINDS:
        given = values.get(name)
        source = variable(name) if given is None else option(name)
        text = _text(environ.get(source, "") if given is None else given)
        if text:
            found[name] = _parsed(name, source, text)
    groups = {
        "limits": _group(Limits(), "limit", found),
        "pace": _group(Pace(), "pace", found),
        "retention": _group(Retention(), "keep", found),
    }
    single = {name: value for name, value in found.items() if name.partition("_")[0] not in GROUPS}
    single.setdefault("store", default_store(environ))
    return ServerSettings(**{**single, **groups, "tls": _tls(found)})


def unknown_variables(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Unknown variables with our prefix, each with a suggestion if one is close."""
    found = []
    for name in sorted(environ):
        word = name.removeprefix(PREFIX).lower()
        if name.startswith(PREFIX) and word not in KINDS and name not in OTHERS:
            near = difflib.get_close_matches(word, KINDS, 1)
            found.append(
                f"{name} is not a setting"
                + (f"; did you mean {variable(near[0])}?" if near else "")
            )
    return found


def _parsed(name: str, source: str, text: str) -> Any:
    kind = KINDS[name]
    try:
        return kind.parse(text)
    except ValueError:
        pass  # it may quote the value, which may contain a password
    examples = ", or ".join(kind.examples)
    given = "invalid" if kind.secret else repr(text[:80])
    message = f"{source} is {given}; it must be {kind.expected}, for example {examples}"
    if name == "port" and text.startswith("tcp://"):
        message += " (set by Kubernetes; do not name the service tilerummy)"
    raise SettingError(message)


def _text(value: object) -> str:
    """The value as an operator types it."""
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value).strip()


def _group(default: Group, prefix: str, found: Mapping[str, Any]) -> Group:
    names = {name: f"{prefix}_{name}" for name in default._fields}
    return default._replace(**{name: found[long] for name, long in names.items() if long in found})


def _tls(found: Mapping[str, Any]) -> bool:
    """The setting if given, otherwise derived from the public URL."""
    url = found.get("public_url")
    secure = url is not None and url.startswith("https:")
    tls: bool = found.get("tls", secure)
    if url is not None and tls != secure:
        raise SettingError(
            f"the public URL of the server is {url}, but {variable('tls')} is "
            f"{'yes' if tls else 'no'}; remove one of them, or correct the URL"
        )
    return tls
