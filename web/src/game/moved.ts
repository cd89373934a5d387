/** What somebody else's turn did to the table. */

import type { Table } from "./reads";
import type { Tile } from "./tiles";

/** The tiles that lie in another company than before, or were not on the table. */
export function moved(before: Table, after: Table): Tile[] {
  const left = new Map<Tile, string>();
  for (const row of before) {
    row.forEach((tile, index) => {
      left.set(tile, `${row[index - 1] ?? ""} ${row[index + 1] ?? ""}`);
    });
  }
  const still = new Set(before.map((row) => row.join(" ")));
  return after
    .filter((row) => !still.has(row.join(" ")))
    .flatMap((row) =>
      row.filter((tile, index) => {
        const beside = left.get(tile);
        if (beside === undefined) return true;
        const [one, other] = beside.split(" ");
        const near = [row[index - 1], row[index + 1]];
        return !(near.includes(one || undefined) || near.includes(other || undefined));
      }),
    );
}
