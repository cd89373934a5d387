"""Diagnosis of invalid rows: every reason why a row is not a set, the most helpful one first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import cast

from tilerummy.rules.editions import Edition
from tilerummy.rules.reasons import Reason, ReasonCode
from tilerummy.rules.rows import LONGEST_ROW, Faces, Kind, Reading, best_kind, reader
from tilerummy.rules.tiles import (
    CHANGES_COLOUR,
    COLOUR,
    FACE_TEXT,
    HIGHEST,
    IS_JOKER,
    IS_WILD,
    JOKER,
    NUMBER,
    SLOTS,
    Face,
    Row,
    faces_of,
    has_joker,
    has_mirror,
    may_be_group,
    mirror_at,
    mirrors_in,
    unidentified,
)

NO_PARAMS: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True, repr=False)
class RowVerdict:
    """The verdict on a row as laid: its kind, value and readings, or every reason against it."""

    kind: Kind | None
    value: int | None
    readings: tuple[Reading, ...]
    reasons: tuple[Reason, ...]

    @property
    def valid(self) -> bool:
        """Whether the row is a set."""
        return not self.reasons

    def __repr__(self) -> str:
        if self.valid:
            return f"<RowVerdict: {self.kind}, {self.value} points>"
        return f"<RowVerdict: not a set ({'; '.join(map(str, self.reasons))})>"


def judge_row(edition: Edition, row: Row | Faces) -> RowVerdict:
    """Judge a row as laid: its readings, or every reason why it is not a set.

    `row` has tiles, physical or not, or faces. Raises nothing: even a row that the box cannot hold
    gets a reason.
    """
    faces = faces_of(cast("Row", row))
    readings = reader(edition).readings(faces)
    if readings:
        return RowVerdict(best_kind(faces, readings), readings[0].value, readings, ())
    return RowVerdict(None, None, (), row_faults(edition, faces))


def row_faults(edition: Edition, row: Faces) -> tuple[Reason, ...]:
    """The faults of a row that has no reading; never empty."""
    if len(row) > LONGEST_ROW:
        return (_fault("row-too-long", row[: LONGEST_ROW + 1], {"maximum": LONGEST_ROW}),)
    found = _composition_faults(edition, row)
    naturals = [face for face in row if not IS_JOKER[face]]
    mirrored = has_mirror(row)
    if naturals and not (mirrored and mirrors_in(row) > 1):
        found += _mirror_faults(edition, row) if mirrored else _slot_faults(edition, row, row)
    if not found:
        found.append(_fault("half-not-a-set" if mirrored else "not-a-set", row))
    unique = {reason.code: reason for reason in reversed(found)}
    return tuple(reason for reason in found if unique.pop(reason.code, None))


def _fault(code: ReasonCode, faces: Faces, params: Mapping[str, object] = NO_PARAMS) -> Reason:
    return Reason(code, unidentified(faces), params)


def _composition_faults(edition: Edition, row: Faces) -> list[Reason]:
    found = []
    if len(row) < 3:
        found.append(_fault("too-short", row))
    box = edition.box()
    for face in sorted(set(row)):
        if row.count(face) > box.count(face):
            params = {"face": FACE_TEXT[face], "count": box.count(face)}
            found.append(_fault("inventory", (face,) * row.count(face), params))
    if has_mirror(row) and mirrors_in(row) > 1:
        found.append(_fault("two-mirrors", row))
    jokers = tuple(face for face in row if IS_JOKER[face])
    shown = len(row) - len(jokers)
    if shown == 0 and edition.set_min_natural > 0:
        found.append(_fault("no-number-tile", row))
    elif shown < edition.set_min_natural:
        found.append(_fault("too-few-number-tiles", row, {"minimum": edition.set_min_natural}))
    if edition.joker_max_per_set is not None and len(jokers) > edition.joker_max_per_set:
        found.append(_fault("too-many-jokers", jokers, {"maximum": edition.joker_max_per_set}))
    return found


def _slot_faults(edition: Edition, row: Faces, tiles: Faces) -> list[Reason]:
    """Faults of a row without mirror, as a group or as a run, by what it resembles more."""
    slots = [face for face in row for _ in range(SLOTS[face])]
    naturals = [face for face in slots if not IS_JOKER[face]]
    if len({NUMBER[face] for face in naturals}) == 1 and len(naturals) > 1:
        return _group_faults(slots, naturals, tiles)
    return _run_faults(edition, slots, tiles)


def _group_faults(slots: list[Face], naturals: list[Face], tiles: Faces) -> list[Reason]:
    found = []
    if len(slots) > 4:
        found.append(_fault("too-long", tiles))
    if not may_be_group(slots):
        found.append(_fault("c-in-group", tiles))
    repeated = tuple(face for face in naturals if naturals.count(face) > 1)
    if repeated:
        code: ReasonCode = "duplicate" if len(set(naturals)) == 1 else "duplicate-colour"
        found.append(_fault(code, repeated))
    return found


def _run_faults(edition: Edition, slots: list[Face], tiles: Faces) -> list[Reason]:
    shown = [(place, face) for place, face in enumerate(slots) if not IS_JOKER[face]]
    starts = {NUMBER[face] - place for place, face in shown}
    fits = len(starts) == 1
    mixed = _mixed_colours(slots)
    if mixed and not fits:
        return [_fault("not-a-set", tiles)]
    found = []
    if fits:
        start = starts.pop()
        if start < 1 or start + len(slots) - 1 > HIGHEST:
            found.append(_fault("out-of-range", tiles))
    else:
        found += _order_faults(shown, tiles)
    if mixed:
        found.append(_fault("mixed-colour", mixed))
    same = _same_colour_around_change(slots)
    if same:
        found.append(_fault("same-colour", same))
    neighbours = any(CHANGES_COLOUR[a] and CHANGES_COLOUR[b] for a, b in pairwise(slots))
    if neighbours and not edition.twist_adjacent_c:
        found.append(_fault("adjacent-changes", tiles))
    return found


def _order_faults(shown: list[tuple[int, Face]], tiles: Faces) -> list[Reason]:
    """The numbers are not at the places where a run has them."""
    if len({(NUMBER[face] - place) % HIGHEST for place, face in shown}) == 1:
        return [_fault("wraps", tiles)]
    found = []
    for (place, face), (next_place, next_face) in pairwise(shown):
        step, distance = NUMBER[next_face] - NUMBER[face], next_place - place
        pair = (face, next_face)
        if step == 0:
            found.append(_fault("duplicate-number", pair))
        elif step < 0:
            found.append(_fault("wrong-order", pair))
        elif step > distance:
            found.append(_fault("gap", pair))
        elif step < distance:
            found.append(_fault("not-consecutive", pair))
    return found


def _segments(slots: list[Face]) -> list[list[Face]]:
    segments: list[list[Face]] = [[]]
    for face in slots:
        if CHANGES_COLOUR[face]:
            segments.append([])
        elif not IS_JOKER[face]:
            segments[-1].append(face)
    return segments


def _mixed_colours(slots: list[Face]) -> Faces:
    """The first neighbours of one segment that differ in colour."""
    for segment in _segments(slots):
        for a, b in pairwise(segment):
            if COLOUR[a] != COLOUR[b]:
                return (a, b)
    return ()


def _same_colour_around_change(slots: list[Face]) -> Faces:
    for before, after in pairwise(_segments(slots)):
        if before and after and COLOUR[before[-1]] == COLOUR[after[0]]:
            return (before[-1], after[0])
    return ()


def _mirror_faults(edition: Edition, row: Faces) -> list[Reason]:
    centre = mirror_at(row)
    left = [face for face in row[:centre] for _ in range(SLOTS[face])]
    right = [face for face in reversed(row[centre + 1 :]) for _ in range(SLOTS[face])]
    if len(left) != len(right) or not left:
        return [_fault("asymmetric", row)]
    facing = list(zip(left, right, strict=True))
    found = []
    if len(left) < edition.twist_mirror_min_side:
        minimum = {"minimum": edition.twist_mirror_min_side}
        found.append(_fault("half-too-short", row, minimum))
    unequal = [face for a, b in facing if a != b and not has_joker((a, b)) for face in (a, b)]
    if edition.twist_mirror_c_needs_c:
        unequal += [
            face for a, b in facing if CHANGES_COLOUR[a] != CHANGES_COLOUR[b] for face in (a, b)
        ]
    if unequal:
        found.append(_fault("asymmetric", tuple(unequal)))
    if found:
        return found
    merged = tuple(a if not IS_JOKER[a] else b if not IS_JOKER[b] else max(a, b) for a, b in facing)
    one_slot = tuple(
        JOKER if IS_WILD[face] and not CHANGES_COLOUR[face] else face for face in merged
    )
    half = _slot_faults(edition, one_slot, row)
    if not may_be_group(row) and len({NUMBER[face] for face in merged if not IS_JOKER[face]}) == 1:
        half.insert(0, _fault("c-in-group", row))
    starts = {NUMBER[face] - place for place, face in enumerate(merged) if not IS_JOKER[face]}
    if edition.twist_mirror_number == "next" and starts == {HIGHEST + 1 - len(merged)}:
        half.append(_fault("out-of-range", row))  # the mirror itself would be a 14
    return [
        _fault("half-not-a-set", row) if reason.code in ("not-a-set", "mixed-colour") else reason
        for reason in half
    ]
