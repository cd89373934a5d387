"""What commands say where a part of the package is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

SERVER = "the server needs more packages: pip install 'tilerummy[server]'"


@contextmanager
def server_needed() -> Iterator[None]:
    """Around the imports of a command that needs the extra `server`."""
    try:
        yield
    except ImportError as error:
        typer.echo(f"error: {SERVER} ({error.name} is missing)", err=True)
        raise typer.Exit(1) from error
