"""Options that a server refuses because their turns take too long to judge."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tilerummy.locales import LANGUAGES, error_text
from tilerummy.rules.editions import EDITIONS, edition
from tilerummy.rules.errors import OptionError
from tilerummy.server.rooms.option_costs import HIGHEST_MINIMUM, check_costs
from tilerummy.server.rooms.settings import Settings
from tools.pagefiles import words

GOES_ON = {"initial.same_turn_manipulation": True}
EXTREME = {
    **GOES_ON,
    "draw.mode": "until_playable",
    "initial.min": 200,
    "hand_size": 1,
    "copies": 4,
    "jokers": "J4 D4 C4 M4",
    "set.min_natural": 0,
    "set.order": "as_laid",
}


@pytest.mark.parametrize("name", EDITIONS)
def test_every_edition_is_played_as_it_is(name: str) -> None:
    check_costs(EDITIONS[name])


@pytest.mark.parametrize(
    ("name", "options", "code"),
    [
        ("twist", EXTREME, "costly-minimum"),
        ("twist", GOES_ON, "costly-jokers"),
        ("sabra", {"initial.min": HIGHEST_MINIMUM + 1}, "costly-minimum"),
        ("sabra", {"jokers": "J1 D1"}, "costly-jokers"),
    ],
)
def test_too_expensive(name: str, options: dict[str, Any], code: str) -> None:
    with pytest.raises(OptionError, match="takes too long to judge") as caught:
        check_costs(edition(name, options))
    assert caught.value.code == code
    Settings(edition=name, options=options, seats=2).check()  # old rooms still load


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("twist", {**EXTREME, "initial.same_turn_manipulation": False}),
        ("twist", {**GOES_ON, "initial.jokers": False}),
        ("twist", {**GOES_ON, "initial.min": 0}),
        ("sabra", {"initial.min": HIGHEST_MINIMUM, "jokers": "J4", "copies": 4}),
    ],
)
def test_what_is_left_is_bounded(name: str, options: dict[str, Any]) -> None:
    check_costs(edition(name, options))


@pytest.mark.parametrize("language", [other for other in LANGUAGES if other != "en"])
@pytest.mark.parametrize("options", [{"initial.min": 60}, {"jokers": "J1 D1"}])
def test_it_is_said_in_every_language(options: dict[str, Any], language: str) -> None:
    with pytest.raises(OptionError) as caught:
        check_costs(edition("sabra", options))
    said = error_text(caught.value, language)
    assert said != str(caught.value)
    assert "initial." in said
    assert str(HIGHEST_MINIMUM) in said or "initial.min" not in options


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("code", "options"),
    [
        ("costly-minimum", ("initial.min", "initial.same_turn_manipulation")),
        ("costly-jokers", ("initial.jokers", "initial.same_turn_manipulation")),
    ],
)
def test_the_page_names_the_options_as_its_form_does(
    code: str, options: tuple[str, ...], language: str
) -> None:
    """A label may have an explanation in brackets."""
    said = words(language)[f"impossible.{code}"].format({"most": HIGHEST_MINIMUM})
    for option in options:
        label = words(language)[f"option.{option}"].format({})
        assert re.split(r" ?[(（]", label)[0] in said
