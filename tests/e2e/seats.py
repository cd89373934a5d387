"""Page object of a seat, read from the browser: which tiles lie where, and whose turn it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page, expect

from tests.e2e.visitors import PATIENCE
from tilerummy.rules.editions import CLASSIC, Edition
from tilerummy.rules.faults import judge_row
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import Row, Tile, faces_of, parse_tile, tile_text
from tilerummy.rules.turns import judge_turn

Rows = list[list[str]]
POLL = 20
"""Milliseconds."""

# Where tiles are going to be: what moves is not waited for.
LOOK = """() => {
  const stage = document.querySelector(".stage");
  const box = stage.getBoundingClientRect();
  const tiles = [...stage.querySelectorAll("[data-tile]")].map((element) => {
    const at = new DOMMatrix(element.style.transform);
    const width = element.offsetWidth * at.a;
    const zone = element.classList.contains("rack") ? "rack" : "table";
    return [element.dataset.tile, zone, box.x + at.e, box.y + at.f, width, width * 1.32];
  });
  const rack = stage.querySelector(".rack-board").getBoundingClientRect();
  return { tiles, table: [box.x, box.y, box.right, rack.y] };
}"""

# Whether a tile can be taken where it lies: it may still be on its way, or another be above it.
IN_REACH = """([tile, x, y]) =>
  document.elementFromPoint(x, y)?.closest("[data-tile]")?.dataset.tile === tile"""


class Spot(NamedTuple):
    """A tile on the screen."""

    tile: str
    zone: str
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2


class Sight(NamedTuple):
    """All that lies there at one moment."""

    tiles: dict[str, Spot]
    table: tuple[float, float, float, float]
    """Left, top, right and bottom of where rows may lie."""

    @property
    def rack(self) -> list[str]:
        """From the left, line by line."""
        found = [spot for spot in self.tiles.values() if spot.zone == "rack"]
        return [spot.tile for spot in sorted(found, key=lambda spot: (round(spot.y), spot.x))]

    @property
    def rows(self) -> Rows:
        """From the top left. What lies side by side is a row."""
        found = [spot for spot in self.tiles.values() if spot.zone == "table"]
        rows: list[list[Spot]] = []
        for spot in sorted(found, key=lambda spot: (round(spot.y), spot.x)):
            last = rows[-1][-1] if rows else None
            if last is not None and abs(spot.y - last.y) < 2 and spot.x - last.x < 1.2 * last.width:
                rows[-1].append(spot)
            else:
                rows.append([spot])
        return [[spot.tile for spot in row] for row in rows]

    @property
    def middle(self) -> tuple[float, float]:
        """Of the table."""
        left, top, right, bottom = self.table
        return (left + right) / 2, (top + bottom) / 2

    def has_room(self, width: int) -> bool:
        return self._free(width) is not None

    def free(self, width: int = 3) -> tuple[float, float]:
        """A point of the table around which nothing lies, with room for so many tiles."""
        found = self._free(width)
        assert found is not None, "there is no free place on the table"
        return found

    def _free(self, width: int) -> tuple[float, float] | None:
        left, top, right, bottom = self.table
        laid = [spot for spot in self.tiles.values() if spot.zone == "table"]
        tile = laid[0].width if laid else 40.0
        across = range(int(left + tile), int(right - width * tile), 10)
        down = range(int(top + tile), int(bottom - 0.7 * tile), 10)
        for y, x in product(down, across):
            if all(
                x + width * tile < spot.x
                or x > spot.x + 2 * tile
                or abs(y - spot.middle[1]) > 1.6 * tile
                for spot in laid
            ):
                return x, y
        return None

    def bare(self) -> tuple[float, float]:
        """A point of the table that no tile covers, so that a finger moves the table there."""
        left, top, right, bottom = (int(edge) for edge in self.table)
        laid = [spot for spot in self.tiles.values() if spot.zone == "table"]
        for y, x in product(range(bottom - 10, top, -5), range(left + 60, right - 10, 10)):
            if not any(
                spot.x - 5 < x < spot.x + spot.width + 5
                and spot.y - 5 < y < spot.y + spot.height + 5
                for spot in laid
            ):
                return x, y
        raise AssertionError("tiles cover all of the table")


class Seat:
    def __init__(self, page: Page, edition: Edition = CLASSIC) -> None:
        self.page = page
        self.edition = edition

    def look(self) -> Sight:
        seen: dict[str, Any] = self.page.evaluate(LOOK)
        spots = [Spot(*each) for each in seen["tiles"]]
        return Sight({spot.tile: spot for spot in spots}, tuple(seen["table"]))

    def reach(self, tile: str) -> tuple[float, float]:
        """Where to take a tile, as soon as it lies there."""
        x, y = self.look().tiles[tile].middle
        self.page.wait_for_function(IN_REACH, arg=[tile, x, y])
        return x, y

    @property
    def rack(self) -> list[str]:
        return self.look().rack

    @property
    def rows(self) -> Rows:
        return self.look().rows

    @property
    def play(self) -> Locator:
        return self.page.locator("#play")

    @property
    def draw(self) -> Locator:
        return self.page.locator("#draw")

    @property
    def has_opened(self) -> bool:
        return self.page.locator(".player.you .opened").count() > 0

    @property
    def is_over(self) -> bool:
        return self.page.get_by_test_id("ending").count() > 0

    def position(self) -> Position:
        """Before anything is moved in a turn."""
        seen = self.look()
        table = tuple(tiles_of(row) for row in seen.rows)
        return Position(self.edition, table, tiles_of(seen.rack), self.has_opened)

    def is_set(self, tiles: Sequence[str]) -> bool:
        """What the referee says of a row."""
        return judge_row(self.edition, faces_of(tiles_of(tiles))).valid

    def allows(self, position: Position, table: Iterable[Sequence[str]]) -> bool:
        """What the referee says of a table that these tiles could become."""
        verdict = judge_turn(
            Position(self.edition, position.table, position.rack, position.opened),
            tuple([tiles_of(row) for row in table]),
        )
        return not verdict.reasons

    # Waiting

    def await_turn(self) -> bool:
        """Until it is this player's turn; false where the game is over before."""
        self.page.wait_for_selector(".stage.mine, [data-testid=ending]")
        return not self.is_over

    @property
    def turn(self) -> str:
        """Its number."""
        return self.page.locator(".table-page").get_attribute("data-turn") or ""

    def await_end_of_turn(self, turn: str) -> None:
        """Until that turn is over."""
        self.page.wait_for_selector(
            f".table-page:not([data-turn='{turn}']), [data-testid=ending]", state="attached"
        )

    def expect_rows(self, wanted: Iterable[Sequence[str]]) -> None:
        """The table comes to be this, in any order of rows."""
        key = sorted(map(list, wanted))
        self.wait_until(lambda: sorted(self.rows) == key)
        assert sorted(self.rows) == key

    def expect_rack(self, wanted: Sequence[str]) -> None:
        self.wait_until(lambda: self.rack == list(wanted))
        assert self.rack == list(wanted)

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        wait_until(self.page, is_so)

    # Actions without an input driver

    def hurry(self) -> None:
        """Simulates the `online` event of the system."""
        self.page.evaluate("dispatchEvent(new Event('online'))")

    def quick_draw(self) -> None:
        """Draw or pass in the fastest way, for tests of something else."""
        turn = self.turn
        expect(self.draw).to_be_enabled()
        self.draw.dispatch_event("click")
        self.await_end_of_turn(turn)


def wait_until(page: Page, is_so: Callable[[], bool]) -> None:
    """Poll for a state, with the timeout of everything else."""
    until = time.monotonic() + PATIENCE / 1000
    while not is_so() and time.monotonic() < until:
        page.wait_for_timeout(POLL)  # lets Playwright deliver events, which `time.sleep` does not


def in_turn(people: Sequence[Seat]) -> list[Seat]:
    """The current player first, then the others."""
    for seat in people:
        seat.page.wait_for_selector(".player.turn")
    return sorted(people, key=lambda seat: not seat.page.locator(".stage.mine").count())


def tiles_of(texts: Iterable[str]) -> Row:
    return tuple(parse_tile(text) for text in texts)


def texts_of(tiles: Iterable[Tile]) -> list[str]:
    return [tile_text(tile) for tile in tiles]
