"""What a client sends over HTTP. As strict as what goes over a socket."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tilerummy.locales.languages import Language
from tilerummy.play.match import LONGEST_NAME
from tilerummy.server.protocol.incoming import BotText
from tilerummy.server.rooms.settings import MOST_SEATS, Options, Settings
from tilerummy.server.rooms.settings import Name as EditionName

Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LONGEST_NAME,
        # `check_names` judges it, with a code of its own.
        extra_json_schema={"pattern": r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"},
    ),
]


class _Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class NewGuest(_Body, frozen=True):
    """Who comes. A program without cookies asks for its token with `bearer`."""

    name: Name
    bearer: bool = False


class NewName(_Body, frozen=True):
    name: Name


class NewRoom(_Body, frozen=True):
    """A room to be opened; whoever opens it sits down first and is its host."""

    settings: Settings = Settings()
    bots: Annotated[list[BotText], Meta(max_length=MOST_SEATS)] = []


class NewSeat(_Body, frozen=True):
    """The seat to take; without one, the first that is free."""

    seat: Annotated[int, Meta(ge=0, lt=MOST_SEATS)] | None = None


class RecordQuery(_Body, frozen=True, forbid_unknown_fields=False):
    """In the address, behind a question mark."""

    format: Literal["jsonl", "text"] = "jsonl"


class RulesQuery(_Body, frozen=True, forbid_unknown_fields=False):
    """Which rules. `options` is JSON, as in the settings of a room."""

    edition: EditionName = "classic"
    options: Options = {}
    language: Language = "en"


def json_fields(query: Any) -> frozenset[str]:
    """What stands in an address as JSON, as it is no text."""
    return _json_fields(query)


@cache
def _json_fields(query: Any) -> frozenset[str]:
    properties = msgspec.json.schema(query)["$defs"][query.__name__]["properties"]
    return frozenset(name for name, found in properties.items() if found.get("type") == "object")
