"""Sockets as clients see them: who receives which message, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from sqlalchemy import select
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.server.live_server import Line, LiveServer, answer_code, best_move, live_server, play_on
from tilerummy.bots.roster import STAND_IN
from tilerummy.client.seeds import Seeds
from tilerummy.rules.tiles import tile_text
from tilerummy.server.edge import outbox, sockets
from tilerummy.server.limits import rate_limiter as limits
from tilerummy.server.limits.buckets import Rate
from tilerummy.server.limits.rate_limiter import Limits, RateLimiter
from tilerummy.server.protocol.incoming import LARGEST
from tilerummy.server.store import Unavailable
from tilerummy.server.store.schema import due


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    settings = {
        "TILERUMMY_PACE_GRACE": "300ms",
        "TILERUMMY_PACE_SEEDS": "60s",  # until all have given theirs
        "TILERUMMY_LIMIT_HINTS": "1/min burst 1",
    }
    with live_server(tmp_path_factory.mktemp("sockets"), settings) as server:
        yield server
        assert server.complaints.lines == []


SHORT = {"match.games_per_round": 1, "hand_size": 3, "initial.min": 0, "timer.seconds": 0}
"""A game that is soon over."""


class Table:
    """Some people in a room, each with a line."""

    def __init__(self, server: LiveServer, stack: ExitStack, *names: str, **settings: Any) -> None:
        self.server = server
        self._stack = stack
        self.tokens = [server.guest(name) for name in names]
        usual = {"seats": max(2, len(names)), "options": {"timer.seconds": 0}, "stand_in": False}
        self.code = server.open(self.tokens[0], **{**usual, **settings})
        for token in self.tokens[1:]:
            server.sit(self.code, token)
        self.lines = [self.line(token) for token in self.tokens]
        self.seeds = [Seeds() for _ in self.tokens]

    def line(self, token: str | None, **hello: object) -> Line:
        line = Line(self.server, self.code, token, hello=hello)
        return self._stack.enter_context(line)

    def begin(self) -> None:
        assert self.lines[0].ask("begin")["type"] == "events"
        for line in self.lines:
            line.settle()
        for _ in ("commit", "reveal"):
            for seeds, line in zip(self.seeds, self.lines, strict=True):
                line.settle()
                message = seeds.message(line.known)
                assert message is not None
                assert answer_code(line.ask(message.pop("type"), **message)) == "events"
        for line in self.lines:
            line.settle()
            assert line.known.phase == "playing"

    @property
    def current(self) -> Line:
        return self.lines[self.lines[0].known.current]

    @property
    def waiting(self) -> Line:
        return self.lines[self.lines[0].known.current - 1]

    def draw(self) -> None:
        assert self.current.ask("draw", turn=self.current.known.turn)["type"] == "events"
        for line in self.lines:
            line.settle()


@pytest.fixture
def table(server: LiveServer) -> Iterator[Table]:
    """Ann, the host, and Bo, whose game has begun."""
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo")
        table.begin()
        yield table


# Beginnings


@pytest.mark.parametrize(
    "first",
    [
        '{"type": "draw", "id": "1", "turn": 1}',
        '{"type": "ping", "id": "1"}',
        "",
        "nonsense",
        b"\xff\xfe",
        '{"type": "hello", "version": -1}',
    ],
)
def test_the_first_message_is_a_hello(server: LiveServer, first: str | bytes) -> None:
    token = server.guest("Ann")
    with Line(server, server.open(token), token) as line:
        line.send(first)
        assert line.wait_closed() == 1008
        assert json.loads(line.texts[-1])["code"] == "no-hello"


def test_one_hello_is_enough(table: Table) -> None:
    table.lines[0].send({"type": "hello"})
    table.lines[0].settle()
    assert table.lines[0].refusals == ["twice"]


def test_a_newcomer_gets_a_snapshot_and_then_events_by_version(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo")
        snapshot = table.lines[0].receive()
        assert snapshot["type"] == "snapshot"
        assert snapshot["you"] == 0
        assert snapshot["version"] == server.room(table.code).version
        table.begin()  # a line raises where a version is missing
        assert {line.known.version for line in table.lines} == {server.room(table.code).version}


def test_with_whole_there_is_a_snapshot_after_every_change(table: Table) -> None:
    line = table.line(table.tokens[0], whole=True)
    assert line.receive()["type"] == "snapshot"
    table.draw()
    after = line.receive()
    assert after["type"] == "snapshot"
    assert after["version"] == table.lines[0].known.version
    assert sorted(after["room"]["game"]["rack"]) == sorted(
        map(tile_text, table.lines[0].known.rack)
    )


def turned_away(line: Line) -> tuple[str, int]:
    """A refused client gets a message and a close code."""
    said = line.receive()
    assert said["type"] == "error"
    assert said["message"]
    return said["code"], line.wait_closed()


@pytest.mark.parametrize("code", ["NOROOM", "x", "%20"])
def test_where_there_is_no_room_a_page_learns_so(
    server: LiveServer, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser gives a page no details about a socket that never opened."""
    monkeypatch.setattr(server.node, "rate_limiter", RateLimiter(Limits()))
    for token in (None, server.guest("Ann")):
        with Line(server, code, token) as line:
            assert turned_away(line) == ("no-room", 4404)
        with Line(server, code, token, hello={}) as line:
            assert turned_away(line) == ("no-room", 4404)


def test_while_the_store_is_away_a_page_is_asked_to_come_again(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise Unavailable("it does not answer")

    code = server.open(server.guest("Ann"))
    monkeypatch.setattr(server.node.keeper, "find", away)
    with Line(server, code) as line:
        assert turned_away(line) == ("unavailable", 1013)
    monkeypatch.undo()
    server.complaints.lines.clear()
    monkeypatch.setattr(server.node, "draining", True)
    with Line(server, code) as line:
        assert turned_away(line) == ("unavailable", 1013)


def test_a_foreign_page_learns_nothing(server: LiveServer) -> None:
    address = f"{server.url.replace('http', 'ws', 1)}/api/rooms/NOROOM/socket"
    for origin in ("https://evil.example", "null"):
        with pytest.raises(InvalidStatus, match="403"):
            connect(address, origin=Origin(origin))


# Coming back


def test_a_client_that_comes_back_gets_what_it_missed(table: Table) -> None:
    line = table.lines[0]
    line.close()
    for _ in range(3):
        mover = table.current
        if mover is line:
            mover = table.line(table.tokens[0], version=line.known.version)
            mover.known = line.known
            mover.settle()
            table.lines[0] = line = mover
            continue
        mover.ask("draw", turn=mover.known.turn)
        mover.settle()
        break
    version = line.known.version
    again = table.line(table.tokens[0], version=version)
    again.known = line.known
    again.settle()
    assert again.known.version == server_version(table)
    assert all(json.loads(text)["type"] != "snapshot" for text in again.texts)


def server_version(table: Table) -> int:
    return table.server.room(table.code).version


def test_a_client_that_comes_back_too_late_gets_a_snapshot(table: Table) -> None:
    known = table.lines[0].known.version
    for number in range(70):
        table.lines[1].command("say", text=f"{number}")
    table.lines[1].settle()
    for version in (known, 10**6, 2**31):
        line = table.line(table.tokens[0], version=version)
        message = line.receive()
        assert message["type"] == "snapshot"
        assert message["version"] == server_version(table)


def test_a_client_that_missed_nothing_gets_nothing(table: Table) -> None:
    line = table.line(table.tokens[0], version=server_version(table))
    assert line.settle() == []


# Commands


def test_a_command_that_is_sent_twice_is_applied_once(table: Table) -> None:
    line = table.current
    turn = line.known.turn
    first = line.ask("draw", turn=turn, id="twice")
    again = line.ask("draw", turn=turn, id="twice")
    assert first["type"] == "events"
    assert again == {"type": "done", "re": "twice", "version": first["version"]}
    assert server_version(table) == first["version"]
    tab = table.line(table.tokens[table.lines.index(line)])
    assert tab.ask("draw", turn=turn, id="twice") == again, "over another connection too"


def test_ids_of_different_seats_have_nothing_to_do_with_each_other(table: Table) -> None:
    assert table.lines[0].ask("say", text="a", id="same")["type"] == "events"
    assert table.lines[1].ask("say", text="b", id="same")["type"] == "events"


def test_what_is_not_allowed_is_refused_by_name(table: Table) -> None:
    mover, other = table.current, table.waiting
    turn = mover.known.turn
    assert answer_code(other.ask("draw", turn=turn)) == "not-your-turn"
    assert answer_code(mover.ask("draw", turn=turn + 1)) == "wrong-turn"
    assert answer_code(mover.ask("pass", turn=turn)) != "events"
    assert answer_code(mover.ask("begin")) in ("already-begun", "not-host")
    assert answer_code(mover.ask("seed", seed="late")) == "already-started"
    late = {"transcript": mover.known.transcript}
    assert answer_code(mover.ask("commit", **late, commitment="ab" * 32)) == "already-started"
    assert answer_code(mover.ask("reveal", **late, seed="ab" * 32)) == "already-started"
    assert answer_code(mover.ask("ask", what="more")) == "wrong-moment"
    assert answer_code(mover.ask("ask", what="money")) == "bad-wish"
    assert answer_code(mover.ask("play", turn=turn, table=[["x9.9"]])) == "bad-tile"
    for said in ("?", ["x1"]):
        asked = {"turn": turn, "table": [["r1.1"]], "declared": [{"set": [], "as": said}]}
        code = "bad-declaration" if said == "?" else "bad-tile"
        assert answer_code(mover.ask("play", **asked)) == code
    assert answer_code(mover.ask("play", turn=turn, table=[], declared=[[[], "run"]])) == (
        "bad-message"
    )
    foreign = next(iter({*range(13)} - {*mover.known.rack}))
    answer = mover.ask("play", turn=turn, table=[[tile_text(foreign)] * 3])
    assert answer["type"] == "refused"
    assert answer["reasons"]


def test_a_spectator_cannot_play(table: Table) -> None:
    for token in (None, table.server.guest("Vi")):
        watcher = table.line(token)
        assert watcher.receive()["you"] is None
        assert answer_code(watcher.ask("draw", turn=watcher.known.turn)) == "no-seat"
        assert answer_code(watcher.ask("hint")) == "no-seat"
        watcher.send({"type": "draft", "turn": watcher.known.turn, "table": []})
        watcher.settle()
        assert watcher.refusals[-1] == "no-seat"


# Two tabs


def test_two_tabs_of_a_seat_agree(table: Table) -> None:
    tab = table.line(table.tokens[0])
    tab.settle()
    play_on(table.lines, lambda known: known.turn > 4)
    tab.settle()
    one, two = tab.known, table.lines[0].known
    assert (one.version, sorted(one.rack), one.table) == (two.version, sorted(two.rack), two.table)


def test_a_draft_shows_in_the_other_tab_and_after_a_reload_and_to_nobody_else(table: Table) -> None:
    mover, other = table.current, table.waiting
    token = table.tokens[table.lines.index(mover)]
    tab, watcher = table.line(token), table.line(None)
    for line in (tab, watcher):
        line.settle()
    draft = {"turn": mover.known.turn, "table": [[tile_text(mover.known.rack[0])]]}
    mover.send({"type": "draft", **draft})
    mover.settle()
    assert tab.settle() == [{"type": "draft", "draft": draft}]
    assert watcher.settle() == other.settle() == []
    assert table.line(token).receive()["room"]["draft"] == draft
    resumed = table.line(token, version=mover.known.version)
    assert resumed.settle() == [{"type": "draft", "draft": draft}]
    assert "draft" not in table.line(None).receive()["room"]
    table.draw()
    assert "draft" not in table.line(token).receive()["room"], "the turn is over"


def test_a_draft_of_another_turn_is_dropped(table: Table) -> None:
    for line in (table.current, table.waiting):
        line.send({"type": "draft", "turn": line.known.turn + 1, "table": []})
    table.waiting.send({"type": "draft", "turn": table.waiting.known.turn, "table": []})
    for line in table.lines:
        assert line.settle() == []
    assert table.server.run(table.server.node.store.drafts(table.server.room(table.code).id)) == []


# The clock


def is_turn_of(line: Line) -> Callable[[dict[str, Any]], bool]:
    return lambda message: any(
        event["type"] == "drew" and event["seat"] == line.known.you
        for event in message.get("events", ())
    )


def test_the_clock_judges_the_draft(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo", options={"timer.seconds": 3})
        table.begin()
        line = table.current
        tile = tile_text(line.known.rack[0])
        line.send({"type": "draft", "turn": line.known.turn, "table": [[tile]]})
        line.settle()
        drew = line.event("drew")
        assert drew["why"] == "penalty", "what lay there was no legal turn"
        other = table.lines[drew["current"]]
        assert other.until(is_turn_of(other))["events"][0]["why"] == "clock", "there was no draft"


# Those who watch


def test_a_spectator_sees_what_is_public(table: Table) -> None:
    watcher = table.line(None)
    snapshot = watcher.receive()
    assert "rack" not in snapshot["room"]["game"]
    table.draw()
    drew = watcher.event("drew")
    assert drew["count"] >= 1
    assert "tiles" not in drew


def test_a_delay_holds_back_what_happens_but_no_answers(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo", spectator_delay=600)
        before = table.line(None)
        table.begin()
        after = table.line(None)
        for line in (before, after):
            (snapshot,) = line.settle()
            assert snapshot["version"] == 1, "nobody had come ten minutes ago"


@pytest.mark.parametrize("whole", [False, True])
def test_what_was_held_back_comes_in_its_time(
    server: LiveServer, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More may be held back than anybody may be behind."""
    monkeypatch.setattr(outbox, "MOST_WAITING", 20)
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo", spectator_delay=2)
        lines = [table.line(None, whole=whole)]
        for number in range(30):
            assert table.lines[0].ask("say", text=f"{number}")["type"] == "events"
        lines.append(table.line(None, whole=whole))
        for line in lines:
            while line.known.version < server_version(table):
                line.receive()
            kinds = {json.loads(text)["type"] for text in line.texts[1:]}
            assert kinds <= {"snapshot" if whole else "events"}
        last = server.room(table.code).chat[-1]
        assert server.node.store.now() >= last.at + 2000


def test_a_player_who_leaves_watches_as_others_do(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo", "Cy", spectator_delay=600)
        table.begin()
        gone = table.lines.pop()
        assert gone.ask("leave")["type"] == "done"
        assert json.loads(gone.texts[-2])["events"][0]["type"] == "left"
        gone.settle()
        assert table.lines[0].ask("say", text="he is gone")["type"] == "events"
        assert gone.settle() == []


def test_where_nobody_may_watch_a_player_who_leaves_has_to_go(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo", "Cy", "Di", spectators=False)
        table.begin()
        gone = table.lines[3]
        gone.command("leave")
        assert gone.wait_closed() == 4403
        assert json.loads(gone.texts[-1])["events"][0]["type"] == "left"
        removed = table.lines[1]
        for line in (table.lines[0], table.lines[2]):
            assert line.ask("vote", about=1, what="remove")["type"] == "events"
        assert removed.wait_closed() == 4403
        assert turned_away(table.line(table.tokens[3])) == ("no-spectators", 4403)


def test_a_spectator_who_sits_down_is_no_longer_kept_behind(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", seats=3, spectator_delay=60)
        token = server.guest("Vi")
        line = table.line(token)
        line.settle()
        table.lines[0].ask("say", text="come")
        assert line.settle() == []
        server.sit(table.code, token)
        line.settle()
        assert line.known.you == 1
        assert line.known.version == server_version(table)


def test_a_player_who_sits_down_learns_on_every_line_which_seat_it_is(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", seats=3)
        token = server.guest("Vi")
        line = table.line(token)
        line.settle()
        version = server_version(table)
        server.sit(table.code, token)
        line.settle()
        late = table.line(token, version=version)
        late.settle()
        for each in (line, late):
            assert each.known.you == 1
            assert each.known.version == server_version(table)


# Those who are away


def test_a_bot_stands_in_for_somebody_who_is_away_until_they_return(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo", stand_in=True)
        table.begin()
        gone, other = table.current, table.waiting
        seat = table.lines.index(gone)
        gone.close()
        assert other.event("dropped")["seat"] == seat
        assert other.event("replaced")["seat"] == seat
        other.until(lambda _: other.known.my_turn)
        back = table.line(table.tokens[seat])
        back.settle()
        assert other.event("returned")["seat"] == seat
        other.settle()
        assert other.ask(**best_move(other.known))["type"] == "events"
        back.settle()
        assert back.ask(**best_move(back.known))["type"] == "events", "it is theirs again"
        other.ask("leave")
        back.ask("leave")


@pytest.mark.parametrize("bots", [(), ("simple",)])
def test_a_game_that_all_have_left_stands_until_one_of_them_returns(
    server: LiveServer, bots: tuple[str, ...]
) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo", seats=2 + len(bots), stand_in=True)
        for bot in bots:
            table.lines[0].ask("bot", bot=bot)
        table.begin()
        watcher = table.line(None)
        for line in table.lines:
            line.close()
        assert watcher.event("paused")
        version, turn = server_version(table), watcher.known.turn
        # Meanwhile a bot stands in at a table where somebody is left.
        other = Table(server, stack, "Cy", "Di", stand_in=True)
        other.begin()
        left = other.waiting
        other.current.close()
        left.until(lambda _: left.known.my_turn)
        assert watcher.settle() == [], "nobody plays against nobody"
        assert server_version(table) == version
        assert table.line(None).receive()["room"]["paused"]
        back = table.line(table.tokens[1])
        snapshot = back.receive()
        assert "paused" not in snapshot["room"]
        assert watcher.event("resumed")
        assert back.known.turn >= turn
        back.until(lambda _: back.known.my_turn) if not back.known.my_turn else None
        assert back.ask(**best_move(back.known))["type"] == "events"
        back.ask("leave")


def test_a_page_that_is_loaded_anew_is_not_away(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table.server.node.presence, "_moment", 60)
    table.lines[0].close()
    line = table.line(table.tokens[0])
    line.settle()
    table.lines[1].command("say", text="still here")
    assert table.lines[1].event("said")
    assert not table.server.room(table.code).seats[0].away


def test_a_player_who_sits_down_and_never_connects_is_away_after_a_while(
    server: LiveServer,
) -> None:
    token, other = server.guest("Ann"), server.guest("Bo")
    code = server.open(token, seats=2)
    server.sit(code, other)
    query = select(due.c.key).where(due.c.room == server.room(code).id, due.c.kind == "here")
    leases = server.run(
        server.node.store._database.read(lambda db: db.execute(query).scalars().all())
    )
    assert sorted(leases) == [0, 1]


# Pause, rematch, the host


def test_a_pause_is_agreed_on_and_ended_by_one(table: Table) -> None:
    ann, bo = table.lines
    assert ann.ask("ask", what="pause")["events"][-1]["type"] == "asked"
    assert bo.ask("ask", what="pause")["events"][-1]["type"] == "paused"
    mover = table.current
    assert answer_code(mover.ask("draw", turn=mover.known.turn)) == "paused"
    assert ann.ask("ask", what="pause", want=False)["events"][-1]["type"] == "resumed"
    assert mover.ask("draw", turn=mover.known.turn)["type"] == "events"


def test_a_player_who_was_away_while_the_others_paused_can_end_it(table: Table) -> None:
    ann, bo = table.lines
    ann.ask("ask", what="pause")
    bo.ask("ask", what="pause")
    bo.close()
    assert ann.event("dropped")
    back = table.line(table.tokens[1])
    assert ann.event("returned")
    assert back.ask("ask", what="pause", want=False)["events"][-1]["type"] == "resumed"


def test_after_a_match_all_who_are_here_want_another(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo", options=SHORT)
        table.begin()
        ann, bo = table.lines
        play_on(table.lines, lambda known: known.phase == "over")
        assert answer_code(ann.ask("draw", turn=ann.known.turn)) == "game-over"
        assert ann.ask("ask", what="more")["events"][-1]["type"] == "asked"
        assert bo.ask("ask", what="more")["events"][-1]["type"] == "reopened"
        for line in table.lines:
            line.settle()
        table.begin()


def test_the_host_removes_somebody_from_the_lobby_and_nobody_else_can(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo")
        ann, bo = table.lines
        assert answer_code(bo.ask("remove", seat=0)) == "not-host"
        assert answer_code(ann.ask("remove", seat=0)) == "own-seat"
        assert answer_code(ann.ask("remove", seat=5)) == "unknown-seat"
        left = ann.ask("remove", seat=1)["events"][0]
        assert (left["removed"], left.get("bot")) == (True, None)
        assert bo.event("left") == left
        assert answer_code(bo.ask("say", text="oh")) == "no-seat"


def test_the_others_remove_somebody_from_a_match(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo", "Cy")
        table.begin()
        ann, bo, cy = table.lines
        assert answer_code(ann.ask("remove", seat=1)) == "needs-vote"
        assert ann.ask("vote", about=1, what="remove")["events"][0]["type"] == "voted"
        left = cy.ask("vote", about=1, what="remove")["events"][-1]
        assert (left["removed"], left["bot"]) == (True, STAND_IN)
        assert bo.event("left") == left
        assert answer_code(bo.ask("say", text="oh")) == "no-seat"
        play_on([ann, cy], lambda known: known.turn > 3)


def test_seats_close_ranks_and_every_command_keeps_its_owner(server: LiveServer) -> None:
    """Bo sits on the third of four seats, and on the second when the match begins. Both have used
    the same ids before."""
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", seats=4)
        ann = table.lines[0]
        cy, bo = server.guest("Cy"), server.guest("Bo")
        assert (server.sit(table.code, cy), server.sit(table.code, bo)) == (1, 2)
        cy_line, bo_line = table.line(cy), table.line(bo)
        for line in (ann, bo_line):
            assert line.ask("say", text="ready", id="1")["type"] == "events"
        assert cy_line.ask("say", text="I am off", id="2")["type"] == "events"
        assert cy_line.ask("leave", id="3")["type"] == "done"
        # Cy was seat 1, which Bo will be, and has used the id 2, which Bo has not.
        begun = ann.ask("begin", id="4")
        assert begun["type"] == "events"
        assert ann.ask("begin", id="4")["type"] == "done"
        bo_line.settle()
        assert bo_line.known.you == 1
        assert bo_line.ask("say", text="here we go", id="2")["type"] == "events"
        assert bo_line.ask("say", text="ready", id="1")["type"] == "done"
        table.lines.append(bo_line)


def test_a_host_on_a_late_seat_learns_that_the_match_has_begun(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo", "Cy", seats=4)
        ann, bo, cy = table.lines
        assert ann.ask("leave")["type"] == "done"
        assert bo.ask("leave")["type"] == "done"
        server.sit(table.code, table.tokens[0], 3)
        begun = cy.ask("begin", id="go")
        assert [event["type"] for event in begun["events"]][:2] == ["began", "created"]
        assert begun["events"][0]["you"] == 0
        assert cy.ask("begin", id="go") == {
            "type": "done",
            "re": "go",
            "version": begun["version"],
        }
        assert all(json.loads(text).get("re") != "go" for text in ann.texts)


def test_a_new_owner_of_a_seat_does_not_inherit_the_ids_of_the_old(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo", seats=2)
        bo = table.lines[1]
        assert bo.ask("say", text="bye", id="1")["type"] == "events"
        assert bo.ask("leave", id="2")["type"] == "done"
        token = server.guest("Cy")
        assert server.sit(table.code, token) == 1
        cy = table.line(token)
        for id_ in ("1", "2"):
            assert cy.ask("say", text="hello", id=id_)["type"] == "events"


def test_events_from_another_seat_are_sent_as_they_were_then(server: LiveServer) -> None:
    """Somebody comes back after seats got other numbers: what others muted stays with them."""
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo", "Cy", seats=3)
        ann, bo, cy = table.lines
        cy.settle()
        version = cy.known.version
        assert bo.ask("mute", seat=0)["type"] == "events"
        assert bo.ask("leave")["type"] == "done"
        assert ann.ask("begin")["type"] == "events"
        again = table.line(table.tokens[2], version=version)
        again.known = cy.known
        events = again.receive()["events"]
        assert events[0]["type"] == "hidden"
        assert again.known.you == 1


# Talk


def test_people_talk_and_need_not_listen(table: Table) -> None:
    ann, bo = table.lines
    assert ann.ask("say", text="  good   luck ")["events"][0]["text"] == "good luck"
    assert bo.event("said")["text"] == "good luck"
    assert bo.ask("emote", emote="thanks")["events"][0]["emote"] == "thanks"
    assert answer_code(bo.ask("emote", emote="<script>")) == "unknown-emote"
    for text in (" ", "\u202eevil\u2028", "a\x00b"):
        assert answer_code(bo.ask("say", text=text)) == "bad-text"
    assert answer_code(bo.ask("say", text="x" * 201)) == "bad-message"
    watcher = table.line(None)
    watcher.settle()
    assert bo.ask("mute", seat=0)["events"][0]["type"] == "muted"
    ann.settle()
    assert [event["type"] for event in json.loads(ann.texts[-2])["events"]] == ["hidden"]
    ann.ask("say", text="are you there?")
    assert [message["events"][0]["type"] for message in bo.settle()] == ["hidden"]
    assert watcher.event("hidden")
    assert watcher.event("said")["text"] == "are you there?"
    chat = table.line(table.tokens[1]).receive()["room"]["chat"]
    assert [said["seat"] for said in chat] == [1]
    assert answer_code(bo.ask("mute", seat=1)) == "own-seat"


# Hints


def test_hints_are_for_ones_own_turn_and_not_too_many(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = Table(server, stack, "Ann", "Bo", hints=True)
        table.begin()
        mover, other = table.current, table.waiting
        assert answer_code(other.ask("hint")) == "not-your-turn"
        hint = mover.ask("hint")
        assert hint["type"] == "hint"
        assert hint["turn"] == mover.known.turn
        assert answer_code(mover.ask("hint")) == "too-fast"


def test_a_room_without_hints_gives_none(table: Table) -> None:
    assert answer_code(table.current.ask("hint")) == "no-hints"


# Bad messages


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("", "bad-message"),
        ("null", "bad-message"),
        ("[]", "bad-message"),
        ("{", "bad-message"),
        ("\x00", "bad-message"),
        (b"\xff\x00\xfe", "bad-message"),
        (b"", "bad-message"),
        ("[" * 10_000, "bad-message"),
        ('{"type": "dance", "id": "1"}', "bad-message"),
        ('{"type": "draw", "id": "1"}', "bad-message"),
        ('{"type": "draw", "id": "1", "turn": "1"}', "bad-message"),
        ('{"type": "draw", "id": "1", "turn": 1e400}', "bad-message"),
        ('{"type": "draw", "id": "1", "turn": 1, "seat": 0}', "bad-message"),
        ('{"type": "draw", "id": "a b", "turn": 1}', "bad-message"),
        ('{"type": "say", "id": "1", "text": "\\ud800"}', "bad-message"),
        ("x" * (LARGEST + 1), "too-large"),
        (b"x" * (LARGEST + 1), "too-large"),
        ("x" * 65_000, "too-large"),
    ],
)
def test_a_bad_message_is_answered_and_the_line_lives(
    table: Table, message: str | bytes, code: str
) -> None:
    line = table.lines[0]
    line.send(message)
    answers = line.settle()
    assert [answer["type"] for answer in answers] == ["error"]
    assert answers[0]["code"] == code
    assert len(answers[0]["message"]) < 300
    assert line.ask("say", text="still here")["type"] == "events"


def test_the_error_names_the_command(table: Table) -> None:
    answer = table.lines[0].ask("draw", id="x-1")
    assert (answer["type"], answer["code"], answer["re"]) == ("error", "bad-message", "x-1")


@pytest.mark.parametrize("parts", [[b"\xff\xfe"], [b"{", b"\xc3"], [b'{"type": "h\xe9llo"}']])
def test_invalid_text_ends_the_connection_and_is_not_logged(
    table: Table, parts: list[bytes]
) -> None:
    for first in (True, False):
        line = table.line(table.tokens[0]) if first else table.lines[0]
        line.socket.send(parts if len(parts) > 1 else parts[0], text=True)
        assert line.wait_closed() == 1007
    assert table.lines[1].ask("say", text="still here")["type"] == "events"
    assert table.server.complaints.lines == []


def test_a_message_larger_than_a_frame_may_be_ends_the_line(table: Table) -> None:
    table.lines[0].send("x" * 1_100_000)
    assert table.lines[0].wait_closed() == 1009


def test_a_client_that_does_not_read_is_let_go_and_may_come_back(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "MOST_WAITING", 8)
    monkeypatch.setattr(sockets, "CLOSE_SECONDS", 0.1)
    put = outbox.Outbox.put
    monkeypatch.setattr(outbox.Outbox, "put", lambda self, text, **_: put(self, text))
    held = table.server.node.keeper._rooms[table.server.room(table.code).id]
    there = len(held.listeners)
    slow = Line(table.server, table.code, table.tokens[0], hello={"whole": True}, slow=True)
    slow.receive()
    assert len(held.listeners) == there + 1
    for number in range(3000):
        table.lines[1].ask("say", text=f"{number:0200}")
        if len(held.listeners) == there:
            break
    assert len(held.listeners) == there
    back = table.line(table.tokens[0])
    assert back.receive()["version"] == server_version(table)
    slow.socket.socket.close()


@pytest.fixture(scope="module")
def strict_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    settings = {
        "TILERUMMY_LIMIT_MESSAGES": "1/min burst 5",
        "TILERUMMY_LIMIT_CONNECTIONS": "2",
    }
    with live_server(tmp_path_factory.mktemp("strict"), settings) as server:
        yield server
        assert server.complaints.lines == []


def test_a_client_that_is_too_fast_is_warned_and_then_disconnected(
    strict_server: LiveServer,
) -> None:
    token = strict_server.guest("Ann")
    code = strict_server.open(token)
    with Line(strict_server, code, token, hello={}) as line:
        for _ in range(10):
            line.send({"type": "ack", "version": 1})
        line.until(lambda message: message.get("code") == "too-fast")
        with suppress(ConnectionClosed):  # before all of them are sent
            for _ in range(30):
                line.send({"type": "ack", "version": 1})
        assert line.wait_closed() == 1008
    with Line(strict_server, code, token, hello={}) as line:
        assert line.receive()["type"] == "snapshot", "and may come back"


def test_one_address_has_only_so_many_lines(strict_server: LiveServer) -> None:
    token = strict_server.guest("Ann")
    code = strict_server.open(token)
    with Line(strict_server, code, token, hello={}) as one, Line(strict_server, code, token):
        for _ in range(3):
            with Line(strict_server, code, token, hello={}) as third:
                assert turned_away(third) == ("too-many-connections", 4429)
        one.receive()
    with Line(strict_server, code, token, hello={}) as line:
        assert line.receive()["type"] == "snapshot", "now there are fewer"


def test_only_so_many_learn_why_they_are_turned_away(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them is a socket for some seconds, which is counted nowhere else."""
    monkeypatch.setattr(server.node, "rate_limiter", RateLimiter(Limits()))
    monkeypatch.setattr(limits, "REFUSALS", Rate(0.001, 10))
    for _ in range(10):
        with Line(server, "NOROOM") as line:
            assert turned_away(line) == ("no-room", 4404)
    for _ in range(5):
        with pytest.raises(InvalidStatus, match="403"):
            Line(server, "NOROOM")


def test_only_so_many_sockets_of_an_address_are_opened(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = server.guest("Ann")
    code = server.open(token)
    monkeypatch.setattr(server.node, "rate_limiter", RateLimiter(Limits(requests=Rate(0.001, 3))))
    for _ in range(3):
        with Line(server, code, token, hello={}) as line:
            assert line.receive()["type"] == "snapshot"
    with pytest.raises(InvalidStatus, match="403"):
        Line(server, code, token)
