"""Structured logging: one line of JSON per event, or a human-readable line on a terminal.

    log = logs.Log("tilerummy.rooms")
    log.info("room opened", room=room.id, version=1)

Lines of libraries have the same format. No line of any level contains a secret, a tile or the code
of a room: `redaction` removes them, and libraries, which would log every frame, address and SQL
statement at their lower levels, log warnings and errors only.
"""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

import msgspec

from tilerummy.server.telemetry.redaction import clean, scrub

FORMATS = ("auto", "json", "human")
LEVELS = ("debug", "info", "warning", "error")
OURS = "tilerummy"
"""The level of the settings applies to the loggers below this one."""
LIBRARIES = ("uvicorn", "uvicorn.error", "uvicorn.access", "websockets", "sqlalchemy", "alembic")
"""Loggers that libraries or their configuration set up for themselves."""
_FIELDS = "tilerummy_fields"


class Log:
    """A structured logger: each event has named fields."""

    __slots__ = ("_fields", "_logger")

    def __init__(self, name: str, **fields: object) -> None:
        self._logger = logging.getLogger(name)
        self._fields = fields

    def bind(self, **fields: object) -> Log:
        """A logger that adds these fields to every event."""
        return Log(self._logger.name, **{**self._fields, **fields})

    def debug(self, event: str, /, **fields: object) -> None:
        self._write(logging.DEBUG, event, fields)

    def info(self, event: str, /, **fields: object) -> None:
        self._write(logging.INFO, event, fields)

    def warning(self, event: str, /, **fields: object) -> None:
        self._write(logging.WARNING, event, fields)

    def error(self, event: str, /, **fields: object) -> None:
        self._write(logging.ERROR, event, fields)

    def exception(self, event: str, /, **fields: object) -> None:
        """An error with the exception that is being handled."""
        self._write(logging.ERROR, event, fields, trace=True)

    def _write(
        self, level: int, event: str, fields: dict[str, object], *, trace: bool = False
    ) -> None:
        if self._logger.isEnabledFor(level):
            extra = {_FIELDS: {**self._fields, **fields}}
            self._logger.log(level, "%s", event, exc_info=trace, extra=extra)


class JsonLines(logging.Formatter):
    """`{"time": …, "level": …, "event": …, "logger": …, "node": …, …}`"""

    def __init__(self, node: str) -> None:
        super().__init__()
        self._node = node

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": _time(record).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "event": scrub(record.getMessage()),
            "logger": record.name,
            "node": self._node,
        }
        for name, value in _fields(record).items():
            line.setdefault(name, value)
        if trace := _trace(self, record):
            line["trace"] = trace
        return msgspec.json.encode(line).decode()


class HumanLines(logging.Formatter):
    """`12:34:56 warning  the event  room=abc version=3`"""

    def format(self, record: logging.LogRecord) -> str:
        when = _time(record).astimezone().strftime("%H:%M:%S")
        words = [when, f"{record.levelname.lower():<7}", _visible(scrub(record.getMessage()))]
        words += [f"{name}={_visible(_text(value))}" for name, value in _fields(record).items()]
        line = " ".join(words)
        if trace := _trace(self, record):
            line += "\n" + "\n".join(_visible(part) for part in trace.splitlines())
        return line


class Handler(logging.StreamHandler[TextIO]):
    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Report a lost line. The default handler would print its contents."""
        try:
            self.stream.write(f"a line of {record.name} could not be written\n")
        except Exception:
            return


def set_up(
    format: str = "auto", level: str = "info", *, node: str = "", stream: TextIO | None = None
) -> None:
    """Send all logs of this process to `stream`, by default stderr."""
    stream = stream or sys.stderr
    human = format == "human" or (format == "auto" and stream.isatty())
    handler = Handler(stream)
    handler.setFormatter(HumanLines() if human else JsonLines(node))
    ours: int = getattr(logging, level.upper())
    logging.basicConfig(level=max(ours, logging.WARNING), handlers=[handler], force=True)
    logging.getLogger(OURS).setLevel(ours)
    for name in LIBRARIES:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(logging.NOTSET)


def _time(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    fields = clean(getattr(record, _FIELDS, {}))
    return fields if isinstance(fields, dict) else {}


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    parts = []
    if record.exc_info and record.exc_info[0]:
        parts.append(formatter.formatException(record.exc_info))
    if record.stack_info:
        parts.append(formatter.formatStack(record.stack_info))
    return scrub("\n".join(parts))


def _text(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _visible(text: str) -> str:
    """Escape control characters, which could move the cursor or begin a line."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
