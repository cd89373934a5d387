"""Plots as SVG. Colours come from the style sheet of the page, so they follow its theme.

A plot is 400 units wide: its labels stay readable on a phone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil

from tilerummy.lab.estimates import Estimate

WIDTH = 400
LEFT = 104
RIGHT = 64
"""Room for the names on the left and the figures on the right."""
ROW = 30
AXIS = 22
HEIGHT = 180
"""Of plots without rows."""
MOST_BARS = 24
LONGEST_NAME = 14
DASHES = ("none", "6 3", "2 3", "10 3 2 3")
COLOURS = 6
"""The style sheet has as many."""


def percent(share: float) -> str:
    """A share as a figure: 66.3 %."""
    return f"{100 * share:.1f} %"


def interval_plot(title: str, rows: Sequence[tuple[str, Estimate]], reference: float) -> str:
    """A dot and a line for each estimate of a share, beside a line at the reference."""
    top = max([reference, *(row.high or row.mean for _, row in rows)])
    most = min(1.0, ceil(10 * top + 0.01) / 10)
    scale = (WIDTH - LEFT - RIGHT) / most
    bottom = ROW * len(rows)
    parts = [_axis(most, scale, bottom)]
    x = LEFT + reference * scale
    parts.append(f'<line class="reference" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{bottom}"/>')
    for number, (name, share) in enumerate(rows):
        y = ROW * number + ROW / 2
        middle = LEFT + share.mean * scale
        parts.append(_text(LEFT - 8, y, _short(name), "end"))
        if share.low is not None and share.high is not None:
            low, high = LEFT + share.low * scale, LEFT + share.high * scale
            parts.append(
                f'<line class="interval" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>'
            )
        parts.append(f'<circle class="mean" cx="{middle:.1f}" cy="{y}" r="5"/>')
        parts.append(_text(WIDTH - RIGHT + 6, y, percent(share.mean), "start"))
    return _svg(title, bottom + AXIS, parts)


def histogram(title: str, counts: Mapping[int, int]) -> str:
    """Bars for how often each number came; neighbours share a bar if there are too many."""
    if not counts:
        return ""
    first, last = min(counts), max(counts)
    size = max(1, ceil((last - first + 1) / MOST_BARS))
    bars: dict[int, int] = {}
    for value, count in counts.items():
        bars[(value - first) // size] = bars.get((value - first) // size, 0) + count
    number = (last - first) // size + 1
    width, most = (WIDTH - 20) / number, max(bars.values())
    parts = []
    for place in range(number):
        count = bars.get(place, 0)
        height = (HEIGHT - 10) * count / most
        x, low = 10 + place * width, first + place * size
        name = f"{low}–{low + size - 1}" if size > 1 else str(low)
        parts.append(
            f'<rect class="bar" x="{x + 0.5:.1f}" y="{HEIGHT - height:.1f}" '
            f'width="{width - 1:.1f}" height="{height:.1f}">'
            f"<title>{name}: {count}</title></rect>"
        )
        if place % max(1, ceil(number / 8)) == 0:
            parts.append(_text(x + width / 2, HEIGHT + 13, str(low), "middle"))
    return _svg(title, HEIGHT + AXIS, parts)


def running_plot(
    title: str, series: Sequence[tuple[str, Sequence[float]]], reference: float
) -> str:
    """A line for each bot: its share of wins after more and more deals."""
    values = [value for _, line in series for value in line]
    most = min(1.0, ceil(10 * max([reference, *values]) + 0.01) / 10)
    left, width = 54, WIDTH - 64

    def place(share: float) -> float:
        return 8 + (HEIGHT - 8) * (1 - share / most)

    parts = []
    for step in range(5):
        share = most * step / 4
        y = place(share)
        parts.append(f'<line class="grid" x1="{left}" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(_text(left - 6, y, f"{100 * share:.0f} %", "end"))
    y = place(reference)
    parts.append(f'<line class="reference" x1="{left}" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>')
    for number, (_, line) in enumerate(series):
        across = max(1, len(line) - 1)
        points = " ".join(
            f"{left + width * step / across:.1f},{place(share):.1f}"
            for step, share in enumerate(line)
        )
        parts.append(
            f'<polyline class="line c{number % COLOURS}" '
            f'stroke-dasharray="{dash(number)}" points="{points}"/>'
        )
    return _svg(title, HEIGHT + 8, parts)


def dash(number: int) -> str:
    """The pattern of a line, so that lines differ without their colours."""
    return DASHES[number // COLOURS % len(DASHES)] if number >= COLOURS else DASHES[number % 4]


def _axis(most: float, scale: float, bottom: float) -> str:
    parts = []
    steps = 5 if round(10 * most) % 5 == 0 else round(10 * most)
    for step in range(steps + 1):
        share = most * step / steps
        x = LEFT + share * scale
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{bottom}"/>')
        parts.append(_text(x, bottom + 13, f"{100 * share:.0f}", "middle"))
    return "".join(parts)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">'
        + "".join(parts)
        + "</svg>"
    )
