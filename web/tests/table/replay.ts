/** A source without a connection: steps through the recorded positions of a game. */

import type { LastTurn } from "../../src/generated/wire";
import { LOOK_ONLY, type TableSource } from "../../src/table/source";
import { emptyTable, type TablePosition } from "../../src/table/state";
import { TableStore } from "../../src/table/store";
import { advance } from "../../src/table/turns";

export interface Recorded {
  readonly position: TablePosition;
  /** The turn that led to it; none for the deal. */
  readonly last?: LastTurn;
}

export class Replay implements TableSource {
  readonly table = new TableStore(emptyTable());
  readonly play = LOOK_ONLY.play;
  readonly draw = LOOK_ONLY.draw;
  readonly advise = LOOK_ONLY.advise;
  private at = 0;

  constructor(private readonly recorded: readonly Recorded[]) {
    this.show(0);
  }

  /** Show a moment of the game. One step forward is highlighted as a turn, a jump is not. */
  show(index: number): void {
    const { position, last } = this.recorded[index]!;
    const isQuiet = index !== this.at + 1;
    this.table.replace((state) => advance(state, position, { last, isQuiet }));
    this.at = index;
  }
}
