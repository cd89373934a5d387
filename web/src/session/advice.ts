/** Requests to the server's solver: hints in a turn, and missed plays after a game. */

import { signal } from "@preact/signals";
import type { FailureCode } from "../failures";
import type { Ending } from "../generated/wire";
import type { TableStore } from "../table/store";
import type { Connection, MissedPlay } from "./connection";

/** Whether a hint is on its way, and whether the request waits in a queue. */
export type Asking = "no" | "asked" | "queued";

/** What advice is about. */
export interface Subject {
  /** The turn that is played; undefined between games. */
  turn(): number | undefined;
  /** The commitment of the game, which identifies it. */
  game(): string | undefined;
  /** The rule that ended the game. */
  ending(): Ending | null | undefined;
}

/** Whether a player may have been able to play when a game ended so. */
const MAYBE_MISSED: Readonly<Record<Ending, boolean>> = {
  out: false,
  nobody_can: false,
  first_unable: true,
  final_round: true,
  all_passed: true,
};
const MISSED_WITHIN = 30_000;
const MISSED_TRIES = 5;
const MISSED_AGAIN = 2_000;
/** Refusals of a server under load: the request is worth a retry. */
const TRY_AGAIN: ReadonlySet<FailureCode> = new Set(["busy", "too-fast"]);

export class Advice {
  readonly asking = signal<Asking>("no");
  /** What could still have been played when the game ended. */
  readonly missed = signal<readonly MissedPlay[]>([]);
  /** Numbers the requests, so that an answer about another turn is dropped. */
  private request = 0;

  constructor(
    private readonly table: TableStore,
    private readonly connection: Connection,
    private readonly subject: Subject,
  ) {}

  /** Drop everything: the turn or the game is over. */
  drop(): void {
    this.request += 1;
    this.asking.value = "no";
    this.missed.value = [];
  }

  /** The next stage of the hint: how many tiles, which, how. The table can be changed meanwhile. */
  async help(stage = 1): Promise<void> {
    const now = this.table.hint.value;
    if (now !== null && now.found.turn === this.subject.turn()) {
      const hint = { ...now, stage: Math.min(3, Math.max(stage, now.stage + 1)) };
      this.table.update((state) => ({ ...state, hint }));
      return;
    }
    if (this.asking.value === "no") await this.fetchHint(stage);
  }

  private async fetchHint(stage: number): Promise<void> {
    const request = ++this.request;
    this.asking.value = "asked";
    this.table.update((state) => ({ ...state, refusal: null }));
    const onQueued = () => {
      if (request === this.request) this.asking.value = "queued";
    };
    const answer = await this.connection.command({ type: "hint" }, { onQueued });
    // An answer that comes after the clock has ended the turn is about a table that is gone.
    if (request !== this.request) return;
    this.asking.value = "no";
    const found = answer.ok ? answer.hint : undefined;
    if (found !== undefined && found.turn === this.subject.turn()) {
      const hint = { found, stage: found.tiles === 0 ? 1 : stage, step: 0 };
      this.table.update((state) => ({ ...state, hint }));
    } else if (!answer.ok && answer.refused) {
      const refusal = answer.refused;
      this.table.update((state) => ({ ...state, refusal }));
    }
  }

  /**
   * Ask what could still have been played, where a game ended although a player may have been able
   * to. All clients of a game ask at the same moment, so a busy solver is asked again.
   */
  async askMissed(): Promise<void> {
    const game = this.subject.game();
    if (!MAYBE_MISSED[this.subject.ending() ?? "out"]) return;
    for (let left = MISSED_TRIES; left > 0; left--) {
      const answer = await this.connection.command({ type: "missed" }, { within: MISSED_WITHIN });
      if (this.subject.game() !== game) return;
      if (answer.ok) this.missed.value = answer.missed?.plays ?? [];
      if (answer.ok || !TRY_AGAIN.has(answer.code)) return;
      await new Promise((wait) => setTimeout(wait, MISSED_AGAIN * (0.5 + Math.random())));
    }
  }
}
