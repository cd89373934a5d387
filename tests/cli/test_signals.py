"""Signals: the record is saved and the terminal restored."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tilerummy.cli.signals import Stopped, stoppable
from tilerummy.play.notation import load
from tilerummy.play.verification import verify

if sys.platform == "win32":
    pytest.skip("there are no signals of this kind", allow_module_level=True)

import pty

START = """
import signal
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it would be ignored
from tilerummy.cli.main import run
run()
"""
PATIENCE = 60.0
LEAVES_SCREEN = b"\x1b[?1049l"
HIDES_CURSOR, SHOWS_CURSOR = b"\x1b[?25l", b"\x1b[?25h"


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, *args: str) -> None:
        self.ours, theirs = pty.openpty()
        environ = {**os.environ, "LANG": "C", "LC_ALL": "", "TERM": "xterm", "COLUMNS": "80"}
        program = [sys.executable, "-c", START, *args]
        self.process = subprocess.Popen(
            program, stdin=theirs, stdout=theirs, stderr=theirs, env={**environ, "LINES": "24"}
        )
        os.close(theirs)
        self.output = b""

    def read(self, seconds: float) -> bool:
        """Take in what it writes; False when it has closed the terminal."""
        if select.select([self.ours], [], [], seconds)[0]:
            try:
                more = os.read(self.ours, 65536)
            except OSError:
                return False
            self.output += more
            return bool(more)
        return True

    def wait_for(self, text: bytes) -> None:
        last = time.monotonic() + PATIENCE
        while text not in self.output and time.monotonic() < last and self.read(0.1):
            pass
        assert text in self.output, self.output[-2000:]

    def press(self, keys: bytes) -> None:
        os.write(self.ours, keys)

    def end(self) -> int:
        last = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < last:
            self.read(0.05)
        while select.select([self.ours], [], [], 0)[0] and self.read(0):
            pass
        return self.process.wait(timeout=1)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        with contextlib.suppress(OSError):
            os.close(self.ours)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_game_that_is_stopped_is_saved_and_leaves_the_screen_clean(
    number: signal.Signals, tmp_path: Path
) -> None:
    path = tmp_path / "match.txt"
    with Terminal("play", "--players", "Ann,Ben", "--record", str(path)) as terminal:
        terminal.wait_for(b"Pass the keyboard")
        terminal.press(b"\r")
        terminal.wait_for(b"new set")
        terminal.press(b"d")
        terminal.wait_for(b"You drew")
        os.kill(terminal.process.pid, number)
        assert terminal.end() == 128 + number
    assert LEAVES_SCREEN in terminal.output
    assert SHOWS_CURSOR in terminal.output[terminal.output.rfind(HIDES_CURSOR) :]
    assert b"Traceback" not in terminal.output
    record = load(path.read_text("utf-8"))
    assert len(record.games) == 1
    assert not verify(record)
    assert os.listdir(tmp_path) == ["match.txt"]


def test_a_match_of_bots_that_is_stopped_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    args = ("play", "--auto", "--rounds", "20", "--record", str(path))
    with Terminal(*args) as terminal:
        last = time.monotonic() + PATIENCE
        while not path.exists() and time.monotonic() < last:
            terminal.read(0.05)
        os.kill(terminal.process.pid, signal.SIGTERM)
        assert terminal.end() == 128 + signal.SIGTERM
    assert b"Traceback" not in terminal.output
    assert SHOWS_CURSOR in terminal.output[terminal.output.rfind(HIDES_CURSOR) :]
    assert not verify(load(path.read_text("utf-8")))


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stoppable():
            os.kill(os.getpid(), signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def stopped_inside() -> None:
    with stoppable():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(PATIENCE)


def test_afterwards_signals_mean_what_they_meant() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(Stopped) as stopped:
        stopped_inside()
    assert stopped.value.exit_code == 143
    assert signal.getsignal(signal.SIGTERM) is before
