"""The pad on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tilerummy.cli.pad.files import SUFFIX, Listed, shown
from tilerummy.cli.pad.words import Words, score_table
from tilerummy.play.scorepad import ScorePad


def print_pad(
    console: Console, words: Words, path: Path, pad: ScorePad, number: int | None = None
) -> None:
    """The whole pad; `number` is the game that was just entered."""
    match = pad.match
    console.print()
    console.print(
        Text(words.heading(shown(Path(path.name)).removesuffix(SUFFIX), pad), style="bold")
    )
    height = console.size.height if console.is_terminal else None
    star = "★" if _can_print(console, "★") else "*"
    console.print(score_table(words, pad, height, star, console.width))
    if number is not None:
        console.print(Text(words.result(number, pad, match.results[number - 1])))
    console.print(Text(words.standing(pad), style="bold green" if match.is_over else ""))
    begins = words.next_starter(pad)
    if begins:
        console.print(Text(begins))


def pads_table(words: Words, pads: Sequence[Listed]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for title in ("pad", "players", "games", "changed"):
        table.add_column(words(title), overflow="fold")
    for index, listed in enumerate(pads):
        changed = datetime.fromtimestamp(listed.changed).strftime("%Y-%m-%d %H:%M")
        if listed.pad is None:
            players, games = Text(words("unreadable"), style="red"), ""
        else:
            players = Text(words.text("list.comma", {}).join(listed.pad.players))
            games = f"{len(listed.pad.entries)}/{listed.pad.match.games_agreed}"
        mark = ">" if index == 0 else ""
        table.add_row(
            mark,
            Text(shown(Path(listed.path.stem))),
            players,
            games,
            changed,
        )
    return table


def _can_print(console: Console, letter: str) -> bool:
    try:
        letter.encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
