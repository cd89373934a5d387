"""`tilerummy store`: backup, copy and schema upgrade of a server's database."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from tilerummy.cli.bars import bar
from tilerummy.cli.extras import server_needed
from tilerummy.cli.options import bad_input_exits, session_words
from tilerummy.rules.errors import TileRummyError

app = typer.Typer(no_args_is_help=True, help="Back up, copy and upgrade the database of a server.")

WEIGHTY = ("rooms", "events", "games", "guests")
"""Tables whose row counts are reported."""


@app.command("copy")
def copy_command(
    source: Annotated[str, typer.Argument(metavar="SOURCE_URL", help="The database to copy.")],
    target: Annotated[str, typer.Argument(metavar="TARGET_URL", help="An empty database.")],
) -> None:
    """Copy a database to another one, for example from SQLite to PostgreSQL.

    Stop the server first. The target must be empty, and it is emptied again if
    the copy fails. At the end, the row counts of both are compared. Then start
    the server with TILERUMMY_STORE=TARGET_URL: games continue where they were.

    To hide a password from the process list, leave it out of the URL and set
    PGPASSWORD or write it to ~/.pgpass.

    Example:

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
    shown = {name: f"{counts[name]:,}" for name in WEIGHTY}
    typer.echo(words.text("store.copied", rows=f"{sum(counts.values()):,}", **shown))


@app.command("backup")
def backup_command(
    url: Annotated[str, typer.Argument(metavar="URL", help="The database: sqlite:///FILE.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new file.")],
) -> None:
    """Copy an SQLite database to a new file, even while a server uses it.

    The copy is a consistent snapshot. It is checked, and only you can read it.
    The file appears when it is complete. To restore it, start the server with
    TILERUMMY_STORE=sqlite:///FILE.

    For PostgreSQL, use pg_dump.

    Example:

        tilerummy store backup sqlite:////var/lib/tilerummy/server.sqlite /backup/monday.sqlite
    """
    with server_needed():
        from tilerummy.server.store.backup import back_up
        from tilerummy.server.store.errors import OwnTool
    words = session_words()
    with bad_input_exits():
        address = _checked(url, "URL")
        try:
            with bar(words.text("store.backup")) as advance:
                size = back_up(
                    address,
                    file,
                    lambda done, total: advance(
                        done / total if total else 1.0,
                        words.text("store.pages", done=f"{done:,}", total=f"{total:,}"),
                    ),
                )
        except OwnTool as error:
            raise TileRummyError(
                "this command copies an SQLite file; for PostgreSQL use {command}",
                key="error.store.postgres",
                command=error.command,
            ) from error
    typer.echo(words.text("store.backed-up", file=file, size=f"{size:,}"))


@app.command("upgrade")
def upgrade_command(
    url: Annotated[str, typer.Argument(metavar="URL", help="The database of your servers.")],
) -> None:
    """Upgrade a database to the schema of this version.

    Every server also does this at startup. Use the command to upgrade before you
    start the first server of a new version.

    Example:

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
        "{name} must be {expected}, for example {examples}",
        key="error.store.url",
        name=name,
        expected=STORE.expected,
        examples=STORE.examples,
    )
