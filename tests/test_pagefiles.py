"""`tools/pagefiles.py`: the code generator of the page, and the texts that the page uses."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tilerummy.bots import BOTS
from tilerummy.locales import LANGUAGES
from tilerummy.rules.editions import EDITIONS, SPECS
from tilerummy.rules.joker_kinds import JOKER_KINDS, JokerKind
from tools import pagefiles
from tools.wiretypes import SchemaError, typescript

ROOT = Path(__file__).parents[1]
SOURCES = [
    path
    for path in sorted((ROOT / "web" / "src").rglob("*.ts*"))
    if not path.is_relative_to(pagefiles.TARGET)
]

CALL = re.compile(r"""\bt\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`)""")
"""A call of `t` with a key, or with a template that a key is put together from."""
QUOTED = re.compile(r"""(["'])([a-z][\w.-]*)\1""")
"""Strings that may be keys passed to `t` elsewhere; their type guarantees it."""


def called_keys() -> Iterator[tuple[str, str]]:
    """Files, and the keys they call `t` with; of one that is put together, how it begins and a
    star."""
    for path in SOURCES:
        for double, single, template in CALL.findall(path.read_text("utf-8")):
            begun = re.sub(r"\$\{.*", "*", template, flags=re.DOTALL)
            yield path.name, double or single or begun


def test_the_files_are_the_same_every_time_and_need_python_alone(tmp_path: Path) -> None:
    for seed, target in enumerate((tmp_path / "a", tmp_path / "b")):
        subprocess.run(
            [sys.executable, "-S", "-m", "tools.pagefiles", str(target)],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": ""},
            check=True,
        )
    names = {path.relative_to(tmp_path / "a").as_posix() for path in tmp_path.glob("a/**/*.*")}
    assert names == {*pagefiles.files()}
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_what_is_as_it_should_be_is_left_alone_and_the_rest_goes(tmp_path: Path) -> None:
    pagefiles.write(tmp_path)
    wire, old = tmp_path / "wire.ts", tmp_path / "words" / "xx.json"
    os.utime(wire, (1, 1))
    old.write_text("{}")
    pagefiles.write(tmp_path)
    assert wire.stat().st_mtime == 1
    assert not old.exists()


def test_messages_become_types() -> None:
    text = pagefiles.files()["wire.ts"]
    for part in (
        "export interface DraftIn {",
        "export interface DraftOut {",
        '  readonly type: "hello";\n  readonly version?: number;\n',
        "  readonly declared?: readonly Declaration[];\n",
        "  readonly events: readonly RoomEvent[];\n",
        "  | DraftOut\n",
        "    body: NewGuest;\n    answer: GuestReply;\n",
        '  record: { method: "GET", path: "/api/rooms/{code}/matches/{match}/record" },\n',
        "  NO_ROOM: 4404,\n",
    ):
        assert part in text


@pytest.mark.parametrize(
    ("schema", "complaint"),
    [
        ({"type": "object", "properties": {"a": {"not": {}}}}, "A.a: unsupported schema"),
        (
            {"type": "object", "properties": {"a": {"anyOf": [], "discriminator": {}}}},
            "A.a: this union has no name",
        ),
    ],
)
def test_a_schema_that_is_not_understood_is_refused(schema: object, complaint: str) -> None:
    protocol = {"$defs": {"A": schema}, "client": {"anyOf": []}, "server": {"anyOf": []}}
    with pytest.raises(SchemaError, match=complaint):
        typescript(protocol, {"components": {"schemas": {}}, "paths": {}})


def test_one_name_has_one_meaning() -> None:
    kind = {"type": "string"}, {"type": "integer"}
    protocol = {"$defs": {"A": kind[0], "x.incoming.A": kind[0]}}
    openapi = {"components": {"schemas": {"AIn": kind[1]}}, "paths": {}}
    with pytest.raises(SchemaError, match="two different types have the name AIn"):
        typescript({**protocol, "client": {"anyOf": []}, "server": {"anyOf": []}}, openapi)


def test_editions_and_options_are_complete() -> None:
    made = pagefiles.files()
    editions, options = (json.loads(made[name]) for name in ("editions.json", "options.json"))
    assert [*editions] == [*EDITIONS]
    assert [*options] == [*SPECS]
    for name, edition in EDITIONS.items():
        assert editions[name]["options"] == edition.options()
    assert options["hand_size"] == {
        "kind": "int",
        "group": "box",
        "min": 1,
        "max": 40,
        "choices": [],
        "nullable": False,
        "needs": [],
    }
    assert options["twist.mirror_number"]["needs"] == ["M"]
    assert options["jokers"]["choices"] == ["J", "D", "C", "M"]


def test_the_page_learns_the_kinds_of_jokers() -> None:
    made = pagefiles.files()["jokers.ts"]
    _, _, rows = made.partition("JOKER_KINDS: readonly JokerKind[] = ")
    kinds = json.loads(rows.rstrip().removesuffix(";"))
    assert [(kind["letter"], kind["slots"]) for kind in kinds] == [
        (kind.letter, kind.slots) for kind in JOKER_KINDS
    ]
    assert [kind["letter"] for kind in kinds if kind["changesColour"]] == ["C"]
    assert all(len(kind) == len(JokerKind._fields) for kind in kinds)


def test_the_page_learns_the_roster() -> None:
    text = pagefiles.files()["bots.ts"]
    for bot in BOTS.values():
        assert f'"id": "{bot.id}"' in text
        assert bot.title == bot.id[0].upper() + bot.id[1:], "the page reads it like this"
        assert bot.name_key in pagefiles.words("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_plain_templates(language: str) -> None:
    made = pagefiles.files()
    first, later = (json.loads(made[f"words/{part}{language}.json"]) for part in ("", "more-"))
    assert first["app.name"]
    assert first["reason.inventory"]["by"] == "count"
    assert {key.partition(".")[0] for key in later} == {*pagefiles.LATER}
    assert {key.partition(".")[0] for key in {**first, **later}} >= {*pagefiles.SECTIONS}
    assert not first.keys() & later.keys()


def test_every_key_that_the_page_uses_has_words() -> None:
    known = pagefiles.words("en")
    missing = [found for found in called_keys() if found[1] not in known and found[1][-1:] != "*"]
    assert missing == []


def test_keys_that_are_put_together_begin_as_declared() -> None:
    made_up = [found for found in called_keys() if found[1].endswith("*")]
    undeclared = [found for found in made_up if not found[1].startswith(pagefiles.PREFIXES)]
    assert undeclared == [], "add how they begin to PREFIXES in tools/pagefiles.py"


def test_the_page_says_nothing_that_nobody_asks_for() -> None:
    quoted = {
        key for path in SOURCES for _, key in QUOTED.findall(path.read_text(encoding="utf-8"))
    }
    begun = tuple(key[:-1] for _, key in called_keys() if key.endswith("*"))
    unused = [
        key
        for key in pagefiles.page_words("en").messages
        if key not in quoted and not key.startswith(begun)
    ]
    assert unused == []
