/**
 * The state of a table: one immutable value, which needs no connection.
 *
 * A source (see `source.ts`) gives positions; `moves.ts` and `turns.ts` hold the functions that turn
 * one state into the next.
 */

import type { FailureCode } from "../failures";
import type { As } from "../game/declarations";
import type { Draft } from "../game/draft";
import { EDITIONS, USUAL } from "../game/editions";
import { begin, type History } from "../game/history";
import type { Reason } from "../game/rows";
import { type Rules, rulesFor } from "../game/rules";
import type { Tile } from "../game/tiles";
import type { Position } from "../game/turn";
import type { HintOut, Refused } from "../generated/wire";
import type { Places } from "./layout";

/** The table before this turn, one rack, and what may be done with them. */
export interface TablePosition extends Position {
  readonly rules: Rules;
  /** The seat whose rack this is; null for a spectator, who has none. */
  readonly you: number | null;
  /** Whether this seat may change the table now. Its own rack may be sorted at any time. */
  readonly myTurn: boolean;
  /** How many tiles are left to draw. */
  readonly pool: number;
}

/** Tiles that a turn has moved or laid, and the seat they came from. */
export interface Flight {
  readonly tiles: ReadonlySet<Tile>;
  /** Null for the player's own turn. */
  readonly from: number | null;
}

/** Highlights of what has changed since the player's last turn. */
export interface Highlights {
  /** Tiles of the last turn. */
  readonly fresh: Flight;
  /** Tiles of the turns of others before that one. */
  readonly earlier: ReadonlySet<Tile>;
  /** Tiles that are new on the rack. */
  readonly drawn: ReadonlySet<Tile>;
}

/** Why the last attempt failed; with the referee's reasons, if it refused. */
export type Refusal = Pick<Refused, "reasons"> & { readonly code: FailureCode };

/** A hint, its stage (1 to 3), and in stage 3 the number of steps shown. */
export interface Help {
  readonly found: HintOut;
  readonly stage: number;
  readonly step: number;
}

export interface TableState {
  readonly position: TablePosition;
  /** The draft of this turn, with undo and redo. */
  readonly history: History;
  /** The spots of the rows, on a table with this number of columns. */
  readonly places: Places;
  readonly columns: number;
  /** The row that was touched last. */
  readonly latest: number | null;
  readonly selected: readonly Tile[];
  /** The player's declarations of rows, by their tiles. */
  readonly declared: ReadonlyMap<string, As>;
  readonly highlights: Highlights;
  readonly hint: Help | null;
  /** The fault of the draft that was found when the player tried to play it. */
  readonly objection: Reason | null;
  /** The referee's answer to the last attempt, if it refused. */
  readonly refusal: Refusal | null;
}

const NO_TILES: ReadonlySet<Tile> = new Set();

export const NO_HIGHLIGHTS: Highlights = {
  fresh: { tiles: NO_TILES, from: null },
  earlier: NO_TILES,
  drawn: NO_TILES,
};

/** A position without tiles, as a spectator sees it. */
export function emptyPosition(rules: Rules = rulesFor(EDITIONS, USUAL)): TablePosition {
  return {
    rules,
    you: null,
    myTurn: false,
    pool: 0,
    table: [],
    rack: [],
    opened: false,
    manipulation: true,
    declared: [],
  };
}

export function emptyTable(position: TablePosition = emptyPosition()): TableState {
  return {
    position,
    history: begin(),
    places: new Map(),
    columns: 24,
    latest: null,
    selected: [],
    declared: new Map(),
    highlights: NO_HIGHLIGHTS,
    hint: null,
    objection: null,
    refusal: null,
  };
}

export function draftOf(state: TableState): Draft {
  return state.history.present;
}

/** The key of a row in `declared`. */
export function rowKey(tiles: readonly Tile[]): string {
  return tiles.join(" ");
}
