/**
 * The layout of rows on the table.
 *
 * The table is a grid: lines from top to bottom, and along a line places half a tile wide. A row
 * keeps its place for as long as it fits there; only rows in its way make room. So nothing jumps
 * under the hand: the row that was just touched is placed first, the others yield to it.
 */

export interface Spot {
  readonly line: number;
  /** In halves of a tile. */
  readonly at: number;
}

export type Places = ReadonlyMap<number, Spot>;

export interface Laid {
  readonly id: number;
  /** How many tiles it has. */
  readonly length: number;
}

/** Between two rows of a line, in halves of a tile. */
export const GAP = 1;

/** Places for all rows. `first` is the row that was just touched, `wish` where it was put. */
export function arrange(
  before: Places,
  rows: readonly Laid[],
  columns: number,
  first?: number,
  wish?: Spot,
): Map<number, Spot> {
  const places = new Map<number, Spot>();
  const taken = new Lines(2 * columns);
  const wanted = (row: Laid): Spot | undefined =>
    (row.id === first ? wish : undefined) ?? before.get(row.id);
  const known = rows.filter((row) => wanted(row) !== undefined);
  const rank = (row: Laid): number => {
    const spot = wanted(row)!;
    return row.id === first ? -1 : spot.line * 1000 + spot.at;
  };
  known.sort((one, other) => rank(one) - rank(other));
  // Rows that fit where they lie stay; only then those that must make room are placed.
  for (const row of known) {
    const spot = wanted(row)!;
    const length = 2 * row.length;
    if (row.id === first) places.set(row.id, taken.take(length, spot));
    else if (taken.isFree(length, spot)) places.set(row.id, taken.put(spot, length));
  }
  for (const row of known) {
    if (!places.has(row.id)) places.set(row.id, taken.take(2 * row.length, wanted(row)!));
  }
  for (const row of rows) {
    if (!places.has(row.id)) places.set(row.id, taken.first(2 * row.length));
  }
  return places;
}

/** How many lines are in use. */
export function linesOf(places: Places): number {
  return 1 + Math.max(-1, ...[...places.values()].map((spot) => spot.line));
}

class Lines {
  private readonly lines: { from: number; to: number }[][] = [];

  constructor(private readonly width: number) {}

  /** The free spot nearest to the one wanted. */
  take(length: number, wanted: Spot): Spot {
    const line = Math.max(0, wanted.line);
    let best: Spot | undefined;
    let nearest = Number.POSITIVE_INFINITY;
    for (let other = 0; other <= Math.max(this.lines.length, line); other++) {
      const far = 8 * Math.abs(other - line);
      if (far >= nearest) continue;
      const at = this.nearest(other, length, wanted.at);
      if (at === undefined) continue;
      const distance = far + Math.abs(at - wanted.at);
      if (distance < nearest) {
        nearest = distance;
        best = { line: other, at };
      }
    }
    return this.put(best ?? { line: this.lines.length, at: 0 }, length);
  }

  /** The first free spot, reading from the top left. */
  first(length: number): Spot {
    for (let line = 0; ; line++) {
      const at = this.nearest(line, length, 0);
      if (at !== undefined) return this.put({ line, at }, length);
    }
  }

  isFree(length: number, { line, at }: Spot): boolean {
    return line >= 0 && this.nearest(line, length, at) === at;
  }

  put(spot: Spot, length: number): Spot {
    while (this.lines.length <= spot.line) this.lines.push([]);
    this.lines[spot.line]!.push({ from: spot.at - GAP, to: spot.at + length + GAP });
    return spot;
  }

  /** Where on a line a row may begin, as near as possible to a place; undefined if nowhere. */
  private nearest(line: number, length: number, wanted: number): number | undefined {
    const last = Math.max(0, this.width - length);
    const busy = this.lines[line] ?? [];
    const free = (at: number) =>
      at >= 0 && at <= last && busy.every((each) => at + length <= each.from || at >= each.to);
    const tries = [wanted, 0, last, ...busy.flatMap((each) => [each.to, each.from - length])];
    tries[0] = Math.min(last, Math.max(0, wanted));
    return tries
      .filter(free)
      .sort((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))[0];
  }
}
