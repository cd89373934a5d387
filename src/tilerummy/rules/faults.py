"""Why a row is no set: every fault, the most telling one first."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from tilerummy.rules.editions import Edition
from tilerummy.rules.reasons import Reason
from tilerummy.rules.rows import LONGEST_ROW, Faces, Kind, Reading, best_kind, reader
from tilerummy.rules.tiles import CHANGE, FACE_TEXT, HIGHEST, JOKER, MIRROR, NUMBER, SLOTS, Face


@dataclass(frozen=True, slots=True)
class RowVerdict:
    """What a row is as it lies: its readings, or everything that is wrong with it."""

    kind: Kind | None
    value: int | None
    readings: tuple[Reading, ...]
    reasons: tuple[Reason, ...]

    @property
    def valid(self) -> bool:
        return not self.reasons


def judge_row(edition: Edition, row: Faces) -> RowVerdict:
    readings = reader(edition).readings(row)
    if readings:
        return RowVerdict(best_kind(row, readings), readings[0].value, readings, ())
    return RowVerdict(None, None, (), row_faults(edition, row))


def row_faults(edition: Edition, row: Faces) -> tuple[Reason, ...]:
    """The faults of a row that has no reading; never empty."""
    if len(row) > LONGEST_ROW:
        return (Reason("row-too-long", row[: LONGEST_ROW + 1], {"maximum": LONGEST_ROW}),)
    found = _composition_faults(edition, row)
    naturals = [face for face in row if face < JOKER]
    if naturals and row.count(MIRROR) < 2:
        found += _mirror_faults(edition, row) if MIRROR in row else _slot_faults(edition, row, row)
    if not found:
        found.append(Reason("half-not-a-set" if MIRROR in row else "not-a-set", row))
    unique = {reason.code: reason for reason in reversed(found)}
    return tuple(reason for reason in found if unique.pop(reason.code, None))


def _composition_faults(edition: Edition, row: Faces) -> list[Reason]:
    found = []
    if len(row) < 3:
        found.append(Reason("too-short", row))
    box = edition.box()
    for face in sorted(set(row)):
        if row.count(face) > box.count(face):
            params = {"face": FACE_TEXT[face], "count": box.count(face)}
            found.append(Reason("inventory", (face,) * row.count(face), params))
    if row.count(MIRROR) > 1:
        found.append(Reason("two-mirrors", row))
    jokers = tuple(face for face in row if face >= JOKER)
    shown = len(row) - len(jokers)
    if shown == 0 and edition.set_min_natural > 0:
        found.append(Reason("no-number-tile", row))
    elif shown < edition.set_min_natural:
        found.append(Reason("too-few-number-tiles", row, {"minimum": edition.set_min_natural}))
    if edition.joker_max_per_set is not None and len(jokers) > edition.joker_max_per_set:
        found.append(Reason("too-many-jokers", jokers, {"maximum": edition.joker_max_per_set}))
    return found


def _slot_faults(edition: Edition, row: Faces, tiles: Faces) -> list[Reason]:
    """Faults of a row without mirror, as group or as run, whichever it looks like."""
    slots = [face for face in row for _ in range(SLOTS[face])]
    naturals = [face for face in slots if face < JOKER]
    if len({NUMBER[face] for face in naturals}) == 1 and len(naturals) > 1:
        return _group_faults(slots, naturals, tiles)
    return _run_faults(edition, slots, tiles)


def _group_faults(slots: list[Face], naturals: list[Face], tiles: Faces) -> list[Reason]:
    found = []
    if len(slots) > 4:
        found.append(Reason("too-long", tiles))
    if CHANGE in slots:
        found.append(Reason("c-in-group", tiles))
    repeated = tuple(face for face in naturals if naturals.count(face) > 1)
    if repeated:
        code = "duplicate" if len(set(naturals)) == 1 else "duplicate-colour"
        found.append(Reason(code, repeated))
    return found


def _run_faults(edition: Edition, slots: list[Face], tiles: Faces) -> list[Reason]:
    shown = [(place, face) for place, face in enumerate(slots) if face < JOKER]
    starts = {NUMBER[face] - place for place, face in shown}
    fits = len(starts) == 1
    mixed = _mixed_colours(slots)
    if mixed and not fits:
        return [Reason("not-a-set", tiles)]
    found = []
    if fits:
        start = starts.pop()
        if start < 1 or start + len(slots) - 1 > HIGHEST:
            found.append(Reason("out-of-range", tiles))
    else:
        found += _order_faults(shown, tiles)
    if mixed:
        found.append(Reason("mixed-colour", mixed))
    same = _same_colour_around_change(slots)
    if same:
        found.append(Reason("same-colour", same))
    neighbours = any(a == b == CHANGE for a, b in pairwise(slots))
    if neighbours and not edition.twist_adjacent_c:
        found.append(Reason("adjacent-changes", tiles))
    return found


def _order_faults(shown: list[tuple[int, Face]], tiles: Faces) -> list[Reason]:
    """The numbers do not sit where a run has them."""
    if len({(NUMBER[face] - place) % HIGHEST for place, face in shown}) == 1:
        return [Reason("wraps", tiles)]
    found = []
    for (place, face), (next_place, next_face) in pairwise(shown):
        step, distance = NUMBER[next_face] - NUMBER[face], next_place - place
        pair = (face, next_face)
        if step == 0:
            found.append(Reason("duplicate-number", pair))
        elif step < 0:
            found.append(Reason("wrong-order", pair))
        elif step > distance:
            found.append(Reason("gap", pair))
        elif step < distance:
            found.append(Reason("not-consecutive", pair))
    return found


def _segments(slots: list[Face]) -> list[list[Face]]:
    segments: list[list[Face]] = [[]]
    for face in slots:
        if face == CHANGE:
            segments.append([])
        elif face < JOKER:
            segments[-1].append(face)
    return segments


def _mixed_colours(slots: list[Face]) -> Faces:
    """The first neighbours of one segment that differ in colour."""
    for segment in _segments(slots):
        for a, b in pairwise(segment):
            if a // HIGHEST != b // HIGHEST:
                return (a, b)
    return ()


def _same_colour_around_change(slots: list[Face]) -> Faces:
    for before, after in pairwise(_segments(slots)):
        if before and after and before[-1] // HIGHEST == after[0] // HIGHEST:
            return (before[-1], after[0])
    return ()


def _mirror_faults(edition: Edition, row: Faces) -> list[Reason]:
    centre = row.index(MIRROR)
    left = [face for face in row[:centre] for _ in range(SLOTS[face])]
    right = [face for face in reversed(row[centre + 1 :]) for _ in range(SLOTS[face])]
    if len(left) != len(right) or not left:
        return [Reason("asymmetric", row)]
    facing = list(zip(left, right, strict=True))
    found = []
    if len(left) < edition.twist_mirror_min_side:
        minimum = {"minimum": edition.twist_mirror_min_side}
        found.append(Reason("half-too-short", row, minimum))
    unequal = [face for a, b in facing if a != b and max(a, b) < JOKER for face in (a, b)]
    if edition.twist_mirror_c_needs_c:
        unequal += [face for a, b in facing if (a == CHANGE) != (b == CHANGE) for face in (a, b)]
    if unequal:
        found.append(Reason("asymmetric", tuple(unequal)))
    if found:
        return found
    merged = tuple(a if a < JOKER else b if b < JOKER else max(a, b) for a, b in facing)
    one_slot = tuple(face if face in (CHANGE, MIRROR) or face < JOKER else JOKER for face in merged)
    half = _slot_faults(edition, one_slot, row)
    if CHANGE in row and len({NUMBER[face] for face in merged if face < JOKER}) == 1:
        half.insert(0, Reason("c-in-group", row))
    starts = {NUMBER[face] - place for place, face in enumerate(merged) if face < JOKER}
    if edition.twist_mirror_number == "next" and starts == {HIGHEST + 1 - len(merged)}:
        half.append(Reason("out-of-range", row))  # the mirror itself would be a 14
    return [
        Reason("half-not-a-set", row) if reason.code in ("not-a-set", "mixed-colour") else reason
        for reason in half
    ]
