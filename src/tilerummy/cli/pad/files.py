"""Pad files: where they are, and how to change one without ever losing what it holds.

A change reads, alters and replaces the file under a lock, so that two people who write at the same
time both get their game in. The replacement is written beside the file, forced to the disk and then
renamed over it: whenever the machine stops, the file is either the old pad or the new one.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tilerummy.cli.atomic import replace_file
from tilerummy.folders import data_dir
from tilerummy.play.padjson import pad_from_text, pad_to_text
from tilerummy.play.scorepad import PadError, ScorePad
from tilerummy.rules.errors import quoted

SUFFIX = ".json"
LARGEST_FILE = 4_000_000
LONGEST_PAD_NAME = 40


@dataclass(frozen=True, slots=True)
class Listed:
    """A pad file in the folder of pads; `error` says why it cannot be read."""

    path: Path
    changed: float
    pad: ScorePad | None = None
    error: PadError | None = None


def pads_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of pads."""
    return data_dir(environ) / "pads"


def named_pad(folder: Path, name: str) -> Path:
    """The file of a pad in the folder, by its name."""
    if name != pad_name((name,)):
        raise PadError("bad-pad-name", name=quoted(name))
    return folder / f"{name}{SUFFIX}"


def pad_name(words: tuple[str, ...]) -> str:
    """A name for a file out of any words: `ann-ben-cleo`."""
    letters = "".join(c if c.isalnum() or c == "_" else "-" for c in "-".join(words).casefold())
    return "-".join(part for part in letters.split("-") if part)[:LONGEST_PAD_NAME].rstrip("-")


def list_pads(folder: Path) -> list[Listed]:
    """The pads of the folder, the one changed last first."""
    found = []
    for path in _pad_files(folder):
        try:
            found.append(Listed(path, path.stat().st_mtime, pad=read_pad(path)))
        except PadError as error:
            found.append(Listed(path, path.lstat().st_mtime, error=error))
    return found


def current_pad(folder: Path) -> Path | None:
    """The pad that was changed last."""
    return next(iter(_pad_files(folder)), None)


def read_pad(path: Path) -> ScorePad:
    try:
        info = path.stat()
        if stat.S_ISDIR(info.st_mode):
            raise PadError("file-is-folder", path=shown(path))
        if not stat.S_ISREG(info.st_mode) or info.st_size > LARGEST_FILE:
            raise PadError("not-a-pad", path=shown(path))
        data = path.read_bytes()
    except FileNotFoundError:
        raise PadError("file-missing", path=shown(path)) from None
    except OSError as error:
        raise PadError("file-unreadable", path=shown(path), reason=error) from error
    try:
        return pad_from_text(data)
    except PadError as error:
        raise PadError(error.code, path=shown(path), **error.params) from error


def create_pad(path: Path, pad: ScorePad) -> None:
    """Write a new pad. Never changes an existing file."""
    path = _real(path)
    with _locked(path):
        if is_there(path):
            raise PadError("file-exists", path=shown(path))
        write_file(path, pad_to_text(pad))


def add_pad(pad: ScorePad, path: Path | None) -> Path:
    """Write a new pad: to `path`, or to the folder of pads under a name of its own."""
    folder = pads_dir()
    if path is None or path.parent == folder:
        make_folder(folder)
    if path is None:
        return create_named(folder, pad)
    create_pad(path, pad)
    return path


def create_named(folder: Path, pad: ScorePad) -> Path:
    """Write a new pad to the folder, under a free name made of its players."""
    name = pad_name(pad.players) or "pad"
    number = 1
    while True:
        path = folder / f"{name}{SUFFIX if number == 1 else f'-{number}{SUFFIX}'}"
        try:
            create_pad(path, pad)
        except PadError as error:
            if error.code != "file-exists":
                raise
            number += 1
        else:
            return path


def change_pad(path: Path, change: Callable[[ScorePad], ScorePad]) -> tuple[ScorePad, ScorePad]:
    """Replace a pad by what `change` makes of it; gives the pad before and after.

    An error in `change` or in writing leaves the file exactly as it was.
    """
    read_pad(path)  # before the lock, so that a mistaken path is left without a trace
    path = _real(path)
    with _locked(path):
        old = read_pad(path)
        new = change(old)
        if new != old:
            write_file(path, pad_to_text(new))
        _sweep(path)
    return old, new


def write_file(path: Path, text: str) -> None:
    """Replace or create a file in one step."""
    try:
        replace_file(path, text)
    except OSError as error:
        raise PadError("file-unwritable", path=shown(path), reason=error) from error


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PadError("file-unwritable", path=shown(folder), reason=error) from error


def export_file(path: Path, text: str, *, pad_path: Path, force: bool) -> None:
    """Write what was made from a pad; never over the pad, and over other files only when forced."""
    path = _real(path)
    if path.is_dir():
        raise PadError("file-is-folder", path=shown(path))
    if is_there(path) and (path == _real(pad_path) or not force):
        code = "output-exists" if path != _real(pad_path) else "output-is-pad"
        raise PadError(code, path=shown(path))
    write_file(path, text)


def is_there(path: Path) -> bool:
    return os.path.lexists(path)


def shown(path: Path) -> str:
    """A printable path, for any bytes in its name."""
    return os.fsencode(path).decode("utf-8", "replace")


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other writers of this file waiting; a lock dies with the process that holds it."""
    lock = path.with_name(f".{path.name}.lock")
    try:
        handle = _take(lock)
    except OSError as error:
        raise PadError("file-unwritable", path=shown(path), reason=error) from error
    try:
        yield
    finally:
        if sys.platform == "win32":  # a file in use cannot be removed there
            os.close(handle)
            with contextlib.suppress(OSError):
                lock.unlink()
        else:
            with contextlib.suppress(OSError):
                lock.unlink()
            os.close(handle)


def _take(lock: Path) -> int:
    while True:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _wait_for(handle)
            # The holder before us has removed its file: a lock on it excludes no other writer.
            if os.path.samestat(os.fstat(handle), os.stat(lock)):
                return handle
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _wait_for(handle: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        while True:
            with contextlib.suppress(OSError):  # it gives up after ten seconds
                return msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError as error:
            # Some network folders know no locks. One writer at a time is still safe there.
            if error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP):
                raise


def _sweep(path: Path) -> None:
    """Remove drafts of writers that were killed; under the lock there is no other writer."""
    for draft in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
        with contextlib.suppress(OSError):
            draft.unlink()


def _pad_files(folder: Path) -> list[Path]:
    try:
        paths = [path for path in folder.glob(f"*{SUFFIX}") if not path.name.startswith(".")]
        return sorted(paths, key=lambda path: (-path.lstat().st_mtime_ns, path.name))
    except OSError as error:
        raise PadError("file-unreadable", path=shown(folder), reason=error) from error


def _real(path: Path) -> Path:
    """Where a link leads, so that it stays a link when its file is replaced."""
    return Path(os.path.realpath(path))
