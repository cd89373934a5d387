"""Documentation generator: writes the protocol page, its JSON Schemas and the OpenAPI document.

The source is the messages and the table of routes.

python -m tilerummy.server.protocol.docs DIRECTORY
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import msgspec

from tilerummy.bots.roster import BOTS
from tilerummy.queries import QUERIES
from tilerummy.server.protocol import incoming, infos, openapi, outgoing, replies, requests
from tilerummy.server.protocol.closing import Closing
from tilerummy.server.protocol.routes import OPERATIONS, Operation, Who
from tilerummy.server.protocol.tiles import Declaration
from tilerummy.server.rooms.chat import EMOTES
from tilerummy.server.rooms.settings import Settings

PAGE = "protocol.md"
SCHEMA = "protocol.schema.json"
OPENAPI = "openapi.json"
QUERIES_SCHEMA = "queries.schema.json"

BEGINNING = f"""\
# The protocol

This page is generated from the code (`server/protocol/`). [{SCHEMA}]({SCHEMA}) describes the
messages of the WebSocket as JSON Schema, and [{OPENAPI}]({OPENAPI}) the HTTP requests as OpenAPI 3.1. A server
serves the latter at `/api/openapi.json`.

## A seat in five requests

1. `POST /api/guests` with `{{"name": "Ann", "bearer": true}}` returns `{{"name", "token"}}`. A browser omits
   `bearer` and gets a cookie instead. Send the token with every request and when you open the socket:
   `Authorization: Bearer …`.
2. `POST /api/rooms` with `{{"settings": {{"edition": "taiwan", "seats": 4}}, "bots": ["owl"]}}` opens a room,
   gives you its first seat and returns its `code`. To join an existing room, send
   `POST /api/rooms/CODE/seats` with `{{}}` instead.
3. Open the socket `/api/rooms/CODE/socket` and send `{{"type": "hello", "whole": true}}`. You get a
   `snapshot`, and another one after every change.
4. If you are the host, start the match when all players are present: `{{"type": "begin", "id": "1"}}`. When a game is
   created, take part in the shuffle: `commit` to a seed, and `reveal` it once the commitments are fixed
   ([fairness.md](fairness.md)). You may also leave it out: then your seat plays with the public default seed.
5. When `room.game.current` is `you`: `{{"type": "play", "id": "3", "turn": 7, "table": […]}}` with the whole
   table as it is after your turn, or `draw`, or `pass`.

Without `whole` you get `events` instead; each event increments the version. After a lost connection, send the
version you know in `hello`: you get the events you missed, or a snapshot.

## Rules of the wire

- Messages are JSON texts of at most {incoming.LARGEST:,} bytes. The answer to an invalid message is `error`, to a
  command that is not allowed `refused`; the connection stays open. Unknown fields are errors.
- Integers are written without a decimal point: `5`, not `5.0`.
- Tiles are `r7.1`: colour `r b k o`, number, and which of the equal tiles it is; jokers are `J.1 D.1 C.1 M.1`.
- Commands are idempotent. Each has an `id` of your choice (letters, digits and `_ . : -`), and an id that is sent
  twice is applied once. Repeat a command with its id whenever you do not know whether it arrived.
- Seats are numbered from 0. When a match begins, free seats are removed and yours may get another number.
- Bots: {", ".join(f"`{bot}`" for bot in BOTS)}. Emotes: {", ".join(f"`{emote}`" for emote in EMOTES)}.
- Fields with their default value are omitted.

## When a socket is closed

A refused client learns the reason: the socket opens, the server sends an `error` and closes it. Pages of foreign
origins, and addresses far above their rate limit, are refused with status 403 before the socket opens.

| code | why |
|---|---|
"""


HTTP = """\
## HTTP

Requests marked * need a guest: a bearer token, or a cookie. A request with a cookie that changes something also needs
an `Origin` of this server. An error is `{"type": "error", "code", "message"}` with a matching status. Every request may
fail with `bad-request` (an invalid body or query), `no-guest`, `no-room`, `foreign-origin`, `too-large`, `too-fast` (with
`Retry-After`), `unavailable` (during an outage of the store), `not-found` or `method-not-allowed`. The table lists the
other errors of each request.

| request | what it does | you send | you get | other errors |
|---|---|---|---|---|
"""


def page() -> str:
    parts = [
        BEGINNING + "\n".join(f"| {closing:d} | {closing.about} |" for closing in Closing) + "\n",
        HTTP + "\n".join(map(_row, OPERATIONS)) + "\n",
        *_described(_structs(requests, requests._Body)),
        *_described(_structs(replies, replies._Reply)),
        "## What you send\n",
        *_described(get_args(incoming.Incoming)),
        "## What you get\n",
        *_described(get_args(outgoing.Outgoing)),
        "## Events\n",
        *_described(get_args(outgoing.OutEvent)),
        "## Parts\n",
        *_described([Settings, Declaration, *_structs(infos, infos.Info)]),
    ]
    return "\n".join(parts).rstrip() + "\n"


def schema() -> str:
    """The messages of both directions as JSON Schema."""
    (sent, got), parts = msgspec.json.schema_components(
        [incoming.Incoming, outgoing.Outgoing], ref_template="#/$defs/{name}"
    )
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The protocol of tilerummy",
        "client": sent,
        "server": got,
        "$defs": parts,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=1).decode() + "\n"


def queries_schema() -> str:
    """The requests and answers of all stateless queries (`tilerummy.queries`) as JSON Schema."""
    types = [form for query in QUERIES.values() for form in (query.request, query.answer)]
    found, parts = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    forms = iter(found)
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The questions and answers of tilerummy",
        "queries": {name: {"request": next(forms), "answer": next(forms)} for name in QUERIES},
        "$defs": parts,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=1).decode() + "\n"


def api() -> str:
    """All HTTP requests as OpenAPI."""
    return msgspec.json.format(openapi.encoded(), indent=1).decode() + "\n"


def _row(operation: Operation) -> str:
    """A row of the table of requests."""
    request = f"`{operation.method} {openapi.path_of(operation)}`"
    if operation.who is Who.GUEST:
        request += " *"
    sent = [kind.__name__ for kind in (operation.body, operation.query) if kind is not None]
    errors = [f"`{code}`" for code in dict.fromkeys(fault.code for fault in operation.own)]
    cells = (request, operation.summary, *sent, _answer(operation), ", ".join(errors))
    return f"| {' | '.join(cells if sent else (*cells[:2], '', *cells[2:]))} |"


def _answer(operation: Operation) -> str:
    if operation.answer is None:
        return f"{operation.status.value}"
    kind = operation.answer
    named = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    return f"{operation.status.value} {kind.__name__ if named else ', '.join(operation.media)}"


def _structs(module: ModuleType, base: type) -> list[Any]:
    """The public subclasses of `base` in a module."""
    return [
        kind
        for name, kind in inspect.getmembers(module, inspect.isclass)
        if issubclass(kind, base) and kind is not base and not name.startswith("_")
    ]


def _described(kinds: Iterable[Any]) -> list[str]:
    return [_described_one(kind) for kind in kinds]


def _described_one(kind: Any) -> str:
    info: Any = msgspec.inspect.type_info(kind)
    name = f"`{info.tag}`" if info.tag else kind.__name__
    lines = [f"### {name}\n"]
    if kind.__doc__:
        lines.append(inspect.cleandoc(kind.__doc__) + "\n")
    fields = [field for field in info.fields if field.encode_name != "type"]
    if fields:
        lines += ["| field | type | |", "|---|---|---|"]
        lines += [
            f"| `{field.encode_name}` | {_type(field.type)} | {_default(field)} |"
            for field in fields
        ]
        lines.append("")
    return "\n".join(lines)


def _default(field: Any) -> str:
    if field.required:
        return "required"
    if field.default_factory is not msgspec.NODEFAULT:
        default: Any = field.default_factory()
    else:
        default = field.default
    shown = msgspec.json.encode(default).decode()
    return "" if shown in ("null", "[]", "{}", '""') else f"`{shown}`"


def _type(info: Any) -> str:
    match info:
        case msgspec.inspect.Metadata():
            return _type(info.type)
        case msgspec.inspect.LiteralType():
            return " or ".join(f"`{value}`" for value in info.values)
        case msgspec.inspect.EnumType():
            return " or ".join(f"`{member.value}`" for member in info.cls)
        case msgspec.inspect.UnionType():
            return " or ".join(_type(part) for part in info.types)
        case msgspec.inspect.ListType() | msgspec.inspect.VarTupleType():
            return f"list of {_type(info.item_type)}"
        case msgspec.inspect.TupleType():
            return "[" + ", ".join(_type(part) for part in info.item_types) + "]"
        case msgspec.inspect.StructType():
            return f"`{info.tag}`" if info.tag else info.cls.__name__
        case msgspec.inspect.DictType():
            return "object"
        case msgspec.inspect.NoneType():
            return "null"
        case msgspec.inspect.BoolType():
            return "true or false"
        case msgspec.inspect.IntType():
            return "number"
        case msgspec.inspect.StrType():
            return "text"
        case _:
            return "anything"


def main(directory: Path) -> None:
    (directory / PAGE).write_text(page(), encoding="utf-8")
    (directory / SCHEMA).write_text(schema(), encoding="utf-8")
    (directory / OPENAPI).write_text(api(), encoding="utf-8")
    (directory / QUERIES_SCHEMA).write_text(queries_schema(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
