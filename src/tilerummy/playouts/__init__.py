"""Playouts: complete games by simple policies, from any state of a game, as fast as possible."""

from __future__ import annotations

from tilerummy.playouts.lane import serves
from tilerummy.playouts.limits import Limits
from tilerummy.playouts.playing import play_out, play_out_many
from tilerummy.playouts.state import Outcome, Start

__all__ = ["Limits", "Outcome", "Start", "play_out", "play_out_many", "serves"]
