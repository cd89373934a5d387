/** Statistics of a match. */

import type { MatchInfo } from "../generated/wire";

/** How many games each seat has won. Several may have won a game together. */
export function gamesWon({ results, totals }: Pick<MatchInfo, "results" | "totals">): number[] {
  return totals.map((_, seat) => results.filter(({ winners }) => winners.includes(seat)).length);
}
