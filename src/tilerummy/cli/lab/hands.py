"""`tilerummy lab hands`: how many hands go out in one turn."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from tilerummy.cli.options import Language, bad_input_exits, chosen_language
from tilerummy.lab.hands import HandCount, Progress, count_hands
from tilerummy.locales import Catalogue, catalogue

DIGITS = 4


def hands(
    size: Annotated[
        int,
        typer.Option("--size", "-n", metavar="N", help="The number of tiles in a hand, 1 to 104."),
    ] = 14,
    lang: Language = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Count the hands that go out in one turn: exact, not sampled.

    A hand goes out in one turn if all its tiles form groups (three or four
    colours of one number) and runs (three or more consecutive numbers of one
    colour). The box is the usual one without jokers: 13 numbers in four
    colours, two copies of each, 104 tiles.

    Distinct hands differ in the faces of their tiles; physical hands also
    distinguish the two copies of a tile. The probability is that of the deal:
    the share of all physical hands that go out.

    14 tiles take a second or two, 20 tiles ten seconds, 30 tiles a minute, and
    the slowest, 40 to 85 tiles, several minutes. A terminal shows the progress.

    Examples:

        tilerummy lab hands

        tilerummy lab hands --size 20 --json
    """
    with bad_input_exits(lang):
        words = catalogue(chosen_language(lang))
        with _progress_bar(words) as progress:
            count = count_hands(size, progress=progress)
    if as_json:
        typer.echo(json.dumps(_data(count), indent=2))
    else:
        typer.echo(text_of(count, words))


@contextmanager
def _progress_bar(words: Catalogue) -> Iterator[Progress]:
    """A transient progress bar on standard error; nothing where that is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    head = TextColumn(words.text("lab.counting"))
    columns = (head, BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("")
        shown = 0

        def advance(share: float) -> None:
            nonlocal shown
            if (percent := int(100 * share)) > shown:  # drawing every prefix would cost seconds
                shown = percent
                bar.update(task, completed=percent)

        yield advance


def _data(count: HandCount) -> dict[str, int | float | None]:
    return {
        "size": count.size,
        "distinct": count.distinct,
        "physical": count.physical,
        "total": count.total,
        "one_in": float(1 / count.chance) if count.physical else None,
        "percent": float(100 * count.chance),
    }


def text_of(count: HandCount, words: Catalogue) -> str:
    """The count as lines, their figures in one column."""
    from rich.cells import cell_len, set_cell_size

    of_total = words.text("lab.of-total", physical=f"{count.physical:,}", total=f"{count.total:,}")
    figures = {
        words.text("lab.distinct"): f"{count.distinct:,}",
        words.text("lab.physical"): of_total,
        words.text("lab.odds"): _odds(count, words),
    }
    width = max(map(cell_len, figures))
    lines = [f"  {set_cell_size(label, width)}  {figure}" for label, figure in figures.items()]
    return "\n".join([words.text("lab.hands", size=count.size), *lines])


def _odds(count: HandCount, words: Catalogue) -> str:
    if count.physical == 0:
        return words.text("lab.none")
    if count.physical == count.total:
        return words.text("lab.always")
    one_in, percent = float(1 / count.chance), float(100 * count.chance)
    return words.text(
        "lab.one-in",
        one_in=_figure(one_in, one_in - 1),
        percent=_figure(percent, min(percent, 100 - percent)),
    )


def _figure(value: float, significant: float) -> str:
    """Round a value so that its significant part keeps some digits: 99.99911, not 99.99."""
    decimals = DIGITS - 1 - math.floor(math.log10(significant))
    return f"{value:,.{max(decimals, 0)}f}"
