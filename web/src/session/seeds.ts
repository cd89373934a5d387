/**
 * Commit–reveal: this seat's part in the shuffle.
 *
 * A seed is new for every deal. It stays in this tab, also across a reload, until all commitments
 * are fixed. Another tab of the same seat may have committed: then this one has nothing to reveal.
 */

import { seatCommitment } from "../game/fairness";
import { toHex } from "../game/sha256";
import type { GameInfo } from "../generated/wire";
import { recall, remember } from "../storage";
import type { Command } from "./connection";

const BYTES = 16;

export class Seeds {
  private readonly sent = new Set<string>();
  private readonly key: string;

  constructor(code: string) {
    this.key = `seed ${code}`;
  }

  /** The command that the deal asks of this seat now; each one is returned once. */
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
    if (sources.length === 0) {
      if (made !== null) return null;
      const seed = this.held(transcript) ?? this.hold(transcript);
      return { type: "commit", transcript, commitment: seatCommitment(transcript, you, seed) };
    }
    const seed = this.held(transcript);
    if (seed === null || game.seeds[you] != null) return null;
    if (seatCommitment(transcript, you, seed) !== made) return null;
    return { type: "reveal", transcript, seed };
  }

  /** The seed of this tab for a deal; null if it has none. */
  private held(transcript: string): string | null {
    const [deal, seed] = (recall("session", this.key) ?? "").split(" ");
    return deal === transcript && seed !== undefined ? seed : null;
  }

  private hold(transcript: string): string {
    const seed = toHex(crypto.getRandomValues(new Uint8Array(BYTES)));
    remember("session", this.key, `${transcript} ${seed}`);
    return seed;
  }
}
