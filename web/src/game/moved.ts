/** The difference between two tables: which tiles a turn has moved. */

import type { Table } from "./reads";
import type { Tile } from "./tiles";

/**
 * The tiles that are new on the table or have new neighbours. A row continues the old row that it
 * shares most tiles with; a single shared tile does not count.
 */
export function moved(before: Table, after: Table): Tile[] {
  const home = new Map(before.flatMap((row, number) => row.map((tile) => [tile, number] as const)));
  return after.flatMap((row) => {
    const counts = new Map<number, number>();
    for (const tile of row) {
      const number = home.get(tile);
      if (number !== undefined) counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    const most = Math.max(2, ...counts.values());
    const rest = [...counts].find(([, count]) => count === most)?.[0];
    return row.filter((tile) => rest === undefined || home.get(tile) !== rest);
  });
}
