"""Sentences about turns: what happened at the table."""

from __future__ import annotations

from tilerummy.cli.session import TurnEvent
from tilerummy.locales import catalogue
from tilerummy.play.events import Drew, Passed, Played
from tilerummy.rules.tiles import row_text


def deed(event: TurnEvent, lang: str, *, own: bool = False) -> str:
    """One turn, without the name of its player; only its own player sees what was drawn."""
    words = catalogue(lang)
    match event:
        case Played(by_clock=True):
            return words.text("play.did-lay-clock", tiles=row_text(event.tiles))
        case Played():
            return words.text("play.did-lay", tiles=row_text(event.tiles))
        case Drew():
            count, tiles = len(event.tiles), row_text(event.tiles)
            own = own and count > 0
            if event.why == "choice":
                key = "play.did-draw-own" if own else "play.did-draw"
            elif event.why == "clock":
                key = "play.did-draw-clock-own" if own else "play.did-draw-clock"
            elif event.why == "penalty":
                key = "play.did-penalty-own" if own else "play.did-penalty"
            else:
                key = "play.did-illegal-own" if own else "play.did-illegal"
            return words.text(key, count=count, tiles=tiles)
        case Passed():
            return words.text("play.did-pass" if event.why == "choice" else "play.did-pass-clock")
