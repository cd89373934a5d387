/**
 * The interface between a table and where its positions come from.
 *
 * A live seat is one source; a replay, a puzzle, a lesson or a hot seat are others. Board, hands and
 * keys know a source only by this.
 */

import type { TableStore } from "./store";

export interface TableSource {
  /** The table that is drawn and played on. A source writes new positions to it. */
  readonly table: TableStore;
  /** Submit the draft. Called only in the player's own turn, for a draft without known faults. */
  play(): void;
  /** Draw a tile, or pass where there is none. */
  draw(): void;
  /** Give a hint, or more of it. */
  advise(): void;
}

/** The actions of a source that only shows positions. */
export const LOOK_ONLY = { play() {}, draw() {}, advise() {} } as const;
