"""What happens: deal, turns, games, matches, records and the fair shuffle. Pure.

The names most programs need stand here; the modules hold the rest.
"""

from tilerummy.play.commands import Command, Draw, GiveSeed, Pass, Play, Start, TimeOut
from tilerummy.play.endings import CanPlay
from tilerummy.play.events import Event
from tilerummy.play.game import Game, Phase
from tilerummy.play.match import Match
from tilerummy.play.notation import load, to_text
from tilerummy.play.record import Record, to_jsonl
from tilerummy.play.refusals import Refused
from tilerummy.play.verify import verify
from tilerummy.play.views import View, view

__all__ = [
    "CanPlay",
    "Command",
    "Draw",
    "Event",
    "Game",
    "GiveSeed",
    "Match",
    "Pass",
    "Phase",
    "Play",
    "Record",
    "Refused",
    "Start",
    "TimeOut",
    "View",
    "load",
    "to_jsonl",
    "to_text",
    "verify",
    "view",
]
