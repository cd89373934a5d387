"""Errors of commands whose optional dependencies are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from tilerummy.cli.options import session_words

SERVER = "pip install 'tilerummy[server]'"
"""What installs the extra."""


@contextmanager
def server_needed() -> Iterator[None]:
    """Around the imports of a command that needs the extra `server`."""
    try:
        yield
    except ImportError as error:
        words = session_words()
        text = words.text("serve.packages", command=SERVER, package=error.name)
        typer.echo(words.text("serve.error", text=text), err=True)
        raise typer.Exit(1) from error
