"""The record file of a match: written atomically, and never over a file of another program."""

from __future__ import annotations

from pathlib import Path

from tilerummy.cli.atomic import replace_file
from tilerummy.play.notation import to_text
from tilerummy.play.record import Record, to_jsonl
from tilerummy.rules.errors import TileRummyError


class RecordFileError(TileRummyError):
    """A file that cannot be written, or that already exists."""

    code = "bad-file"


def check_target(path: Path, *, force: bool = False) -> None:
    """Raise RecordFileError unless a file can be made here; `force` allows to replace one."""
    if path.is_dir():
        raise RecordFileError(
            "{path} is a directory: name a file",
            key="error.file.folder",
            path=path,
        )
    if path.exists() and not force:
        raise RecordFileError(
            "{path} already exists: choose another name, or use --force",
            key="error.file.exists",
            path=path,
        )
    if not path.parent.is_dir():
        raise RecordFileError(
            "{path} is not a directory: create it first",
            key="error.file.no-folder",
            path=path.parent,
        )


def unwritable(path: Path, error: OSError) -> RecordFileError:
    """The error for a file that the system does not let us write."""
    return RecordFileError(
        "cannot write {path}: {reason}", key="error.file.unwritable", path=path, reason=error
    )


class RecordFile:
    """`.jsonl` gets JSON Lines, any other name text."""

    def __init__(self, path: Path, *, force: bool = False) -> None:
        self.path = path
        check_target(path, force=force)
        self._mine = force

    def write(self, record: Record) -> None:
        """The whole record, in one step: a reader sees the old file or the new one."""
        text = to_jsonl(record) if self.path.suffix == ".jsonl" else to_text(record)
        try:
            if not self._mine:
                self.path.open("x").close()  # another program may have created it
                self._mine = True
            replace_file(self.path, text)
        except OSError as error:
            raise unwritable(self.path, error) from error
