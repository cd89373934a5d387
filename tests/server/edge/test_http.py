"""Every request that the server answers: what it is for, and what it does not take."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.server.live_server import Line, LiveServer, live_server, play_on
from tilerummy.server.edge import http
from tilerummy.server.edge.safety import new_token
from tilerummy.server.jobs import records
from tilerummy.server.jobs.records import Games
from tilerummy.server.limits.buckets import Rate
from tilerummy.server.limits.gate import Gate
from tilerummy.server.protocol.incoming import LARGEST
from tilerummy.server.protocol.routes import OPERATIONS, Operation

SHORT = {"match.games_per_round": 1, "hand_size": 3, "initial.min": 0, "timer.seconds": 0}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("http")) as server:
        yield server
        assert server.complaints.lines == []


@pytest.fixture(scope="module")
def ann(server: LiveServer) -> str:
    return server.guest("Ann")


def code_of(answer: tuple[int, Any]) -> tuple[int, str]:
    status, body = answer
    assert set(body) - {"params"} == {"type", "code", "message"}
    assert body["type"] == "error"
    assert 0 < len(body["message"]) < 1000
    return status, body["code"]


# Guests


def test_a_browser_gets_a_cookie_that_scripts_cannot_read(server: LiveServer) -> None:
    with server.client() as client:
        answer = client.post("/api/guests", json={"name": "Ann"})
        assert answer.status_code == 201
        assert answer.json() == {"name": "Ann"}, "the token is in the cookie alone"
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("tilerummy=")
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
        assert "Secure" not in cookie, "by http a browser would drop it"
        assert client.get("/api/me").json()["name"] == "Ann"


def test_over_tls_the_cookie_is_locked_to_the_host(tmp_path: Path) -> None:
    with live_server(tmp_path, {"TILERUMMY_TLS": "yes"}) as server, server.client() as client:
        answer = client.post("/api/guests", json={"name": "Ann"})
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-tilerummy=")
        assert cookie.endswith("; Secure")
        assert "max-age" in answer.headers["strict-transport-security"]
        token = cookie.partition("=")[2].partition(";")[0]
        for name, status in (("__Host-tilerummy", 200), ("tilerummy", 401)):
            found = client.get("/api/me", headers={"Cookie": f"{name}={token}"})
            assert found.status_code == status


def test_a_program_gets_a_token_and_no_cookie(server: LiveServer) -> None:
    answer = server.request("POST", "/api/guests", {"name": "Program", "bearer": True})
    assert "set-cookie" not in answer.headers
    assert len(answer.json()["token"]) > 30
    assert server.call("GET", "/api/me", token=answer.json()["token"])[0] == 200


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "bad-request"),
        ({"name": ""}, 400, "bad-request"),
        ({"name": 7}, 400, "bad-request"),
        ({"name": None}, 400, "bad-request"),
        ({"name": "x" * 41}, 400, "bad-request"),
        ({"name": "Ann", "admin": True}, 400, "bad-request"),
        ({"name": "Ann", "bearer": "yes"}, 400, "bad-request"),
        ([], 400, "bad-request"),
        ({"name": "a\nb"}, 422, "bad-name"),
        ({"name": "a\x00b"}, 422, "bad-name"),
        ({"name": "a\u202eb"}, 422, "bad-name"),
    ],
)
def test_a_guest_has_a_name(server: LiveServer, body: Any, status: int, code: str) -> None:
    assert code_of(server.call("POST", "/api/guests", body)) == (status, code)


@pytest.mark.parametrize("body", [b"", b"\xff", b"{", b"[" * 5000, b'{"name": "\\ud800"}', b"NaN"])
def test_a_body_is_json(server: LiveServer, body: bytes) -> None:
    with server.client() as client:
        answer = client.post("/api/guests", content=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-request")


def test_a_body_is_not_too_large(server: LiveServer) -> None:
    with server.client() as client:
        answer = client.post("/api/guests", content=b" " * 70_000)
        assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
        answer = client.post("/api/guests", content=iter([b" " * 40_000] * 2))
        assert answer.status_code == 413, "nor where it does not say how large it is"


@pytest.mark.parametrize("token", ["-", "x", "ü", "a" * 5000, "Bearer x", "%00"])
@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
def test_nobody_is_known_without_a_token_of_ours(
    server: LiveServer, method: str, token: str
) -> None:
    headers = [(b"Authorization", f"Bearer {token}".encode())]
    with server.client() as client:
        answer = client.request(method, "/api/me", headers=headers)
        assert answer.status_code in (401, 403)


def test_a_guest_changes_the_name(server: LiveServer) -> None:
    token = server.guest("Ann")
    assert server.call("PATCH", "/api/me", {"name": "Änne 😀"}, token) == (200, {"name": "Änne 😀"})
    assert server.call("GET", "/api/me", token=token)[1]["name"] == "Änne 😀"
    assert code_of(server.call("PATCH", "/api/me", {}, token)) == (400, "bad-request")
    assert code_of(server.call("PATCH", "/api/me", {"name": "\u2028"}, token)) == (422, "bad-name")


def test_a_guest_is_forgotten(server: LiveServer) -> None:
    token = server.guest("Ann")
    code = server.open(token, public=True)
    with Line(server, code, token, hello={}) as line:
        line.settle()
        answer = server.request("DELETE", "/api/me", token=token)
        assert answer.status_code == 204
        assert answer.content == b""
        assert "Max-Age=0" in answer.headers["set-cookie"]
        assert line.event("left")["seat"] == 0
        line.command("say", text="still here?")
        line.settle()
        assert line.refusals == ["no-seat"]
    for method in ("GET", "DELETE"):
        assert server.call(method, "/api/me", token=token)[0] == 401
    assert server.call("POST", "/api/rooms", {}, token)[0] == 401


def test_statistics_count_finished_games(server: LiveServer) -> None:
    tokens = [server.guest("Ann"), server.guest("Bo")]
    total = server.call("GET", "/api/me", token=tokens[0])[1]["statistics"]["total"]
    assert total == {"games": 0, "wins": 0, "points": 0}
    code = server.open(tokens[0], seats=2, options=SHORT)
    server.sit(code, tokens[1])
    with ExitStack() as stack:
        lines = [stack.enter_context(Line(server, code, token, hello={})) for token in tokens]
        lines[0].ask("begin")
        play_on(lines, lambda known: known.phase == "over")
    found = [server.call("GET", "/api/me", token=token)[1]["statistics"] for token in tokens]
    assert [statistics["total"]["games"] for statistics in found] == [1, 1]
    assert sum(statistics["total"]["wins"] for statistics in found) == 1
    assert sum(statistics["total"]["points"] for statistics in found) == 0
    assert found[0]["editions"] == {"taiwan": found[0]["total"]}


# Pages of others


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"Origin": "{own}"}, True),
        ({}, False),
        ({"Origin": "null"}, False),
        ({"Origin": "https://evil.example"}, False),
        ({"Origin": "{own}.evil.example"}, False),
        ({"Origin": "{own}", "Host": "evil.example"}, False),
        ({"Origin": "https://evil.example", "Host": "evil.example:1"}, False),
    ],
)
def test_foreign_pages_cannot_act_for_a_guest(
    server: LiveServer, headers: dict[str, str], allowed: bool
) -> None:
    headers = {name: value.replace("{own}", server.url) for name, value in headers.items()}
    with server.client() as client:
        client.post("/api/guests", json={"name": "Ann"})
        answer = client.post("/api/rooms", json={}, headers=headers)
        assert answer.status_code == (201 if allowed else 403)
        if not allowed:
            assert answer.json()["code"] == "foreign-origin"
            assert client.delete("/api/me", headers=headers).status_code == 403


def test_every_answer_has_the_headers_that_browsers_heed(server: LiveServer, ann: str) -> None:
    code = server.open(ann)
    paths = ["/healthz", "/readyz", "/metrics", "/api/rooms", f"/api/rooms/{code}", "/api/me"]
    for path in paths:
        headers = server.request("GET", path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
        if path != "/metrics":
            assert headers["cache-control"] == "no-store"


# Rooms


def test_a_room_is_opened_and_found(server: LiveServer, ann: str) -> None:
    body = {"settings": {"seats": 3, "public": True}, "bots": ["simple"]}
    status, opened = server.call("POST", "/api/rooms", body, ann)
    assert (status, opened["seat"]) == (201, 0)
    for token, you in ((ann, 0), (None, None)):
        status, room = server.call("GET", f"/api/rooms/{opened['code'].lower()}", token=token)
        assert status == 200
        assert (room["you"], room["phase"], room["host"]) == (you, "lobby", 0)
        assert [seat["kind"] for seat in room["seats"]] == ["person", "bot", "free"]
    listed = server.call("GET", "/api/rooms")[1]["rooms"]
    (found,) = [room for room in listed if room["code"] == opened["code"]]
    assert (found["people"], found["free"]) == (1, 1)
    private = server.open(ann)
    assert private not in {room["code"] for room in server.call("GET", "/api/rooms")[1]["rooms"]}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"settings": {"seats": 1}}, 400, "bad-request"),
        ({"settings": {"seats": 7}}, 400, "bad-request"),
        ({"settings": {"seats": "4"}}, 400, "bad-request"),
        ({"settings": {"rounds": 0}}, 400, "bad-request"),
        ({"settings": {"spectator_delay": 601}}, 400, "bad-request"),
        ({"settings": {"sea": 4}}, 400, "bad-request"),
        ({"settings": []}, 400, "bad-request"),
        ({"bots": ["simple"] * 7}, 400, "bad-request"),
        ({"bots": "simple"}, 400, "bad-request"),
        ({"settings": {"edition": "chess"}}, 422, "bad-edition"),
        ({"settings": {"edition": "x" * 9000}}, 422, "bad-edition"),
        ({"settings": {"options": {"speed": 9}}}, 422, "bad-option"),
        ({"settings": {"options": {"hand_size": 10**18}}}, 422, "bad-option"),
        ({"settings": {"options": {"hand_size": 1.5}}}, 422, "bad-option"),
        ({"settings": {"options": {"hand_size": [{}]}}}, 422, "bad-option"),
        ({"settings": {"options": {"timer.seconds": -1}}}, 422, "bad-option"),
        ({"settings": {"edition": "sabra", "options": {"jokers": "D1"}}}, 422, "costly-jokers"),
        ({"settings": {"edition": "classic", "seats": 6}}, 422, "bad-players"),
        ({"bots": ["skynet"]}, 422, "unknown-bot"),
        ({"settings": {"seats": 2}, "bots": ["simple", "simple"]}, 422, "room-full"),
    ],
)
def test_a_room_that_cannot_be_is_not_opened(
    server: LiveServer, ann: str, body: dict[str, Any], status: int, code: str
) -> None:
    settings = body.get("settings")
    if isinstance(settings, dict):
        settings["public"] = True
    before = server.call("GET", "/api/rooms")[1]
    assert code_of(server.call("POST", "/api/rooms", body, ann)) == (status, code)
    assert server.call("GET", "/api/rooms")[1] == before


def test_options_that_cost_too_much_are_refused_with_what_is_possible(
    server: LiveServer, ann: str
) -> None:
    body = {"settings": {"edition": "sabra", "options": {"initial.min": 60}}}
    status, answer = server.call("POST", "/api/rooms", body, ann)
    assert (status, answer["code"]) == (422, "costly-minimum")
    assert answer["params"] == {"minimum": 60, "most": 50}


def test_only_guests_open_rooms_and_sit_down(server: LiveServer, ann: str) -> None:
    unknown = new_token()
    assert code_of(server.call("POST", "/api/rooms", {}, unknown)) == (401, "no-guest")
    path = f"/api/rooms/{server.open(ann)}/seats"
    assert code_of(server.call("POST", path, {}, unknown)) == (401, "no-guest")
    answer = server.request("GET", "/api/me", token=unknown)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")


@pytest.mark.parametrize(
    "code", ["AAAAAA", "a", "%00", "ÄÄÄÄÄÄ", "ſſſſſſ", "x" * 3000, "..%2f..", "'%20OR%201=1", "%"]
)
def test_a_room_that_is_not_there_is_not_found(server: LiveServer, ann: str, code: str) -> None:
    for method, path in (
        ("GET", ""),
        ("GET", "/games"),
        ("GET", "/matches/1/record"),
        ("POST", "/seats"),
    ):
        answer = server.request(method, f"/api/rooms/{code}{path}", None, ann)
        assert (answer.status_code, answer.json()["code"]) in ((404, "no-room"), (404, "not-found"))


def test_people_sit_down_where_there_is_room(server: LiveServer, ann: str) -> None:
    code = server.open(ann, seats=3)
    path = f"/api/rooms/{code}/seats"
    assert code_of(server.call("POST", path, {}, ann)) == (409, "seated")
    bo, cy, di = (server.guest(name) for name in ("Bo", "Cy", "Di"))
    assert code_of(server.call("POST", path, {"seat": 0}, bo)) == (409, "seat-taken")
    assert code_of(server.call("POST", path, {"seat": 3}, bo)) == (409, "unknown-seat")
    for seat in (-1, 6, "1", 1.5):
        assert code_of(server.call("POST", path, {"seat": seat}, bo)) == (400, "bad-request")
    assert code_of(server.call("POST", path, {}, server.guest("Ann"))) == (409, "name-taken")
    assert server.call("POST", path, {"seat": 2}, bo) == (201, {"seat": 2})
    assert server.call("POST", path, None, cy) == (201, {"seat": 1})
    assert code_of(server.call("POST", path, {}, di)) == (409, "room-full")
    with Line(server, code, ann, hello={}) as line:
        line.ask("begin")
        assert code_of(server.call("POST", path, {}, di)) == (409, "already-begun")


def test_nobody_sits_down_in_a_closed_room(server: LiveServer) -> None:
    token = server.guest("Ann")
    code = server.open(token)
    with Line(server, code, token, hello={}) as line:
        line.ask("leave")
    assert server.call("GET", f"/api/rooms/{code}")[1]["phase"] == "closed"
    path = f"/api/rooms/{code}/seats"
    assert code_of(server.call("POST", path, {}, token)) == (409, "room-closed")


@pytest.mark.parametrize(
    "path",
    ["/api", "/api/", "/api/room", "/api/rooms/", "/api/rooms/ABCDEF/x", "/healthz/", "/readyz/x"],
)
def test_what_is_not_there_is_reported_as_json(server: LiveServer, ann: str, path: str) -> None:
    for method in ("GET", "POST"):
        assert code_of(server.call(method, path, token=ann)) == (404, "not-found")


def test_a_method_that_a_path_does_not_have(server: LiveServer, ann: str) -> None:
    code = server.open(ann)
    for method, path, allowed in (
        ("PUT", "/api/me", "DELETE, GET, HEAD, PATCH"),
        ("PUT", "/api/rooms", "GET, HEAD, POST"),
        ("DELETE", f"/api/rooms/{code}", "GET, HEAD"),
        ("GET", "/api/guests", "POST"),
        ("POST", "/healthz", "GET, HEAD"),
    ):
        answer = server.request(method, path, token=ann)
        assert code_of((answer.status_code, answer.json())) == (405, "method-not-allowed")
        assert {*answer.headers["allow"].split(", ")} == {*allowed.split(", ")}


# Records


def test_a_number_that_no_match_has(server: LiveServer, ann: str) -> None:
    code = server.open(ann)
    for match in ("0", "1", "9" * 9):
        for what in ("record", "verify"):
            answer = server.call("GET", f"/api/rooms/{code}/matches/{match}/{what}")
            assert code_of(answer) == (404, "no-record")
    for match in ("-1", "x", "1.0", str(2**31), str(2**63), "9" * 5000):
        answer = server.call("GET", f"/api/rooms/{code}/matches/{match}/record")
        assert code_of(answer) == (404, "not-found")


def played(server: LiveServer) -> str:
    """The code of a room in which a match was played."""
    token = server.guest("Sol")
    code = server.open(token, seats=2, options=SHORT, bots=("simple",))
    with Line(server, code, token, hello={}) as line:
        line.ask("begin")
        play_on([line], lambda known: known.phase == "over")
    return code


def test_a_record_has_a_plain_name(server: LiveServer) -> None:
    code = played(server)
    path = f"/api/rooms/{code.replace('S', 'ſ').lower()}/matches/1/record"
    answer = server.request("GET", path)
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == f'attachment; filename="{code}-1.jsonl"'
    assert server.call("GET", f"{path}?format=pdf")[0] == 400
    assert server.call("GET", path.replace("record", "verify"))[1]["holds"]


def test_a_record_that_does_not_hold_tells_what_is_wrong_and_where(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = played(server)
    whole = server.node.store.record_log

    async def cut(room: str, match: int) -> Games:
        return [
            (game, [event for event in log if b'"ended"' not in event.data])
            for game, log in await whole(room, match)
        ]

    monkeypatch.setattr(server.node.store, "record_log", cut)
    verdict = server.call("GET", f"/api/rooms/{code}/matches/1/verify")[1]
    (problem,) = verdict["problems"]
    assert not verdict["holds"]
    assert (problem["code"], problem["game"]) == ("incomplete", 1)
    assert problem["turn"] > 0
    assert "stops before the ended event" in problem["message"]


# For operators


def test_a_server_tells_how_it_is(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert server.call("GET", "/healthz") == (200, {"status": "ok"})
    assert server.call("GET", "/readyz") == (200, {"status": "ok"})
    monkeypatch.setattr(server.node, "draining", True)
    assert server.call("GET", "/healthz")[0] == 200
    assert code_of(server.call("GET", "/readyz")) == (503, "not-ready")
    monkeypatch.undo()

    async def is_away() -> str:
        return "the store cannot be written: no space"

    monkeypatch.setattr(server.node.store.readiness, "problem", is_away)
    status, answer = server.call("GET", "/readyz")
    assert (status, answer["code"]) == (503, "not-ready")
    assert answer["message"] == "the store cannot be written: no space"


def test_a_server_counts(server: LiveServer, ann: str) -> None:
    code = server.open(ann)
    with Line(server, code, ann, hello={}) as line, Line(server, code, hello={}) as watcher:
        line.settle()
        watcher.settle()
        answer = server.request("GET", "/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    assert "tilerummy_" in answer.text
    assert code not in answer.text
    assert ann not in answer.text


# Limits


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    settings = {
        "TILERUMMY_LIMIT_JOINS": "1/h burst 4",
        "TILERUMMY_LIMIT_REQUESTS": "1/h burst 5",
        "TILERUMMY_LIMIT_RECORDS": "1/h burst 4",
        "TILERUMMY_LARGEST_BODY": "1024",
        "TILERUMMY_PROXIES": "127.0.0.1",
    }
    with live_server(tmp_path_factory.mktemp("strict"), settings) as server:
        yield server
        assert server.complaints.lines == []


def test_an_address_opens_and_enters_only_so_many_rooms(strict: LiveServer) -> None:
    def ask(path: str, body: Any, address: str, **headers: str) -> httpx2.Response:
        headers = {"X-Forwarded-For": address, **headers}
        return client.post(path, json=body, headers=headers)

    with strict.client() as client:
        token = ask("/api/guests", {"name": "Ann", "bearer": True}, "1.1.1.1").json()["token"]
        bearer = {"Authorization": f"Bearer {token}"}
        code = ask("/api/rooms", {}, "1.1.1.1", **bearer).json()["code"]
        for _ in range(2):
            assert ask(f"/api/rooms/{code}/seats", {}, "1.1.1.1", **bearer).status_code == 409
        for path in ("/api/guests", "/api/rooms", f"/api/rooms/{code}/seats"):
            answer = ask(path, {"name": "Bo"}, "1.1.1.1", **bearer)
            assert (answer.status_code, answer.json()["code"]) == (429, "too-fast")
            assert 0 < int(answer.headers["retry-after"]) <= 3600
        assert ask("/api/guests", {"name": "Bo"}, "2.2.2.2").status_code == 201
        assert ask("/api/guests", {"name": "Bo"}, "3.3.3.3, 1.1.1.1").status_code == 429


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_a_client_that_asks_too_often_has_to_wait(strict: LiveServer, operation: Operation) -> None:
    """Who asks for what does not matter: nobody is looked up before."""
    path = operation.path.replace("{code}", "ABCDEF").replace("{match:number}", "1")
    headers = {
        "X-Forwarded-For": f"5.5.5.{OPERATIONS.index(operation)}",
        "Authorization": f"Bearer {new_token()}",
    }
    with strict.client() as client:
        answers = [client.request(operation.method, path, headers=headers) for _ in range(6)]
    assert all(answer.status_code != 429 for answer in answers[:3])
    if operation.path in ("/healthz", "/readyz"):
        assert all(answer.status_code == 200 for answer in answers), "a proxy asks often"
        return
    answer = answers[-1]
    assert (answer.status_code, answer.json()["code"]) == (429, "too-fast")
    assert 0 < int(answer.headers["retry-after"]) <= 3600


def test_the_log_of_one_match_is_in_memory_at_a_time(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = played(server)
    whole = server.node.store.record_log
    reads: list[str] = []

    async def counted(room: str, match: int) -> Games:
        reads.append(room)
        return await whole(room, match)

    async def ask() -> int:
        made, room = server.node.records, await server.node.keeper.find(code)
        found = await server.node.keeper.look(str(room))
        assert found is not None
        async with made._turn:  # another one is on its way
            waiting = [asyncio.create_task(made.text(found, 1, "jsonl")) for _ in range(3)]
            await server.node.store.ready()
            before = len(reads)
        assert None not in await asyncio.gather(*waiting)
        return before

    monkeypatch.setattr(server.node.store, "record_log", counted)
    assert server.run(ask()) == 0, "who waits has read nothing"
    assert len(reads) == 3


def test_a_match_can_be_too_long_for_a_record(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = played(server)
    monkeypatch.setattr(records, "MOST_BYTES", 1_000)
    for what in ("verify", "record"):
        answer = server.call("GET", f"/api/rooms/{code}/matches/1/{what}")
        assert code_of(answer) == (413, "too-large")
    monkeypatch.setattr(http, "MOST_GAMES", 0)
    assert server.call("GET", f"/api/rooms/{code}/games")[1] == {"games": []}


def test_records_wait_for_their_share_of_the_processor(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = server.guest("Sol")
    code = server.open(token, seats=2, options=SHORT, bots=("simple",))
    with Line(server, code, token, hello={}) as line:
        line.ask("begin")
        play_on([line], lambda known: known.phase == "over")
    gate = Gate(1, Rate(0.001, 1))
    monkeypatch.setattr(server.node.records, "_gate", gate)
    for what in ("verify", "record", "record?format=text"):
        path = f"/api/rooms/{code}/matches/1/{what}"
        assert server.request("GET", path).status_code == 200
        with gate.entered() as call:
            call.cost = 0.0
            answer = server.request("GET", path)  # somebody else is at it
            assert (answer.status_code, answer.json()["code"]) == (429, "too-fast")
            assert int(answer.headers["retry-after"]) in (1, 2)
    with gate.entered() as call:
        call.cost = 2.0
    answer = server.request("GET", path)
    assert answer.status_code == 429, "there is nothing left of it"
    assert int(answer.headers["retry-after"]) > 60


def test_many_who_ask_whether_the_store_is_there_ask_once(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    requests = server._server.server_state.tasks

    async def is_there() -> bool:
        asked.append(1)
        while len(asked) == 1 and len(requests) < 8:
            await asyncio.sleep(0.005)
        return True

    monkeypatch.setattr(server.node.store, "ready", is_there)
    with ThreadPoolExecutor(8) as pool, server.client() as client:
        answers = [*pool.map(lambda _: client.get("/readyz"), range(8))]
    assert all(answer.status_code == 200 for answer in answers)
    assert len(asked) < 8


def test_the_largest_body_is_a_setting(strict: LiveServer) -> None:
    with strict.client() as client:
        body = b'{"name": "%s"}' % (b"x" * min(2000, LARGEST))
        headers = {"X-Forwarded-For": "4.4.4.4"}
        assert client.post("/api/guests", content=body, headers=headers).status_code == 413
