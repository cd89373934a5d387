"""The tests' own servers deal the same tiles for the same seed."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from tests.server.live_server import Line, LiveServer, live_server
from tests.server.seeded import seeded


def dealt(server: LiveServer, token: str) -> list[int]:
    """The rack of a person in the first game of a new room."""
    code = server.open(token, bots=("simple",), seats=2)
    with Line(server, code, token, hello={}) as line:
        line.ask("begin")
        line.event("dealt")
        return list(line.known.rack)


def test_a_seed_decides_the_deal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with live_server(tmp_path) as server:
        ann = server.guest("Ann")
        deals = []
        for seed in ("one", "one", "two"):
            monkeypatch.setattr(secrets, "token_hex", seeded(lambda seed=seed: seed))  # type: ignore[misc]
            deals.append(dealt(server, ann))
    assert deals[0] == deals[1] != deals[2]


def test_the_secrets_of_a_seed_differ() -> None:
    token_hex = seeded(lambda: "seed")
    assert len({token_hex(32) for _ in range(10)}) == 10
    assert token_hex(8) != seeded(lambda: "seed")(8), "only secrets of games are seeded"
