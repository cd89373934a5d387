/**
 * Commit–reveal: this seat's part in the shuffle.
 *
 * A seed is new for every deal. It stays in this browser until all commitments are fixed, under its
 * commitment: after a reload, or from another tab of the same seat, it can be revealed, too. A tab in
 * another browser has nothing to reveal.
 *
 * Nothing of a table needs the hash function before a deal, so it is a chunk of its own. If it does
 * not load, it is requested again for as long as the deal waits; the server deals without this
 * seat's seed when its time is over.
 */

import type { GameInfo } from "../generated/wire";
import { discard, recall, remember } from "../storage";
import type { Command } from "./connection";

/** Milliseconds. */
const RETRY_AFTER = 1_000;

/** Milliseconds, much longer than any deal waits. */
const KEPT = 3_600_000;
const PREFIX = "seed ";

type Hashing = typeof import("../game/commitments");

let hashing: Hashing | null = null;
let coming: Promise<void> | null = null;

/** Load the hash function. */
export function fetchHashing(): Promise<void> {
  coming ??= import("../game/commitments").then(
    (found) => {
      hashing = found;
    },
    (error) => {
      coming = null;
      throw error;
    },
  );
  return coming;
}

export class Seeds {
  private readonly sent = new Set<string>();
  private isLoading = false;
  private isClosed = false;

  /** `retry` is called when a command that was due may be asked for again. */
  constructor(private readonly retry: () => void = () => {}) {}

  close(): void {
    this.isClosed = true;
  }

  /**
   * The command that the deal asks of this seat now; each one is returned once. While the hash
   * function loads there is none.
   */
  due(game: GameInfo, you: number): Command | null {
    const { transcript = "", commitments = [], sources = [] } = game;
    if (game.phase !== "waiting" || game.shuffle_version === 1) return null;
    const made = commitments[you] ?? null;
    if (sources.length === 0) return made === null ? this.commit(transcript, you) : null;
    return made === null || game.seeds[you] != null ? null : this.reveal(transcript, made);
  }

  private commit(transcript: string, you: number): Command | null {
    if (hashing === null) {
      this.load();
      return null;
    }
    if (!this.isFirst(`commit ${transcript}`)) return null;
    const seed = hashing.newSeed();
    const commitment = hashing.seatCommitment(transcript, you, seed);
    hold(commitment, transcript, seed);
    return { type: "commit", transcript, commitment };
  }

  private reveal(transcript: string, commitment: string): Command | null {
    const seed = held(commitment, transcript);
    if (seed === null || !this.isFirst(`reveal ${transcript}`)) return null;
    return { type: "reveal", transcript, seed };
  }

  private isFirst(command: string): boolean {
    const isKnown = this.sent.has(command);
    this.sent.add(command);
    return !isKnown;
  }

  private load(): void {
    if (this.isLoading) return;
    this.isLoading = true;
    const again = () => {
      this.isLoading = false;
      if (!this.isClosed) this.retry();
    };
    fetchHashing().then(again, () => setTimeout(again, RETRY_AFTER));
  }
}

/** The seed behind a commitment of this browser. One for another deal is nobody's business yet. */
function held(commitment: string, transcript: string): string | null {
  const [, deal, seed] = (recall("local", PREFIX + commitment) ?? "").split(" ");
  return deal === transcript ? (seed ?? null) : null;
}

function hold(commitment: string, transcript: string, seed: string): void {
  const now = Date.now();
  discard(PREFIX, (value) => Number.parseInt(value, 10) < now - KEPT);
  remember("local", PREFIX + commitment, `${now} ${transcript} ${seed}`);
}
