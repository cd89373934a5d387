"""`GET /api/rules`: the book of rules, for clients that show it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints
from urllib.parse import urlencode

import pytest

from tests.server.live_server import LiveServer, live_server
from tilerummy.locales import LANGUAGES
from tilerummy.locales.rulebook import rulebook
from tilerummy.rules import edition, judge_row, judge_turn
from tilerummy.rules.editions import EDITIONS, parse_option
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import parse_faces, parse_tiles
from tilerummy.server.protocol.requests import RulesQuery


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("rules")) as server:
        yield server
        assert server.complaints.lines == []


def ask(server: LiveServer, **query: str) -> tuple[int, Any]:
    return server.call("GET", f"/api/rules?{urlencode(query)}")


def sections(server: LiveServer, **query: str) -> list[dict[str, Any]]:
    status, answer = ask(server, **query)
    assert status == 200, answer
    found: list[dict[str, Any]] = answer["sections"]
    return found


def blocks(found: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [block for section in found for block in section["blocks"] if block["type"] == kind]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EDITIONS)
def test_every_edition_in_every_language(server: LiveServer, name: str, language: str) -> None:
    found = sections(server, edition=name, language=language)
    wanted = rulebook(edition(name), language)
    assert [section["title"] for section in found] == [section.title for section in wanted]
    assert [len(section["blocks"]) for section in found] == [
        len(section.blocks) for section in wanted
    ]
    assert blocks(found, "paragraph")


def test_languages_that_can_be_asked_for_are_those_that_there_are() -> None:
    assert get_args(get_type_hints(RulesQuery)["language"]) == LANGUAGES


def test_who_asks_for_nothing_gets_classic_in_english(server: LiveServer) -> None:
    assert sections(server) == sections(server, edition="classic", language="en", options="{}")


@pytest.mark.parametrize("name", ["classic", "twist", "sabra"])
def test_examples_are_what_the_referee_says(server: LiveServer, name: str) -> None:
    rules, found = edition(name), sections(server, edition=name)
    rows, turns, games = (blocks(found, kind) for kind in ("row", "turn", "scores"))
    assert rows
    assert turns
    assert games
    for row in rows:
        verdict = judge_row(rules, parse_faces(row["row"]))
        judged = verdict.valid, verdict.kind, verdict.value
        assert (row["valid"], row["kind"], row["value"]) == judged
        assert row["caption"]
    for turn in turns:
        verdict_of_turn = judge_turn(
            Position(
                rules,
                tuple([parse_tiles(row) for row in turn["before"]]),
                parse_tiles(turn["rack"]),
                turn["opened"],
            ),
            tuple([parse_tiles(row) for row in turn["after"]]),
        )
        assert turn["legal"] is verdict_of_turn.legal
    for game in games:
        assert len(game["racks"]) == len(game["scores"])
        assert sum(game["scores"]) == 0
    (sheet,) = blocks(found, "sheet")
    assert sheet["totals"] == [-24, -54, 45, 33]
    assert sheet["wins"] == [1, 0, 2, 1]
    assert sheet["leaders"] == [2]
    assert [game["winners"] for game in sheet["games"]] == [[0], [2], [3], [2]]


def test_variations_name_the_option_that_switches_them_on(server: LiveServer) -> None:
    (known,) = blocks(sections(server, edition="sabra"), "variations")
    options = dict(parse_option(item["option"]) for item in known["items"])
    assert options["direction"] == "ccw"
    assert edition("sabra", options).changed_options() == options


def test_options_change_the_rules(server: LiveServer) -> None:
    options = {"initial.min": 51, "timer.seconds": 0, "joker.max_per_set": None}
    usual, changed = sections(server), sections(server, options=json.dumps(options))
    text = " ".join(block["text"] for block in blocks(changed, "paragraph"))
    assert "51" in text
    assert [section["id"] for section in changed if section["id"] == "house"] == ["house"]
    assert [section["id"] for section in usual if section["id"] == "house"] == []


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({"language": "fr"}, 400, "bad-request"),
        ({"language": "zh_TW"}, 400, "bad-request"),
        ({"options": ""}, 400, "bad-request"),
        ({"options": "{"}, 400, "bad-request"),
        ({"options": "[]"}, 400, "bad-request"),
        ({"options": "7"}, 400, "bad-request"),
        ({"options": "timer.seconds=0"}, 400, "bad-request"),
        ({"options": "[" * 5000}, 400, "bad-request"),
        ({"options": '{"a": "\ud800"}'.encode("utf-8", "surrogatepass")}, 422, "bad-option"),
        ({"edition": "chess"}, 422, "bad-edition"),
        ({"edition": ""}, 422, "bad-edition"),
        ({"options": '{"speed": 9}'}, 422, "bad-option"),
        ({"options": '{"hand_size": "14"}'}, 422, "bad-option"),
        ({"options": '{"players.min": 4, "players.max": 3}'}, 422, "bad-option"),
    ],
)
def test_rules_that_there_cannot_be(
    server: LiveServer, query: dict[str, str], status: int, code: str
) -> None:
    found, answer = ask(server, **query)
    assert (found, answer["code"]) == (status, code)


def test_paragraphs_about_letters_are_told_apart(server: LiveServer) -> None:
    for language in LANGUAGES:
        found = blocks(sections(server, language=language), "paragraph")
        marked = [block["text"] for block in found if block.get("letters")]
        assert len(marked) == 2
        assert all("k12" in text or "J" in text for text in marked)
        assert not any("k12" in block["text"] for block in found if not block.get("letters"))
