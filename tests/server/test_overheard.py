"""Secrecy on the wire: every byte that a real server sends over whole matches is checked.

`rooms/test_secrecy.py` holds what rooms tell to the same; here it is what sockets and requests
carry, with drafts, hints, refusals, reloads and nonsense.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.server.live_server import Line, LiveServer, best_move, live_server
from tests.server.rooms.test_secrecy import TILE
from tilerummy.client.seeds import Seeds
from tilerummy.play.game import Phase
from tilerummy.rules.editions import EDITIONS
from tilerummy.rules.tiles import Tile, face_text, parse_tile, tile_text
from tilerummy.server.rooms.room import Room

SEATS = 3
WATCHER = None
QUIET = {
    "TILERUMMY_PACE_SEEDS": "1h",
    "TILERUMMY_PACE_LOOK": "1h",
    "TILERUMMY_LIMIT_HINTS": "9000/s",
    "TILERUMMY_LIMIT_ADDRESS_HINTS": "9000/s",
    "TILERUMMY_LIMIT_SOLVER_CPU": "9000/s",
}
"""Nothing happens by itself, so that at every moment it is certain what everybody may know."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("overheard"), QUIET) as server:
        yield server
        assert server.complaints.lines == []


class Match:
    """Three people play, others watch, and every message to them is checked."""

    def __init__(self, server: LiveServer, stack: ExitStack, rng: random.Random, **settings: Any):
        self._server = server
        self._stack = stack
        self._rng = rng
        self._tokens = [server.guest(f"Player {number}") for number in range(SEATS)]
        self._stranger = server.guest("Stranger")
        self.code = server.open(self._tokens[0], seats=SEATS, stand_in=False, **settings)
        for token in self._tokens[1:]:
            server.sit(self.code, token)
        self.lines = [self._line(token, {}) for token in self._tokens]
        self._seeds = [Seeds() for _ in self._tokens]
        self._others: list[tuple[int | None, Line]] = [
            (WATCHER, self._line(None, {})),
            (WATCHER, self._line(self._stranger, {"whole": True})),
        ]
        self._may_know: dict[int | None, set[Tile]] = {}
        self._guessed: dict[int | None, set[Tile]] = {seat: set() for seat in range(SEATS)}
        self._game = 0
        self.read = 0
        self.named = 0

    def _line(self, token: str | None, hello: dict[str, Any]) -> Line:
        return self._stack.enter_context(Line(self._server, self.code, token, hello=hello))

    @property
    def room(self) -> Room:
        return self._server.room(self.code)

    # Reading

    def listen(self) -> Room:
        """Read all that was sent to anybody, and compare it with what they may know by now."""
        lines = [*enumerate(self.lines), *self._others]
        for _, line in lines:
            line.settle()
        room = self.room
        self._learn(room)
        for seat, line in lines:
            for text in line.texts:
                self._check(text, seat, room)
            line.texts.clear()
        return room

    def _learn(self, room: Room) -> None:
        """By the rules: one's own rack, and what has lain on the table or was shown."""
        game = room.game
        if game is None:
            return
        if game.number != self._game:
            self._game = game.number
            self._may_know = {}
        for seat in (*range(SEATS), WATCHER):
            known = self._may_know.setdefault(seat, set())
            known.update(tile for row in game.table for tile in row)
            known.update(tile for _, tile in game.starter_draws)
            if seat is not WATCHER and game.racks:
                known.update(game.racks[seat])
            if game.phase is Phase.OVER:
                known.update(game.edition.box(SEATS).tiles())

    def _check(self, text: str, seat: int | None, room: Room) -> None:
        self.read += 1
        named = {parse_tile(found) for found in TILE.findall(text)}
        self.named += len(named)
        unknown = named - self._may_know.get(seat, set())
        if text.startswith('{"type":"refused"'):
            unknown -= self._guessed.get(seat, set())  # they said it themselves
        assert not unknown, f"{seat} is told of {[*map(tile_text, unknown)]}: {text[:600]}"
        guests = [other.guest for other in room.seats if other.guest is not None]
        for secret in (*self._tokens, self._stranger, *guests):
            assert secret not in text
        if room.game is not None and room.game.phase is not Phase.OVER:
            assert room.game.secret not in text

    # Playing

    def begin(self) -> None:
        self.lines[0].ask("begin")

    def step(self) -> None:
        """What comes next, or something that disturbs it."""
        room = self.listen()
        if room.phase == "dealing":
            for line, seeds in zip(self.lines, self._seeds, strict=True):
                message = seeds.message(line.known)
                if message is not None:
                    line.ask(message.pop("type"), **message)
                    self.listen()
        elif room.phase == "between":
            self._each("ask", what="more")
        elif self._rng.random() < 0.6:
            self._mover(room).ask(**best_move(self._mover(room).known))
        else:
            self._rng.choice(self._disturbances)(room)

    def _each(self, kind: str, **fields: Any) -> None:
        for line in self.lines:
            line.ask(kind, **fields)
            self.listen()

    def _mover(self, room: Room) -> Line:
        assert room.game is not None
        return self.lines[room.game.current]

    @property
    def _disturbances(self) -> list[Callable[[Room], None]]:
        return [
            self._lay_too_little,
            self._guess,
            self._draft,
            self._reload,
            self._hint,
            self._talk,
            self._move_out_of_turn,
            self._send_nonsense,
            self._look_from_outside,
            self._pause,
        ]

    def _lay_too_little(self, room: Room) -> None:
        line = self._mover(room)
        table = [*map(list, line.known.table), line.known.rack[:2]]
        texts = [[tile_text(tile) for tile in row] for row in table]
        line.ask("play", turn=line.known.turn, table=texts)

    def _guess(self, room: Room) -> None:
        """A tile of somebody else, and one of the pool: the answers must not tell them apart."""
        game = room.game
        assert game is not None
        seat, line = game.current, self._mover(room)
        answers = []
        for tiles in (game.racks[(seat + 1) % SEATS], game.pool):
            numbers = [tile for tile in tiles if face_text(tile)[1:]]
            if not numbers or room.edition.strict_submit:
                return
            tile = self._rng.choice(numbers)
            self._guessed[seat].add(tile)
            table = [[tile_text(tile) for tile in row] for row in line.known.table]
            answer = line.ask("play", turn=line.known.turn, table=[*table, [tile_text(tile)]])
            answer.pop("re")
            answers.append(re.sub(rf"\b{face_text(tile)}\b", "TILE", str(answer)))
        assert answers[0] == answers[1], "the answer tells where the tile is"

    def _draft(self, room: Room) -> None:
        line = self._mover(room)
        tiles = [[tile_text(tile)] for tile in line.known.rack[:3]]
        line.send({"type": "draft", "turn": line.known.turn, "table": tiles})

    def _reload(self, room: Room) -> None:
        seat = self._rng.randrange(SEATS)
        self.lines[seat].close()
        known = self.lines[seat].known
        # Earlier games are not secret any more, but would look like it.
        version = self._rng.choice([0, known.version, max(room.game_first, known.version - 5)])
        line = self._line(self._tokens[seat], {"version": version})
        if version:
            line.known = known
            known.version = version
        line.known.you = seat
        self.lines[seat] = self._line(self._tokens[seat], {})
        self._others.append((seat, line))
        if len(self._others) > 6:
            self._others.pop(2)[1].close()

    def _hint(self, room: Room) -> None:
        for line in self.lines:
            line.ask("hint")

    def _talk(self, room: Room) -> None:
        self.lines[0].ask("mute", seat=1, on=self._rng.random() < 0.5)
        self.lines[1].ask("say", text="what have you got?")
        self.lines[2].ask("emote", emote="thinking")

    def _move_out_of_turn(self, room: Room) -> None:
        for line in self.lines:
            line.ask("draw", turn=line.known.turn + 1)
            if line is not self._mover(room):
                line.ask("draw", turn=line.known.turn)

    def _send_nonsense(self, room: Room) -> None:
        for _, line in (*enumerate(self.lines), *self._others):
            line.send('{"type": "draw", "id": "x", "seat": 1}')
            line.send("[]")
        self._others[0][1].ask("hint")

    def _look_from_outside(self, room: Room) -> None:
        path = f"/api/rooms/{self.code}"
        for token in (None, self._stranger, *self._tokens):
            for what in ("", "/games", "/matches/1/record", "/matches/1/verify"):
                text = self._server.request("GET", path + what, token=token).text
                if what and "no-record" not in text and room.matches:
                    # Only games that are over are revealed.
                    assert room.game is not None
                    assert room.game.secret not in text
                else:
                    self._check(text, WATCHER, room)

    def _pause(self, room: Room) -> None:
        for want in (True, False):
            for line in self.lines:
                line.ask("ask", what="pause", want=want)


def overhear(server: LiveServer, edition: str, seed: int, **options: Any) -> Match:
    rng = random.Random(seed)
    options = {"match.games_per_round": 2, "timer.seconds": 0, **options}
    with ExitStack() as stack:
        match = Match(server, stack, rng, edition=edition, options=options, hints=True)
        match.begin()
        while match.room.phase != "over":
            match.step()
        match.listen()
        return match


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_nobody_receives_what_is_not_theirs(server: LiveServer, edition: str) -> None:
    match = overhear(server, edition, 1, **{"hand_size": 4, "initial.min": 0})
    assert match.read > 100
    assert match.named > 300, "a check that sees no tile proves nothing"


@pytest.mark.soak
@pytest.mark.parametrize("edition", sorted(EDITIONS))
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("strict", [False, True])
def test_soak_nobody_receives_what_is_not_theirs(
    server: LiveServer, edition: str, seed: int, strict: bool
) -> None:
    overhear(server, edition, seed, strict_submit=strict)
