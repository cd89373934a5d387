/**
 * The draft of a turn on its way to the server, which keeps it for the clock, for a reload and for
 * other tabs.
 *
 * What is told is told at most once a second. What comes back is news only while nothing of ours is
 * still to be told: else a tab that looks on would take back the step that was done meanwhile.
 */

import type { Declared } from "../game/declarations";
import type { Tile } from "../game/tiles";
import type { DraftInfo, Incoming } from "../generated/wire";

export interface Laid {
  readonly turn: number;
  readonly table: readonly (readonly Tile[])[];
  readonly declared: Declared;
}

export interface Told {
  /** What is laid out in one's own turn; null while others play. */
  laid(): Laid | null;
  /** When the turn ends by the clock, in milliseconds of this computer. */
  deadline(): number | null;
  /** Send a message; false where there is no line. */
  send(message: Incoming): boolean;
}

const EVERY = 1_000;
const SOON = 50;
/** What was sent so shortly before the line was lost may not have arrived. */
const UNSURE = 25_000;

export class DraftSync {
  /** What the server knows, as far as we know. */
  private shared: string | null = null;
  private isOurs = false;
  private sentAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly told: Told) {}

  /** A new turn: what lies there, everybody knows. */
  begin(): void {
    const laid = this.told.laid();
    this.shared = laid && keyOf(laid);
    this.isOurs = false;
  }

  /** Something was laid, or the line is there again. */
  changed(): void {
    if (this.timer !== undefined || !this.isBehind()) return;
    const now = Date.now();
    const deadline = this.told.deadline();
    const isLate = deadline !== null && deadline - now < EVERY + 10 * SOON;
    // Never for longer, should somebody set the clock of this computer back.
    const rest = Math.min(EVERY, this.sentAt + EVERY - now);
    const wait = isLate ? SOON : Math.max(SOON, rest);
    this.timer = setTimeout(() => this.tell(), wait);
  }

  /** Tell it now: the page may be gone in a moment. */
  tell(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const laid = this.told.laid();
    if (laid === null || !this.isBehind()) return;
    const { turn, table, declared } = laid;
    const message = { type: "draft", turn, table, declared } as Incoming;
    if (!this.told.send(message)) return;
    this.shared = keyOf(laid);
    this.isOurs = true;
    this.sentAt = Date.now();
  }

  /** Whether a draft that the server tells is to be shown here. */
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

  /** Whether something was laid here that the server does not know. */
  private isBehind(): boolean {
    const laid = this.told.laid();
    return laid !== null && keyOf(laid) !== this.shared;
  }
}

/** The same for the same rows, in whichever order. */
function keyOf({ turn, table, declared }: Laid): string {
  const rows = table.map((row) => row.join(" ")).sort();
  const said = declared.map(({ set, as }) => `${set.join(" ")}=${as}`).sort();
  return [turn, ...rows, "", ...said].join("/");
}
