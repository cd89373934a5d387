"""The benchmarks run; what they measure is nobody's test."""

from __future__ import annotations

import pytest

from benchmarks import rules
from tilerummy.rules.editions import CLASSIC, TWIST


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "SECONDS", 0.01)


def test_rows_turns_and_streams_print_their_figures(capsys: pytest.CaptureFixture[str]) -> None:
    rules.benchmark_rows(CLASSIC)
    rules.benchmark_turns(TWIST)
    rules.benchmark_stream(200)
    printed = capsys.readouterr().out
    assert "ratio" in printed
    assert "with tile ids" in printed
    assert "long against short" in printed
