"""`tilerummy lab stats`: what recorded games have in common."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from tilerummy.cli.lab.text import print_stats
from tilerummy.cli.options import Language, bad_input_exits, chosen_language
from tilerummy.cli.records import read_record
from tilerummy.lab.errors import LabError
from tilerummy.lab.game_summary import GameSummary, summaries_of
from tilerummy.lab.run_file import is_run_file, read_results
from tilerummy.lab.stats import stats_of
from tilerummy.locales import catalogue
from tilerummy.play.record import RecordError

SUFFIXES = (".txt", ".jsonl")
"""What records are called; in a folder, other files are not opened."""


@dataclass
class Collected:
    """The games of some files."""

    deals: list[tuple[GameSummary, ...]] = field(default_factory=list)
    """The games of each deal; in records every deal is played once."""
    files: int = 0
    skipped: list[str] = field(default_factory=list)
    """Files of folders that are not records."""
    unfinished: int = 0


def stats(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH...",
            help="Records (text or JSON Lines), files of tournaments, and folders of them.",
        ),
    ],
    lang: Language = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show what recorded games have in common: length, openings, seats, endings.

    Names are those of the records. For each player it also shows how often it
    wins behind each other one: whoever sits behind a strong player finds less
    to build on. Games that were not played to their end do not count.

    In folders, files that are not records are skipped and named.

    Examples:

        tilerummy lab stats match.txt

        tilerummy lab stats records/ run.jsonl --json
    """
    with bad_input_exits(lang):
        words = catalogue(chosen_language(lang))
        found = collect(paths)
        if not found.deals:
            raise LabError(
                "no finished game in these files: record some with "
                "'tilerummy play --auto --record FILE'",
                key="error.lab.no-games",
            )
    result = stats_of(found.deals)
    if as_json:
        about = {
            "files": found.files,
            "skipped": found.skipped,
            "unfinished": found.unfinished,
        }
        typer.echo(json.dumps({**about, **result.to_json()}, indent=2, ensure_ascii=False))
        return
    typer.echo(words.text("lab.read", games=result.games, files=found.files))
    if found.unfinished:
        typer.echo(words.text("lab.unfinished", games=found.unfinished))
    for name in found.skipped:
        typer.echo(words.text("lab.skipped", path=name), err=True)
    print_stats(result, words)


def collect(paths: Sequence[Path]) -> Collected:
    """All games of these files and folders. Raises RecordError or LabError for a bad file."""
    found = Collected()
    for path in paths:
        if not path.is_dir():
            _add(found, path)
            continue
        for file in _files_in(path):
            try:
                _add(found, file)
            except (RecordError, LabError):
                found.skipped.append(str(file))
    return found


def _files_in(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.suffix in SUFFIXES)


def _add(found: Collected, path: Path) -> None:
    if path.is_file() and is_run_file(path):
        found.deals += [result.games for result in read_results(path)]
    else:
        games, unfinished = summaries_of(read_record(path))
        found.deals += [(game,) for game in games]
        found.unfinished += unfinished
    found.files += 1
