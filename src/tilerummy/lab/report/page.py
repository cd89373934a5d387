"""The report of a tournament as an HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from tilerummy.lab.estimates import Estimate
from tilerummy.lab.report.plots import (
    COLOURS,
    dash,
    histogram,
    interval_plot,
    percent,
    running_plot,
)
from tilerummy.lab.scoreboard import Cell, Scoreboard
from tilerummy.lab.stats import GameStats
from tilerummy.locales import Catalogue, catalogue
from tilerummy.rules.scores import Ending

STRONGEST = 0.5
"""The opacity of the cell that is farthest from a fair share."""


def report_page(board: Scoreboard, lang: str) -> str:
    """The whole page, in a language. The same scoreboard gives the same bytes.

    Raises LanguageError for an unknown language.
    """
    words = catalogue(lang)
    title = words.text("lab.report.title")
    parts = [
        f"<h1>{escape(title)}</h1>",
        _about(board, words),
        _standings(board, words),
        _cross_table(board, words),
        _running(board, words),
        _seats(board.stats, words),
        _games(board.stats, words),
    ]
    style = files("tilerummy.lab.report").joinpath("style.css").read_text("utf-8")
    return (
        f'<!doctype html>\n<html lang="{words.language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{''.join(parts)}</main>\n</body>\n</html>\n"
    )


def _about(board: Scoreboard, words: Catalogue) -> str:
    tournament = board.tournament
    edition = words.text(f"edition.{tournament.edition.name}.name")
    lines = [
        words.text(
            "lab.heading", edition=edition, players=tournament.players, seed=tournament.seed
        ),
        words.text("lab.played", games=board.games, deals=board.deals),
        words.text("lab.intervals"),
    ]
    data = tournament.to_json()
    options = [f"{key}={value}" for key, value in tournament.edition.changed_options().items()]
    versions = [f"{bot} {print_}" for bot, print_ in data["bots"].items()]
    samples = f"samples {tournament.samples}"
    details = [
        f"tilerummy {data['version']}",
        *versions,
        f"nodes {tournament.nodes}",
        samples,
        *options,
    ]
    return (
        "".join(f"<p>{escape(line)}</p>\n" for line in lines)
        + f'<p class="note"><code>{escape(" · ".join(details))}</code></p>\n'
    )


def _standings(board: Scoreboard, words: Catalogue) -> str:
    rows = [
        [
            escape(row.bot),
            _with_interval(row.wins),
            f"{row.points.mean:+.1f}<small>{_range(row.points, '{:+.1f}')}</small>",
            f"{row.rating.mu:.1f}<small>± {row.rating.sigma:.1f}</small>",
            str(row.games),
        ]
        for row in board.standings
    ]
    names = ("bot", "wins", "points", "rating", "games")
    heads = [words.text(f"lab.{name}") for name in names]
    title = words.text("lab.wins-title")
    plot = interval_plot(title, [(r.bot, r.wins) for r in board.standings], board.fair_share)
    note = words.text("lab.fair", share=percent(board.fair_share))
    return _section(title, plot, _note(note), _table(heads, rows))


def _cross_table(board: Scoreboard, words: Catalogue) -> str:
    bots = [row.bot for row in board.standings]
    if len(bots) < 2:
        return ""
    heads = ["", *map(escape, bots), words.text("lab.worst")]
    rows = []
    for bot in bots:
        worst = board.worst_case(bot)
        cells = [_cell(board, board.cell(bot, other), worst) for other in bots]
        summary = "" if worst is None else f"<td>{escape(worst.against)}</td>"
        rows.append(f"<tr><th>{escape(bot)}</th>{''.join(cells)}{summary}</tr>")
    head = "".join(f"<th>{name}</th>" for name in heads)
    table = f'<div class="wide"><table><thead><tr>{head}</tr></thead>{"".join(rows)}</table></div>'
    tournament = board.tournament
    if not tournament.pairs:
        note = words.text("lab.cross-ahead")
    elif tournament.players == 2:
        note = words.text("lab.cross-two")
    else:
        note = words.text("lab.cross-alone", others=tournament.players - 1)
    return _section(words.text("lab.cross-title"), _note(note), table)


def _cell(board: Scoreboard, cell: Cell | None, worst: Cell | None) -> str:
    if cell is None:
        return "<td>·</td>"
    fair = board.fair_share if board.tournament.pairs else 0.5
    mean = cell.share.mean
    colour = "good" if mean >= fair else "bad"
    strength = STRONGEST * ((mean - fair) / (1 - fair) if mean >= fair else (fair - mean) / fair)
    mark = ' class="worst"' if cell == worst else ""
    return (
        f'<td{mark} style="background:rgb(var(--{colour}) / {strength:.2f})">'
        f"{_with_interval(cell.share)}</td>"
    )


def _running(board: Scoreboard, words: Catalogue) -> str:
    title = words.text("lab.running-title")
    legend = "".join(
        f'<li><svg viewBox="0 0 32 10" aria-hidden="true"><line class="line c{number % COLOURS}" '
        f'stroke-dasharray="{dash(number)}" x1="0" x2="32" y1="5" y2="5"/></svg>{escape(bot)}</li>'
        for number, (bot, _) in enumerate(board.running)
    )
    plot = running_plot(title, board.running, board.fair_share)
    return _section(title, plot, f'<ul class="legend">{legend}</ul>')


def _seats(stats: GameStats, words: Catalogue) -> str:
    parts = []
    for players, shares in stats.places.items():
        rows = [
            (words.text("lab.place", number=number), share)
            for number, share in enumerate(shares, 1)
        ]
        parts.append(interval_plot(words.text("lab.places-title"), rows, 1 / players))
    if stats.behind:
        heads = [words.text(f"lab.{name}") for name in ("bot", "before", "wins", "games")]
        rows_ = [
            [escape(item.player), escape(item.before), _with_interval(item.wins), str(item.games)]
            for item in stats.behind
        ]
        parts += [_note(words.text("lab.behind-note")), _table(heads, rows_)]
    return _section(words.text("lab.places-title"), *parts)


def _games(stats: GameStats, words: Catalogue) -> str:
    turns, opened = words.text("lab.turns-title"), words.text("lab.opened-title")
    players = sum(stats.opened.values()) + stats.never_opened
    never = words.text("lab.never", share=percent(stats.never_opened / players))
    rows = [
        [
            escape(words.text(f"ending.short.{end}")),
            str(stats.ends[end]),
            percent(stats.ends[end] / stats.games),
        ]
        for end in Ending
        if end in stats.ends
    ]
    heads = [words.text("lab.end"), words.text("lab.games"), ""]
    return (
        _section(turns, histogram(turns, stats.turns))
        + _section(opened, histogram(opened, stats.opened), _note(never))
        + _section(words.text("lab.ends-title"), _table(heads, rows))
    )


def _section(title: str, *parts: str) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n{''.join(parts)}\n</section>\n"


def _note(text: str) -> str:
    return f'<p class="note">{escape(text)}</p>\n'


def _table(heads: Iterable[str], rows: Sequence[Sequence[str]]) -> str:
    """Heads are plain text, cells are HTML."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead>{body}</table></div>'


def _with_interval(share: Estimate) -> str:
    percents = Estimate(*(None if v is None else 100 * v for v in share))  # type: ignore[arg-type]
    return f"{percent(share.mean)}<small>{_range(percents, '{:.1f}')}</small>"


def _range(estimate: Estimate, form: str) -> str:
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"{form.format(estimate.low)} … {form.format(estimate.high)}"
