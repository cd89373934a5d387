"""Checks that an HTTP answer is one that the table of routes documents."""

from __future__ import annotations

import re
from http import HTTPStatus

import httpx2
import msgspec

from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.openapi import path_of
from tilerummy.server.protocol.routes import (
    FOREIGN_ORIGIN,
    JSON,
    NOT_FOUND,
    OPERATIONS,
    TOO_LARGE,
    Fault,
    Operation,
)

ELSEWHERE = {NOT_FOUND, FOREIGN_ORIGIN, TOO_LARGE, Fault(HTTPStatus(405), "method-not-allowed")}
"""Answers to requests outside the table."""
_PATHS = {
    operation.path: re.compile(re.sub(r"\{\w+\}", "[^/]+", path_of(operation)))
    for operation in OPERATIONS
}


def check_described(answer: httpx2.Response) -> None:
    """An answer as the table documents it."""
    answer.read()
    method, path = answer.request.method, answer.request.url.path
    operation = find_operation("GET" if method == "HEAD" else method, path)
    media = answer.headers.get("content-type", "").partition(";")[0]
    context = f"{method} {path}: {answer.status_code} {media} {answer.text[:200]}"
    if operation is not None and answer.status_code == operation.status:
        assert media in (operation.media if operation.answer is not None else ("",)), context
        if media == JSON and method != "HEAD":
            msgspec.json.decode(answer.content, type=operation.answer)
        return
    assert answer.status_code >= 400, context
    assert media == JSON, context
    if method != "HEAD":
        code = msgspec.json.decode(answer.content, type=out.Error).code
        known = ELSEWHERE if operation is None else {*operation.faults()}
        assert (answer.status_code, code) in known, context


def find_operation(method: str, path: str) -> Operation | None:
    for operation in OPERATIONS:
        if operation.method == method and _PATHS[operation.path].fullmatch(path):
            return operation
    return None
