/**
 * Draft sync: sends the draft of a turn to the server, which keeps it for the clock, for a reload
 * and for other tabs.
 *
 * Throttled to one message a second. A draft of another tab is taken over only while no change of
 * this tab waits to be sent: otherwise it would undo the step that was just done.
 */

import type { Declared } from "../game/declarations";
import type { Tile } from "../game/tiles";
import type { DraftInfo, Incoming } from "../generated/wire";

export interface Laid {
  readonly turn: number;
  readonly table: readonly (readonly Tile[])[];
  readonly declared: Declared;
}

export interface DraftPort {
  /** The draft of the player's own turn; null while others play. */
  laid(): Laid | null;
  /** When the clock ends the turn, in milliseconds of this computer. */
  deadline(): number | null;
  /** Send a message; false without a connection. */
  send(message: Incoming): boolean;
}

const EVERY = 1_000;
const SOON = 50;
/** A draft sent this shortly before the connection was lost may not have arrived. */
const UNSURE = 25_000;

export class DraftSync {
  /** The draft that the server has, as far as this tab knows. */
  private shared: string | null = null;
  private isOurs = false;
  private sentAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly port: DraftPort) {}

  /** A new turn begins: the server has this table. */
  begin(): void {
    const laid = this.port.laid();
    this.shared = laid && keyOf(laid);
    this.isOurs = false;
  }

  /** The draft has changed, or the connection is back. */
  changed(): void {
    if (this.timer !== undefined || !this.isBehind()) return;
    const now = Date.now();
    const deadline = this.port.deadline();
    const isLate = deadline !== null && deadline - now < EVERY + 10 * SOON;
    // Bounded, even if the clock of this computer is set back.
    const rest = Math.min(EVERY, this.sentAt + EVERY - now);
    const wait = isLate ? SOON : Math.max(SOON, rest);
    this.timer = setTimeout(() => this.flush(), wait);
  }

  /** Send now: the page may be gone in a moment. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const laid = this.port.laid();
    if (laid === null || !this.isBehind()) return;
    const { turn, table, declared } = laid;
    const message = { type: "draft", turn, table, declared } as Incoming;
    if (!this.port.send(message)) return;
    this.shared = keyOf(laid);
    this.isOurs = true;
    this.sentAt = Date.now();
  }

  /** Whether to take over a draft that the server sends. */
  heard(draft: DraftInfo): boolean {
    if (this.isBehind()) return false;
    this.shared = keyOf({ ...draft, declared: draft.declared ?? [] });
    this.isOurs = false;
    return true;
  }

  lost(): void {
    if (this.isOurs && Date.now() - this.sentAt < UNSURE) this.shared = null;
  }

  close(): void {
    clearTimeout(this.timer);
  }

  /** Whether the server does not have the draft of this tab. */
  private isBehind(): boolean {
    const laid = this.port.laid();
    return laid !== null && keyOf(laid) !== this.shared;
  }
}

/** Equal for drafts with the same rows in any order. */
function keyOf({ turn, table, declared }: Laid): string {
  const rows = table.map((row) => row.join(" ")).sort();
  const said = declared.map(({ set, as }) => `${set.join(" ")}=${as}`).sort();
  return [turn, ...rows, "", ...said].join("/");
}
