"""The ladder: how strong each bot is in each edition, measured and written as data.

Each bot plays alone against the one below it in the roster, and against one yardstick, which puts
all of them on one scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any, NamedTuple

from tilerummy import __version__
from tilerummy.bots.protocol import Budget
from tilerummy.lab.errors import LabError
from tilerummy.lab.estimates import Estimate, share_of
from tilerummy.lab.fingerprints import fingerprint
from tilerummy.lab.game_summary import GameSummary
from tilerummy.lab.line_ups import LineUp
from tilerummy.lab.tournament import DealResult, Tournament, searches
from tilerummy.rules.editions import edition

FORMAT = "tilerummy-strengths"
SCHEMA = 1


class Strength(NamedTuple):
    """How often a bot wins alone against another one that has all other seats."""

    bot: str
    against: str
    games: int
    wins: Estimate


def ladder_line_ups(bots: Sequence[str], yardstick: str, players: int) -> tuple[LineUp, ...]:
    """The line-ups that measure bots, which are given from weak to strong.

    A bot that searches stands below none: a table of several takes very long. Raises LabError
    unless there are two different bots.
    """
    below = [pair for pair in zip(bots[1:], bots, strict=False) if not searches(pair[1])]
    pairs = [*below, *((bot, yardstick) for bot in bots)]
    found = [(bot, *[other] * (players - 1)) for bot, other in pairs if bot != other]
    if not found:
        raise LabError("a ladder needs two different bots", key="error.lab.ladder")
    return tuple(dict.fromkeys(found))


def strengths_of(tournament: Tournament, results: Sequence[DealResult]) -> list[Strength]:
    """The strengths that the results of such line-ups show, in their order."""
    found = []
    for table, (bot, other, *_) in enumerate(tournament.line_ups):
        own = [result.games for result in results if result.table == table]
        wins = [fmean([_won(game, bot) for game in games]) for games in own]
        found.append(Strength(bot, other, sum(map(len, own)), share_of(wins)))
    return found


def _won(game: GameSummary, bot: str) -> float:
    return game.win_share(game.players.index(bot))


def strengths_json(
    measured: Sequence[tuple[Tournament, Sequence[Strength]]], yardstick: str
) -> dict[str, Any]:
    """The file of strengths, ready for JSON. Raises IndexError if nothing was measured."""
    first = measured[0][0]
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "version": __version__,
        "seed": first.seed,
        "nodes": first.nodes,
        "samples": first.samples,
        "search_every": first.search_every,
        "yardstick": yardstick,
        "measured": [
            {
                "edition": tournament.edition.name,
                "players": tournament.players,
                "bots": {
                    bot: fingerprint(bot, tournament.edition, tournament.budget)
                    for bot in tournament.bots
                },
                "strengths": [
                    {**strength._asdict(), "wins": strength.wins.to_json()}
                    for strength in strengths
                ],
            }
            for tournament, strengths in measured
        ],
    }


def outdated_bots(data: dict[str, Any]) -> list[str]:
    """The bots of a file of strengths that play differently now, as `edition/bot`."""
    found = []
    budget = Budget(nodes=data["nodes"], samples=data["samples"])
    for part in data["measured"]:
        rules = edition(part["edition"])
        for bot, before in part["bots"].items():
            if fingerprint(bot, rules, budget) != before:
                found.append(f"{part['edition']}/{bot}")
    return list(dict.fromkeys(found))
