"""Secrecy: no message of a whole match shows a client a tile that it may not know."""

from __future__ import annotations

import random
import re
from typing import cast, get_args

import msgspec
import pytest

from tests.server.rooms.desk import OTHER, SECRET, Desk
from tilerummy.play import events as play
from tilerummy.play.commands import Play
from tilerummy.play.refusals import Refused
from tilerummy.rules.editions import EDITIONS
from tilerummy.rules.tiles import Table, Tile, parse_tile, tile_text
from tilerummy.server.live.update import Update
from tilerummy.server.protocol.outgoing import OutEvent
from tilerummy.server.protocol.projection import seen_event
from tilerummy.server.rooms import chat, events, matches, seating
from tilerummy.server.rooms.events import LogEntry
from tilerummy.server.rooms.room import RoomPhase, Transition
from tilerummy.server.rooms.settings import Settings

TILE = re.compile(r"\b(?:[rbko]1?\d|[JDCM])\.\d+\b")
SEATS = 3
WATCHER = None


class Eavesdropper(Desk):
    """Reads every byte that leaves for anybody, and knows what each of them may know."""

    def __init__(self, settings: Settings) -> None:
        self.may_know: dict[int | None, set[Tile]] = {}
        self.secret_is_out = False
        self.read = 0
        self.named = 0
        super().__init__(settings)

    def tell(self, transitions: tuple[Transition, ...]) -> None:
        self._learn(transitions)
        update = Update(transitions, {0: "c1"})
        for guest in ("guest-Ann", "guest-Bo", "guest-of-nobody", WATCHER):
            seat = None if guest is None else self.room.seat_of(guest)
            for text in (update.events(guest), update.snapshot(seat, self.now)):
                self._check(text.decode(), seat)

    def _learn(self, transitions: tuple[Transition, ...]) -> None:
        """By the rules: one's own rack, and what has lain on the table or was shown."""
        for step in transitions:
            event, game = step.entry.event, step.room.game
            everybody = (*range(SEATS), WATCHER)
            if isinstance(event, play.Created):
                self.may_know = {seat: set() for seat in everybody}
                self.secret_is_out = False
            if game is None or not game.racks:
                continue
            for seat in everybody:
                known = self.may_know.setdefault(seat, set())
                known.update(tile for row in game.table for tile in row)
                known.update(tile for _, tile in game.starter_draws)
                if seat is not WATCHER:
                    known.update(game.racks[seat])
                if isinstance(event, play.Ended):
                    known.update(game.edition.box(SEATS).tiles())
                    self.secret_is_out = True

    def _check(self, text: str, seat: int | None) -> None:
        self.read += 1
        named = {parse_tile(found) for found in TILE.findall(text)}
        self.named += len(named)
        unknown = named - self.may_know.get(seat, set())
        assert not unknown, f"seat {seat} is told of {[*map(tile_text, unknown)]}: {text[:500]}"
        assert "guest-" not in text, "ids of guests are nobody's business"
        if not self.secret_is_out:
            assert SECRET not in text
            assert OTHER not in text


@pytest.mark.parametrize("edition", sorted(EDITIONS))
@pytest.mark.parametrize("seed", range(2))
def test_no_message_names_a_tile_that_its_seat_may_not_know(edition: str, seed: int) -> None:
    rng = random.Random(seed)
    options = {"match.games_per_round": 2, "timer.seconds": 60, "strict_submit": bool(seed)}
    desk = Eavesdropper(Settings(edition=edition, seats=SEATS, options=options))
    desk.seats("Ann", "Bo")
    desk.does(seating.AddBot(0, "solver"))
    desk.does(chat.Say(0, "hello"))
    desk.does(matches.Begin(0, SECRET))
    while desk.room.phase is not RoomPhase.OVER:
        if desk.room.phase is not RoomPhase.PLAYING:
            desk.plays_on(RoomPhase.PLAYING)
            continue
        try:
            step(desk, rng)
        except Refused as error:
            if error.code == "paused":
                desk.does(matches.Ask(here(desk), "pause", False, OTHER))
    assert desk.read > 500
    assert desk.named > 5000, "a check that sees no tile proves nothing"


def step(desk: Eavesdropper, rng: random.Random) -> None:
    """Mostly a turn; sometimes a time-out over a draft, an illegal table, or somebody who goes."""
    game = desk.room.game
    assert game is not None
    rack = game.racks[game.current]
    chance = rng.random()
    if chance < 0.06:
        draft = (*game.table, tuple(rng.sample(rack, min(3, len(rack)))))
        desk.does(matches.TimeUp(game.turn, draft), after=61_000)
    elif chance < 0.1:
        draft = (*game.table, tuple(rack[:2]))
        desk.does(matches.TakeTurn(play_of(game.current, draft), game.turn))
    elif chance < 0.13:
        desk.does(seating.Drop(rng.randrange(2)))
    elif chance < 0.16:
        desk.does(seating.Return(rng.randrange(2)))
    elif chance < 0.18:
        desk.does(chat.Mute(0, 1, True))
        desk.does(chat.Say(1, "psst"))
    elif chance < 0.2:
        desk.does(matches.Ask(rng.randrange(2), "pause", rng.random() < 0.5, OTHER))
    else:
        desk.move()


def here(desk: Eavesdropper) -> int:
    return next(number for number, seat in enumerate(desk.room.seats) if seat.is_here)


def play_of(seat: int, table: Table) -> matches.Move:
    return Play(seat, table)


def test_an_event_leaves_only_if_it_is_public_or_has_a_projection() -> None:
    class Whispered(msgspec.Struct, frozen=True):
        at: int

    room = Desk().room
    whisper = cast(events.RoomEvent, Whispered(1))
    with pytest.raises(AssertionError, match="Whispered"):
        seen_event(Transition(LogEntry(2, whisper), room), seat=0)
    hosted = events.Hosted(1, seat=0)
    assert seen_event(Transition(LogEntry(2, hosted), room), seat=0) is hosted


def test_public_events_are_the_events_that_are_sent_as_they_are() -> None:
    public = {kind for kind in get_args(events.RoomEvent) if issubclass(kind, events.Public)}
    assert public == {*get_args(events.RoomEvent)} & {*get_args(OutEvent)}
    fields = {name for kind in public for name in kind.__struct_fields__}
    assert not fields & {"guest", "guests", "secret", "code", "tiles", "rack", "racks", "pool"}
