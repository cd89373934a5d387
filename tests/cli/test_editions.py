import json

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner

from tilerummy.cli.main import app
from tilerummy.locales import LANGUAGES, catalogue, option_text, value_text
from tilerummy.rules.editions import EDITIONS, SABRA, SPECS, edition

runner = CliRunner()


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_editions_and_options_are_listed(language: str) -> None:
    result = runner.invoke(app, ["editions", "--lang", language])
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert all(any(line.startswith(f"{name} ") for line in lines) for name in EDITIONS)
    assert all(key in lines for key in SPECS)
    assert max(cell_len(line) for line in lines) <= 80


def test_an_option_tells_meaning_choices_and_defaults() -> None:
    out = runner.invoke(app, ["editions", "--lang", "en"]).stdout
    assert (
        "joker.reuse\n"
        "    Where a freed joker goes\n"
        "      any            into any set\n"
        "      other_set      into a different set\n"
        "      new_set        into a new set\n"
        "      new_set_rack2  into a new set with at least two tiles from the rack\n"
        "    default any · classic: new_set\n"
    ) in out
    assert "    takes 0 to 86400 · default 60 · sabra: 120\n" in out


@pytest.mark.parametrize("name", EDITIONS)
def test_one_edition_is_shown_in_full(name: str) -> None:
    lines = runner.invoke(app, ["editions", name, "--lang", "en"]).stdout.splitlines()
    chosen = EDITIONS[name]
    for key, value in chosen.options().items():
        shown = [line for line in lines if line.startswith(f"{key} ")]
        if chosen.has_specials or not key.startswith("twist."):
            assert shown[0].removeprefix(key).strip().startswith(f"{value_text(value)} ")
        else:
            assert not shown


def test_a_changed_option_is_marked_with_its_default() -> None:
    arguments = ["editions", "sabra", "-o", "joker.rack_penalty=25", "--lang", "en"]
    out = runner.invoke(app, arguments).stdout
    assert "25 * (30)" in out
    assert "* differs from the default of the edition" in out
    assert " * (" not in runner.invoke(app, ["editions", "sabra", "--lang", "en"]).stdout


def test_json_has_everything() -> None:
    data = json.loads(runner.invoke(app, ["editions", "--json", "--lang", "zh-Hans"]).stdout)
    assert [item["name"] for item in data["editions"]] == list(EDITIONS)
    assert data["editions"][4]["options"] == SABRA.options()
    assert data["editions"][2]["tiles"] == 160
    assert [item["key"] for item in data["options"]] == list(SPECS)
    assert data["options"][0]["meaning"] == option_text("copies", "zh-Hans")
    reuse = next(item for item in data["options"] if item["key"] == "joker.reuse")
    assert reuse["choices"]["any"] == catalogue("zh-Hans").text("choice.joker.reuse.any")


def test_json_of_one_edition_says_what_was_changed() -> None:
    arguments = ["editions", "sabra", "--option", "timer.seconds=0", "--json", "--lang", "en"]
    data = json.loads(runner.invoke(app, arguments).stdout)
    assert data["title"] == "Sabra"
    assert data["changed"] == ["timer.seconds"]
    assert data["options"] == edition("sabra", {"timer.seconds": 0}).options()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nosuch"], "unknown edition 'nosuch'"),
        (["sabra", "--option", "x=1"], "unknown option 'x'"),
        (["--option", "timer.seconds=0"], "--option needs an edition"),
        (["--lang", "de"], "unknown language 'de'"),
    ],
)
def test_wrong_input_is_answered_on_stderr_with_exit_code_2(
    arguments: list[str], complaint: str
) -> None:
    result = runner.invoke(app, ["editions", *arguments])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert complaint in result.stderr


def test_help_teaches_by_example() -> None:
    out = runner.invoke(app, ["editions", "--help"]).stdout
    assert "tilerummy editions sabra --option joker.rack_penalty=25" in out


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "joker.locked_sets=true also sets joker.replace_from=rack"),
        ("zh-Hans", "设置 joker.locked_sets=true 时，joker.replace_from=rack"),
        ("zh-Hant", "設定 joker.locked_sets=true 時，joker.replace_from=rack"),
    ],
)
def test_what_an_option_brings_with_it_is_said(language: str, text: str) -> None:
    result = CliRunner().invoke(app, ["editions", "--lang", language], env={"COLUMNS": "200"})
    assert text in result.stdout


def test_programs_learn_what_an_option_brings_with_it() -> None:
    data = json.loads(CliRunner().invoke(app, ["editions", "--json"]).stdout)
    implies = {option["key"]: option["implies"] for option in data["options"]}
    assert implies["joker.locked_sets"] == [
        {"when": True, "key": "joker.replace_from", "value": "rack"}
    ]
    assert implies["hand_size"] == []
    for key, found in implies.items():
        for implied in found:
            given = (
                implied["when"]
                if implied["when"] is not None
                else {"copies": 3, "jokers": "J4"}[key]
            )
            assert edition("sixplayer", {key: given}).options()[implied["key"]] == implied["value"]
