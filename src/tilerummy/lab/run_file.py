"""The file of a tournament: append-only, one line for each finished deal at a table.

The first line is the tournament, the lines after it are its results in their order. A run that was
killed leaves at most one incomplete line, which the next run replaces.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from tilerummy.lab.errors import LabError
from tilerummy.lab.game_summary import GameSummary
from tilerummy.lab.tournament import DealResult, Tournament

FORMAT = "tilerummy-tournament"
SCHEMA = 1


def to_line(result: DealResult) -> bytes:
    """A result as one line of JSON."""
    return _line({**result._asdict(), "games": [game.to_json() for game in result.games]})


def header_line(tournament: Tournament) -> bytes:
    """The first line of the file."""
    return _line({"format": FORMAT, "schema": SCHEMA, **tournament.to_json()})


def _line(data: Mapping[str, object]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def is_run_file(path: Path) -> bool:
    """Whether a file begins as the file of a tournament. Raises OSError."""
    with path.open("rb") as file:
        return file.read(len(FORMAT) + 16).startswith(b'{"format":"%s"' % FORMAT.encode())


def read_results(path: Path) -> list[DealResult]:
    """All complete results of a file. Raises LabError if it cannot be read."""
    with _open(path, "rb") as file:
        _header(path, file.readline())
        return [result for result, _ in _results(path, file)]


class RunFile:
    """Results that earlier runs have left, and a place for new ones. A context manager.

    Raises LabError for a file of another tournament, or one that cannot be read or written.
    """

    def __init__(self, path: Path, tournament: Tournament) -> None:
        self.path = path
        self.known: list[DealResult] = []
        """The results in the file, in the order of the tasks."""
        is_new = not path.exists() or path.stat().st_size == 0
        self._file = _open(path, "ab" if is_new else "r+b")
        ours = header_line(tournament)
        try:
            if is_new:
                self._write(ours)
            else:
                self._resume(ours, tournament)
        except BaseException:
            self._file.close()
            raise

    def _resume(self, ours: bytes, tournament: Tournament) -> None:
        first = self._file.readline()
        if first != ours:
            raise _other_tournament(self.path, _header(self.path, first), json.loads(ours))
        end = len(first)
        for result, size in _results(self.path, self._file):
            self.known.append(result)
            end += size
        count = len(self.known)
        expected = islice(tournament.tasks(count * tournament.search_every), count)
        if [(result.deal, result.table) for result in self.known] != [*expected]:
            raise _damaged(self.path)
        self._file.seek(end)
        self._file.truncate()

    def append(self, result: DealResult) -> None:
        """Write the next result. Raises LabError."""
        self._write(to_line(result))

    def _write(self, line: bytes) -> None:
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            raise _unusable(self.path, error) from error

    def __enter__(self) -> RunFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def _results(path: Path, file: BinaryIO) -> Iterator[tuple[DealResult, int]]:
    """The results that follow, each with the length of its line; stops at an incomplete line."""
    for line in file:
        if not line.endswith(b"\n"):
            return
        try:
            data = json.loads(line)
            games = tuple(GameSummary.from_json(game) for game in data["games"])
            yield DealResult(data["deal"], data["table"], games), len(line)
        except (ValueError, KeyError, TypeError) as error:
            raise _damaged(path) from error


def _header(path: Path, line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except ValueError:
        data = None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise LabError(
            "{path} is not the file of a tournament: choose another name",
            key="error.lab.not-a-run",
            path=path,
        )
    return data


def _other_tournament(path: Path, theirs: dict[str, Any], ours: dict[str, Any]) -> LabError:
    different = [name for name in ours if theirs.get(name) != ours[name]]
    return LabError(
        "{path} belongs to another tournament (different: {different}): give the same arguments "
        "to go on with it, or another file to start again",
        key="error.lab.other-run",
        path=path,
        different=tuple(different),
    )


def _damaged(path: Path) -> LabError:
    return LabError(
        "{path} is damaged: delete it to start again", key="error.lab.damaged", path=path
    )


def _open(path: Path, mode: str) -> BinaryIO:
    try:
        return path.open(mode)  # type: ignore[return-value]
    except OSError as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: OSError) -> LabError:
    return LabError("cannot use {path}: {reason}", key="error.lab.file", path=path, reason=error)
