/**
 * Commit–reveal: this seat's part in the shuffle.
 *
 * A seed is new for every deal. It stays in this tab, also across a reload, until all commitments
 * are fixed. Another tab of the same seat may have committed: then this one has nothing to reveal.
 *
 * Nothing of a table needs the hash function before a deal, so it is a chunk of its own. If it does
 * not load, it is requested again for as long as the deal waits; the server deals without this
 * seat's seed when its time is over.
 */

import type { GameInfo } from "../generated/wire";
import { recall, remember } from "../storage";
import type { Command } from "./connection";

/** Milliseconds. */
const RETRY_AFTER = 1_000;

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
  private readonly key: string;
  private isLoading = false;
  private isClosed = false;

  /** `retry` is called when a command that was due may be asked for again. */
  constructor(
    code: string,
    private readonly retry: () => void = () => {},
  ) {
    this.key = `seed ${code}`;
  }

  close(): void {
    this.isClosed = true;
  }

  /**
   * The command that the deal asks of this seat now; each one is returned once. While the hash
   * function loads there is none.
   */
  due(game: GameInfo, you: number): Command | null {
    const command = this.next(game, you);
    const id = `${command?.type} ${game.transcript}`;
    if (command === null || this.sent.has(id)) return null;
    this.sent.add(id);
    return command;
  }

  private next(game: GameInfo, you: number): Command | null {
    const { transcript = "", commitments = [], sources = [] } = game;
    if (game.phase !== "waiting" || game.shuffle_version === 1) return null;
    const made = commitments[you] ?? null;
    const held = this.held(transcript);
    const isFixed = sources.length > 0;
    if (isFixed ? held === null || game.seeds[you] != null : made !== null) return null;
    if (hashing === null) {
      this.load();
      return null;
    }
    const seed = held ?? this.hold(transcript, hashing.newSeed());
    const commitment = hashing.seatCommitment(transcript, you, seed);
    if (!isFixed) return { type: "commit", transcript, commitment };
    return commitment === made ? { type: "reveal", transcript, seed } : null;
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

  /** The seed of this tab for a deal; null if it has none. */
  private held(transcript: string): string | null {
    const [deal, seed] = (recall("session", this.key) ?? "").split(" ");
    return deal === transcript && seed !== undefined ? seed : null;
  }

  private hold(transcript: string, seed: string): string {
    remember("session", this.key, `${transcript} ${seed}`);
    return seed;
  }
}
