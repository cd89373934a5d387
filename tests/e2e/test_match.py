"""The end of a game, the score sheet, the next game, the end of the match, and another one."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.rooms import DEALT_OUT, sit_together
from tests.e2e.seats import Seat
from tests.e2e.visitors import DESKTOP, PHONE, Visitors
from tilerummy.play.notation import from_text
from tilerummy.play.verification import verify


def pass_all(people: list[Seat]) -> None:
    """No player plays: the game is blocked."""
    for _ in people:
        people[0].page.wait_for_selector(".player.turn")
        seat = people[0 if people[0].page.locator(".player.turn.you").count() else 1]
        if seat.await_turn():
            seat.quick_draw()
        turn = seat.turn
        for each in people:
            each.page.wait_for_selector(f"[data-turn='{turn}'], [data-testid=ending]")
    for seat in people:
        seat.page.wait_for_selector("[data-testid=ending]")


def check_record(seat: Seat) -> None:
    """Everybody can see that the shuffle was honest, and take the record home."""
    seat.page.click("#check-shuffle")
    expect(seat.page.get_by_test_id("proof")).to_contain_text("All good")
    with seat.page.expect_download() as download:
        seat.page.click("#download-record")
    record = from_text(download.value.path().read_text("utf-8"))
    assert record.players == ("Ann", "Ben")
    assert verify(record) == []
    # And would see what was not.
    problem = {"code": "turn", "message": "too late", "game": 1, "turn": 3}
    verdict = {"holds": False, "problems": [problem]}
    seat.page.click("#check-turns")
    expect(seat.page.get_by_test_id("proof")).to_contain_text("All good: the server replayed")
    seat.page.route("**/verify", lambda route: route.fulfill(json=verdict))
    seat.page.click("#check-turns")
    expect(seat.page.get_by_test_id("proof")).to_contain_text("Something is wrong")
    expect(seat.page.get_by_text("Game 1, turn 3: this turn didn't follow")).to_be_visible()
    seat.page.unroute("**/verify")
    # The table can be looked at once more.
    seat.page.click("#fold")
    expect(seat.page.locator("#more")).to_be_hidden()
    seat.page.click("#fold")


def test_match_from_the_first_game_to_a_rematch(visitors: Visitors) -> None:
    people = sit_together(visitors, 2, options=DEALT_OUT, screens=[DESKTOP, PHONE])
    for seat in people:
        assert len(seat.rack) == 26
        expect(seat.draw).to_have_text("Pass")
    totals, wins = [0, 0], [0, 0]
    for game in (1, 2):
        points = [sum(int(tile[1:].split(".")[0]) for tile in seat.rack) for seat in people]
        pass_all(people)
        difference = abs(points[0] - points[1])
        winner = points.index(min(points))
        for number in range(2):
            wins[number] += points[number] == min(points)
        totals[winner] += difference
        totals[1 - winner] -= difference
        for number, seat in enumerate(people):
            ending = seat.page.get_by_role("dialog")
            won = "You win the game!" if number == winner else "wins the game"
            if game == 1 and difference:
                expect(seat.page.get_by_test_id("ending")).to_contain_text(won)
            expect(ending.locator(".racks .tiles .tile")).to_have_count(52)
            rows = ending.locator(".scores tbody tr")
            expect(rows).to_have_count(game)
            expect(ending.get_by_test_id("why")).to_have_text(
                "Nobody played for a whole round. The lowest rack wins."
            )
            for label, numbers in (("Total", totals), ("Games won", wins)):
                row = ending.locator(".scores tfoot tr").filter(has_text=label)
                cells = row.locator("td").all_inner_texts()
                assert [int(each.replace("−", "-")) for each in cells] == numbers
            if game == 2:
                names = ("You", "Ben") if number == 0 else ("Ann", "You")
                each = ", ".join(f"{name}: {won}" for name, won in zip(names, wins, strict=True))
                expect(ending.get_by_test_id("won")).to_have_text(f"Games won: {each}.")
        if game == 1:
            check_record(people[0])
        expect(people[0].page.locator("#more")).to_have_text(
            "Next game" if game == 1 else "Rematch"
        )
        soon = people[0].page.get_by_text("starts in a moment")
        expect(soon).to_have_count(1 if game == 1 else 0)
        people[0].page.click("#more")
        expect(people[0].page.get_by_text("Waiting for Ben")).to_be_visible()
        people[1].page.tap("#more")
        if game == 1:
            for seat in people:
                expect(seat.page.get_by_test_id("ending")).to_be_hidden()
                expect(seat.page.locator(".stage > .rack")).to_have_count(26)
    # All who want another match meet in the lobby, where others may join them.
    expect(people[1].page.get_by_text("Waiting for the host")).to_be_visible()
    people[0].page.click("#begin")
    for seat in people:
        expect(seat.page.locator(".stage > .rack")).to_have_count(26)
