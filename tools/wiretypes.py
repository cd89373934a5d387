"""Code generation: TypeScript types of the wire protocol, from JSON Schema and OpenAPI.

    text = typescript(schema_of_the_socket, openapi)

Supports the part of JSON Schema that these documents use, and raises SchemaError for the rest.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]

WIDTH = 100
SIDES = {"incoming": "In", "outgoing": "Out"}
"""Suffixes for modules that share names of messages: `incoming.Draft` becomes `DraftIn`."""
RENAMED = {"Error": "ErrorOut", "Phase": "GamePhase"}
"""Names that clash with TypeScript's own or are too vague."""
UNIONS = {"Events.events": "RoomEvent", "RulesSection.blocks": "RulesBlock"}
"""Names of the tagged unions inside messages."""
SIMPLE = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
    "object": "Readonly<Record<string, unknown>>",
}
METHODS = ("get", "post", "patch", "put", "delete")


class SchemaError(Exception):
    """A schema uses an unsupported feature."""


def typescript(protocol: Schema, openapi: Schema) -> str:
    types = _Types()
    for name, schema in {**protocol["$defs"], **openapi["components"]["schemas"]}.items():
        types.declare(name, schema)
    types.union(
        "Incoming", protocol["client"], "Every message that a client sends over the socket."
    )
    types.union(
        "Outgoing", protocol["server"], "Every message that the server sends over the socket."
    )
    return "\n".join([*types.text(), *_requests(types, openapi)])


def query_types(schema: Schema) -> str:
    """The stateless queries with their answers, and a table of them by name."""
    types = _Types()
    for name, part in schema["$defs"].items():
        types.declare(name, part)
    rows = "".join(
        f"  {_key(name)}: {{ request: {types.type(forms['request'], name)}; "
        f"answer: {types.type(forms['answer'], name)} }};\n"
        for name, forms in schema["queries"].items()
    )
    table = f"/** Every query by name. */\nexport interface Queries {{\n{rows}}}\n"
    return "\n".join([*types.text(), table])


class _Types:
    """Declarations by name, in order of declaration."""

    def __init__(self) -> None:
        self._found: dict[str, str] = {}

    def text(self) -> Iterator[str]:
        yield from self._found.values()

    def declare(self, name: str, schema: Schema) -> None:
        name = _name(name)
        if schema.get("type") == "object":
            body = self._object(schema, name)
            self._add(name, f"{_doc(schema)}export interface {name} {body}\n")
        else:
            self._add(name, f"{_doc(schema)}export type {name} = {self.type(schema, name)};\n")

    def union(self, name: str, schema: Schema, about: str) -> str:
        parts = "".join(f"\n  | {self.type(part, name)}" for part in schema["anyOf"])
        self._add(name, f"/** {about} */\nexport type {name} ={parts};\n")
        return name

    def _add(self, name: str, text: str) -> None:
        if self._found.setdefault(name, text) != text:
            raise SchemaError(f"two different types have the name {name}")

    def _object(self, schema: Schema, where: str, indent: str = "") -> str:
        inner = indent + "  "
        required = schema.get("required", ())
        lines = [
            f"{_doc(part, inner)}{inner}readonly {_key(key)}{'' if key in required else '?'}: "
            f"{self.type(part, f'{where}.{key}', inner)};\n"
            for key, part in schema["properties"].items()
        ]
        return "{\n" + "".join(lines) + indent + "}" if lines else "{}"

    def type(self, schema: Schema, where: str, indent: str = "") -> str:
        match schema:
            case {"$ref": ref}:
                return _name(ref.rpartition("/")[2])
            case {"enum": values}:
                return " | ".join(json.dumps(value) for value in values)
            case {"discriminator": _}:
                if where not in UNIONS:
                    raise SchemaError(f"{where}: this union has no name; add one to UNIONS")
                return self.union(UNIONS[where], schema, f"The members of `{where}`.")
            case {"anyOf": parts}:
                return self._either(parts, where, indent)
            case {"type": [*kinds]}:
                return self._either([{"type": kind} for kind in kinds], where, indent)
            case {"type": "array", "prefixItems": parts}:
                return f"readonly [{', '.join(self.type(p, where, indent) for p in parts)}]"
            case {"type": "array", "items": item}:
                found = self.type(item, where, indent)
                return f"readonly {f'({found})' if ' ' in found else found}[]"
            case {"properties": _}:
                return self._object(schema, where, indent)
            case {"type": "object", "additionalProperties": Mapping() as values}:
                return f"Readonly<Record<string, {self.type(values, where, indent)}>>"
            case {"type": str(kind)} if kind in SIMPLE:
                return SIMPLE[kind]
            case _ if not set(schema) - {"default", "description"}:
                return "unknown"
        raise SchemaError(f"{where}: unsupported schema {json.dumps(schema)[:200]}")

    def _either(self, parts: list[Schema], where: str, indent: str) -> str:
        return " | ".join(dict.fromkeys(self.type(part, where, indent) for part in parts))


def _requests(types: _Types, openapi: Schema) -> Iterator[str]:
    """The types of all requests, and their methods and paths."""
    operations = [
        (method, path, found[method])
        for path, found in openapi["paths"].items()
        for method in METHODS
        if method in found
    ]
    yield "/** Every HTTP request by name. */\nexport interface Requests {"
    for _, _, operation in operations:
        yield f"  /** {operation['summary']} */\n  {operation['operationId']}: {{"
        for name, kind in _parts(types, openapi, operation):
            yield f"    {name}: {kind};"
        yield "  };"
    yield "}\n"
    yield "/** The method and path of each request. */\nexport const REQUESTS = {"
    for method, path, operation in operations:
        yield f'  {operation["operationId"]}: {{ method: "{method.upper()}", path: "{path}" }},'
    yield "} as const satisfies Record<keyof Requests, { method: string; path: string }>;\n"


def _parts(types: _Types, openapi: Schema, operation: Schema) -> Iterator[tuple[str, str]]:
    name = operation["operationId"]
    for kind in ("path", "query"):
        found = [each for each in operation.get("parameters", ()) if each["in"] == kind]
        if found:
            fields = (
                f"{_key(each['name'])}{'' if each['required'] else '?'}: "
                f"{types.type(_parameter(each), name, '    ')}"
                for each in found
            )
            yield kind, f"{{ {'; '.join(fields)} }}"
    if body := operation.get("requestBody"):
        yield "body", types.type(_content(body), name)
    success, *failures = operation["responses"].values()
    yield "answer", types.type(_content(success), name) if "content" in success else "undefined"
    codes = [code for failure in failures for code in _codes(_resolved(failure, openapi))]
    yield "error", " | ".join(f'"{code}"' for code in dict.fromkeys(codes)) or "never"


def _parameter(parameter: Schema) -> Schema:
    """The schema of a parameter, or of the JSON that it contains."""
    found: Schema = parameter["schema"] if "schema" in parameter else _content(parameter)
    return found


def _content(holder: Schema) -> Schema:
    """The schema of a body, which is the same for all media types."""
    first, *others = (media["schema"] for media in holder["content"].values())
    if any(other != first for other in others):
        raise SchemaError(f"different schemas for one body: {', '.join(holder['content'])}")
    found: Schema = first
    return found


def _resolved(part: Schema, openapi: Schema) -> Schema:
    if "$ref" not in part:
        return part
    found = openapi
    for step in part["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return found


def _codes(failure: Schema) -> list[str]:
    (_, narrowed) = _content(failure)["allOf"]
    return list(narrowed["properties"]["code"]["enum"])


def _name(name: str) -> str:
    """`tilerummy.server.protocol.incoming.Draft` → `DraftIn`, `RowAnswerJson` → `RowAnswer`."""
    *modules, last = name.removesuffix("Json").split(".")
    return last + SIDES[modules[-1]] if modules else RENAMED.get(last, last)


def _key(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def _doc(schema: Schema, indent: str = "") -> str:
    text = inspect.cleandoc(schema.get("description", ""))
    if not text:
        return ""
    if "\n" not in text and len(indent) + len(text) + 7 <= WIDTH:
        return f"{indent}/** {text} */\n"
    lines = "".join(f"{indent} * {line}".rstrip() + "\n" for line in text.splitlines())
    return f"{indent}/**\n{lines}{indent} */\n"
