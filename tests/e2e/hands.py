"""Input drivers: play with a mouse, by touch, or with the keyboard alone.

All have the same interface: make a row of tiles, put tiles into a row, press a button. `lay_out`
turns the table into another with any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from playwright.sync_api import Locator, expect

from tests.e2e.seats import Rows, Seat, Sight

Point = tuple[float, float]


class Hands(Protocol):
    seat: Seat

    def new_row(self, tiles: Sequence[str]) -> None:
        """Lay these tiles on the free table."""

    def put(self, tile: str, row: Sequence[str], index: int) -> None:
        """Put a tile into a row, before the tile that has this place there."""

    def press(self, name: str) -> None:
        """The button with this id."""


class Mouse:
    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.mouse = seat.page.mouse

    def drag(self, start: Point, end: Point) -> None:
        self.mouse.move(*start)
        self.mouse.down()
        self.mouse.move(*end, steps=4)
        self.mouse.up()

    def new_row(self, tiles: Sequence[str]) -> None:
        seen = self._with_room(len(tiles))
        if len(tiles) > 1:
            self.seat.page.keyboard.down("Control")
            for tile in tiles:
                self.mouse.click(*self.seat.reach(tile))
            self.seat.page.keyboard.up("Control")
        self.drag(self.seat.reach(tiles[0]), seen.free(len(tiles)))

    def _with_room(self, width: int) -> Sight:
        """What lies there, after the table was made smaller where it is full."""
        seen = self.seat.look()
        if seen.has_room(width):
            return seen
        self.mouse.move(*seen.middle)
        self.seat.page.keyboard.down("Control")
        self.mouse.wheel(0, 200)
        self.seat.page.keyboard.up("Control")
        return self.seat.look()

    def put(self, tile: str, row: Sequence[str], index: int) -> None:
        self.drag(self.seat.reach(tile), _gap(self.seat, row, index))

    def press(self, name: str) -> None:
        self.seat.page.click(f"#{name}")


class Fingers:
    """Tiles are carried above the finger, so that they can be seen: `ABOVE` in gestures.ts."""

    ABOVE = 44

    def __init__(self, seat: Seat, pause: int = 0) -> None:
        self.seat = seat
        self.pause = pause
        """Milliseconds of delay after every action, for films."""
        self.cdp = seat.page.context.new_cdp_session(seat.page)

    def _touch(self, kind: str, *points: Point) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def tap(self, at: Point) -> None:
        self._touch("touchStart", at)
        self._touch("touchEnd")
        self._rest(0.4)

    def drag(self, start: Point, end: Point, *, steps: int = 4) -> None:
        self._touch("touchStart", start)
        for step in range(1, steps + 1):
            part = step / steps
            self._touch(
                "touchMove",
                (start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])),
            )
            self._rest(1 / steps)
        self._touch("touchEnd")
        self._rest()

    def _rest(self, part: float = 1) -> None:
        if self.pause:
            self.seat.page.wait_for_timeout(self.pause * part)  # in films alone

    def carry(self, start: Point, end: Point) -> None:
        """Drag a tile, so that it comes down at the end."""
        self.drag(start, (end[0], end[1] + self.ABOVE), steps=12 if self.pause else 4)

    def pinch(self, around: Point, before: float, after: float) -> None:
        """Two fingers, so far apart before and after."""
        x, y = around
        self._touch("touchStart", (x - before / 2, y), (x + before / 2, y))
        for step in range(1, 5):
            apart = before + (after - before) * step / 4
            self._touch("touchMove", (x - apart / 2, y), (x + apart / 2, y))
        self._touch("touchEnd")

    def _with_room(self, width: int) -> Sight:
        """What lies there, after the table was made smaller where it is full."""
        seen = self.seat.look()
        if seen.has_room(width):
            return seen
        self.pinch(seen.middle, 160, 90)
        return self.seat.look()

    def new_row(self, tiles: Sequence[str]) -> None:
        """Taps alone: choose, and then tap where they go."""
        seen = self._with_room(len(tiles))
        rows = {tuple(row) for row in seen.rows for tile in tiles if tile in row}
        if len(rows) > 1 or (rows and any(seen.tiles[tile].zone == "rack" for tile in tiles)):
            self.new_row(tiles[:1])
            for index, tile in enumerate(tiles[1:], 1):
                self.put(tile, tiles[:index], index)
            return
        for tile in tiles:
            self._choose(tile)
        self.tap(seen.free(len(tiles)))

    def _choose(self, tile: str) -> None:
        """A finger that stays for too long holds a tile, and has not chosen it."""
        chosen = self.seat.page.locator(f".tile.chosen[data-tile='{tile}']")
        for _ in range(5):
            self.tap(self.seat.reach(tile))
            if chosen.count():
                return
        raise AssertionError(f"{tile} cannot be chosen")

    def put(self, tile: str, row: Sequence[str], index: int) -> None:
        self.carry(self.seat.reach(tile), _gap(self.seat, row, index))

    def press(self, name: str) -> None:
        button = self.seat.page.locator(f"#{name}")
        expect(button).to_be_enabled()
        button.tap()


class Keys:
    """Navigates by order alone and checks the effect of keys in the announced text."""

    NAMES = {  # noqa: RUF012
        "play": "p",
        "draw": "d",
        "undo": "u",
        "redo": "Control+y",
        "hint": "h",
        "sort-colour": "c",
        "sort-number": "n",
    }

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.page = seat.page

    @property
    def said(self) -> Locator:
        """The last announced text; it follows the visible change."""
        return self.page.get_by_test_id("said")

    def type(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def come_to_the_table(self) -> None:
        """With the Tab key, without a mouse."""
        for _ in range(30):
            if self.page.evaluate("document.activeElement.classList.contains('stage')"):
                return
            self.type("Tab")
        raise AssertionError("the keyboard does not come to the table")

    def _to_rack(self) -> None:
        self.type(*["ArrowDown"] * (len(self.seat.rows) + 2), "Home")

    def _to_row(self, row: Sequence[str], index: int) -> None:
        rows = self.seat.rows
        self._to_rack()
        self.type(*["ArrowUp"] * (1 + len(rows) - rows.index(list(row))), "Home")
        self.type(*["ArrowRight"] * index)

    def choose(self, tile: str) -> None:
        seen = self.seat.look()
        if tile in seen.rack:
            self._to_rack()
            self.type(*["ArrowRight"] * seen.rack.index(tile), "Space")
        else:
            row = next(row for row in seen.rows if tile in row)
            self._to_row(row, row.index(tile))
            self.type("Space")

    def new_row(self, tiles: Sequence[str]) -> None:
        self.come_to_the_table()
        self.type("c")  # so that there are no gaps on the rack
        for tile in tiles:
            self.choose(tile)
        self.type("t")

    def put(self, tile: str, row: Sequence[str], index: int) -> None:
        self.come_to_the_table()
        self.type("c")
        self.choose(tile)
        self._to_row(row, index)
        self.type("Enter")

    def press(self, name: str) -> None:
        self.come_to_the_table()
        self.type(self.NAMES[name])


def _gap(seat: Seat, row: Sequence[str], index: int) -> Point:
    """Between two tiles of a row, or at one of its ends."""
    spots = [seat.look().tiles[tile] for tile in row]
    at = spots[min(index, len(row) - 1)]
    return at.x + at.width * (index >= len(row)), at.middle[1]


def end_turn(hands: Hands) -> None:
    """Play what lies there, and wait until it counts."""
    turn = hands.seat.turn
    expect(hands.seat.play).to_be_enabled()
    hands.press("play")
    hands.seat.await_end_of_turn(turn)


def lay_out(hands: Hands, wanted: Sequence[Sequence[str]]) -> None:
    """Turn the table into this one, tile by tile, as it may have been laid meanwhile."""
    for _ in range(120):
        rows = hands.seat.rows
        missing = [list(row) for row in wanted if list(row) not in rows]
        if not missing:
            return
        _go_on(hands, missing[0], rows)
    raise AssertionError(f"the table cannot be laid out: {hands.seat.rows} instead of {wanted}")


def _go_on(hands: Hands, wanted: list[str], rows: Rows) -> None:
    """One movement towards a row."""
    parts = [row for row in rows if _is_part(row, wanted)]
    base = max(parts, key=len, default=None)
    if base is None:
        seen = hands.seat.look()
        own = [tile for tile in wanted if seen.tiles[tile].zone == "rack"]
        hands.new_row(wanted if own == wanted else wanted[:1])
        return
    tile = next(tile for tile in wanted if tile not in base)
    hands.put(tile, base, wanted.index(tile))


def _is_part(row: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether all tiles of a row lie in another, in this order."""
    rest = iter(whole)
    return all(tile in rest for tile in row)
