"""`tilerummy score`, as people type it: screens, errors, and a file that never gets lost."""

from __future__ import annotations

import ast
import builtins
import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tilerummy.cli.main import app
from tilerummy.cli.pad import files as padfile
from tilerummy.locales import LANGUAGES, catalogue
from tilerummy.play.scorepad import PadError, Written, new_pad
from tilerummy.rules.editions import EDITIONS

SOURCE = Path(padfile.__file__).parents[2]
NOBODY = 65534
BOOK = ["24 -5 -16 -3", "-6 -11 22 -5", "-32 -13 -2 47", "-10 -25 41 -6"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user of their own for every test, reading English on a plain terminal."""
    for name in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def run(*words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, ["score", *words], input=typed)


def done(*words: str, typed: str | None = None) -> str:
    result = run(*words, typed=typed)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*words: str) -> str:
    """The message of a command that must fail and leave every file as it was."""
    before = files()
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert files() == before
    return result.stderr


def files() -> dict[str, bytes]:
    root = Path(os.environ["HOME"])
    return {str(path): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def the_pad() -> Path:
    path = padfile.current_pad(padfile.pads_dir())
    assert path is not None
    return path


def exported() -> dict[str, list[str]]:
    """The lines of the CSV by their first cell."""
    lines = [line.split(",") for line in done("export", "--csv").splitlines()]
    return {line[0]: line[1:] for line in lines}


class TestBooks:
    def test_four_games_as_finished_scores(self) -> None:
        done("new", "A", "B", "C", "D")
        for game in BOOK:
            shown = done("add", "--scores", *game.split())
        assert exported()["total"] == ["-24", "-54", "45", "33"]
        assert "★ C" in shown
        assert "C wins the match: 2 games won, +45 points." in shown

    def test_three_games_are_decided_on_points(self) -> None:
        done("new", "A", "B", "C", "D", "-o", "match.games_per_round=3")
        for game in BOOK[:3]:
            shown = done("add", "--scores", *game.split())
        assert exported()["total"] == ["-14", "-29", "4", "39"]
        assert "D wins the match on points with +39; A and C won as many games." in shown

    def test_racks_with_jokers(self) -> None:
        done("new", "A", "B", "C", "D")
        done("add", "--out", "D", "A=J r2", "B=b13", "C=k2")
        assert exported()["1"] == ["-32", "-13", "-2", "47"]

    def test_jokers_for_25(self) -> None:
        done("new", "A", "B", "--edition", "sabra", "--option", "joker.rack_penalty=25")
        done("add", "--out", "B", "A=J")
        assert exported()["1"] == ["-25", "25"]

    def test_mirror_joker(self) -> None:
        done("new", "A", "B", "C", "--edition", "twist")
        done("add", "--out", "C", "A=M", "B=r1")
        assert exported()["1"] == ["-30", "-1", "31"]

    def test_blocked_game(self) -> None:
        done("new", "A", "B", "C", "D")
        done("add", "--blocked", "A=10", "B=4", "C=25", "D=7")
        assert exported()["1"] == ["-6", "30", "-21", "-3"]

    def test_blocked_tie(self) -> None:
        done("new", "A", "B", "C")
        shown = done("add", "--blocked", "4", "4", "10")
        assert exported()["1"] == ["3", "3", "-6"]
        assert "A and B win it together." in shown


class TestAdd:
    @pytest.fixture(autouse=True)
    def pad(self) -> None:
        done("new", "Ann", "Ben", "Cleo")

    @pytest.mark.parametrize(
        "words",
        [
            ("--out", "Ann", "Ben=17", "Cleo=r7 J"),
            ("--out", "Ann", "Cleo=r7 J", "Ben=17", "Ann=0"),
            ("--out", "a", "b=17/2", "c=R7,j"),
            ("--out", "Ann", "17", "r7 J"),
            ("17", "r7 J", "--out", "Ann"),
            ("--out", "Ann", "0", "17", "r7 J"),
            ("--scores", "54", "-17", "-37"),
            ("--scores", "+54", "−17", "-37"),
            ("--scores", "Cleo=-37", "Ann=54", "Ben=-17"),
        ],
    )
    def test_ways_to_write_the_same_game(self, words: tuple[str, ...]) -> None:
        shown = done("add", *words)
        assert exported()["1"] == ["54", "-17", "-37"]
        assert "Game 1: Ann +54, Ben -17, Cleo -37." in shown

    @pytest.mark.parametrize(
        ("words", "says"),
        [
            (("--out", "Zoe", "Ben=17", "Cleo=3"), "Nobody here is called 'Zoe'"),
            (("--out", "Ann", "Zoe=17", "Cleo=3"), "the players are Ann, Ben and Cleo"),
            (("--out", "Ann", "Ben=17"), "Still missing: Cleo"),
            (("--out", "Ann", "Ben=17", "Cleo="), "Still missing: Cleo"),
            (("--out", "Ann"), "Still missing: Ben and Cleo"),
            (("--out", "Ann", "Ben=17", "Ben=17", "Cleo=3"), "Ben is given twice"),
            (("--out", "Ann", "Ben=17", "3"), "'3' has no name"),
            (("--out", "Ann", "1", "2", "3", "4"), "4 values"),
            (("--out", "Ann", "Ben=r14", "Cleo=3"), "'r14' is not a tile"),
            (("--out", "Ann", "Ben=NaN", "Cleo=3"), "'NaN' is not a tile"),
            (("--out", "Ann", "Ben=r7 r7", "Cleo=r7"), "r7 is given 3 times"),
            (("--out", "Ann", "Ben=D", "Cleo=3"), "this box has no D"),
            (("--out", "Ann", "Ben=-17", "Cleo=3"), "-17 points cannot be left"),
            (("--out", "Ann", "Ben=1" + "0" * 400, "Cleo=3"), "the whole box is worth 788"),
            (("--out", "Ann", "Ann=3", "Ben=17", "Cleo=3"), "Ann went out and so has nothing left"),
            (("--out", "Ann", "Ben=0", "Cleo=3"), "only Ann went out"),
            (("--blocked", "0", "1", "2"), "--out Ann instead of --blocked"),
            (("--blocked", "4", "4", "11"), "Add --first NAME"),
            (("--scores", "24", "-5", "-18"), "sum to +1"),
            (("--scores", "nan", "-5", "5"), "'nan' is not a score"),
            (("--scores", "9" * 400, "-5", "5"), "at most 9999"),
            (("Ben=17", "Cleo=3"), "--out NAME, --blocked, or --scores"),
            (("--out", "Ann", "--blocked", "1", "2"), "--out NAME, --blocked, or --scores"),
            (("--out", "Ann", "--loud", "1", "2"), "no option '--loud'"),
            (("--out", "Ann", "1", "2", "--winner", "Ann"), "--winner needs --scores"),
            (("--out", "Ann", "1", "2", "--unopened", "Ben"), "costs nothing"),
            (("--scores", "1", "2", "-3", "--unopened", "Ben"), "--unopened"),
            (("--scores", "3", "-3", "0", "--winner", "Ben"), "a winner never loses"),
            (("--out", "Ann", "\ud800", "2"), "is not a tile"),
        ],
    )
    def test_mistakes_are_reported_and_change_nothing(
        self, words: tuple[str, ...], says: str
    ) -> None:
        assert says in refused("add", *words)

    def test_after_the_last_game(self) -> None:
        for _ in range(3):
            done("add", "--scores", "5", "-5", "0")
        assert "tilerummy score rounds 2" in refused("add", "--scores", "5", "-5", "0")
        done("rounds", "2")
        done("add", "--scores", "5", "-5", "0")

    def test_fewest_tiles_asks_for_them(self) -> None:
        done("new", "Ann", "Ben", "-o", "blocked_tie=fewest_tiles")
        assert "Ann=4/2" in refused("add", "--blocked", "4", "r4")
        done("add", "--blocked", "4/2", "r4")
        assert exported()["wins"] == ["0", "1"]

    def test_unopened_players_pay(self) -> None:
        done("new", "Ann", "Ben", "-o", "tournament.unopened_penalty=100")
        done("add", "--out", "Ann", "7", "--unopened", "ben")
        assert exported()["1"] == ["107", "-107"]

    def test_next_starter_is_named(self) -> None:
        done("new", "Ann", "Ben", "-o", "match.next_starter=winner")
        assert "Ben starts the next game." in done("add", "--out", "Ben", "7")


class TestNew:
    @pytest.mark.parametrize(
        ("words", "says"),
        [
            (("Ann",), "Classic is for 2 to 4 players, not "),
            (("A", "B", "C", "D", "E"), "Classic is for 2 to 4 players, not "),
            (("Ann", "ann"), "Two players are called ann"),
            (("Ann", "B=n"), "cannot be a name"),
            (("Ann", "Ben", "--edition", "chess"), "unknown edition"),
            (("Ann", "Ben", "--option", "joker=1"), "unknown option"),
            (("Ann", "Ben", "--rounds", "0"), "1 to 1000 rounds, not 0"),
            (("Ann", "Ben", "--pad", "../x"), "cannot name a pad"),
            (("Ann", "Ben", "--pad", ".x"), "cannot name a pad"),
            (("Ann", "Ben", "--pad", "x", "--file", "y"), "only one of them"),
            (("Ann", "Ben", "--lang", "tlh"), "unknown language"),
        ],
    )
    def test_mistakes(self, words: tuple[str, ...], says: str) -> None:
        assert says in refused("new", *words)

    def test_every_pad_gets_a_name_of_its_own(self) -> None:
        for _ in range(3):
            done("new", "Ann", "Ben")
        names = sorted(path.name for path in padfile.pads_dir().iterdir())
        assert names == ["ann-ben-2.json", "ann-ben-3.json", "ann-ben.json"]

    def test_teaches_the_next_step(self, tmp_path: Path) -> None:
        assert "tilerummy score add --out Ann Ben=17\n" in done("new", "Ann", "Ben")
        words = done("new", "Ann", "Ben", "Cleo", "--file", str(tmp_path / "x.json")).split("\n")
        assert f"score add --out Ann Ben=17 'Cleo=r7 J' --file {tmp_path}" in words[-3]

    def test_pads_are_chosen_by_name_and_the_last_changed_is_the_default(self) -> None:
        done("new", "Ann", "Ben", "--pad", "friday")
        done("new", "Cleo", "Dan")
        done("--pad", "friday", "add", "--out", "Ann", "7")
        assert exported()["1"] == ["7", "-7"]
        assert "cleo-dan" in done("show", "--pad", "cleo-dan")

    def test_names_that_are_not_file_names(self) -> None:
        done("new", "小明", "Zoë/..", "😀")
        assert the_pad().parent == padfile.pads_dir()
        done("add", "--out", "小明", "Zoë/..=3", "😀=4")


class TestChanges:
    @pytest.fixture(autouse=True)
    def pad(self) -> None:
        done("new", "Ann", "Ben", "Cleo")
        done("add", "--out", "Ann", "Ben=17", "Cleo=r7 J")

    def test_undo_says_how_to_enter_the_game_again(self) -> None:
        shown = done("undo")
        assert "tilerummy score add --out Ann Ben=17 'Cleo=r7 J'" in shown
        assert "1" not in exported()
        assert "No game has been entered yet" in refused("undo")

    def test_correct(self) -> None:
        done("correct", "1", "--blocked", "Ann=3", "Ben=4", "Cleo=5")
        assert exported()["1"] == ["3", "-1", "-2"]

    def test_correct_a_game_that_is_not_there(self) -> None:
        assert "only game 1 has been entered" in refused("correct", "2", "--out", "Ann", "1", "2")

    def test_rename(self) -> None:
        done("rename", "ben", "Benny Lee")
        assert exported()["game"] == ["Ann", "Benny Lee", "Cleo"]
        assert "Two players" in refused("rename", "Ann", "cleo")

    def test_rounds(self) -> None:
        assert "1 of 6 games" in done("rounds", "2")

    def test_export_json(self) -> None:
        document = json.loads(done("export", "--json"))
        assert document["standing"]["totals"] == [54, -17, -37]

    def test_export_to_a_file(self, tmp_path: Path) -> None:
        target = tmp_path / "scores.csv"
        done("export", "--csv", "--output", str(target))
        assert target.read_text("utf-8").startswith("game,Ann,Ben,Cleo\n")
        target.write_text("mine")
        assert "--force" in refused("export", "--csv", "--output", str(target))
        done("export", "--csv", "--output", str(target), "--force")
        assert "total" in target.read_text("utf-8")

    def test_export_never_replaces_the_pad(self) -> None:
        words = ("export", "--csv", "--force", "--output", str(the_pad()))
        assert "is the score pad itself" in refused(*words)

    @pytest.mark.parametrize("flags", [(), ("--csv", "--json")])
    def test_export_needs_one_format(self, flags: tuple[str, ...]) -> None:
        assert "--csv" in refused("export", *flags)

    def test_list(self) -> None:
        done("new", "Dan", "Eve")
        lines = done("list").splitlines()
        assert any("> " in line and "dan-eve" in line and "0/2" in line for line in lines)
        assert any("ann-ben-cleo" in line and "1/3" in line for line in lines)

    def test_list_shows_damaged_pads_too(self) -> None:
        (padfile.pads_dir() / "odd.json").write_text("{")
        assert "cannot be read" in done("list")


class TestEmpty:
    def test_list_invites(self) -> None:
        assert "tilerummy score new Ann Ben Cleo" in done("list")

    @pytest.mark.parametrize("command", ["show", "undo", "export"])
    def test_other_commands_say_how_to_start(self, command: str) -> None:
        flags = ["--csv"] if command == "export" else []
        assert "tilerummy score new Ann Ben Cleo" in refused(command, *flags)

    def test_plain_score_invites_and_leaves_nothing_behind(self) -> None:
        shown = done(typed="")
        assert "A new score pad." in shown
        assert "No pad was started." in shown
        assert files() == {}


class TestFiles:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        path = tmp_path / "pad.json"
        done("new", "Ann", "Ben", "--file", str(path))
        return path

    @pytest.mark.parametrize(
        "content",
        [b"", b"garbage", b"\xff\xfe\x00", b"[1, 2]", b"{}", b'{"tilerummy": "score pad"}'],
    )
    @pytest.mark.parametrize(
        "command", [("add", "--out", "Ann", "7"), ("show",), ("new", "A", "B")]
    )
    def test_that_are_not_a_pad_are_left_alone(
        self, tmp_path: Path, content: bytes, command: tuple[str, ...]
    ) -> None:
        path = tmp_path / "thesis.json"
        path.write_bytes(content)
        assert str(path) in refused(*command, "--file", str(path))

    def test_truncated_pad(self, path: Path) -> None:
        path.write_bytes(path.read_bytes()[:-20])
        assert "is not a score pad" in refused("show", "--file", str(path))

    def test_damaged_pad(self, path: Path) -> None:
        path.write_text(path.read_text("utf-8").replace('"Ben"', '"Ann"'), "utf-8")
        assert "damaged (players, rounds)" in refused("add", "--out", "A", "7", "--file", str(path))

    def test_pad_of_a_newer_version(self, path: Path) -> None:
        path.write_text(path.read_text("utf-8").replace('"schema": 1', '"schema": 2'), "utf-8")
        assert "update tilerummy" in refused("add", "--out", "A", "7", "--file", str(path))

    def test_folder_instead_of_a_file(self, tmp_path: Path) -> None:
        assert "is a folder" in refused("show", "--file", str(tmp_path))
        assert "already exists" in refused("new", "A", "B", "--file", str(tmp_path))

    def test_missing_file_and_missing_folder(self, tmp_path: Path) -> None:
        assert "There is no pad" in refused("show", "--file", str(tmp_path / "no.json"))
        words = ("new", "A", "B", "--file", str(tmp_path / "no" / "no.json"))
        assert "Cannot write" in refused(*words)

    def test_named_pipe_does_not_hang(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        result = run("show", "--file", str(tmp_path / "pipe"))
        assert result.exit_code == 2
        assert "is not a score pad" in result.stderr

    @pytest.fixture
    def bound(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
        """A pad of a user who is bound by permissions, also when the tests run as root."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            monkeypatch.setenv("HOME", name)
            monkeypatch.setenv("XDG_DATA_HOME", name)
            path = folder / "pad.json"
            done("new", "Ann", "Ben", "--file", str(path))
            is_root = os.geteuid() == 0
            if is_root:
                for item in (folder, *folder.iterdir()):
                    os.chown(item, NOBODY, NOBODY)
                os.setresuid(NOBODY, NOBODY, 0)
            try:
                yield path
            finally:
                if is_root:
                    os.setresuid(0, 0, 0)
                folder.chmod(0o755)

    def test_read_only_folder(self, bound: Path) -> None:
        bound.parent.chmod(0o555)
        assert "Cannot write" in refused("add", "--out", "Ann", "7", "--file", str(bound))
        assert "Ann" in done("show", "--file", str(bound))

    def test_read_only_pad(self, bound: Path) -> None:
        bound.chmod(0o444)
        assert "Cannot write" in refused("add", "--out", "Ann", "7", "--file", str(bound))

    def test_unreadable_pad(self, bound: Path) -> None:
        bound.chmod(0)
        result = run("show", "--file", str(bound))
        assert result.exit_code == 2
        assert "Cannot read" in result.stderr

    def test_folder_that_takes_no_new_file(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> int:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "open", refuse)
        assert "Permission denied" in refused("add", "--out", "Ann", "7", "--file", str(path))

    def test_full_disk_leaves_the_old_pad(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(_: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", refuse)
        assert "No space left" in refused("add", "--out", "Ann", "7", "--file", str(path))

    def test_link_stays_a_link(self, path: Path, tmp_path: Path) -> None:
        link = tmp_path / "link.json"
        link.symlink_to(path)
        done("add", "--out", "Ann", "7", "--file", str(link))
        assert link.is_symlink()
        assert '"7"' in path.read_text("utf-8")

    def test_mode_is_kept(self, path: Path) -> None:
        path.chmod(0o640)
        done("add", "--out", "Ann", "7", "--file", str(path))
        assert stat.S_IMODE(path.stat().st_mode) == 0o640

    def test_nothing_else_is_left_in_the_folder(self, path: Path) -> None:
        done("add", "--out", "Ann", "7", "--file", str(path))
        assert [file.name for file in path.parent.iterdir()] == ["pad.json"]


# What must hold when several write, or one is killed

WRITER = """
import sys
from pathlib import Path
from tilerummy.cli.pad import files as padfile
from tilerummy.play.scorepad import Written

for number in range(int(sys.argv[2])):
    entry = Written((number + 1, -number - 1))
    padfile.change_pad(Path(sys.argv[1]), lambda pad: pad.with_game(entry))
"""
KILLED_WRITER = """
import os, signal, sys
from pathlib import Path
from tilerummy.cli.pad import files as padfile
from tilerummy.play.scorepad import Written

setattr(os, sys.argv[2], lambda *_: os.kill(os.getpid(), signal.SIGKILL))
padfile.change_pad(Path(sys.argv[1]), lambda pad: pad.with_game(Written((99, -99))))
"""


@pytest.fixture
def long_pad(tmp_path: Path) -> Path:
    path = tmp_path / "long.json"
    padfile.create_pad(path, new_pad(("Ann", "Ben"), EDITIONS["classic"], 1000))
    return path


def test_concurrent_writers_all_get_their_games_in(long_pad: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(long_pad), "25"]
    writers = [subprocess.Popen(command) for _ in range(6)]
    while any(writer.poll() is None for writer in writers):
        padfile.read_pad(long_pad)  # a reader never sees half a pad
    assert [writer.returncode for writer in writers] == [0] * 6
    pad = padfile.read_pad(long_pad)
    assert len(pad.entries) == 150
    assert pad.match.standing.totals == (6 * 325, -6 * 325)
    assert [file.name for file in long_pad.parent.iterdir()] == [long_pad.name]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize("moment", ["fsync", "replace"])
def test_kill_during_a_write_keeps_the_last_saved_state(long_pad: Path, moment: str) -> None:
    padfile.change_pad(long_pad, lambda pad: pad.with_game(Written((5, -5))))
    before = long_pad.read_bytes()
    killed = subprocess.run([sys.executable, "-c", KILLED_WRITER, str(long_pad), moment])
    assert killed.returncode == -signal.SIGKILL
    assert long_pad.read_bytes() == before
    padfile.change_pad(long_pad, lambda pad: pad.with_game(Written((7, -7))))
    assert padfile.read_pad(long_pad).match.standing.totals == (12, -12)
    assert [file.name for file in long_pad.parent.iterdir()] == [long_pad.name]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_kill_at_any_time_leaves_a_whole_pad(long_pad: Path) -> None:
    games = 0
    for _ in range(3):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(long_pad), "100000"])
        deadline = time.monotonic() + 30
        while len(padfile.read_pad(long_pad).entries) < games + 5:
            assert time.monotonic() < deadline
        writer.kill()
        writer.wait()
        pad = padfile.read_pad(long_pad)
        assert len(pad.entries) >= games + 5
        games = len(pad.entries)


# The pad in the terminal


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


class TestSession:
    def test_from_nothing_to_the_end_of_a_match(self) -> None:
        shown = done(typed=typed("Ann Ben", "", "", "1", "r7 J", "ben", "12", "quit"))
        assert exported()["total"] == ["25", "-25"]
        assert "Ann wins the match on points with +25; Ben won as many games." in shown
        assert "Everything is saved" in shown

    def test_resumes_where_it_was_left(self) -> None:
        done(typed=typed("Ann Ben", "", "2", "1", "7"))
        shown = done(typed=typed("2", "9"))
        assert "Game 2: who went out?" in shown
        assert exported()["total"] == ["-2", "2"]

    def test_end_of_input_in_the_middle_of_a_game_keeps_the_games_before(self) -> None:
        done(typed=typed("Ann Ben Cleo", "", "", "1", "7", "8", "2", "7"))
        assert exported()["total"] == ["15", "-7", "-8"]

    def test_interrupt_gives_up_the_game_and_then_leaves(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        done("new", "Ann", "Ben", "Cleo")
        interrupt = "\x03"
        answers = iter(["1", "7", interrupt, "1", "7", "8", interrupt])

        def answer(prompt: str = "") -> str:
            given = next(answers)
            if given == interrupt:
                raise KeyboardInterrupt
            return given

        monkeypatch.setattr(builtins, "input", answer)
        shown = done()
        assert "Nothing was entered" in shown
        assert "Everything is saved" in shown
        assert exported()["total"] == ["15", "-7", "-8"]

    def test_mistakes_are_asked_again(self) -> None:
        done("new", "Ann", "Ben", "Cleo")
        shown = done(typed=typed("Zoe", "1", "", "r99", "r5 r5", "r5", "r6", "q"))
        assert "neither a player" in shown
        assert "only Ann went out" in shown
        assert "'r99' is not a tile" in shown
        assert "r5 is given 3 times" in shown
        assert exported()["1"] == ["16", "-10", "-6"]

    def test_blocked_tie_asks_who_began(self) -> None:
        done("new", "Ann", "Ben", "Cleo")
        done(typed=typed("blocked", "4", "4", "11", "2"))
        assert exported()["1"] == ["3", "4", "-7"]

    def test_blocked_tie_asks_for_tiles(self) -> None:
        done("new", "Ann", "Ben", "Cleo", "-o", "blocked_tie=fewest_tiles")
        shown = done(typed=typed("blocked", "4", "4", "11", "9", "2", "1"))
        assert "Ann cannot have 4 points on that many tiles (9)" in shown
        assert exported()["1"] == ["0", "7", "-7"]

    def test_unopened_players_are_asked_for(self) -> None:
        done("new", "Ann", "Ben", "-o", "tournament.unopened_penalty=100")
        done(typed=typed("1", "7", "ann", "ben", "1", "7", ""))
        assert exported()["total"] == ["114", "-114"]

    def test_commands(self) -> None:
        done("new", "Ann", "Ben", "Cleo")
        games = ("scores 3 -1 -2", "scores", "5", "-5", "0", "undo", "correct 1", "2", "1", "3")
        shown = done(typed=typed(*games, "rename Ann, Annie Lee", "rounds 2", "show", "help", "?"))
        assert exported()["game"] == ["Annie Lee", "Ben", "Cleo"]
        assert exported()["total"] == ["-1", "4", "-3"]
        assert "Game 2 is removed." in shown
        assert "1 of 6 games" in shown
        assert shown.count("Instead of a name:") == 2

    @pytest.mark.parametrize(
        "line",
        ["undo", "correct 7", "correct x", "rounds 0", "rounds x", "rename Ann", "scores 1 2"],
    )
    def test_impossible_commands_are_reported(self, line: str) -> None:
        done("new", "Ann", "Ben", "Cleo")
        before = files()
        done(typed=typed(line))
        assert files() == before

    def test_back_gives_up_a_game(self) -> None:
        done("new", "Ann", "Ben", "Cleo")
        assert "Nothing was entered" in done(typed=typed("1", "7", "back", "2", "1", "1"))
        assert exported()["wins"] == ["0", "1", "0"]

    def test_player_called_like_a_command(self) -> None:
        done("new", "Undo", "Quit")
        done(typed=typed("undo", "7", "/undo", "quit", "8", "/quit", "quit", "9"))
        assert exported()["total"] == ["-8", "8"]

    def test_help_anywhere(self) -> None:
        done("new", "Ann", "Ben")
        assert "Instead of a name:" in done(typed=typed("1", "help", "8"))
        assert exported()["total"] == ["8", "-8"]

    def test_help_fits_the_question(self) -> None:
        shown = done(typed=typed("?", "Ann Ben", "?", "sab", "help", "", "1", "8"))
        assert "in the order they sit" in shown
        assert "one of the names on the left" in shown.replace("\n", " ")
        assert "how many rounds make the match" in shown.replace("\n", " ")
        assert "Instead of a name:" not in shown
        assert exported()["total"] == ["8", "-8"]

    def test_finished_match_offers_another(self) -> None:
        done("new", "Ann", "Ben", "-o", "match.games_per_round=1")
        shown = done(typed=typed("1", "7", "1", "new", "2", "8"))
        assert "The match is over." in shown
        assert exported()["total"] == ["-8", "8"]
        assert the_pad().name == "ann-ben-2.json"

    def test_file_that_is_not_there_yet(self, tmp_path: Path) -> None:
        path = tmp_path / "table.json"
        shown = done("--file", str(path), typed=typed("Ann Ben", "twist", "1", "1", "M"))
        assert f"--file {path}" in shown.replace("\n", "")
        assert '"twist"' in path.read_text("utf-8")

    def test_five_players_are_offered_the_one_edition_that_takes_them(self) -> None:
        shown = done(typed=typed("A B C D E", ""))
        assert "Six players · 1 round" in shown

    def test_change_in_another_window_is_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        done("new", "Ann", "Ben")
        answers = iter(["1", "7", "quit"])

        def answer(prompt: str = "") -> str:
            given = next(answers)
            if given == "7":
                elsewhere = Written((5, -5))
                padfile.change_pad(the_pad(), lambda pad: pad.with_game(elsewhere))
            return given

        monkeypatch.setattr(builtins, "input", answer)
        assert "in another window" in done()
        assert exported()["total"] == ["5", "-5"]

    def test_pad_removed_meanwhile_is_written_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        done("new", "Ann", "Ben")
        done("add", "--out", "Ann", "7")
        path = the_pad()
        answers = iter(["2", "9", "quit"])

        def answer(prompt: str = "") -> str:
            given = next(answers)
            if given == "9":
                path.unlink()
            return given

        monkeypatch.setattr(builtins, "input", answer)
        done()
        assert exported()["total"] == ["-2", "2"]

    def test_commands_in_the_language_of_the_player(self) -> None:
        done("new", "小明", "小红", "--lang", "zh-Hans")
        shown = done(
            "--lang", "zh-Hans", typed=typed("无人出完", "4", "9", "撤销", "2", "7", "退出")
        )
        assert "第 1 局：谁出完了？" in shown
        assert exported()["total"] == ["-7", "7"]


def test_long_match_keeps_the_names_on_the_screen() -> None:
    from rich.console import Console

    from tilerummy.cli.pad.words import Words, score_table

    pad = new_pad(("Ann", "Ben"), EDITIONS["classic"], 30)
    for _ in range(50):
        pad = pad.with_game(Written((5, -5)))
    for height in (24, 40):
        console = Console(width=80, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
        console.print(score_table(Words("en"), pad, height, width=80))
        lines = console.export_text().splitlines()
        assert len(lines) <= height - 8
        assert any("…" in line for line in lines)
        console.file.close()


# Every error has words


def raised_codes() -> Iterator[tuple[str, set[str]]]:
    """The codes of PadError in the source, each with the parameters it is raised with."""
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "PadError"
                and node.args
                and isinstance(node.args[0], ast.Constant)
            ):
                yield str(node.args[0].value), {word.arg for word in node.keywords if word.arg}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_has_words_and_what_they_need(language: str) -> None:
    messages = catalogue(language).messages
    added_by_the_file = {"path"}
    for code, params in raised_codes():
        assert f"score.error.{code}" in messages, code
        needed = messages[f"score.error.{code}"].placeholders()
        if code != "damaged":
            assert needed <= params | added_by_the_file, code


def test_error_is_a_value_error_with_a_code_for_programs() -> None:
    error = PadError("unknown-player", name="Zoe")
    assert isinstance(error, ValueError)
    assert (error.code, str(error)) == ("unknown-player", "unknown-player: name='Zoe'")


@pytest.mark.parametrize("left", ["紅7百搭", "红7、百搭牌", "Ｒ７ j"])
def test_tiles_that_are_left_may_be_written_in_chinese(left: str) -> None:
    done("new", "Ann", "Ben")
    assert "Ann +37, Ben -37" in done("add", "--out", "Ann", f"Ben={left}")
    assert "'Ben=r7 J'" in done("undo")


def test_tiles_may_be_typed_in_chinese() -> None:
    done("new", "Ann", "Ben")
    assert "Ann +37, Ben -37" in done(typed="Ann\n紅7百搭\n")
