"""Spare jokers: laid after the walk wherever a row has room."""

from __future__ import annotations

from dataclasses import replace

from tilerummy.rules.tiles import HIGHEST
from tilerummy.solver.cover.plain.choices import (
    COLOURS,
    NUMBERS,
)
from tilerummy.solver.cover.plain.rows import Row, deal_groups


def place_spares(rows: list[Row], spare: int) -> int:
    """Adds jokers to rows until none is left or nothing takes one; returns those left.

    Where there is a run all are placed: a run from 1 to 13 can be cut in two.
    """
    for index, row in enumerate(rows):
        while spare and (longer := _lengthened(row)) is not None:
            rows[index] = row = longer
            spare -= 1
    if not spare:
        return 0
    for index, row in enumerate(rows):
        if row.is_run and (parts := _cut_in_two(row)) is not None:
            rows[index : index + 1] = parts
            return place_spares(rows, spare)
    for number in NUMBERS:
        spare -= _regroup(rows, number, spare)
    return spare


def _lengthened(row: Row) -> Row | None:
    length = row.length
    if length == (HIGHEST if row.is_run else 4):
        return None
    if not row.is_run:
        return replace(row, length=length + 1)
    if row.first + length < HIGHEST:
        return replace(row, length=length + 1, jokers=row.jokers | {length})
    jokers = frozenset({0, *(place + 1 for place in row.jokers)})
    return replace(row, first=row.first - 1, length=length + 1, jokers=jokers)


def _cut_in_two(run: Row) -> tuple[Row, Row] | None:
    """A long run as two that both keep a numbered tile."""
    for cut in range(3, run.length - 2):
        jokers = frozenset(place for place in run.jokers if place < cut)
        others = frozenset(place - cut for place in run.jokers if place >= cut)
        if len(jokers) < cut and len(others) < run.length - cut:
            return (
                replace(run, length=cut, jokers=jokers),
                replace(run, first=run.first + cut, length=run.length - cut, jokers=others),
            )
    return None


def _regroup(rows: list[Row], number: int, spare: int) -> int:
    """One group more of a number, if the jokers are enough for it; returns how many it took."""
    groups = [row for row in rows if not row.is_run and row.first == number]
    colours = [colour for row in groups for colour in row.colours]
    jokers = sum(row.length for row in groups) - len(colours)
    count = len(groups) + 1
    taken = min(spare, 4 * count - len(colours) - jokers)
    if not groups or len(colours) < count or len(colours) + jokers + taken < 3 * count:
        return 0
    rows[:] = [row for row in rows if row.is_run or row.first != number]
    a, b, c, d = (colours.count(colour) for colour in COLOURS)
    rows += deal_groups(number, (a, b, c, d), count, jokers + taken)
    return taken
