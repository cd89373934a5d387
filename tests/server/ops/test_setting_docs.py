"""What the page for hosts says about settings and metrics is what there is."""

from __future__ import annotations

import re
from pathlib import Path

from tilerummy.server.live.bus import LocalBus
from tilerummy.server.ops import setting_docs as settingdocs
from tilerummy.server.ops.settings import KINDS, variable
from tilerummy.server.telemetry.metrics import Metrics

PAGE = (Path(__file__).parents[3] / "docs" / "operations.md").read_text(encoding="utf-8")


def test_the_tables_of_settings_are_as_the_settings_are() -> None:
    assert settingdocs.updated(PAGE) == PAGE, (
        "stale: run `python -m tilerummy.server.ops.setting_docs docs/operations.md`"
    )


def test_every_setting_says_what_it_is() -> None:
    rows = re.findall(r"^\| `(TILERUMMY_\w+)` \|.*\| (.*) \|$", settingdocs.tables(), re.MULTILINE)
    assert sorted(name for name, about in rows if about) == sorted(map(variable, KINDS))


def test_every_metric_is_on_the_page_and_no_other() -> None:
    metrics = Metrics()
    metrics.watch_commits(lambda: (0, 0))
    metrics.watch_bus(lambda: LocalBus().health)
    ours = {
        line.split()[2].removesuffix("_created")
        for line in metrics.text().decode().splitlines()
        if line.startswith("# TYPE tilerummy_")
    }
    documented = {
        re.sub(r"_bucket$", "", name) for name in re.findall(r"\b(tilerummy_[a-z_]+)\b", PAGE)
    }
    assert documented == ours
