"""`tilerummy store`: what a host does with all that a server keeps."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from tilerummy.cli.bars import bar
from tilerummy.cli.extras import server_needed
from tilerummy.cli.options import bad_input_exits, session_words
from tilerummy.rules.errors import TileRummyError

app = typer.Typer(no_args_is_help=True, help="Back up, move and upgrade what a server keeps.")

WEIGHTY = ("rooms", "events", "games", "guests")
"""Tables whose row counts are reported."""


@app.command("copy")
def copy_command(
    source: Annotated[str, typer.Argument(metavar="SOURCE_URL", help="The store as it is.")],
    target: Annotated[str, typer.Argument(metavar="TARGET_URL", help="An empty database.")],
) -> None:
    """Copy everything from one store to another, as from SQLite to PostgreSQL.

    Stop the server first. The target has to be empty, and is empty again if
    something goes wrong; at the end the rows of both are counted. Afterwards
    start the server with TILERUMMY_STORE=TARGET_URL: games go on where they
    were.

    To keep a password out of the list of processes leave it out of the URL,
    and set PGPASSWORD or write it into ~/.pgpass.

        tilerummy store copy sqlite:////var/lib/tilerummy/server.sqlite postgresql://tilerummy@db/tilerummy
    """
    with server_needed():
        from tilerummy.server.store.copy import copy
    words = session_words()
    with bad_input_exits():
        source, target = _checked(source, "SOURCE_URL"), _checked(target, "TARGET_URL")
        if source == target:
            raise TileRummyError("SOURCE_URL and TARGET_URL are the same", key="error.store.same")
        with bar(words.text("store.copy")) as advance:
            counts = asyncio.run(
                copy(
                    source,
                    target,
                    lambda table, done, total: advance(
                        done / total if total else 1.0,
                        words.text("store.rows", table=table, done=f"{done:,}", total=f"{total:,}"),
                    ),
                )
            )
    told = {name: f"{counts[name]:,}" for name in WEIGHTY}
    typer.echo(words.text("store.copied", rows=f"{sum(counts.values()):,}", **told))


@app.command("backup")
def backup_command(
    url: Annotated[str, typer.Argument(metavar="URL", help="sqlite:///FILE")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")],
) -> None:
    """Copy an SQLite store to a new file, also while a server uses it.

    The copy is the store as it was at one moment, checked, and readable by
    you alone. The file appears when it is whole. To go back to it, start the
    server with TILERUMMY_STORE=sqlite:///FILE.

    A PostgreSQL has a program of its own for this: pg_dump.

        tilerummy store backup sqlite:////var/lib/tilerummy/server.sqlite /backup/monday.sqlite
    """
    with server_needed():
        from tilerummy.server.ops.setting_types import masked
        from tilerummy.server.store.backup import back_up
    words = session_words()
    with bad_input_exits():
        if _checked(url, "URL").startswith("postgres"):
            raise TileRummyError(
                "this copies an SQLite file; for a PostgreSQL use its own program: {command}",
                key="error.store.postgres",
                command=f"pg_dump --format=custom --file={file} {masked(url)}",
            )
        with bar(words.text("store.backup")) as advance:
            size = back_up(
                url,
                file,
                lambda done, total: advance(
                    done / total if total else 1.0,
                    words.text("store.pages", done=f"{done:,}", total=f"{total:,}"),
                ),
            )
    typer.echo(words.text("store.backed-up", file=file, size=f"{size:,}"))


@app.command("upgrade")
def upgrade_command(
    url: Annotated[str, typer.Argument(metavar="URL", help="The store of your servers.")],
) -> None:
    """Bring a store to the schema of this version, as every server does when it starts.

    For those who want to see it done before they start the first server of a
    new version.

        tilerummy store upgrade postgresql://tilerummy@db/tilerummy
    """
    with server_needed():
        from tilerummy.server.store import Store

    async def upgrade(url: str) -> None:
        store = await Store.connect(url)
        await store.close()

    with bad_input_exits():
        asyncio.run(upgrade(_checked(url, "URL")))
    typer.echo(session_words().text("store.upgraded"))


def _checked(url: str, name: str) -> str:
    """The URL of a store. An error does not show it, since it may hold a password."""
    from tilerummy.server.ops.setting_types import STORE

    try:
        return str(STORE.parse(url))
    except ValueError:
        pass
    raise TileRummyError(
        "{name} has to be {expected}, for example {examples}",
        key="error.store.url",
        name=name,
        expected=STORE.expected,
        examples=STORE.examples,
    )
