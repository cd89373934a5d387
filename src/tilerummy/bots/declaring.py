"""The declarations that a referee asks for, filled in for a player who has no preference."""

from __future__ import annotations

from tilerummy.rules.declarations import Declaration
from tilerummy.rules.editions import Edition
from tilerummy.rules.namings import ways
from tilerummy.rules.tiles import Row, faces_of
from tilerummy.rules.turns import TurnVerdict


def most_valuable_declarations(edition: Edition, verdict: TurnVerdict) -> dict[Row, Declaration]:
    """The most valuable declaration for every row that the judge calls undeclared."""
    declared: dict[Row, Declaration] = {}
    for reason in verdict.reasons:
        if reason.code == "undeclared":
            best = ways(edition, faces_of(reason.tiles))[0]
            declared[reason.tiles] = best.kind if edition.joker_declare == "kind" else best.names
    return declared
