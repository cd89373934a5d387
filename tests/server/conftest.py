"""Fixtures of the server tests: deterministic deals, and longer deadlines for records."""

from __future__ import annotations

import secrets

import pytest

from tests.server.seeded import PATIENCE, seeded
from tilerummy.server.jobs import records


@pytest.fixture(autouse=True)
def repeatable_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    name: str = request.node.name
    monkeypatch.setattr(secrets, "token_hex", seeded(lambda: name))
    monkeypatch.setattr(records, "SECONDS", PATIENCE)
