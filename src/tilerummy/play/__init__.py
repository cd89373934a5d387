"""Games as event-sourced state machines: deals, turns, matches, records, the fair shuffle. Pure.

The names that most programs need are exported here; the modules hold the rest.
"""

from tilerummy.play.commands import (
    CancelDeal,
    Command,
    Commit,
    Draw,
    FixCommitments,
    GiveSeed,
    Pass,
    Play,
    Reveal,
    Start,
    TimeOut,
    Turn,
)
from tilerummy.play.driver import MatchDriver, play_turns
from tilerummy.play.endings import CanPlay
from tilerummy.play.events import Event
from tilerummy.play.game import Game, Phase
from tilerummy.play.match import Match, MatchError
from tilerummy.play.notation import load, to_text
from tilerummy.play.record import Record, RecordError, to_jsonl
from tilerummy.play.refusals import Refused
from tilerummy.play.shuffle import SeedError
from tilerummy.play.verification import verify
from tilerummy.play.views import View, view

__all__ = [
    "CanPlay",
    "CancelDeal",
    "Command",
    "Commit",
    "Draw",
    "Event",
    "FixCommitments",
    "Game",
    "GiveSeed",
    "Match",
    "MatchDriver",
    "MatchError",
    "Pass",
    "Phase",
    "Play",
    "Record",
    "RecordError",
    "Refused",
    "Reveal",
    "SeedError",
    "Start",
    "TimeOut",
    "Turn",
    "View",
    "load",
    "play_turns",
    "to_jsonl",
    "to_text",
    "verify",
    "view",
]
