/** Session storage: what a tab keeps across a reload (the arrangement, and the log of turns). */

import type { Tile } from "../game/tiles";
import type { LastTurn } from "../generated/wire";
import { recall, remember } from "../storage";
import type { Spot } from "../table/layout";

export interface Remembered {
  readonly rack: readonly (Tile | null)[];
  /** The spot of every row, by its tiles. */
  readonly spots: Readonly<Record<string, Spot>>;
  /** The columns of the table when it was arranged. */
  readonly columns: number;
  readonly story: readonly LastTurn[];
}

const NOTHING: Remembered = { rack: [], spots: {}, columns: 0, story: [] };

/** Milliseconds of debounce: serialising takes longer than everything else in a step. */
const SOON = 200;

export class TabMemory {
  private waiting: (() => { readonly game: string } & Remembered) | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly key: string;

  constructor(code: string) {
    this.key = `game ${code}`;
  }

  /** Schedule a write. */
  keep(game: string, what: () => Remembered): void {
    this.waiting = () => ({ game, ...what() });
    this.timer ??= setTimeout(() => this.write(), SOON);
  }

  write(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting !== null) remember("session", this.key, JSON.stringify(this.waiting()));
    this.waiting = null;
  }

  /** What is stored of a game; empty for any other. */
  of(game: string): Remembered {
    try {
      const found = JSON.parse(recall("session", this.key) ?? "{}") as Record<string, unknown>;
      if (found.game !== game) return NOTHING;
      const { rack, spots, columns, story } = found;
      return {
        rack: listed(rack).map((tile) => (typeof tile === "string" ? tile : null)),
        spots: Object.fromEntries(
          Object.entries((spots ?? {}) as object).filter(([, spot]) => isSpot(spot)),
        ),
        columns: isSmall(columns) ? (columns as number) : 0,
        story: listed(story).filter(isTurn),
      };
    } catch {
      return NOTHING;
    }
  }
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Larger than any table. */
const FAR = 1_000;

function isSpot(value: unknown): value is Spot {
  const { line, at } = (value ?? {}) as Record<string, unknown>;
  return [line, at].every(isSmall);
}

function isSmall(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < FAR;
}

function isTurn(value: unknown): value is LastTurn {
  const { seat, action, why, tiles } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof seat === "number" &&
    typeof action === "string" &&
    typeof why === "string" &&
    (tiles === undefined || listed(tiles).every((tile) => typeof tile === "string"))
  );
}
