"""A score pad for other programs: as a CSV table, and as JSON with everything worked out."""

from __future__ import annotations

import csv
import io

from tilerummy.play.padjson import pad_to_json
from tilerummy.play.scorepad import ScorePad, Written


def sheet_csv(pad: ScorePad) -> str:
    """A line for each game, then the totals and the games won, as on paper."""
    match = pad.match
    standing = match.standing
    text = io.StringIO()
    sheet = csv.writer(text, lineterminator="\n")
    sheet.writerow(["game", *pad.players])
    for number, result in enumerate(match.results, start=1):
        sheet.writerow([number, *result.scores])
    sheet.writerow(["total", *standing.totals])
    sheet.writerow(["wins", *standing.wins])
    return text.getvalue()


def sheet_json(pad: ScorePad) -> dict[str, object]:
    """The pad as its file holds it, with the scores of each game and the standing added."""
    match = pad.match
    standing = match.standing
    document = pad_to_json(pad)
    games = []
    for entry, result in zip(pad.entries, match.results, strict=True):
        blocked = None if isinstance(entry, Written) else result.blocked
        games.append({"scores": result.scores, "winners": result.winners, "blocked": blocked})
    document["results"] = games
    document["standing"] = {
        "totals": standing.totals,
        "wins": standing.wins,
        "ranking": standing.ranking,
        "games_agreed": match.games_agreed,
        "over": match.is_over,
        "winners": match.winners,
    }
    return document
