"""After any input and any server update, the page neither loses nor doubles a tile.

`web/tests/session/seat.test.ts` plays some evenings in every check; many more are played here.
"""

from __future__ import annotations

import pytest

from tools.page import prepare


@pytest.mark.soak
def test_no_tile_is_lost_on_many_evenings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILERUMMY_EVENINGS", "3000")
    prepare().run("vitest", "run", "tests/session/seat.test.ts")
