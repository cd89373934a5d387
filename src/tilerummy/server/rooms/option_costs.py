"""The price of options: refuses combinations whose turns a server cannot judge in time.

The solver keeps a deadline with any options. So does the judge, but a turn without a verdict in
time is refused, and that must not happen to ordinary turns. Where a player may open and rearrange
in one turn, the judge looks for an opening that explains the new table, and the number of openings
explodes with special jokers and with a high minimum.
"""

from __future__ import annotations

from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import OptionError

HIGHEST_MINIMUM = 50
"""Of an opening after which the turn goes on."""


def check_costs(edition: Edition) -> None:
    """Raises OptionError for options that are too expensive for a room on a server."""
    if not edition.initial_same_turn_manipulation or not edition.initial_min:
        return
    if edition.initial_min > HIGHEST_MINIMUM and not edition.initial_single_set:
        raise OptionError(
            "initial.min={minimum} with initial.same_turn_manipulation=true takes too long to "
            "judge on a server: at most initial.min={most}",
            code="costly-minimum",
            key="error.costs.minimum",
            minimum=edition.initial_min,
            most=HIGHEST_MINIMUM,
        )
    if edition.has_specials and edition.initial_jokers:
        raise OptionError(
            "initial.same_turn_manipulation=true with the jokers D, C or M takes too long to judge "
            "on a server: set initial.jokers=false, or use a box without them",
            code="costly-jokers",
            key="error.costs.jokers",
        )
