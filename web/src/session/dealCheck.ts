/** Verification of a deal against the evidence of this tab. It loads with the end of a game. */

import { type DealFault, type DealProof, dealFault } from "../game/fairness";
import { sorted, type Tile } from "../game/tiles";
import type { Seen } from "./deals";

/** The first fault of a deal, also by what this tab saw of it while it happened. */
export function faultOf(proof: DealProof, { commitments, rack, seat }: Seen): DealFault | null {
  const found = dealFault(proof);
  if (found !== null) return found;
  const shown = new Set([...proof.cancelled, proof].map(({ commitment }) => commitment));
  if (commitments.some((commitment) => !shown.has(commitment))) return "commitment";
  const isSame = rack === null || seat === null || same(rack, proof.racks[seat] ?? []);
  return isSame ? null : "deal";
}

function same(one: readonly Tile[], other: readonly Tile[]): boolean {
  return sorted(one, "colour").join() === sorted(other, "colour").join();
}
