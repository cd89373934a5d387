"""Scoreboards and statistics as tables on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from tilerummy.lab.estimates import Estimate
from tilerummy.lab.ladder import Strength
from tilerummy.lab.scoreboard import Scoreboard
from tilerummy.lab.stats import GameStats, Spread
from tilerummy.lab.tournament import Tournament
from tilerummy.locales import Catalogue
from tilerummy.rules.scores import Ending


def print_scoreboard(board: Scoreboard, words: Catalogue) -> None:
    """The whole scoreboard, with the statistics of its games."""
    console = _console()
    plan = board.tournament
    edition = words.text(f"edition.{plan.edition.name}.name")
    console.print(words.text("lab.heading", edition=edition, players=plan.players, seed=plan.seed))
    console.print(words.text("lab.played", games=board.games, deals=board.deals))
    console.print(_standings(board, words))
    console.print(words.text("lab.fair", share=percent(board.fair_share)))
    if len(board.standings) > 1:
        console.print()
        console.print(_cross_note(board, words))
        console.print(_cross_table(board, words))
    console.print(words.text("lab.intervals"))
    console.print()
    print_stats(board.stats, words, console)


def print_stats(stats: GameStats, words: Catalogue, console: Console | None = None) -> None:
    """Length, openings, seats and endings."""
    console = console or _console()
    console.print(_spreads(stats, words))
    players = sum(stats.opened.values()) + stats.never_opened
    console.print(words.text("lab.never", share=percent(stats.never_opened / players)))
    console.print()
    for shares in stats.places.values():
        console.print(words.text("lab.places-title"))
        names = [words.text("lab.place", number=place) for place in range(1, len(shares) + 1)]
        console.print(
            _table(
                ["", words.text("lab.wins"), "95 %"],
                [
                    [name, percent(share.mean), interval(share)]
                    for name, share in zip(names, shares, strict=True)
                ],
            )
        )
    if stats.behind:
        console.print(words.text("lab.behind-note"))
        heads = [words.text(f"lab.{name}") for name in ("bot", "before", "wins")]
        console.print(
            _table(
                [*heads, "95 %", words.text("lab.games")],
                [
                    [
                        item.player,
                        item.before,
                        percent(item.wins.mean),
                        interval(item.wins),
                        f"{item.games:,}",
                    ]
                    for item in stats.behind
                ],
            )
        )
    console.print(words.text("lab.ends-title"))
    console.print(
        _table(
            ["", words.text("lab.games"), "%"],
            [
                [
                    words.text(f"ending.short.{end}"),
                    f"{stats.ends[end]:,}",
                    percent(stats.ends[end] / stats.games),
                ]
                for end in Ending
                if end in stats.ends
            ],
        )
    )


def percent(share: float) -> str:
    """A share as a figure: 66.3 %."""
    return f"{100 * share:.1f} %"


def interval(share: Estimate) -> str:
    """The interval of a share in per cent: 60.7–71.9."""
    if share.low is None or share.high is None:
        return "–"
    return f"{100 * share.low:.1f}–{100 * share.high:.1f}"


def _standings(board: Scoreboard, words: Catalogue) -> Table:
    heads = [
        words.text("lab.bot"),
        words.text("lab.wins"),
        "95 %",
        words.text("lab.points"),
        words.text("lab.rating"),
        words.text("lab.worst"),
    ]
    rows = []
    for row in board.standings:
        worst = board.worst_case(row.bot)
        share = "" if worst is None else percent(worst.share.mean)
        rows.append(
            [
                row.bot,
                percent(row.wins.mean),
                interval(row.wins),
                _plus_minus(row.points),
                f"{row.rating.mu:.1f} ± {row.rating.sigma:.1f}",
                "" if worst is None else words.text("lab.against", share=share, bot=worst.against),
            ]
        )
    return _table(heads, rows)


def _plus_minus(points: Estimate) -> str:
    """Points and half of their interval, which is symmetric: +12.3 ± 4.5."""
    if points.high is None:
        return f"{points.mean:+.1f}"
    return f"{points.mean:+.1f} ± {points.high - points.mean:.1f}"


def _cross_note(board: Scoreboard, words: Catalogue) -> str:
    plan = board.tournament
    if not plan.pairs:
        return words.text("lab.cross-ahead")
    if plan.players == 2:
        return words.text("lab.cross-two")
    return words.text("lab.cross-alone", others=plan.players - 1)


def _cross_table(board: Scoreboard, words: Catalogue) -> Table:
    bots = [row.bot for row in board.standings]
    rows = []
    for bot in bots:
        cells = [board.cell(bot, other) for other in bots]
        rows.append([bot, *(_cell_text(cell and cell.share) for cell in cells)])
    return _table(["", *bots], rows)


def _cell_text(share: Estimate | None) -> str:
    return "·" if share is None else f"{percent(share.mean)}\n{interval(share)}"


def _spreads(stats: GameStats, words: Catalogue) -> Table:
    names = ("mean", "least", "tenth", "median", "ninetieth", "most")
    rows = []
    for key, spread in (("turns", Spread.of(stats.turns)), ("opened", Spread.of(stats.opened))):
        if spread is not None:
            figures = [
                f"{value:,.1f}" if isinstance(value, float) else f"{value:,}" for value in spread
            ]
            rows.append([words.text(f"lab.{key}-title"), *figures])
    return _table(["", *(words.text(f"lab.spread.{name}") for name in names)], rows)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number, head in enumerate(heads):
        table.add_column(head, justify="right" if number else "left")
    for row in rows:
        table.add_row(*row)
    return table


def _console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


def print_ladder(
    plan: Tournament, strengths: Sequence[Strength], yardstick: str, words: Catalogue
) -> None:
    """Each bot against the one below it, and against the yardstick."""
    console = _console()
    name = words.text(f"edition.{plan.edition.name}.name")
    console.print(
        words.text("lab.ladder-title", edition=name, players=plan.players, yardstick=yardstick)
    )
    rows = [
        [item.bot, item.against, percent(item.wins.mean), interval(item.wins), f"{item.games:,}"]
        for item in strengths
    ]
    heads = [words.text(f"lab.{key}") for key in ("bot", "opponent", "wins")]
    console.print(_table([*heads, "95 %", words.text("lab.games")], rows))
