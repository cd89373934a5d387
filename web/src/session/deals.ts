/**
 * Evidence of the deals of a match: what this tab saw of each, so that it can verify them offline
 * (`dealCheck.ts`, which loads later).
 *
 * Commitments are seen before the deal, the own rack with it, and the rest when the game is over.
 * Session storage keeps all of it across a reload.
 */

import { type Signal, signal } from "@preact/signals";
import type { DealProof } from "../game/fairness";
import type { Tile } from "../game/tiles";
import type { GameInfo, RoomInfo } from "../generated/wire";
import { recall, remember } from "../storage";

export interface Seen {
  /** The dealer's commitments, in order. */
  readonly commitments: readonly string[];
  readonly seat: number | null;
  /** The own rack as it was dealt. */
  readonly rack: readonly Tile[] | null;
  readonly proof: DealProof | null;
}

const NOTHING: Seen = { commitments: [], seat: null, rack: null, proof: null };
type Games = Readonly<Record<number, Seen>>;

export class Deals {
  private readonly games: Signal<Games>;
  private readonly key: string;

  constructor(code: string) {
    this.key = `deals ${code}`;
    this.games = signal(stored(this.key));
  }

  /** The finished games of the match that this tab saw to their end. */
  get proofs(): readonly DealProof[] {
    return Object.values(this.games.value).flatMap(({ proof }) => proof ?? []);
  }

  /** What this tab saw of the deal of a game. */
  seen(game: number): Seen {
    return this.games.peek()[game] ?? NOTHING;
  }

  see(room: RoomInfo, game: GameInfo, you: number | null): void {
    const { number, commitment, final } = game;
    const isNewMatch = number === 1 && game.phase === "waiting" && this.games.peek()[1]?.proof;
    const games = isNewMatch ? {} : this.games.peek();
    const before = games[number] ?? NOTHING;
    let seen = before;
    if (game.phase === "waiting" && !seen.commitments.includes(commitment)) {
      seen = { ...seen, commitments: [...seen.commitments, commitment] };
    }
    if (game.phase === "playing" && game.turn === 1 && you !== null && seen.rack === null) {
      seen = { ...seen, seat: you, rack: game.rack ?? [] };
    }
    if (final?.dealt != null && seen.proof === null) {
      seen = { ...seen, proof: proofOf(room, game) };
    }
    if (seen === before && !isNewMatch) return;
    this.games.value = { ...games, [number]: seen };
    remember("session", this.key, JSON.stringify(this.games.value));
  }
}

function proofOf({ settings }: RoomInfo, game: GameInfo): DealProof {
  const { secret, dealt } = game.final!;
  const { edition, options = {} } = settings;
  return {
    game: game.number,
    rules: { ...(edition === undefined ? {} : { edition }), options },
    version: game.shuffle_version ?? 2,
    secret,
    commitment: game.commitment,
    commitments: game.commitments ?? [],
    sources: game.sources ?? [],
    seeds: game.seeds,
    cancelled: game.cancelled ?? [],
    draws: game.starter_draws ?? [],
    starter: game.starter ?? 0,
    racks: dealt!.racks,
    pool: dealt!.pool,
  };
}

function stored(key: string): Games {
  try {
    const found: unknown = JSON.parse(recall("session", key) ?? "{}");
    return typeof found === "object" && found !== null ? (found as Games) : {};
  } catch {
    return {};
  }
}
