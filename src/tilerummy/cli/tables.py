"""The score sheet of a match, as the score pad prints it."""

from __future__ import annotations

from rich.table import Table

from tilerummy.cli.pad.words import Words, score_table
from tilerummy.locales import catalogue
from tilerummy.play.match import Match
from tilerummy.play.scorepad import ScorePad, Written


def pad_of(match: Match) -> ScorePad:
    entries = tuple(Written(result.scores, result.winners) for result in match.results)
    return ScorePad(match.edition, match.players, match.rounds, entries)


def score_sheet(match: Match, lang: str, height: int | None = None) -> Table:
    return score_table(Words(lang), pad_of(match), height)


def standing_text(match: Match, lang: str) -> str:
    """Who leads or has won, in a sentence."""
    if not match.results:
        return catalogue(lang).text("play.no-game-over")
    return Words(lang).standing(pad_of(match))
