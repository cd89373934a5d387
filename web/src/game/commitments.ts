/** Seeds and commitments of a deal, as `play/commit_reveal.py` computes them. */

import { sha256, toHex } from "./sha256";

const SEED_BYTES = 16;

export const bytesOf = (...items: unknown[]): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(items));
export const hashOf = (...items: unknown[]): string => toHex(sha256(bytesOf(...items)));

export function newSeed(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));
}

/** What a seat sends before it reveals its seed. */
export function seatCommitment(transcript: string, seat: number, seed: string): string {
  return hashOf("tilerummy-commit-2", transcript, seat, seed);
}
