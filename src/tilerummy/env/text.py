"""A game as text, for `render`: the notation of records, with the racks of all players."""

from __future__ import annotations

from collections.abc import Sequence

from tilerummy.env.drafts import Draft
from tilerummy.play.game import Game
from tilerummy.rules.tiles import row_text, table_text


def game_text(game: Game, agents: Sequence[str], draft: Draft | None) -> str:
    """The table, the racks and the pool. With a draft, those of the player to move are its."""
    table = game.table if draft is None else draft.table
    lines = [f"turn {game.turn}, pool {len(game.pool)}", f"table {table_text(table) or 'empty'}"]
    for seat, agent in enumerate(agents):
        moves = game.is_playing and seat == game.current
        rack = draft.rack if draft is not None and moves else game.racks[seat]
        sign = ">" if moves else " "
        opened = "" if game.opened[seat] else " (not opened)"
        lines.append(f"{sign} {agent}{opened} {row_text(rack)}".rstrip())
    if draft is not None and draft.hand is not None:
        lines.append(f"  in hand {row_text([draft.hand])}")
    if game.result is not None:
        lines.append(f"over: {game.result.end}, scores {' '.join(map(str, game.result.scores))}")
    return "\n".join(lines)
