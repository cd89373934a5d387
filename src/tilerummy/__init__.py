"""The tile game played by the rules of Rummikub: referee, solver, bots and table.

The names most programs need stand here, and are imported when they are first used:

    >>> from tilerummy import edition, judge_row, parse_row
    >>> judge_row(edition("classic"), parse_row("r7 b7 J")).value
    21

The packages hold the rest: `rules` (what is legal), `play` (games and matches), `solver` (the best
turn), `bots` (computer players), `queries` (questions and answers as JSON), `lab` (experiments).
"""

from importlib import import_module

TYPE_CHECKING = False  # type checkers take it for true; importing `typing` would cost 10 ms
if TYPE_CHECKING:
    from tilerummy.bots import BOTS
    from tilerummy.play import Draw, Game, Match, Pass, Play, Start, view
    from tilerummy.rules import (
        EDITIONS,
        Edition,
        Position,
        TileRummyError,
        edition,
        judge_row,
        judge_turn,
        parse_row,
        parse_table,
    )
    from tilerummy.solver import plan_steps, solve

__version__ = "0.1.0"

__all__ = [
    "BOTS",
    "EDITIONS",
    "Draw",
    "Edition",
    "Game",
    "Match",
    "Pass",
    "Play",
    "Position",
    "Start",
    "TileRummyError",
    "edition",
    "judge_row",
    "judge_turn",
    "parse_row",
    "parse_table",
    "plan_steps",
    "solve",
    "view",
]

_HOMES = {
    **dict.fromkeys(("BOTS",), "bots"),
    **dict.fromkeys(("Draw", "Game", "Match", "Pass", "Play", "Start", "view"), "play"),
    **dict.fromkeys(("plan_steps", "solve"), "solver"),
}
"""The package of each name; `rules` for all others."""


def __getattr__(name: str) -> object:
    """Import a name of the package on first use, so that `import tilerummy` stays quick."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_HOMES.get(name, 'rules')}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
