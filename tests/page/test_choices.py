"""What the forms of the page send for a new room is the edition that was chosen.

`web/tests/game/choices.test.ts` writes down what they would send.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from tilerummy.rules.editions import EDITIONS, edition
from tilerummy.server.rooms.settings import Settings
from tools import pagefiles
from tools.page import prepare


def test_each_edition_is_sent_as_the_rules_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "choices.json"
    monkeypatch.setenv("TILERUMMY_CHOICES", str(path))
    pagefiles.write()
    prepare().run("vitest", "run", "tests/game/choices.test.ts")
    found = json.loads(path.read_text("utf-8"))
    assert [sent["first"]["edition"] for sent in found] == [*EDITIONS]
    for sent, rules in zip(found, EDITIONS.values(), strict=True):
        for room in ("first", "after"):
            settings = msgspec.convert(sent[room], Settings)
            assert edition(settings.edition, settings.options) == rules
            assert rules.players_min <= settings.seats <= rules.players_max
        assert sent["first"]["seats"] == rules.players_max
        defaults = sent["defaults"]
        assert defaults["clock"] == rules.timer_seconds
        assert defaults["games"] == rules.match_games_per_round
        assert defaults["seats"] == [*range(rules.players_min, rules.players_max + 1)]
        assert rules.timer_seconds in defaults["clocks"]
        at_once = msgspec.convert(sent["now"]["settings"], Settings)
        assert edition(at_once.edition, at_once.options) == rules.with_options({"timer.seconds": 0})
        assert at_once.seats == len(sent["now"]["bots"]) + 1
    sabra = next(sent for sent in found if sent["first"]["edition"] == "sabra")
    assert (sabra["defaults"]["clock"], sabra["defaults"]["games"]) == (120, 1)
