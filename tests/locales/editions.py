"""Editions with options changed, for tests that must hold at any table."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st

from tilerummy.rules.editions import EDITIONS, SPECS, Edition
from tilerummy.rules.errors import OptionError
from tilerummy.rules.options import Spec

BOXES = ("J0", "J1", "J4", "J2 D2 C2 M2", "D1", "C2", "M1")


def values(spec: Spec) -> list[object]:
    """Values worth trying: all of them, or the low end, the usual and something between."""
    by_kind: dict[str, list[object]] = {
        "bool": [True, False],
        "choice": list(spec.choices),
        "jokers": list(BOXES),
        "int": [*spec.choices, *range(spec.low, spec.high + 1)[:5], *range(20, spec.high)[:1]],
    }
    found = by_kind[spec.kind]
    return [*found, None] if spec.nullable else found


def with_one_change() -> Iterator[tuple[str, Edition]]:
    """Every edition with every single option changed, where that is possible."""
    for edition in EDITIONS.values():
        for key, spec in SPECS.items():
            for value in values(spec):
                changed = _changed(edition, {key: value})
                if changed is not None and changed != edition:
                    yield key, changed


@st.composite
def house_rules(draw: st.DrawFn) -> Edition:
    """An edition with several options changed."""
    edition = draw(st.sampled_from(list(EDITIONS.values())))
    keys = draw(st.lists(st.sampled_from(list(SPECS)), max_size=8, unique=True))
    for key in keys:
        value = draw(st.sampled_from(values(SPECS[key])))
        edition = _changed(edition, {key: value}) or edition
    return edition


def _changed(edition: Edition, options: dict[str, object]) -> Edition | None:
    try:
        return edition.with_options(options)
    except OptionError:
        return None
