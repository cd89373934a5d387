"""Generates the pictures of the README: `make pictures`.

A fixed seed deals the game, a bot's choices stand in for the player's, and the screen of a later
turn is exported. The picture fetches no font: it asks for a monospaced one and fixes the widths.
`pagepictures` takes those of the page in a browser.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from tilerummy.bots.simple import SimpleBot
from tilerummy.cli.plan import Plan, dealer, parse_seats
from tilerummy.cli.table.app import TableApp
from tilerummy.cli.table.screen import GameScreen
from tilerummy.rules.editions import edition
from tools.pagepictures import take_all

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
SIZE = (96, 25)
TURNS = 36
NEVER = 1e6


async def terminal() -> str:
    """A game in progress, with a row laid that is not a set yet."""
    seats = parse_seats(["Ann", "bot", "bot", "bot"], lambda number: f"Bot {number}")
    app = TableApp(
        Plan(edition("twist"), seats, 1), "en", dealer("5eed"), pause=NEVER, seconds=lambda: 0.0
    )
    bot = SimpleBot()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, GameScreen)
        driver = screen.session.driver
        while screen.game.turn < TURNS or screen.game.current != 0:
            driver.apply(bot.choose(driver.view(screen.game.current)), 0)
        screen.start_turn()
        await pilot.pause()
        await pilot.press("space", "right", "space", "n")
        await pilot.pause()
        return app.export_screenshot(title="tilerummy play --edition twist")


def without_links(svg: str) -> str:
    """Drop the fonts that would be fetched from elsewhere, and comments."""
    return re.sub(r"\s*(@font-face \{.*?\}|<!--.*?-->)", "", svg, flags=re.DOTALL)


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    picture = without_links(asyncio.run(terminal()))
    assert "://" not in picture.replace("http://www.w3.org/2000/svg", "")
    (PICTURES / "terminal.svg").write_text(picture, "utf-8")
    print(f"docs/pictures/terminal.svg, {len(picture):,} characters")
    for path in take_all(PICTURES):
        print(f"docs/pictures/{path.name}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
