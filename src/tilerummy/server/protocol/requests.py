"""Bodies and queries of HTTP requests. Decoded as strictly as socket messages."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tilerummy.locales.languages import Language
from tilerummy.play.match import LONGEST_STORED_NAME
from tilerummy.server.protocol.incoming import BotText
from tilerummy.server.rooms.settings import MOST_SEATS, Options, Settings
from tilerummy.server.rooms.settings import Name as EditionName

Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LONGEST_STORED_NAME,
        # `names.chosen` validates it, with an error code of its own.
        extra_json_schema={"pattern": r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"},
    ),
]


class _Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class NewGuest(_Body, frozen=True):
    """A new guest. A program without cookies requests its token with `bearer`."""

    name: Name
    bearer: bool = False


class NewName(_Body, frozen=True):
    name: Name


class NewRoom(_Body, frozen=True):
    """A new room; the guest who opens it takes the first seat and is its host."""

    settings: Settings = Settings()
    bots: Annotated[list[BotText], Meta(max_length=MOST_SEATS)] = []


class NewSeat(_Body, frozen=True):
    """The seat to take; without one, the first free seat."""

    seat: Annotated[int, Meta(ge=0, lt=MOST_SEATS)] | None = None


class RecordQuery(_Body, frozen=True, forbid_unknown_fields=False):
    """The query of a record."""

    format: Literal["jsonl", "text"] = "jsonl"


class RulesQuery(_Body, frozen=True, forbid_unknown_fields=False):
    """The query of a rule book. `options` is JSON, as in the settings of a room."""

    edition: EditionName = "classic"
    options: Options = {}
    language: Language = "en"


def json_fields(query: Any) -> frozenset[str]:
    """The query parameters that are written as JSON, as they are not plain text."""
    return _json_fields(query)


@cache
def _json_fields(query: Any) -> frozenset[str]:
    properties = msgspec.json.schema(query)["$defs"][query.__name__]["properties"]
    return frozenset(name for name, found in properties.items() if found.get("type") == "object")
