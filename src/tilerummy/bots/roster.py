"""The roster: all bots as data.

A new bot is its own module, one row here, and its words in the catalogues.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tilerummy.bots.character import ANY_ROWS, Habits, Sight
from tilerummy.bots.master import MasterBot
from tilerummy.bots.natural import NaturalBot
from tilerummy.bots.simple import SimpleBot
from tilerummy.bots.solver import WHOLE_RACK, SolverBot
from tilerummy.bots.spec import BotSpec, Offer, Style


def _natural(bot: str, level: int, style: Style, **character: Any) -> BotSpec:
    return BotSpec(bot, Offer.LADDER, level, style, NaturalBot, character, seeded=True)


def _pure(bot: str, offer: Offer, level: int, style: Style, least: int = 1) -> BotSpec:
    return BotSpec(bot, offer, level, style, SolverBot, {"least": least})


LADDER = (
    _natural("chick", 1, Style.EAGER, sight=Sight(overlooks=0.55)),
    _natural("puppy", 2, Style.EAGER, sight=Sight(overlooks=0.33)),
    _natural("beaver", 3, Style.EAGER, sight=Sight()),
    _natural("hare", 4, Style.EAGER, sight=Sight(reach=1)),
    _natural(
        "magpie",
        5,
        Style.KEEPS_JOKERS,
        sight=Sight(reach=1, jokers=True),
        habits=Habits(keeps_jokers=True),
    ),
    _natural(
        "squirrel",
        6,
        Style.KEEPS_FOURTHS,
        sight=Sight(reach=2, jokers=True),
        habits=Habits(keeps_fourths=True),
    ),
    _natural("mole", 7, Style.EAGER, sight=Sight(reach=3, jokers=True)),
    _natural("spider", 8, Style.EAGER, sight=Sight(reach=5, jokers=True)),
    _natural("fox", 9, Style.EAGER, sight=Sight(reach=ANY_ROWS, misses=0.7, jokers=True)),
    _pure("owl", Offer.LADDER, 10, Style.GREEDY),
    _pure("heron", Offer.LADDER, 11, Style.WAITS, least=12),
)
"""The levels for people, from weak to strong. Each is weaker by what it overlooks."""

ROSTER = (
    *LADDER,
    BotSpec("master", Offer.NAME, 0, Style.SEARCHES, MasterBot, seeded=True, learns=True),
    _pure("hold", Offer.NAME, 0, Style.WAITS, least=WHOLE_RACK),
    _pure("club", Offer.LAB, 0, Style.GREEDY),
    _pure("lay6", Offer.LAB, 0, Style.WAITS, least=6),
    _pure("lay12", Offer.LAB, 0, Style.WAITS, least=12),
    BotSpec("simple", Offer.OLD, 0, Style.SIMPLE, SimpleBot),
    _pure("solver", Offer.OLD, 0, Style.GREEDY),
)
"""The ladder, then everyone else."""

BOTS = {spec.id: spec for spec in ROSTER}
"""The roster by id."""

OFFERED = tuple([spec for spec in ROSTER if spec.offer in (Offer.LADDER, Offer.NAME)])
"""The bots that people can choose."""

DEFAULT_LEVEL = 4
"""A stand-in for newcomers wins 46 % of its two-player games against it, and 28 % one level up."""

STAND_IN = LADDER[DEFAULT_LEVEL - 1].id
"""The bot that plays for a person who is away, and any bot that is not named more closely."""


def stand_in(bots: Iterable[str | None]) -> str:
    """The bot that takes over a seat beside these bots: the strongest of the ladder among them."""
    levels = [BOTS[bot].level for bot in bots if bot in BOTS]
    level = max(levels, default=0)
    return LADDER[level - 1].id if level else STAND_IN
