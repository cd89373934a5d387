/** How the rack of a game is arranged, which this tab alone knows and finds again. */

import type { Tile } from "../game/tiles";
import { recall, remember } from "../memory";

type Rack = readonly (Tile | null)[];

/** Milliseconds: writing it down takes longer than everything else in a step. */
const SOON = 200;

export class Arranged {
  private waiting: { readonly game: string; readonly rack: Rack } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly key: string;

  constructor(code: string) {
    this.key = `rack ${code}`;
  }

  /** To be written down soon. */
  keep(game: string, rack: Rack): void {
    this.waiting = { game, rack };
    this.timer ??= setTimeout(() => this.write(), SOON);
  }

  write(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting !== null) remember("session", this.key, JSON.stringify(this.waiting));
    this.waiting = null;
  }

  /** Empty where nothing is known of this game. */
  of(game: string): Rack {
    try {
      const found = JSON.parse(recall("session", this.key) ?? "{}") as Record<string, unknown>;
      if (found.game !== game || !Array.isArray(found.rack)) return [];
      return found.rack.map((tile) => (typeof tile === "string" ? tile : null));
    } catch {
      return [];
    }
  }
}
