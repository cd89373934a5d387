"""The page computes the same deals as `play`, in `web/tests/game/fairness.test.ts`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.page import deals
from tools.page import prepare


def test_the_page_computes_the_same_deals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "deals.jsonl"
    assert deals.write(path, 4) > 5
    monkeypatch.setenv("TILERUMMY_DEALS", str(path))
    prepare().run("vitest", "run", "tests/game/fairness.test.ts")
