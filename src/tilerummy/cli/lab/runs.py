"""A long run of the lab on the terminal: progress with the time left, and how it is stopped."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from tilerummy.cli.bars import bar
from tilerummy.cli.signals import Stopped, stoppable
from tilerummy.locales import Catalogue


class Progress:
    """The bar of a run. The time left follows the pace of this run, not of earlier ones."""

    def __init__(self, words: Catalogue, total: int, done: int) -> None:
        self._words = words
        self._total = total
        self._before = done
        self._done = done
        self._began = time.monotonic()
        self._bar = bar(words.text("lab.playing"))

    def __enter__(self) -> Progress:
        self._advance = self._bar.__enter__()
        self._show()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.__exit__(None, None, None)

    def add(self, games: int) -> None:
        """So many more games are played."""
        self._done += games
        self._show()

    def _show(self) -> None:
        beside = self._words.text("lab.progress", done=self._done, total=self._total)
        new = self._done - self._before
        if new:
            pace = (time.monotonic() - self._began) / new
            left = clock_text(pace * (self._total - self._done))
            beside = self._words.text("lab.progress-left", progress=beside, left=left)
        self._advance(self._done / self._total, beside)


def clock_text(seconds: float) -> str:
    """A duration as on a clock: 4:07, or 1:02:03."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


@contextmanager
def stops_with(message: str) -> Iterator[None]:
    """Inside, Ctrl-C or a signal to stop prints the message and ends the program."""
    try:
        with stoppable():
            yield
    except (KeyboardInterrupt, Stopped) as stopped:
        typer.echo(f"tilerummy: {message}", err=True)
        code = stopped.exit_code if isinstance(stopped, Stopped) else 130
        raise typer.Exit(code) from None
