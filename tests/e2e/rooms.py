"""Room setup, for tests that do not test how a room is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.seats import Seat
from tests.e2e.visitors import DESKTOP, Screen, Visitors
from tilerummy.rules.editions import edition as edition_of

PEOPLE = ("Ann", "Ben", "Cleo", "Dan")
RICH = {"hand_size": 22, "jokers": "J0"}
"""Options with which there is something to do in almost every turn."""
NO_POOL = {"copies": 1, "jokers": "J0", "hand_size": 26, "players.max": 2}
"""Options with which all tiles are dealt."""
DEALT_OUT = {**NO_POOL, "empty_pool.pass": "voluntary", "empty_pool.end": "all_pass"}
"""The same, and a game in which both pass is over."""
STUCK = {"copies": 1, "jokers": "J0", "hand_size": 13, "initial.min": 200}
"""Options with which four players get all tiles, and no player can ever open: every rack is worth
too few points."""

FETCH = """async ([method, path, body]) => {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(path, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  localStorage.setItem("tilerummy guest", "yes");
  return text === "" ? null : JSON.parse(text);
}"""


def request(page: Page, method: str, path: str, body: Mapping[str, object]) -> Any:
    """Ask the server as this browser, with its cookie."""
    return page.evaluate(FETCH, [method, path, body])


def open_room(page: Page, name: str, settings: Mapping[str, object], bots: Sequence[str]) -> str:
    """The code of a new room, in which this browser sits."""
    request(page, "POST", "/api/guests", {"name": name})
    opened = request(page, "POST", "/api/rooms", {"settings": settings, "bots": bots})
    return str(opened["code"])


def sit_together(
    visitors: Visitors,
    people: int = 2,
    *,
    options: Mapping[str, object] | None = None,
    bots: Sequence[str] = (),
    edition: str = "classic",
    rounds: int = 1,
    hints: bool = False,
    screens: Sequence[Screen] = (DESKTOP,),
    **context: Any,
) -> list[Seat]:
    """People at a table at which the game has begun. There is no clock unless the options have
    one. The last of the screens is for all who come later too."""
    options = {"timer.seconds": 0, **(options or {})}
    settings = {
        "edition": edition,
        "options": options,
        "seats": people + len(bots),
        "rounds": rounds,
        "hints": hints,
    }
    calm = {"reduced_motion": "reduce", **context}
    rules = edition_of(edition, options)
    seats = []
    code = ""
    for number, name in enumerate(PEOPLE[:people]):
        screen = screens[min(number, len(screens) - 1)]
        page = visitors.come("/", screen, **calm)
        if number == 0:
            code = open_room(page, name, settings, bots)
        else:
            request(page, "POST", "/api/guests", {"name": name})
            request(page, "POST", f"/api/rooms/{code}/seats", {})
        page.goto(f"/r/{code}")
        seats.append(Seat(page, rules))
    begin = seats[0].page.locator("#begin")
    expect(begin).to_be_enabled()
    begin.dispatch_event("click")
    for seat in seats:
        seat.page.wait_for_selector(".stage [data-tile]")
    return seats


def sit_with_bot(visitors: Visitors, **settings: Any) -> Seat:
    """One player alone with a bot."""
    (seat,) = sit_together(visitors, 1, bots=["simple"], **settings)
    return seat
