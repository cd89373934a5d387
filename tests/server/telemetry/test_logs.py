"""The lines of the log, and what is never in them."""

from __future__ import annotations

import io
import json
import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilerummy.server.rooms.matches import Seed
from tilerummy.server.telemetry import logs
from tilerummy.server.telemetry.redaction import HIDDEN, LONGEST, WORDS, clean, is_secret, scrub

SECRET = "Xy7-hidden_Zz"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def root_as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    for handler in handlers:
        root.removeHandler(handler)
    yield
    for handler in root.handlers[:]:
        root.removeHandler(handler)
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(level)


@pytest.fixture
def stream() -> io.StringIO:
    stream = io.StringIO()
    logs.set_up(stream=stream, node="n1", level="debug")
    return stream


log = logs.Log("tilerummy.test")


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


# The form


def test_one_line_of_json_for_each_event(stream: io.StringIO) -> None:
    log.info("room opened", room="abc", version=3, seats=["Ann", None], took=0.5)
    (line,) = lines(stream)
    time = line.pop("time")
    assert line == {
        "level": "info",
        "event": "room opened",
        "logger": "tilerummy.test",
        "node": "n1",
        "room": "abc",
        "version": 3,
        "seats": ["Ann", None],
        "took": 0.5,
    }
    assert len(time) == len("2026-01-01T00:00:00.000Z")
    assert time.endswith("Z")


def test_fields_that_stay(stream: io.StringIO) -> None:
    room = log.bind(room="abc")
    room.bind(version=1).warning("slow", version=2)
    room.error("broken")
    room.debug("fine")
    assert [(line["level"], line["room"], line.get("version")) for line in lines(stream)] == [
        ("warning", "abc", 2),
        ("error", "abc", None),
        ("debug", "abc", None),
    ]


def test_a_level_is_the_least(stream: io.StringIO) -> None:
    logs.set_up(stream=stream, level="warning")
    log.info("quiet")
    log.warning("loud")
    assert [line["event"] for line in lines(stream)] == ["loud"]


def test_libraries_come_out_in_the_same_form(stream: io.StringIO) -> None:
    logging.getLogger("uvicorn.error").warning('"GET %s" %d', f"/r?t={SECRET}", 200)
    (line,) = lines(stream)
    assert line["event"] == f'"GET /r?{HIDDEN}" 200'
    assert line["logger"] == "uvicorn.error"


@pytest.mark.parametrize(
    "name", ["uvicorn.error", "uvicorn.access", "websockets.server", "asyncio"]
)
def test_libraries_log_no_frames_whatever_the_level(stream: io.StringIO, name: str) -> None:
    logging.getLogger(name).debug("> TEXT %s", '{"tiles":["k13.2"]}')
    logging.getLogger(name).info("1.2.3.4 - /api/rooms/abcdef/socket [accepted]")
    assert lines(stream) == []


def test_an_exception_has_its_trace(stream: io.StringIO) -> None:
    try:
        raise ValueError(f"token={SECRET} is bad")
    except ValueError:
        log.exception("failed", room="abc")
    (line,) = lines(stream)
    assert line["level"] == "error"
    assert line["trace"].startswith("Traceback")
    assert line["trace"].endswith(f"ValueError: token={HIDDEN} is bad")


def test_a_terminal_gets_lines_to_read() -> None:
    stream = Terminal()
    logs.set_up(stream=stream, node="n1")
    log.info("room opened", room="abc", seats=["Ann"], rack=[1, 2])
    assert stream.getvalue()[8:] == f' info    room opened room=abc seats=["Ann"] rack={HIDDEN}\n'


def test_the_format_can_be_chosen() -> None:
    terminal, file = Terminal(), io.StringIO()
    logs.set_up("json", stream=terminal)
    log.info("one")
    logs.set_up("human", stream=file)
    log.info("two")
    assert terminal.getvalue().startswith("{")
    assert file.getvalue().endswith("info    two\n")


def test_nobody_writes_lines_of_their_own() -> None:
    for kind in ("human", "json"):
        stream = io.StringIO()
        logs.set_up(kind, stream=stream)
        log.info("said\nmore", text="a\n{} \x1b[2J\r\u2028\u202e")
        assert stream.getvalue().count("\n") == 1
        assert "\x1b" not in stream.getvalue()


def test_a_line_that_fails_shows_nothing_of_itself(
    stream: io.StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    class Odd:
        def __repr__(self) -> str:
            raise RuntimeError(SECRET)

    log.info("odd", value=Odd())
    log.info("next")
    first, second = stream.getvalue().splitlines()
    assert first == "a line of tilerummy.test could not be written"
    assert json.loads(second)["event"] == "next"
    assert SECRET not in "".join(capsys.readouterr())


# What is hidden


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("form", ["{}", "{}s", "seat_{}", "x-{}", "{}_hash", "seat{}", "Set-{}"])
def test_names_of_secrets(word: str, form: str) -> None:
    assert is_secret(form.format(word))
    assert is_secret(form.format(word).upper())
    assert is_secret(form.format(word.capitalize()))


@pytest.mark.parametrize("name", ["room", "version", "node", "broken", "seat", "kind", "address"])
def test_names_of_no_secrets(name: str) -> None:
    assert not is_secret(name)


class Racks(NamedTuple):
    seat: int
    rack: tuple[int, ...]


@dataclass
class Holder:
    name: str
    draft: object


@pytest.mark.parametrize(
    "fields",
    [
        {"token": SECRET},
        {"headers": {"Cookie": SECRET, "host": "x"}},
        {"headers": [("authorization", SECRET), (b"cookie", SECRET.encode())]},
        {"command": Seed(1, SECRET)},
        {"view": Racks(1, (SECRET,))},  # type: ignore[arg-type]
        {"holder": Holder("x", [(SECRET, "a"), (SECRET,)])},
        {"deep": {"a": [{"b": [{"c": SECRET}]}]}},
        {"url": f"https://game.example/room?key={SECRET}&x=1"},
        {"url": f"postgresql://user:{SECRET}@db/x"},
        {"url": f"redis://:{SECRET}@cache:6379/0"},
        {"error": ValueError(f"secret: '{SECRET}'")},
        {"set": {f"seed={SECRET}"}},
        {"scope": {"query_string": f"key={SECRET}".encode()}},
    ],
    ids=str,
)
def test_secrets_in_fields(fields: dict[str, object]) -> None:
    for kind in ("human", "json"):
        stream = io.StringIO()
        logs.set_up(kind, stream=stream)
        log.info("event", **fields)
        assert HIDDEN in stream.getvalue()
        assert "hidden" not in stream.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        f"GET /rooms/1?token={SECRET} HTTP/1.1",
        f"token={SECRET}",
        f"seatToken = '{SECRET}'",
        f"Authorization: Bearer {SECRET}",
        f"authorization: Digest a {SECRET}",
        f"sent Bearer {SECRET} twice",
        f"Cookie: a=b; c={SECRET}",
        f"Set-Cookie: __Host-guest={SECRET}; Path=/",
        f"'cookie': 'a; {SECRET}'",
        f"(b'cookie', b'a; {SECRET}')",
        f"Seed(seat=1, seed='a\\' {SECRET}')",
        f"rack=frozenset({{1, '{SECRET}'}})",
        f"racks=((1, 2), ('a)', {SECRET}))",
        f'draft: [["r1"], ["{SECRET}"]]',
        f"secret='never ends {SECRET}",
        f"(psycopg.Error) bad\n[SQL: INSERT]\n[parameters: ('a', '{SECRET}')]\n(Background)",
        f"DETAIL:  Failing row contains (1, {SECRET}).",
        f"DETAIL:  Key (token_hash)=({SECRET}) already exists.",
        f"cannot connect to postgresql+asyncpg://me:{SECRET}@db:5432/x",
        f"password is at://me:a{SECRET}@b@db/x",
        f"GET /api/rooms/{SECRET}/socket",
        f"http://127.0.0.1:8000/r/{SECRET}",
        f"Drew(tiles=('{SECRET}',))",
    ],
)
def test_secrets_in_texts(text: str) -> None:
    assert HIDDEN in scrub(text)
    assert "hidden" not in scrub(text)


def test_tiles_in_texts() -> None:
    assert scrub("k13.2 is not on the rack of r1, J.1") == (
        f"{HIDDEN} is not on the rack of {HIDDEN}, {HIDDEN}"
    )


@pytest.mark.parametrize(
    "text",
    [
        "room opened",
        "is anybody there? yes",
        "http://127.0.0.1:8000/rules",
        "node 3fb1k9 of 10.0.0.1",
        "12:30:01 took 3.5 ms",
        "the store is broken: no space",
    ],
)
def test_texts_without_secrets_stay_as_they_are(text: str) -> None:
    assert scrub(text) == text


def test_what_follows_a_secret_stays() -> None:
    assert scrub("token=abc, room=1") == f"token={HIDDEN}, room=1"
    assert scrub("Seed(seed='abc', seat=1) refused") == f"Seed(seed={HIDDEN}, seat=1) refused"


def test_plain_values_are_kept_and_large_ones_cut() -> None:
    assert clean({"a": 1, "b": [True, None, 0.5, "x"]}) == {"a": 1, "b": [True, None, 0.5, "x"]}
    assert len(clean(list(range(1000)))) == 50
    assert len(clean("a" * 100_000)) == LONGEST + 1
    assert clean([[[[[1]]]]]) == [[[[HIDDEN]]]]


@given(st.text(st.sampled_from("token=:'\"([{)]}?/@ ,;-_\\\nab"), max_size=200))
def test_no_text_is_too_odd(text: str) -> None:
    scrub(text)


@pytest.mark.parametrize(
    "part", ["-", "token", "token ", "token=(", "a?", "://", "'", "Key (", "\\"]
)
def test_no_text_takes_long(part: str) -> None:
    text = part * (40_000 // len(part))
    began = time.thread_time()  # other processes do not count
    scrub(text)
    assert time.thread_time() - began < 2
