"""The file of a tournament: a run that was stopped goes on, and ends with the same bytes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.lab.results import game
from tilerummy.lab.errors import LabError
from tilerummy.lab.run_file import RunFile, is_run_file, read_results
from tilerummy.lab.tournament import DealResult, Tournament
from tilerummy.rules.editions import edition

PLAN = Tournament(edition("taiwan"), (("solver", "simple"),), seed=3)
RESULTS = [DealResult(deal, 0, (game("ab", (deal, -deal)),)) for deal in range(4)]


def written(path: Path, results: list[DealResult] = RESULTS, plan: Tournament = PLAN) -> bytes:
    with RunFile(path, plan) as file:
        for result in results[len(file.known) :]:
            file.append(result)
    return path.read_bytes()


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    written(path)
    with RunFile(path, PLAN) as file:
        assert file.known == RESULTS
    assert read_results(path) == RESULTS
    assert is_run_file(path)


def test_a_file_cut_anywhere_is_completed_to_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    whole = written(path)
    head = whole.index(b"\n") + 1
    for end in range(head, len(whole)):
        path.write_bytes(whole[:end])
        assert written(path) == whole


def test_an_empty_file_is_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.touch()
    written(path)
    assert read_results(path) == RESULTS


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (Tournament(PLAN.edition, PLAN.line_ups, seed=4), "seed"),
        (Tournament(PLAN.edition, PLAN.line_ups, seed=3, nodes=9), "nodes"),
        (Tournament(PLAN.edition, PLAN.line_ups, seed=3, samples=9), "samples"),
        (Tournament(edition("classic"), PLAN.line_ups, seed=3), "edition"),
        (Tournament(edition("taiwan", {"hand_size": 12}), PLAN.line_ups, seed=3), "options"),
        (Tournament(PLAN.edition, (("solver", "solver"),), seed=3), "line_ups"),
        (Tournament(PLAN.edition, PLAN.line_ups, True, 3), "pairs"),
    ],
)
def test_a_run_with_other_arguments_is_refused_and_the_file_kept(
    tmp_path: Path, other: Tournament, named: str
) -> None:
    path = tmp_path / "run.jsonl"
    before = written(path)
    with pytest.raises(LabError, match=f"another tournament .different: .*{named}"):
        RunFile(path, other)
    assert path.read_bytes() == before


def test_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("buy milk\n")
    assert not is_run_file(path)
    for use in (lambda: RunFile(path, PLAN), lambda: read_results(path)):
        with pytest.raises(LabError, match="not the file of a tournament"):
            use()
    assert path.read_text() == "buy milk\n"


@pytest.mark.parametrize("line", [b"nonsense\n", b"[1]\n", b'{"deal":0}\n'])
def test_a_damaged_line_is_refused(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(written(path) + line)
    with pytest.raises(LabError, match="damaged"):
        RunFile(path, PLAN)


def test_results_out_of_order_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    written(path, [RESULTS[1]])
    with pytest.raises(LabError, match="damaged"):
        RunFile(path, PLAN)


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="cannot use"):
        RunFile(tmp_path / "no" / "run.jsonl", PLAN)


ARGUMENTS = ("lab", "tournament", "-b", "solver,simple", "-e", "taiwan", "-g", "24", "--seed", "5")
PROGRAM = "from tilerummy.cli.main import run; run()"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_run_goes_on_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    def command(path: Path, workers: int) -> list[str]:
        files = ("--file", str(path), "--workers", str(workers), "--json")
        return [sys.executable, "-c", PROGRAM, *ARGUMENTS, *files]

    whole, killed = tmp_path / "whole.jsonl", tmp_path / "killed.jsonl"
    expected = subprocess.run(command(whole, 1), capture_output=True, check=True).stdout
    run = subprocess.Popen(command(killed, 2), stdout=subprocess.DEVNULL)
    while run.poll() is None and not (killed.exists() and killed.read_bytes().count(b"\n") > 2):
        time.sleep(0.01)
    os.kill(run.pid, signal.SIGKILL)
    run.wait()
    kept = killed.read_bytes()
    assert whole.read_bytes().startswith(kept[: kept.rindex(b"\n") + 1])
    again = subprocess.run(command(killed, 2), capture_output=True, check=True).stdout
    assert again == expected
    assert killed.read_bytes() == whole.read_bytes()
