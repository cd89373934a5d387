"""Errors of commands whose optional dependencies are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from tilerummy.cli.options import session_words

SERVER = "pip install 'tilerummy[server]'"
LAB = "pip install 'tilerummy[lab]'"
"""What installs an extra."""


@contextmanager
def server_needed() -> Iterator[None]:
    """Around the imports of a command that needs the extra `server`."""
    try:
        yield
    except ImportError as error:
        raise _missing("serve.packages", SERVER, error) from error


@contextmanager
def lab_needed() -> Iterator[None]:
    """Around a command that needs the extra `lab`."""
    try:
        yield
    except ImportError as error:
        raise _missing("lab.packages", LAB, error) from error


def _missing(key: str, command: str, error: ImportError) -> typer.Exit:
    words = session_words()
    text = words.text(key, command=command, package=error.name)
    typer.echo(words.text("serve.error", text=text), err=True)
    return typer.Exit(1)
