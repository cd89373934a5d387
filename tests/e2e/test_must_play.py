"""With an empty pool only a player who cannot play may pass; who can is shown how."""

from __future__ import annotations

import json
from collections.abc import Sequence

from playwright.sync_api import WebSocketRoute, expect

from tests.e2e.hands import Fingers, Hands, Keys, Mouse, end_turn
from tests.e2e.rooms import NO_POOL, sit_together
from tests.e2e.seats import Rows, Seat, in_turn
from tests.e2e.turns import best_turn
from tests.e2e.visitors import DESKTOP, PHONE, Screen, Visitors, axe

OPTIONS = {**NO_POOL, "initial.min": 0}
MUST_PLAY = "The pool is empty. You can play, so you have to."
ROOMS = 5
"""Deals, in one of which the first player can play: nearly always it is the first."""


def sit_able(visitors: Visitors, screens: Sequence[Screen] = (DESKTOP,)) -> list[Seat]:
    """Two people without hints, of whom the first to move can play."""
    for _ in range(ROOMS):
        people = in_turn(sit_together(visitors, 2, options=OPTIONS, screens=screens))
        if not people[0].is_over and best_turn(people[0]) is not None:
            return people
    raise AssertionError(f"{ROOMS} deals, and nobody could play")


def try_to_pass(hands: Hands) -> None:
    seat = hands.seat
    expect(seat.page.locator("#hint")).to_have_attribute("aria-label", "Show me")
    hands.press("draw")
    refused = seat.page.get_by_test_id("refused")
    expect(refused).to_contain_text(MUST_PLAY)
    expect(refused).to_have_attribute("role", "alert")
    assert axe(seat.page) == []


def play_what_is_shown(hands: Hands, table: Rows) -> None:
    """Follow the steps to the end, and play what they have laid: as many tiles as on this table."""
    seat = hands.seat
    hint = seat.page.get_by_test_id("hint")
    hint.wait_for()
    while int(hint.get_attribute("data-left") or 0) > 0:
        seat.page.locator("#hint-next").dispatch_event("click")
    expect(seat.page.locator(".stage > .tile.table")).to_have_count(sum(map(len, table)))
    expect(seat.play).to_be_enabled()
    end_turn(hands)
    expect(hint).to_be_hidden()


def test_a_player_who_must_play_is_shown_how_though_hints_are_off(visitors: Visitors) -> None:
    first, second = sit_able(visitors, [DESKTOP, PHONE])
    expect(second.page.locator("#hint")).to_have_count(0)
    for seat in (first, second):
        if not seat.await_turn():
            break  # the other cannot play any more
        is_phone = seat.page.evaluate("matchMedia('(pointer: coarse)').matches")
        hands: Hands = Fingers(seat) if is_phone else Mouse(seat)
        table, rack = best_turn(seat), seat.rack
        if table is None:
            break
        try_to_pass(hands)
        assert seat.rack == rack
        hands.press("show-me")
        play_what_is_shown(hands, table)
        assert seat.has_opened


def test_by_keyboard(visitors: Visitors) -> None:
    seat, _ = sit_able(visitors)
    table = best_turn(seat)
    assert table is not None
    try_to_pass(Keys(seat))
    seat.page.focus("#show-me")
    seat.page.keyboard.press("Enter")
    play_what_is_shown(Keys(seat), table)


def test_a_busy_solver_is_waited_for(visitors: Visitors) -> None:
    seat, _ = sit_able(visitors)
    held: list[str] = []
    lines: list[WebSocketRoute] = []

    def hold(line: WebSocketRoute) -> None:
        """A server whose solver is busy: it says so, and gets the question later."""
        server = line.connect_to_server()
        lines.append(server)

        def on_message(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "hint":
                held.append(str(text))
                line.send(json.dumps({"type": "queued", "re": message["id"]}))
            else:
                server.send(text)

        line.on_message(on_message)

    seat.page.route_web_socket("**/socket", hold)
    seat.page.reload()
    assert seat.await_turn()
    table = best_turn(seat)
    assert table is not None
    seat.page.locator("#hint").click()
    queued = seat.page.get_by_test_id("queued")
    expect(queued).to_have_text("Looking for a play…")
    expect(seat.page.get_by_test_id("news")).to_contain_text("Looking for a play")
    # One's own hands are free meanwhile.
    expect(seat.draw).to_be_enabled()
    lines[-1].send(held[-1])
    seat.page.get_by_test_id("hint").wait_for()
    expect(queued).to_be_hidden()
    play_what_is_shown(Mouse(seat), table)
