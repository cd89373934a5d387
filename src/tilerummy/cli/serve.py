"""`tilerummy serve` and `tilerummy load`: the server, and a load generator for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.cells import set_cell_size

from tilerummy.cli.bars import bar
from tilerummy.cli.browser import show
from tilerummy.cli.extras import server_needed
from tilerummy.cli.options import bad_input_exits, session_words
from tilerummy.locales import Catalogue

if TYPE_CHECKING:
    from tilerummy.client.load import Figures, Progress


def serve(
    host: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="The address to listen on; 0.0.0.0 is every interface. Default: 127.0.0.1.",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            "-p",
            metavar="PORT",
            help="The port to listen on; 0 chooses a free one. Default: 8000.",
        ),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="The database: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DB. "
            "Default: an SQLite file in your data folder.",
        ),
    ] = None,
    bus: Annotated[
        str | None,
        typer.Option(metavar="URL", help="redis://HOST, if several servers share one database."),
    ] = None,
    public_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="The address that players use, if the server is behind a proxy."
        ),
    ] = None,
    proxies: Annotated[
        str | None,
        typer.Option(
            metavar="NETWORKS", help="Trusted proxies: their X-Forwarded-For is believed."
        ),
    ] = None,
    bot_workers: Annotated[
        int | None, typer.Option(metavar="N", help="Worker processes for bots and hints.")
    ] = None,
    log_format: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT", help="The format of the log: auto, json or human. Default: auto."
        ),
    ] = None,
    log_level: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            help="The lowest level to log: debug, info, warning or error. Default: info.",
        ),
    ] = None,
    open_page: Annotated[
        bool, typer.Option("--open", help="Open the page in your browser.")
    ] = False,
) -> None:
    """Run the server: the web page, and rooms for people and bots (HTTP and WebSockets).

    All data is in one database, by default an SQLite file. A server that is
    killed during a game continues it after a restart. Several servers can share
    one PostgreSQL (--store) and one Redis (--bus).

    Every option is also an environment variable: --log-format is
    TILERUMMY_LOG_FORMAT. docs/operations.md lists all of them.

    Examples:

        tilerummy serve --open

        tilerummy serve --host 0.0.0.0 --port 80 --store sqlite:////var/lib/tilerummy.sqlite
    """
    given = {
        "host": host,
        "port": port,
        "store": store,
        "bus": bus,
        "public_url": public_url,
        "proxies": proxies,
        "bot_workers": bot_workers,
        "log_format": log_format,
        "log_level": log_level,
    }
    with server_needed():
        from tilerummy.server.ops.run import run
        from tilerummy.server.ops.settings import read_settings, unknown_variables
    with bad_input_exits():
        settings = read_settings(given)
    words = session_words()
    for warning in (*settings.warnings(), *unknown_variables()):
        typer.echo(words.text("serve.warning", text=warning), err=True)

    def ready(address: str) -> None:
        typer.echo(words.text("serve.ready", address=address))
        if open_page:
            show(address)

    with bad_input_exits():
        run(settings, ready)


def load(
    servers: Annotated[
        list[str],
        typer.Argument(
            metavar="ADDRESS",
            help="For example http://127.0.0.1:8000. With several nodes, the players of each room "
            "are spread over them.",
        ),
    ],
    rooms: Annotated[
        int,
        typer.Option(
            "--rooms", "-r", min=1, metavar="N", help="The number of rooms; each has four seats."
        ),
    ] = 50,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", "-s", metavar="SECONDS", min=1, help="How many seconds to measure."
        ),
    ] = 10.0,
    warm_up: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="Seconds before the measurement starts.")
    ] = 2.0,
    every: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", min=0, help="Seconds between two moves of a seat; 0 means no pause."
        ),
    ] = 0.0,
    edition: Annotated[str, typer.Option(help="The edition of the rooms.")] = "taiwan",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Load-test a server: fill it with rooms of fast players and measure it.

    Raise the rate limits of the server first, for example with
    TILERUMMY_LIMIT_JOINS=100000/s (docs/operations.md).

    Example:

        tilerummy load http://127.0.0.1:8000 --rooms 250 --every 8 --seconds 60
    """
    with server_needed():
        from tilerummy.client.load import Load, LoadError
        from tilerummy.client.seat import DISCONNECTS, RequestError
    words = session_words()
    try:
        under = Load(servers, rooms, every=every)
        with asyncio.Runner() as loop:
            with _bar(words.text("load.rooms")) as progress:
                settings = {"edition": edition, "options": {"timer.seconds": 0}}
                loop.run(under.prepare(settings, progress))
            with _bar(words.text("load.moves")) as progress:
                figures = loop.run(under.run(seconds, warm_up, progress))
    except (LoadError, RequestError, *DISCONNECTS) as error:
        typer.echo(words.text("serve.error", text=error), err=True)
        raise typer.Exit(1) from error
    for complaint in under.complaints:
        typer.echo(words.text("serve.refused", text=complaint), err=True)
    if as_json:
        typer.echo(json.dumps(_data(figures, rooms)))
    else:
        typer.echo(_text(figures, rooms, words))


@contextmanager
def _bar(what: str) -> Iterator[Progress]:
    with bar(what) as advance:
        yield lambda part, count: advance(part, str(count or ""))


def _quantiles(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds) or [0.0]
    return {
        name: round(1000 * ordered[min(len(ordered) - 1, int(len(ordered) * part))], 2)
        for name, part in (("median", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0))
    }


def _data(figures: Figures, rooms: int) -> dict[str, object]:
    return {
        "rooms": rooms,
        "seats": 4 * rooms,
        "seconds": round(figures.seconds, 2),
        "moves": figures.moves,
        "moves_per_second": round(figures.rate, 1),
        "messages": figures.messages,
        "games": figures.games,
        "refused": figures.refused,
        "mover_told_ms": _quantiles(figures.answered),
        "all_told_ms": _quantiles(figures.broadcast),
    }


def _text(figures: Figures, rooms: int, words: Catalogue) -> str:
    def line(key: str, seconds: list[float]) -> str:
        shown = {name: f"{value:.1f}" for name, value in _quantiles(seconds).items()}
        name = set_cell_size(words.text(f"load.{key}"), 22)
        return f"  {name}{words.text('load.quantiles', **shown)}"

    size = {"rooms": rooms, "seats": 4 * rooms, "seconds": f"{figures.seconds:.1f}"}
    moves = {"moves": f"{figures.moves:,}", "rate": f"{figures.rate:,.0f}", "games": figures.games}
    messages = {"messages": f"{figures.messages:,}", "refused": figures.refused}
    return "\n".join(
        [
            words.text("load.size", **size),
            f"  {words.text('load.rate', **moves)}",
            line("mover", figures.answered),
            line("all", figures.broadcast),
            f"  {words.text('load.messages', **messages)}",
        ]
    )
