"""The choice of a kernel: the compiled one where it was built, else the same in Python."""

from __future__ import annotations

import os
import struct
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from time import monotonic
from types import ModuleType
from typing import NamedTuple, Protocol, cast

from tilerummy.rules.declarations import Declaration
from tilerummy.rules.tiles import FACES, Faces, Row, Table
from tilerummy.solver.cover.abi import differences
from tilerummy.solver.cover.problem import Cover, CoverProblem, Grammar, without

CHOICE = "TILERUMMY_KERNEL"
"""The environment variable; `python` leaves the compiled kernel out."""


Covered = tuple[int, tuple[Faces, ...], int, bool]
Turn = tuple[int, int, Row, Table, int, bool, bool, int, dict[Row, Declaration]]
"""The fields of a `Solution`: `abi.TURN_FIELDS`."""
Covers = tuple[Covered] | tuple[Covered, Covered | None]
"""The best turn of which the tiles have to be laid; or two covers from which the search goes on."""
LockData = tuple[Mapping[Row, tuple[int, int, bytes]], Mapping[bytes, bytes]]
"""What may become of locked rows: `turns/lock_data.py`."""


class Rules(NamedTuple):
    """The rules that bind the jokers of a table, as far as the kernel asks for them.

    `watch` says which sets of faces may break a rule (`rules.quick_jokers.Watch`), `locks` what may
    become of rows with jokers where that is the only rule, and `judge` whether the rules certainly
    allow to turn one table into another.
    """

    watch: Callable[[Row], tuple[int, ...] | None]
    locks: LockData | None
    judge: Callable[[Table, Table], bool]


Plans = tuple[bytes, bytes, bytes, bytes]
"""Of an opened player, of an opening without jokers, of the richest rows, of one with jokers."""
PlayedOn = tuple[Table, tuple[Row, ...], int, tuple[bool, ...], int, int, int, int]
"""`abi.PLAYOUT_FIELDS`: the state that was reached, with the number of tiles left in the pool; then
how many turns, questions to the searches and calls of `solve` it took."""


class Kernel(Protocol):
    """What the compiled kernel offers; `kernel/binding/` has the details."""

    def cover(
        self,
        plain: bool,
        must: bytes,
        may: bytes,
        weights: bytes,
        grammar: Grammar,
        stand: int,
        floor: int,
        below: int,
        node_limit: int,
        nanoseconds: int,
        /,
    ) -> Covered | None:
        """Return the fields of a `Cover` for one covering problem, or None."""

    def parts(
        self,
        must: bytes,
        may: bytes,
        weights: bytes,
        grammar: Grammar,
        rows: list[Faces],
        below: int,
        promised: int,
        node_limit: int,
        nanoseconds: int,
        /,
    ) -> tuple[int, list[tuple[int, Covered]]]:
        """Answer one covering problem for each row that may be settled; see `find_parts`."""

    def turn(
        self,
        plan: bytes,
        table: Table,
        rack: Row,
        node_limit: int,
        nanoseconds: int,
        rules: Rules | None = None,
        /,
    ) -> Turn | Covers | None:
        """Return the fields of a `Solution`, or covers where joker rules may matter.

        `rules` are those that bind the jokers of the table, None if they are not to be asked.
        """

    def opening_turn(
        self, plan: bytes, table: Table, rack: Row, minimum: int, nanoseconds: int, /
    ) -> Turn | None:
        """Return the best turn that opens and goes on, where that needs no search.

        Rows of the rack in it reach the minimum. It leaves the rows with jokers alone, and no new
        row has one.
        """

    def playout(
        self,
        plans: Plans,
        rules: Rules | None,
        opening: tuple[int, bool, bool, bool, bool],
        table: Table,
        racks: tuple[Row, ...],
        pool: Row,
        opened: tuple[bool, ...],
        current: int,
        step: int,
        least: tuple[int, ...],
        most_turns: int,
        solve: Callable[[Table, Row, bool, bool, Covers | None], tuple[object, ...]],
        node_limit: int,
        nanoseconds: int,
        /,
    ) -> PlayedOn:
        """Play on until a rack or the pool is empty, or for `most_turns` turns.

        The limits are those of `turn`, of each search and of all together; 0 is none.
        """


def _load() -> Kernel | None:
    if os.environ.get(CHOICE) == "python":
        return None
    try:
        from tilerummy.solver.cover import _kernel
    except ImportError:
        return None
    return checked(_kernel)


def checked(module: ModuleType) -> Kernel | None:
    """Return the module as a kernel, or None, with a warning, if its ABI is not ours.

    A wrong ABI means that the sources changed and the kernel was not built again. The kernel is
    optional, and the Python kernels give the same answers, so a warning is enough: tests turn it
    into an error, and `tilerummy doctor` says which kernel is in use.
    """
    wrong = differences(getattr(module, "ABI", None))
    if wrong:
        warnings.warn(
            f"the compiled kernel does not fit these sources (it differs in {', '.join(wrong)}): "
            "using the slower Python kernels; build it again by installing the package, or in a "
            "checkout with `python setup.py build_ext --inplace`",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return cast(Kernel, module)


compiled = _load()
"""The compiled kernel, or None."""


def kernel_name() -> str:
    """Return `compiled` or `python`."""
    return "compiled" if compiled is not None else "python"


def find_cover(problem: CoverProblem) -> Cover | None:
    """Return the cheapest way to lay all tiles of the table, with any of the rack.

    None means that there is none, or none that costs less than `below`. A loss of -1 means that a
    limit was reached before any answer.
    The compiled kernel raises ValueError for a problem that no box allows.
    """
    if compiled is None:
        return cover_in_python(problem)
    if problem.below is not None and problem.below <= 0:
        return None
    found = compiled.cover(
        problem.is_plain,
        problem.must,
        problem.may,
        _packed(problem.weights),
        problem.grammar,
        problem.stand,
        problem.floor,
        0 if problem.below is None else problem.below,
        problem.node_limit,
        nanoseconds_left(problem.deadline),
    )
    return None if found is None else Cover(*found)


def find_parts(
    problem: CoverProblem, rows: list[Faces], promised: int
) -> tuple[int, list[tuple[int, Cover]]]:
    """Return the cheapest covers with each of these rows settled, from the last row on.

    It stops after the first that loses no more than `promised`, and says how many rows are left.
    The covers are what `find_cover` returns, without the settled rows, each with the number of its
    row. Tiles of a row are taken from the table first; where one is missing, there is no cover.
    """
    below = problem.below
    if below is not None and below <= 0:
        return 0, []
    if compiled is None:
        return _parts_in_python(problem, rows, promised)
    left, found = compiled.parts(
        problem.must,
        problem.may,
        _packed(problem.weights),
        problem.grammar,
        rows,
        0 if below is None else below,
        promised,
        problem.node_limit,
        nanoseconds_left(problem.deadline),
    )
    return left, [(number, Cover(*cover)) for number, cover in found]


def _parts_in_python(
    problem: CoverProblem, rows: list[Faces], promised: int
) -> tuple[int, list[tuple[int, Cover]]]:
    found = []
    for number in reversed(range(len(rows))):
        left = without(problem.must, problem.may, rows[number])
        cover = left and find_cover(replace(problem, must=left[0], may=left[1]))
        if cover is not None:
            found.append((number, cover))
            if cover.loss <= promised:
                return number, found
    return 0, found


def nanoseconds_left(deadline: float | None) -> int:
    """Return the time until a deadline as the compiled kernel takes it: at least 1, 0 for none."""
    return 0 if deadline is None else max(1, int((deadline - monotonic()) * 1e9))


def cover_in_python(problem: CoverProblem) -> Cover | None:
    """As `find_cover`, always without the compiled kernel."""
    # Imported when needed: next to a compiled kernel that is never.
    if problem.is_plain:
        from tilerummy.solver.cover.plain import plain_cover

        return plain_cover(problem)
    from tilerummy.solver.cover.general import general_cover

    return general_cover(problem)


@lru_cache(256)
def _packed(weights: tuple[int, ...]) -> bytes:
    return struct.pack(f"{FACES}q", *weights)
