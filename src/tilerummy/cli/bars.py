"""A transient progress bar on standard error; nothing where that is not a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[float, str], None]
"""Called with the share that is done, from 0 to 1, and the text beside the bar."""


@contextmanager
def bar(what: str) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    with Progress(
        TextColumn(what),
        BarColumn(),
        TextColumn("{task.fields[beside]}"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as shown:
        task = shown.add_task(what, total=1.0, beside="")
        yield lambda part, beside: shown.update(task, completed=part, beside=beside)
