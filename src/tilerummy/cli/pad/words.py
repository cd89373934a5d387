"""What the score pad says: its messages, the standing in a sentence, and the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilerummy.locales import catalogue, error_text, join, system_reason
from tilerummy.play.scorepad import PadError, ScorePad
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.scores import Result

if TYPE_CHECKING:
    from rich.table import Table

LINES_AROUND = 17
"""Lines of the screen that the games leave to everything else."""


@dataclass(frozen=True, slots=True)
class Words:
    """The messages of the pad in one language."""

    lang: str

    def __call__(self, key: str, /, **params: object) -> str:
        return self.text(f"score.{key}", params)

    def text(self, key: str, params: Mapping[str, object]) -> str:
        """A message of any part of the catalogue; several names are joined as a sentence does."""
        return catalogue(self.lang).render(
            key, {name: self._shown(value) for name, value in params.items()}
        )

    def _shown(self, value: object) -> object:
        if isinstance(value, OSError):
            return system_reason(value, self.lang)
        return join(value, self.lang) if isinstance(value, tuple) else value

    def error(self, error: TileRummyError) -> str:
        if not isinstance(error, PadError):
            return error_text(error, self.lang)
        params = dict(error.params)
        if error.code == "player-count":
            params["edition"] = self.edition(str(params["edition"]))
        return self.text(f"score.error.{error.code}", params)

    def edition(self, name: str) -> str:
        return self.text(f"edition.{name}.name", {})

    def blurb(self, name: str) -> str:
        return self.text(f"edition.{name}.blurb", {})

    def command(self, name: str) -> str:
        return self.text(f"score.command.{name}", {})

    def heading(self, name: str, pad: ScorePad) -> str:
        match = pad.match
        rounds = self("rounds", count=pad.rounds)
        games = self("games-of", played=len(pad.entries), count=match.games_agreed)
        return " · ".join([name, self.edition(pad.edition.name), rounds, games])

    def result(self, number: int, pad: ScorePad, result: Result) -> str:
        scores = zip(pad.players, result.scores, strict=True)
        parts = tuple(f"{name} {signed(score)}" for name, score in scores)
        text = self("game-entered", number=number, scores=self.text("list.comma", {}).join(parts))
        if not result.winners:
            text += " " + self("nobody-wins")
        elif len(result.winners) > 1:
            winners = tuple(pad.players[seat] for seat in result.winners)
            text += " " + self("all-win", players=winners)
        return text

    def standing(self, pad: ScorePad) -> str:
        """Who leads or has won, and why where it is close."""
        match = pad.match
        if not match.results:
            return self("no-games-yet")
        standing = match.standing
        leader = standing.leaders[0]
        by_games = pad.edition.match_winner == "games"
        first = standing.wins if by_games else standing.totals
        level = [seat for seat, value in enumerate(first) if value == first[leader]]
        facts: dict[str, object] = {
            "name": pad.players[leader],
            "players": tuple(pad.players[seat] for seat in standing.leaders),
            "level": tuple(pad.players[seat] for seat in level if seat != leader),
            "wins": self("wins-count", count=standing.wins[leader]),
            "total": signed(standing.totals[leader]),
        }
        if not match.is_over and len(match.results) >= match.games_agreed:
            return self("extra-game", **facts)
        outcome = "won" if match.is_over else "lead"
        if len(standing.leaders) > 1:
            how = "shared"
        elif len(level) > 1:
            how = "points" if by_games else "games"
        else:
            how = "clear"
        return self.text(f"score.{outcome}-{how}", facts)

    def next_starter(self, pad: ScorePad) -> str | None:
        seat = None if pad.match.is_over else pad.match.next_starter()
        return None if seat is None else self("begins", name=pad.players[seat])


def signed(score: int) -> str:
    return f"{score:+}" if score else "0"


def score_table(
    words: Words,
    pad: ScorePad,
    height: int | None = None,
    star: str = "★",
    width: int | None = None,
) -> Table:
    """A row for each game and a column for each player, as the books print it.

    On a screen of that height the first games make room for the names, and on one of that width
    long names make room for the scores.
    """
    from rich import box
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    match = pad.match
    standing, per_round = match.standing, match.games_per_round
    leaders = standing.leaders if match.results else ()
    titles = [words("game"), words("total"), words("wins")]
    margin = max(map(cell_len, titles))
    table = Table(box=box.HORIZONTALS, pad_edge=False)
    table.add_column(titles[0], justify="right", no_wrap=True, min_width=margin)
    for seat, player in enumerate(pad.players):
        first = seat in leaders
        name = Text(f"{star} {player}" if first else player, "bold green" if first else "bold")
        if width is not None:
            seats = len(pad.players)
            name.truncate(max(5, (width - margin - 2) // seats - 3), overflow="ellipsis")
        table.add_column(name, justify="right", no_wrap=True, min_width=5)
    hidden = 0 if height is None else _games_to_hide(len(match.results), per_round, height)
    if hidden:
        table.add_row(f"1–{hidden}", *("…" for _ in pad.players), style="dim", end_section=True)
    for number, result in enumerate(match.results[hidden:], start=hidden + 1):
        cells = [
            Text(signed(score), "bold" if seat in result.winners else "")
            for seat, score in enumerate(result.scores)
        ]
        ends_round = per_round > 1 and number % per_round == 0
        table.add_row(str(number), *cells, end_section=ends_round or number == len(match.results))
    table.add_row(titles[1], *map(signed, standing.totals), style="bold")
    table.add_row(titles[2], *map(str, standing.wins))
    return table


def _games_to_hide(games: int, per_round: int, height: int) -> int:
    """How many games must go so that the names stay on a screen of this height."""
    room = max(4, height - LINES_AROUND)
    lines = games + games // per_round if per_round > 1 else games
    if lines <= room:
        return 0
    room -= 2  # for the row that stands for the hidden games, and the line under it
    return games - max(2, room * per_round // (per_round + 1) if per_round > 1 else room)
