/**
 * Verification of a deal in the browser: commitments, seeds, the draw for the start, racks and pool.
 *
 * The same computation as `play/commit_reveal.py` and `play/shuffle.py`; `docs/fairness.md`
 * describes it. It needs no server, only what this page has seen.
 */

import { bytesOf, hashOf, seatCommitment } from "./commitments";
import { type Chosen, optionIn } from "./editions";
import { fromHex, hmacSha256, sha256, toHex } from "./sha256";
import { COLOURS, HIGHEST, isJoker, JOKERS, numberOf, sorted, type Tile } from "./tiles";

export type SeedSource = "own" | "dealer" | "default";
type Text = string | null;

/** What one deal, or a cancelled one, was made from. */
export interface DealInputs {
  readonly secret: string;
  readonly commitment: string;
  readonly commitments: readonly Text[];
  readonly sources: readonly SeedSource[];
  readonly seeds: readonly Text[];
}

/** A finished game, as far as its deal is concerned. */
export interface DealProof extends DealInputs {
  readonly game: number;
  readonly rules: Chosen;
  /** Shuffle version 1 had no commitments of the seats: it cannot be verified here. */
  readonly version: number;
  readonly cancelled: readonly DealInputs[];
  readonly draws: readonly (readonly [number, Tile])[];
  readonly starter: number;
  readonly racks: readonly (readonly Tile[])[];
  readonly pool: readonly Tile[];
}

export const DEAL_FAULTS = ["commitment", "opening", "known-secret", "deal", "starter"] as const;
export type DealFault = (typeof DEAL_FAULTS)[number];

const DEFAULT_SEED = "-";
const MOST_REDEALS = 999;

/** What the seats commit to: everything public before them, cancelled deals included. */
export function transcriptOf(
  game: number,
  cancelled: readonly DealInputs[],
  commitment: string,
): string {
  const [first = { commitment }] = cancelled;
  let transcript = hashOf("tilerummy-deal-2", game, first.commitment);
  for (const [index, { commitments, seeds }] of cancelled.entries()) {
    const next = cancelled[index + 1]?.commitment ?? commitment;
    transcript = hashOf("tilerummy-deal-2", transcript, commitments, seeds, next);
  }
  return transcript;
}

/** The seats that committed to a seed and did not reveal it. */
export function withheldBy({ sources, seeds }: Pick<DealInputs, "sources" | "seeds">): number[] {
  return sources.flatMap((source, seat) => (source === "own" && seeds[seat] == null ? [seat] : []));
}

/** The first fault of a deal; null if it is exactly as the secret and the seeds say. */
export function dealFault(proof: DealProof): DealFault | null {
  const deals = [...proof.cancelled, proof];
  if (new Set(deals.map(({ secret }) => secret)).size < deals.length) return "known-secret";
  for (const [index, deal] of deals.entries()) {
    if (toHex(sha256(fromHex(deal.secret))) !== deal.commitment) return "commitment";
    const before = proof.cancelled.slice(0, index);
    const transcript = transcriptOf(proof.game, before, deal.commitment);
    if (!isOpened(deal, transcript)) return "opening";
    if (withheldBy(deal).length > 0 !== index < proof.cancelled.length) return "opening";
  }
  return dealtFault(proof, transcriptOf(proof.game, proof.cancelled, proof.commitment));
}

function isOpened({ sources, seeds, commitments }: DealInputs, transcript: string): boolean {
  return sources.every((source, seat) => {
    const [seed, made] = [seeds[seat] ?? null, commitments[seat] ?? null];
    if (source !== "own") return made === null && seed === null;
    return made !== null && (seed === null || seatCommitment(transcript, seat, seed) === made);
  });
}

function dealtFault(proof: DealProof, transcript: string): DealFault | null {
  const key = fromHex(proof.secret);
  const seeds = proof.sources.map((source, seat) =>
    source === "dealer"
      ? toHex(hmacSha256(key, bytesOf("tilerummy-seed-2", transcript, seat)))
      : (proof.seeds[seat] ?? DEFAULT_SEED),
  );
  const numbers = (label: string) =>
    new Numbers((block) =>
      hmacSha256(key, bytesOf("tilerummy-shuffle-2", transcript, seeds, label, block)),
    );
  const keeps = optionIn(proof.rules, "starter.keep_tile") === true;
  const tiles = boxOf(proof.rules, proof.racks.length);
  let kept: (Tile | null)[] = proof.racks.map(() => null);
  if (proof.draws.length > 0) {
    const drawn = drawForStart(tiles, proof.racks.length, keeps, numbers("start"));
    if (JSON.stringify(drawn.draws) !== JSON.stringify(proof.draws)) return "deal";
    if (drawn.starter !== proof.starter) return "starter";
    kept = drawn.kept;
  }
  const { racks, pool } = dealTiles(proof.rules, tiles, kept, numbers);
  const found = JSON.stringify([proof.racks, proof.pool]);
  return JSON.stringify([racks, pool]) === found ? null : "deal";
}

/** Every tile of the box, by colour and number, jokers last. */
function boxOf(rules: Chosen, players: number): Tile[] {
  const reduced = optionIn(rules, "reduced_box") === true && players <= 4;
  const copies = reduced ? 2 : Number(optionIn(rules, "copies"));
  const counts = reduced ? "J2" : String(optionIn(rules, "jokers"));
  const faces = COLOURS.flatMap((colour) =>
    Array.from({ length: HIGHEST }, (_, index) => ({ face: `${colour}${index + 1}`, copies })),
  );
  const jokers = JOKERS.map((joker) => {
    const count = counts.split(" ").find((each) => each.startsWith(joker));
    return { face: joker as string, copies: Number(count?.slice(1) ?? 0) };
  });
  return [...faces, ...jokers].flatMap(({ face, copies }) =>
    Array.from({ length: copies }, (_, index) => `${face}.${index + 1}`),
  );
}

/** Uniform whole numbers from blocks of random bytes. */
class Numbers {
  private words: number[] = [];
  private block = 0;

  constructor(private readonly digest: (block: number) => Uint8Array) {}

  below(limit: number): number {
    const fair = 2 ** 32 - (2 ** 32 % limit);
    for (;;) {
      if (this.words.length === 0) {
        const view = new DataView(this.digest(this.block++).buffer);
        this.words = Array.from({ length: 8 }, (_, index) => view.getUint32(4 * index));
      }
      const word = this.words.shift()!;
      if (word < fair) return word % limit;
    }
  }
}

interface StarterDraw {
  readonly draws: [number, Tile][];
  readonly starter: number;
  readonly kept: (Tile | null)[];
}

function drawForStart(
  box: readonly Tile[],
  players: number,
  keeps: boolean,
  numbers: Numbers,
): StarterDraw {
  const draws: [number, Tile][] = [];
  const first = new Map<number, Tile>();
  let tiles = [...box];
  let contenders = [...Array(players).keys()];
  while (contenders.length > 1) {
    const drawn = new Map<number, Tile>();
    for (const seat of contenders) {
      let tile: Tile;
      do {
        tile = tiles[numbers.below(tiles.length)]!;
        draws.push([seat, tile]);
      } while (isJoker(tile));
      drawn.set(seat, tile);
      tiles = tiles.filter((each) => each !== tile);
    }
    for (const [seat, tile] of drawn) {
      if (!keeps || first.has(seat)) tiles.push(tile);
      if (!first.has(seat)) first.set(seat, tile);
    }
    tiles = sorted(tiles, "colour");
    const highest = Math.max(...[...drawn.values()].map(numberOf));
    contenders = [...drawn].flatMap(([seat, tile]) => (numberOf(tile) === highest ? [seat] : []));
  }
  const kept = [...Array(players).keys()].map((seat) => (keeps ? first.get(seat)! : null));
  return { draws, starter: contenders[0]!, kept };
}

function dealTiles(
  rules: Chosen,
  box: readonly Tile[],
  kept: readonly (Tile | null)[],
  numbers: (label: string) => Numbers,
): { racks: Tile[][]; pool: Tile[] } {
  const size = Number(optionIn(rules, "hand_size"));
  const limit = Number(optionIn(rules, "tournament.redeal_doubles"));
  for (let attempt = 0; ; attempt++) {
    const pool = shuffled(
      box.filter((tile) => !kept.includes(tile)),
      numbers(`deal:${attempt}`),
    );
    const racks = kept.map((own) => {
      const hand = own === null ? [] : [own];
      while (hand.length < size) hand.push(pool.pop()!);
      return sorted(hand, "colour");
    });
    const isFine = limit === 0 || racks.every((rack) => pairs(rack) < limit);
    if (isFine || attempt === MOST_REDEALS) return { racks, pool };
  }
}

function shuffled(tiles: readonly Tile[], numbers: Numbers): Tile[] {
  const order = [...tiles];
  for (let last = order.length - 1; last > 0; last--) {
    const other = numbers.below(last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

function pairs(rack: readonly Tile[]): number {
  const counts = new Map<string, number>();
  for (const tile of rack) {
    const face = tile.split(".")[0]!;
    counts.set(face, (counts.get(face) ?? 0) + 1);
  }
  return [...counts.values()].reduce((sum, count) => sum + Math.floor(count / 2), 0);
}
