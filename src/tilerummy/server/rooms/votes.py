"""Votes of players about another player: to remove them, or that a bot stands in for them.

During a match nobody decides this alone. A motion is carried once every other player who is here
agrees. A removal needs two of them, so that nobody can remove their only opponent. A bot stands in
for a player who does not move although no clock runs; they can take over again at any time.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilerummy.server.rooms.decision import MOST_TALK, Decision
from tilerummy.server.rooms.events import Motion, Replaced, Voted
from tilerummy.server.rooms.refusals import RoomRefused
from tilerummy.server.rooms.room import Vote
from tilerummy.server.rooms.seating import leave

PATIENCE = 120_000
"""Milliseconds for which a player may think before the others may vote for a stand-in."""
LEAST_VOTERS = 2
"""Players who have to agree on a removal."""


@dataclass(frozen=True, slots=True)
class CastVote:
    """A seat votes about another one, or withdraws its vote. `what` comes from a client."""

    seat: int
    about: int
    what: str
    want: bool

    def decide(self, decision: Decision) -> None:
        decision.seat(self.seat)
        motion = _motion(self.what)
        vote = Vote(motion, self.about, self.seat)
        if not self.want:
            if vote in decision.room.votes:
                self._record(decision, motion)
            return
        self._check(decision, motion)
        if vote not in decision.room.votes:
            self._record(decision, motion)
        if _is_carried(decision, motion, self.about):
            _carry_out(decision, motion, self.about)

    def _record(self, decision: Decision, motion: Motion) -> None:
        decision.check_talk(2 * MOST_TALK)
        decision.record(Voted(decision.now, self.seat, self.about, motion, self.want))

    def _check(self, decision: Decision, motion: Motion) -> None:
        """Raises Refused unless this can be voted on now."""
        other, room = decision.seat(self.about), decision.room
        if self.seat == self.about:
            raise RoomRefused("own-seat", "vote about another player")
        if not room.in_match:
            raise RoomRefused("wrong-moment", "there is no match: the host removes players")
        if other.guest is None:
            raise RoomRefused("in-match", "a bot stays until the match is over")
        if motion == "stand-in":
            _check_stalling(decision, self.about)
        elif len(room.people_but(self.about)) < LEAST_VOTERS:
            raise RoomRefused("too-few", "a removal needs the agreement of two other players")


def _motion(text: str) -> Motion:
    if text == "remove":
        return "remove"
    if text == "stand-in":
        return "stand-in"
    raise RoomRefused("bad-vote", "vote for `remove` or for `stand-in`")


def _check_stalling(decision: Decision, about: int) -> None:
    game, room = decision.check_playing(), decision.room
    if game.current != about or room.seats[about].bot is not None:
        raise RoomRefused("wrong-moment", f"nobody waits for seat {about}")
    if room.deadline is not None:
        raise RoomRefused("wrong-moment", "the clock ends this turn")
    wait = game.turn_began + room.lost + PATIENCE - decision.now
    if wait > 0:
        raise RoomRefused("too-soon", f"let them think: wait {-(-wait // 1000)} s")


def _is_carried(decision: Decision, motion: Motion, about: int) -> bool:
    votes = decision.room.votes
    return all(Vote(motion, about, seat) in votes for seat in decision.room.people_but(about))


def _carry_out(decision: Decision, motion: Motion, about: int) -> None:
    if motion == "remove":
        leave(decision, about, removed=True)
    else:
        decision.record(Replaced(decision.now, about, decision.room.stand_in))
