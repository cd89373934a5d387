"""Records of schema 2: their games were dealt by shuffle version 1, and still hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilerummy.play.deal_report import deal_reports
from tilerummy.play.events import Created
from tilerummy.play.notation import load, to_text
from tilerummy.play.record import Record, to_jsonl
from tilerummy.play.verification import Report, examine
from tilerummy.solver.turns.best_turn import can_play

DATA = Path(__file__).parent.parent / "data" / "schema2"
NAMES = sorted(path.name for path in DATA.iterdir())


def record_of(name: str) -> Record:
    return load((DATA / name).read_bytes().decode())


@pytest.mark.parametrize("name", NAMES)
def test_an_old_record_loads_and_holds(name: str) -> None:
    record = record_of(name)
    assert examine(record, can_play) == Report(())
    assert {deal.shuffle_version for deal in deal_reports(record)} == {1}


@pytest.mark.parametrize("name", NAMES)
def test_an_old_record_is_written_in_the_new_schema_and_stays_the_same(name: str) -> None:
    record = record_of(name)
    assert load(to_text(record)) == load(to_jsonl(record)) == record
    assert "shuffle version 1" in to_text(record)
    assert all(isinstance(game[0], Created) for game in record.games)
