"""The observation of a seat: its view, and its own draft, as arrays of a fixed shape.

`Field` says what an array holds. The spaces are made from these fields and `docs/env.md` explains
them. Players are numbered from the observer in the order of play: 0 is the observer, 1 plays next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tilerummy.env.candidates import FEATURES, Candidate
from tilerummy.env.drafts import Draft
from tilerummy.env.layout import Layout
from tilerummy.play.views import View
from tilerummy.rules.tiles import FACE_OF, FACES, Row, Table, Tile

Arrays: TypeAlias = dict[str, NDArray[Any]]

MOST = int(np.iinfo(np.int16).max)
TURNS = {"played": 1, "drew": 2, "passed": 3}
"""The codes of what a turn did. 0 is for no turn."""


class Field(NamedTuple):
    """One array: its shape, its type and its bounds."""

    shape: Callable[[Layout], tuple[int, ...]]
    low: float
    high: Callable[[Layout], float]
    dtype: type[np.generic] = np.int16

    def space(self, layout: Layout) -> spaces.Box:
        """The space of the array."""
        return spaces.Box(self.low, self.high(layout), self.shape(layout), self.dtype)  # type: ignore[arg-type]


def _number(low: float, high: Callable[[Layout], float]) -> Field:
    return Field(lambda layout: (1,), low, high)


def _by_player(high: Callable[[Layout], float]) -> Field:
    return Field(lambda layout: (layout.players,), 0, high)


BY_FACE = Field(lambda layout: (FACES,), 0, lambda layout: layout.tiles)
FLAG = _number(0, lambda layout: 1)

VIEW_FIELDS = {
    "rack": BY_FACE,
    "table": BY_FACE,
    "rows": Field(lambda layout: (layout.rows, layout.length), 0, lambda layout: FACES),
    "rack_sizes": _by_player(lambda layout: layout.tiles),
    "opened": _by_player(lambda layout: 1),
    "to_move": _by_player(lambda layout: 1),
    "pool": _number(0, lambda layout: layout.tiles),
    "pool_empty": FLAG,
    "manipulation": FLAG,
    "final_turns": _number(-1, lambda layout: layout.players),
    "passes": _number(0, lambda layout: layout.players),
    "last_turn": Field(lambda layout: (3,), -1, lambda layout: layout.tiles),
}
"""What every observation has."""

CANDIDATE_FIELDS = {
    "candidates": Field(
        lambda layout: (layout.candidates, len(FEATURES)), 0, lambda layout: MOST, np.float32
    ),
    "candidate_tiles": Field(
        lambda layout: (layout.candidates, FACES), 0, lambda layout: layout.tiles
    ),
}
"""What `actions="candidates"` adds."""

DRAFT_FIELDS = {
    "hand": Field(lambda layout: (FACES,), 0, lambda layout: 1),
    "laid": BY_FACE,
    "source": Field(lambda layout: (layout.rows,), 0, lambda layout: 1),
    "steps_left": _number(0, lambda layout: layout.steps),
}
"""What `actions="tiles"` adds."""


def fields_of(layout: Layout) -> dict[str, Field]:
    """The fields of an observation, in order."""
    own = CANDIDATE_FIELDS if layout.actions == "candidates" else DRAFT_FIELDS
    return {**VIEW_FIELDS, **own}


def observation_space(layout: Layout, actions: int) -> spaces.Dict:
    """The space of observations: `observation`, the arrays by name, and `action_mask`."""
    fields = fields_of(layout)
    arrays = spaces.Dict({name: field.space(layout) for name, field in fields.items()})
    mask = spaces.Box(0, 1, (actions,), np.int8)
    return spaces.Dict({"observation": arrays, "action_mask": mask})


def view_arrays(view: View, layout: Layout, draft: Draft | None = None) -> Arrays:
    """The arrays of a view. With a draft, rack and table are those of the draft."""
    assert view.seat is not None
    seats = seats_from(view, view.seat)
    final = -1 if view.final_turns is None else view.final_turns
    return {
        "rack": _counts(view.rack if draft is None else draft.rack),
        "table": _table_counts(view.table if draft is None else draft.table),
        "rows": _rows(view.table if draft is None else draft.slots, layout),
        "rack_sizes": _array([view.rack_sizes[seat] for seat in seats]),
        "opened": _array([view.opened[seat] for seat in seats]),
        "to_move": _array([view.final is None and seat == view.current for seat in seats]),
        "pool": _array([view.pool_size]),
        "pool_empty": _array([not view.pool_size]),
        "manipulation": _array([view.manipulation]),
        "final_turns": _array([final]),
        "passes": _array([view.passes]),
        "last_turn": _array(_last_turn(view, seats)),
    }


def candidate_arrays(candidates: list[Candidate | None], layout: Layout) -> Arrays:
    """The arrays that describe the candidates; zeros for those that do not exist."""
    features = np.zeros((layout.candidates, len(FEATURES)), np.float32)
    tiles = np.zeros((layout.candidates, FACES), np.int16)
    for number, candidate in enumerate(candidates):
        if candidate is not None:
            features[number] = candidate.features
            tiles[number] = _counts(candidate.played)
    return {"candidates": features, "candidate_tiles": tiles}


def draft_arrays(draft: Draft | None, layout: Layout) -> Arrays:
    """The arrays that describe the own draft; zeros for a seat that is not to move."""
    hand, source = np.zeros(FACES, np.int16), np.zeros(layout.rows, np.int16)
    if draft is None:
        return {
            "hand": hand,
            "laid": np.zeros(FACES, np.int16),
            "source": source,
            "steps_left": _array([0]),
        }
    if draft.hand is not None:
        hand[FACE_OF[draft.hand]] = 1
    if draft.source is not None:
        source[draft.source] = 1
    steps = _array([draft.steps_left])
    return {"hand": hand, "laid": _counts(draft.laid), "source": source, "steps_left": steps}


def seats_from(view: View, first: int) -> list[int]:
    """All seats in the order of play, from the given one."""
    players = len(view.players)
    return [(first + view.edition.step * number) % players for number in range(players)]


def _last_turn(view: View, seats: list[int]) -> list[int]:
    """Who moved (-1 before the first turn), what it did, and how many tiles it played or drew."""
    last = view.last
    if last is None:
        return [-1, 0, 0]
    return [seats.index(last.seat), TURNS[last.action], len(last.played) or last.drawn]


def _array(values: list[Any]) -> NDArray[np.int16]:
    return np.array(values, np.int16)


def _counts(tiles: Row | list[Tile]) -> NDArray[np.int16]:
    faces = [FACE_OF[tile] for tile in tiles]
    return np.bincount(faces, minlength=FACES).astype(np.int16) if faces else _no_tiles()


def _no_tiles() -> NDArray[np.int16]:
    return np.zeros(FACES, np.int16)


def _table_counts(table: Table) -> NDArray[np.int16]:
    return _counts([tile for row in table for tile in row])


def _rows(rows: Table, layout: Layout) -> NDArray[np.int16]:
    """The rows as they lie: face + 1 for each tile, then zeros."""
    found = np.zeros((layout.rows, layout.length), np.int16)
    for number, row in enumerate(rows):
        found[number, : len(row)] = [FACE_OF[tile] + 1 for tile in row]
    return found
