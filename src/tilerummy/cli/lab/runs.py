"""A long run of the lab on the terminal: progress with the time left, and how it is stopped."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer

from tilerummy.cli.bars import bar
from tilerummy.cli.signals import Stopped, stoppable
from tilerummy.lab.line_ups import seatings
from tilerummy.lab.run_file import RunFile
from tilerummy.lab.tournament import DealResult, Task, Tournament
from tilerummy.lab.workers import on_processes, on_ray
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


def play_tournament(
    plan: Tournament,
    deals: int,
    path: Path | None,
    workers: int,
    ray: str | None,
    words: Catalogue,
) -> list[DealResult]:
    """All results, those that the file already has included."""
    tasks = [*plan.tasks(deals)]
    if path is None:
        with stops_with(words.text("lab.stopped", flag="--file")):
            return _rest(plan, tasks, [], None, workers, ray, words)
    with RunFile(path, plan) as file, stops_with(words.text("lab.stopped-kept", path=path)):
        return _rest(plan, tasks, file.known, file, workers, ray, words)


def _rest(
    plan: Tournament,
    tasks: Sequence[Task],
    known: list[DealResult],
    file: RunFile | None,
    workers: int,
    ray: str | None,
    words: Catalogue,
) -> list[DealResult]:
    results = known[: len(tasks)]
    rest = tasks[len(results) :]
    if not rest:
        return results
    done = sum(len(result.games) for result in results)
    left = sum(len(seatings(plan.line_ups[task.table])) for task in rest)
    workers = min(workers, len(rest))
    if ray is None:
        played = on_processes(Tournament.play, plan, rest, workers)
    else:
        played = on_ray(Tournament.play, plan, rest, ray)
    with Progress(words, done + left, done) as progress:
        for result in played:
            if file is not None:
                file.append(result)
            results.append(result)
            progress.add(len(result.games))
    return results
