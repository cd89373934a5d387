/** The position of the table, as the room of a live seat has it. */

import { EDITIONS, USUAL } from "../game/editions";
import { type Rules, rulesFor } from "../game/rules";
import type { GameInfo, RoomInfo, Settings } from "../generated/wire";
import { emptyPosition, type TablePosition } from "../table/state";

export function rulesOfRoom(settings: Settings | undefined): Rules {
  return rulesFor(EDITIONS, settings?.edition ?? USUAL, settings?.options ?? {});
}

export interface Seen {
  readonly game: GameInfo | null;
  readonly phase: RoomInfo["phase"] | undefined;
  readonly isPaused: boolean;
  readonly you: number | null;
  readonly rules: Rules;
}

export function positionOf({ game, phase, isPaused, you, rules }: Seen): TablePosition {
  if (game === null) return { ...emptyPosition(rules), you };
  return {
    rules,
    you,
    myTurn: phase === "playing" && !isPaused && game.current === you,
    pool: game.pool ?? 0,
    table: game.table ?? [],
    rack: game.rack ?? [],
    opened: you !== null && (game.opened?.[you] ?? false),
    manipulation: game.manipulation ?? true,
    declared: game.declared ?? [],
  };
}
