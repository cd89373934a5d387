"""A score pad as a CSV table, for spreadsheets. Its JSON form is `queries.ScoreAnswer`."""

from __future__ import annotations

import csv
import io

from tilerummy.play.scorepad import ScorePad


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
