"""The text of the end of a game: the rule that ended it, then who won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tilerummy.locales import catalogue, join
from tilerummy.play.endings import unable_seat
from tilerummy.play.game import Game
from tilerummy.rules.scores import Ending, Result


def end_text(game: Game, lang: str) -> str:
    """The ending of a finished game in one or two sentences."""
    words, result = catalogue(lang), game.result
    if result is None:
        return ""
    winners = join([game.players[seat] for seat in result.winners], lang)
    if result.end is Ending.OUT:
        return words.text("ending.out", names=winners)
    unable = unable_seat(game)
    key = "blocked" if result.end is None else str(result.end)
    if unable is None:
        how = words.text(f"ending.{key}")
    else:
        how = words.text(f"ending.{key}-unable", name=game.players[unable])
    if not result.winners:
        who = words.text("ending.nobody-wins")
    elif len(result.winners) > 1:
        who = words.text("ending.shared", names=winners)
    else:
        who = words.text("ending.lowest", names=winners)
    return words.text("ending.both", how=how, who=who)


def endings_text(results: Iterable[Result], lang: str) -> str:
    """How often each ending came, the most frequent first."""
    words = catalogue(lang)
    count = Counter(str(result.end) for result in results if result.end is not None)
    parts = [
        words.text("ending.count", end=words.text(f"ending.short.{end}"), count=number)
        for end, number in count.most_common()
    ]
    return words.text("ending.counted", endings=join(parts, lang)) if parts else ""
