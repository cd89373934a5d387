"""The question to the score pad: what does it add up to?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self, TypedDict

from tilerummy.play.match import Match
from tilerummy.play.padjson import pad_from_json, pad_to_json
from tilerummy.play.scorepad import ScorePad, Written
from tilerummy.queries.contract import Request
from tilerummy.queries.parsing import read_object


class PadJson(TypedDict):
    """A score pad as its file holds it. Each game is `{"end": "out", "out": 0, "left": […]}`,
    `{"end": "blocked", "left": […]}` or `{"end": "scores", "scores": […]}`."""

    tilerummy: str
    schema: int
    edition: str
    options: dict[str, Any]
    players: list[str]
    rounds: int
    games: list[dict[str, Any]]


class ResultJson(TypedDict):
    """The scores of a game; `blocked` is null where only scores were entered."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    blocked: bool | None


class StandingJson(TypedDict):
    """Totals and games won by seat; `ranking` has the seats by place, `winners` those of a match
    that is over."""

    totals: tuple[int, ...]
    wins: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    games_agreed: int
    over: bool
    winners: tuple[int, ...]


class ScoreAnswerJson(PadJson):
    """The pad with the result of each game and the standing."""

    results: list[ResultJson]
    standing: StandingJson


@dataclass(frozen=True, slots=True)
class ScoreQuestion:
    """What are the scores and the standing of a pad?"""

    pad: ScorePad

    @classmethod
    def from_json(cls, request: Request) -> Self:
        """Reads `PadJson`. Raises QueryError or PadError, as `pad_from_json`."""
        return cls(pad_from_json(read_object(request)))

    def answer(self) -> ScoreAnswer:
        """The match that the pad adds up to."""
        return ScoreAnswer(self.pad, self.pad.match)


@dataclass(frozen=True, slots=True)
class ScoreAnswer:
    """A pad and the match that it adds up to."""

    pad: ScorePad
    match: Match

    def to_json(self, lang: str = "en") -> dict[str, object]:
        """`ScoreAnswerJson`."""
        match, standing = self.match, self.match.standing
        results: list[ResultJson] = [
            {
                "scores": result.scores,
                "winners": result.winners,
                "blocked": None if isinstance(entry, Written) else result.blocked,
            }
            for entry, result in zip(self.pad.entries, match.results, strict=True)
        ]
        totals: StandingJson = {
            "totals": standing.totals,
            "wins": standing.wins,
            "ranking": standing.ranking,
            "games_agreed": match.games_agreed,
            "over": match.is_over,
            "winners": match.winners,
        }
        return {**pad_to_json(self.pad), "results": results, "standing": totals}
