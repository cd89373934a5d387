"""Golden games: whole matches as text, compared byte for byte."""

from __future__ import annotations

from functools import cache

import pytest

from tests.golden.make import HERE, TABLES, content
from tilerummy.play.events import Drew, Passed, Played
from tilerummy.play.game import Phase
from tilerummy.play.notation import load, to_text
from tilerummy.play.record import Record, to_jsonl
from tilerummy.play.verification import verify
from tilerummy.rules.tiles import FACE_OF, JOKER, faces_of
from tilerummy.solver.turns.best_turn import can_play

# Games won and points, for each seat.
STANDINGS: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "classic.txt": ((1, 1), (13, -13)),
    "taiwan.txt": ((0, 2, 1), (-25, 92, -67)),
    "sixplayer.txt": ((1, 0, 0, 0, 0), (80, -7, -14, -29, -30)),
    "twist.txt": ((1, 1), (24, -24)),
    "sabra.txt": ((0, 0, 1), (-2, -33, 35)),
    "house.jsonl": ((0, 1, 1), (-68, -44, 112)),
}


def text_of(name: str) -> str:
    return (HERE / name).read_bytes().decode()


@cache
def record_of(name: str) -> Record:
    return load(text_of(name))


@pytest.mark.parametrize("name", TABLES)
def test_a_golden_match_is_played_again_the_same(name: str) -> None:
    assert content(name) == text_of(name)


@pytest.mark.parametrize("name", TABLES)
def test_a_golden_match_loads_and_holds(name: str) -> None:
    record = record_of(name)
    write = to_jsonl if name.endswith(".jsonl") else to_text
    assert write(record) == text_of(name)
    assert verify(record, can_play) == []


@pytest.mark.parametrize("name", TABLES)
def test_a_golden_match_ends_as_recorded(name: str) -> None:
    match = record_of(name).match()
    assert match.is_over
    assert (match.standing.wins, match.standing.totals) == STANDINGS[name]
    for number in range(len(record_of(name).games)):
        assert record_of(name).game(number).phase is Phase.OVER


@pytest.mark.parametrize("name", TABLES)
def test_a_golden_file_is_of_modest_size(name: str) -> None:
    assert len(text_of(name).encode()) < 150_000


def test_there_is_no_golden_file_without_a_table() -> None:
    found = {path.name for path in HERE.iterdir() if path.suffix in (".txt", ".jsonl")}
    assert found == set(TABLES)


def test_everything_that_matters_happens_in_the_golden_games() -> None:
    seen = set()
    for name in TABLES:
        for game in record_of(name).games:
            before: tuple[tuple[int, ...], ...] = ()
            for event in game:
                if isinstance(event, Drew | Passed):
                    seen.add(f"{event.type} {event.why}")
                if isinstance(event, Played):
                    seen.add("by clock" if event.by_clock else "played")
                    rows = [set(row) for row in event.table]
                    if any(not any(set(row) <= new for new in rows) for row in before):
                        seen.add("rearranged")
                        homes = {tile: row for row in before for tile in row}
                        moved = [
                            tile
                            for row in event.table
                            for tile in row
                            if tile in homes
                            and FACE_OF[tile] >= JOKER
                            and not set(homes[tile]) <= set(row)
                        ]
                        seen.update(f"moved {face}" for face in faces_of(moved))
                    before = event.table
    wanted = {"played", "by clock", "rearranged", "drew choice", "drew clock"}
    wanted |= {"drew penalty", "drew illegal", "passed choice", f"moved {JOKER}"}
    assert wanted <= seen
