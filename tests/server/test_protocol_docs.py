"""The documents of the protocol say what the code does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilerummy.server.protocol import docs

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("name", "made"),
    [
        (docs.PAGE, docs.page),
        (docs.SCHEMA, docs.schema),
        (docs.OPENAPI, docs.api),
        (docs.QUERIES_SCHEMA, docs.queries_schema),
    ],
)
def test_the_documents_are_as_the_messages_are(name: str, made: object) -> None:
    assert callable(made)
    assert (DOCS / name).read_text(encoding="utf-8") == made(), (
        "stale: run `python -m tilerummy.server.protocol.docs docs`"
    )
