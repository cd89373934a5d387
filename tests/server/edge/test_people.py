"""What strangers can do to the list of rooms, to names, codes and records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import ANY

import pytest

from tests.server.live_server import Line, LiveServer, live_server, play_on
from tilerummy.server.edge.http import MOST_HOSTED

SHORT = {"match.games_per_round": 1, "hand_size": 3, "initial.min": 0, "timer.seconds": 0}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("people")) as server:
        yield server
        assert server.complaints.lines == []


def code_of(answer: tuple[int, Any]) -> tuple[int, str]:
    return answer[0], answer[1]["code"]


def listed(server: LiveServer) -> list[str]:
    return [room["code"] for room in server.call("GET", "/api/rooms")[1]["rooms"]]


def test_one_guest_does_not_fill_the_list(server: LiveServer) -> None:
    honest, greedy = server.guest("Honest"), server.guest("Greedy")
    first = server.open(honest, public=True)
    body = {"settings": {"public": True}}
    codes = []
    for _ in range(MOST_HOSTED):
        codes.append(server.call("POST", "/api/rooms", body, greedy)[1]["code"])
    status, answer = server.call("POST", "/api/rooms", body, greedy)
    assert (status, answer["code"]) == (409, "too-many-rooms")
    assert "leave one" in answer["message"]
    found = listed(server)
    assert first in found
    assert len({*found} & {*codes}) == 1, "one per host"
    assert server.call("POST", "/api/rooms", {}, greedy)[0] == 201, "private ones are not listed"
    with Line(server, codes[0], greedy, hello={}) as line:
        line.ask("leave")
    assert server.call("POST", "/api/rooms", body, greedy)[0] == 201


def test_an_address_opens_only_so_many_public_rooms(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    limits = {"TILERUMMY_LIMIT_PUBLIC_ROOMS": "1/h burst 2"}
    with live_server(tmp_path_factory.mktemp("few"), limits) as server:
        body = {"settings": {"public": True}}
        answers = [
            server.call("POST", "/api/rooms", body, server.guest(name)) for name in ("A", "B", "C")
        ]
        assert [status for status, _ in answers] == [201, 201, 429]
        assert server.call("POST", "/api/rooms", {}, server.guest("D"))[0] == 201


@pytest.mark.parametrize(
    "name",
    [
        " ",
        "\u200b",
        "\u3164",
        "\u00ad",
        "\u2800",
        "\u200fAnn",
        "Simple 1",
        "高手 2",
        "x" * 25,
        "You",
        "Ann (host)",
    ],
)
def test_names_that_hide_something_are_refused(server: LiveServer, name: str) -> None:
    assert code_of(server.call("POST", "/api/guests", {"name": name})) == (422, "bad-name")
    ann = server.guest("Ann")
    assert code_of(server.call("PATCH", "/api/me", {"name": name}, ann)) == (422, "bad-name")


def test_a_name_is_stored_in_its_normal_form(server: LiveServer) -> None:
    body = {"name": " Ａｎｎ  Lee ", "bearer": True}
    assert server.call("POST", "/api/guests", body)[1]["name"] == "Ann Lee"


def test_records_of_a_room_without_spectators_are_for_its_players(server: LiveServer) -> None:
    token, stranger = server.guest("Sol"), server.guest("Stranger")
    code = server.open(token, seats=2, options=SHORT, bots=("simple",), spectators=False)
    with Line(server, code, token, hello={}) as line:
        line.ask("begin")
        play_on([line], lambda known: known.phase == "over")
    for path in ("games", "matches/1/record", "matches/1/verify"):
        url = f"/api/rooms/{code}/{path}"
        for other in (None, stranger):
            assert code_of(server.call("GET", url, token=other)) == (403, "players-only")
        answer = server.request("GET", url, token=token)
        assert answer.status_code == 200
        assert "no-store" in answer.headers["cache-control"]
    answer = server.request("GET", f"/api/rooms/{code}/matches/1/record", token=token)
    assert answer.headers["cache-control"] == "private, no-store"


def test_codes_cannot_be_guessed(tmp_path_factory: pytest.TempPathFactory) -> None:
    limits = {"TILERUMMY_LIMIT_MISSES": "1/h burst 3"}
    with live_server(tmp_path_factory.mktemp("guesses"), limits) as server:
        ann, bo = server.guest("Ann"), server.guest("Bo")
        code = server.open(ann)
        assert len(code) == 8
        for _ in range(3):
            assert code_of(server.call("GET", "/api/rooms/AAAAAAAA")) == (404, "no-room")
        for guess in ("AAAAAAAA", code):
            answer = server.call("GET", f"/api/rooms/{guess}", token=bo)
            assert code_of(answer) == (429, "too-fast"), "no answer tells a hit from a miss"
        assert server.call("GET", f"/api/rooms/{code}", token=ann)[0] == 200, "she plays there"
        with Line(server, code, ann, hello={}) as line:
            line.settle()


def test_a_used_id_with_another_command_is_refused(server: LiveServer) -> None:
    token = server.guest("Ida")
    code = server.open(token)
    with Line(server, code, token, hello={}) as line:
        line.settle()
        line.send({"type": "say", "id": "same", "text": "hello"})
        line.settle()
        line.send({"type": "say", "id": "same", "text": "hello"})
        line.settle()
        assert line.refusals == []
        line.send({"type": "emote", "id": "same", "emote": "wow"})
        line.settle()
        assert line.refusals == ["id-reused"]


def test_an_id_does_not_end_in_a_line_break(server: LiveServer) -> None:
    token = server.guest("Ida")
    with Line(server, server.open(token), token, hello={}) as line:
        line.settle()
        line.send({"type": "ping", "id": "a\n"})
        messages = line.settle()
        assert [found["code"] for found in messages if found["type"] == "error"] == ["bad-message"]


@pytest.mark.parametrize("sign", ["%0a", "%00", "%1f", "%7f", "%c2%85", "%e2%80%a8"])
def test_a_path_has_no_control_characters(server: LiveServer, sign: str) -> None:
    for path in (f"/metrics{sign}", f"/{sign}healthz"):
        assert server.request("GET", path).status_code == 404


def test_who_was_removed_stays_out(server: LiveServer) -> None:
    ann, bo = server.guest("Ann"), server.guest("Bo")
    code = server.open(ann)
    seat = server.sit(code, bo)
    with Line(server, code, ann, hello={}) as line:
        line.ask("remove", seat=seat)
    assert code_of(server.call("POST", f"/api/rooms/{code}/seats", {}, bo)) == (409, "removed")


def test_emotes_are_talk(tmp_path_factory: pytest.TempPathFactory) -> None:
    limits = {"TILERUMMY_LIMIT_TALK": "1/h burst 3"}
    with live_server(tmp_path_factory.mktemp("talk"), limits) as server:
        token = server.guest("Ida")
        with Line(server, server.open(token), token, hello={}) as line:
            line.settle()
            for _ in range(5):
                line.command("emote", emote="wow")
            messages = line.settle()
            codes = [found["code"] for found in messages if found["type"] == "error"]
            assert codes == ["too-fast"] * 2


def test_an_address_stores_only_so_much(tmp_path_factory: pytest.TempPathFactory) -> None:
    """More guests and more rooms store no more. Drafts replace each other, and are not counted."""
    limits = {"TILERUMMY_LIMIT_ADDRESS_COMMANDS": "1/h burst 3"}
    with live_server(tmp_path_factory.mktemp("stores"), limits) as server:
        answers = []
        for name in ("Ann", "Bo", "Cleo", "Dan"):
            token = server.guest(name)
            with Line(server, server.open(token), token, hello={}) as line:
                answers.append(line.ask("emote", emote="wow"))
        assert [answer.get("code") for answer in answers] == [None, None, None, "too-fast"]


def test_an_address_whose_commands_were_hard_to_judge_waits(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    limits = {"TILERUMMY_LIMIT_ADDRESS_CPU": "1/h burst 1"}
    with live_server(tmp_path_factory.mktemp("cpu"), limits) as server:
        token = server.guest("Ida")
        with Line(server, server.open(token), token, hello={}) as line:
            line.settle()
            assert line.ask("begin")["code"] == "bad-players"
            (visitor,) = server.node.rate_limiter._present.values()
            assert visitor.cpu._left < 1, "a refusal has a cost"
            visitor.cpu.spend(2)
            assert line.ask("begin")["code"] == "too-fast"
            assert line.ask("ping")["type"] == "pong", "only commands wait"


def test_a_seat_in_the_lobby_is_freed_while_others_wait(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with live_server(tmp_path_factory.mktemp("lobby"), {"TILERUMMY_PACE_LOBBY": "100ms"}) as server:
        ann, bo = server.guest("Ann"), server.guest("Bo")
        code = server.open(ann)
        seat = server.sit(code, bo)
        with Line(server, code, ann, hello={}) as line:
            with Line(server, code, bo, hello={}) as other:
                other.settle()
            assert line.event("left") == {"type": "left", "at": ANY, "seat": seat}
        assert server.sit(code, bo) == seat, "nobody has removed them"
