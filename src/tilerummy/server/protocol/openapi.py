"""OpenAPI 3.1: the description of all HTTP requests, generated from the table of routes."""

from __future__ import annotations

import re
from functools import cache
from http import HTTPStatus
from typing import Any

import msgspec

from tilerummy import __version__
from tilerummy.server.protocol import outgoing
from tilerummy.server.protocol.requests import json_fields
from tilerummy.server.protocol.routes import (
    JSON,
    NO_GUEST,
    OPERATIONS,
    TOO_FAST,
    Number,
    Operation,
    Who,
)

Schema = dict[str, Any]
BEARER, COOKIE = "bearer", "cookie"
PARAMETERS: dict[str, Schema] = {
    "code": {
        "description": "The code of a room; case does not matter.",
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9]{1,20}$"},
    },
    "match": {
        "description": "The number of a match in the room, from 1.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 10**Number.digits - 1},
    },
}
SECURITY: dict[str, Schema] = {
    BEARER: {
        "type": "http",
        "scheme": "bearer",
        "description": "The token that `POST /api/guests` returns to programs.",
    },
    COOKIE: {
        "type": "apiKey",
        "in": "cookie",
        "name": "tilerummy",
        "description": (
            "The cookie that `POST /api/guests` sets for browsers; over TLS its name is "
            "`__Host-tilerummy`. With a cookie, a request that changes something needs the "
            "`Origin` of this server."
        ),
    },
}
HEADERS: dict[int, Schema] = {
    NO_GUEST.status: {"WWW-Authenticate": {"required": True, "schema": {"const": "Bearer"}}},
    TOO_FAST.status: {
        "Retry-After": {
            "description": "Seconds to wait.",
            "required": True,
            "schema": {"type": "integer", "minimum": 1},
        }
    },
}
"""Response headers of an error, by status."""


def path_of(operation: Operation) -> str:
    """`/matches/{match:number}` → `/matches/{match}`."""
    return re.sub(r":\w+\}", "}", operation.path)


@cache
def encoded() -> bytes:
    """The document as bytes, encoded once."""
    return msgspec.json.encode(description())


def description() -> Schema:
    """The whole document."""
    document = _Document()
    paths: dict[str, Schema] = {}
    for operation in OPERATIONS:
        path = paths.setdefault(path_of(operation), {})
        path[operation.method.lower()] = document.operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "tilerummy",
            "version": __version__,
            "description": (
                "Guests, rooms and records. Games are played over the WebSocket "
                "`/api/rooms/CODE/socket`; protocol.md and protocol.schema.json describe its "
                "messages. Integers are written without a decimal point: `5`, not `5.0`."
            ),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": document.schemas,
            "responses": dict(sorted(document.failures.items())),
            "securitySchemes": SECURITY,
        },
    }


class _Document:
    """Builds the document; shared schemas and errors become components."""

    def __init__(self) -> None:
        kinds: list[Any] = [outgoing.Error]
        for operation in OPERATIONS:
            kinds += [kind for kind in (operation.answer, operation.body) if kind is not None]
        found, self.schemas = msgspec.json.schema_components(
            kinds, ref_template="#/components/schemas/{name}"
        )
        self._schema_of = dict(zip(kinds, found, strict=True))
        self.failures: dict[str, Schema] = {}

    def operation(self, operation: Operation) -> Schema:
        found: Schema = {"operationId": operation.name, "summary": operation.summary}
        if operation.who is not Who.ANYBODY:
            anonymous: list[Schema] = [{}] if operation.who is Who.KNOWN else []
            found["security"] = [*anonymous, {BEARER: []}, {COOKIE: []}]
        if parameters := [*_path_parameters(operation), *_query_parameters(operation)]:
            found["parameters"] = parameters
        if operation.body is not None:
            found["requestBody"] = {
                "required": any(field.required for field in msgspec.structs.fields(operation.body)),
                "content": {JSON: {"schema": self._schema_of[operation.body]}},
            }
        found["responses"] = {
            str(operation.status.value): self._success(operation),
            **self._failures(operation),
        }
        return found

    def _success(self, operation: Operation) -> Schema:
        found: Schema = {"description": operation.summary}
        if operation.answer is not None:
            schema = self._schema_of[operation.answer]
            found["content"] = {media: {"schema": schema} for media in operation.media}
        if links := _links(operation):
            found["links"] = links
        return found

    def _failures(self, operation: Operation) -> dict[str, Schema]:
        codes: dict[int, list[str]] = {}
        for fault in sorted(set(operation.faults())):
            codes.setdefault(fault.status.value, []).append(fault.code)
        return {str(status): self._failure(status, codes[status]) for status in codes}

    def _failure(self, status: int, codes: list[str]) -> Schema:
        schema = [self._schema_of[outgoing.Error], {"properties": {"code": {"enum": codes}}}]
        found: Schema = {
            "description": ", ".join(codes),
            "content": {JSON: {"schema": {"allOf": schema}}},
        }
        if status in HEADERS:
            found["headers"] = HEADERS[status]
        if len(codes) > 1:
            return found
        (name,) = codes
        self.failures[name] = found
        return {"$ref": f"#/components/responses/{name}"}


def _path_parameters(operation: Operation) -> list[Schema]:
    return [
        {"name": name, "in": "path", "required": True, **PARAMETERS[name]}
        for name in re.findall(r"\{(\w+)\}", path_of(operation))
    ]


def _query_parameters(operation: Operation) -> list[Schema]:
    if operation.query is None:
        return []
    schema = msgspec.json.schema(operation.query)["$defs"][operation.query.__name__]
    needed = schema.get("required", ())
    written = json_fields(operation.query)
    return [
        {
            "name": name,
            "in": "query",
            "required": name in needed,
            **({"content": {JSON: {"schema": found}}} if name in written else {"schema": found}),
        }
        for name, found in schema["properties"].items()
    ]


def _links(operation: Operation) -> dict[str, Schema]:
    """Links from a new room to the requests that take its code."""
    if operation.status is not HTTPStatus.CREATED:
        return {}
    if "code" not in [field.name for field in msgspec.structs.fields(operation.answer)]:
        return {}
    return {
        other.name: {"operationId": other.name, "parameters": {"code": "$response.body#/code"}}
        for other in OPERATIONS
        if re.findall(r"\{(\w+)\}", path_of(other)) == ["code"]
    }
