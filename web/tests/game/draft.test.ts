import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  adopt,
  type Base,
  type Draft,
  EMPTY,
  follow,
  isTouched,
  move,
  onRack,
  type Place,
  played,
  rowOf,
  sortRack,
  split,
  tableOf,
  tilesOf,
} from "../../src/game/draft";
import { begin, type History, onBase, redo, startAnew, step, undo } from "../../src/game/history";

const base: Base = {
  table: [
    ["r1.1", "r2.1", "r3.1", "r4.1"],
    ["b9.1", "k9.1", "o9.1"],
  ],
  rack: ["r5.1", "J.1", "k3.2"],
};
const start = follow(EMPTY, base);

describe("moving", () => {
  test("puts tiles of the rack into a new row", () => {
    const draft = move(start, base, ["J.1", "r5.1"], { to: "table" });
    expect(tableOf(draft).at(-1)).toEqual(["J.1", "r5.1"]);
    expect(draft.rack).toEqual([null, null, "k3.2"]);
    expect(played(draft, base)).toEqual(["r5.1", "J.1"]);
  });

  test("puts tiles into a row before one of its tiles", () => {
    const draft = move(start, base, ["J.1"], { to: "row", row: start.rows[0]!.id, index: 2 });
    expect(tableOf(draft)[0]).toEqual(["r1.1", "r2.1", "J.1", "r3.1", "r4.1"]);
  });

  test("within a row counts places before the move", () => {
    const row = start.rows[0]!.id;
    const place = { to: "row", row, index: 3 } as const;
    expect(tableOf(move(start, base, ["r1.1"], place))[0]).toEqual([
      "r2.1",
      "r3.1",
      "r1.1",
      "r4.1",
    ]);
  });

  test("keeps the id of a row, and removes an empty one", () => {
    const group = start.rows[1]!;
    const draft = move(start, base, group.tiles, { to: "row", row: start.rows[0]!.id, index: 4 });
    expect(draft.rows.map((row) => row.id)).toEqual([start.rows[0]!.id]);
  });

  test("returns only played tiles to the rack", () => {
    const laid = move(start, base, ["r5.1"], { to: "row", row: start.rows[0]!.id, index: 4 });
    const back = move(laid, base, ["r5.1", "r4.1"], { to: "rack", index: 0 });
    expect(tableOf(back)).toEqual(base.table);
    expect(back.rack).toEqual(["r5.1", "J.1", "k3.2"]);
    expect(isTouched(back, base)).toBe(false);
  });

  test("shifts only the tiles of the rack that are in the way", () => {
    const gap = move(start, base, ["J.1"], { to: "table" });
    const moved = move(gap, base, ["k3.2"], { to: "rack", index: 0 });
    expect(moved.rack).toEqual(["k3.2", "r5.1"]);
  });

  test("ignores unknown rows and tiles", () => {
    expect(move(start, base, ["r5.1"], { to: "row", row: 99, index: 0 })).toBe(start);
    expect(move(start, base, ["o13.2"], { to: "table" })).toBe(start);
  });

  test("clamps any number to a place", () => {
    for (const index of [-3, 0.5, 1.5, 99, Number.NaN, Number.POSITIVE_INFINITY]) {
      const onto = move(start, base, ["r5.1", "J.1"], { to: "rack", index });
      expect(onRack(onto).sort()).toEqual([...base.rack].sort());
      const row = start.rows[0]!.id;
      const into = move(start, base, ["J.1"], { to: "row", row, index });
      expect(tableOf(into)[0]).toContain("J.1");
      expect(tableOf(into)[0]).toHaveLength(5);
    }
    const low = move(start, base, ["J.1"], { to: "row", row: start.rows[0]!.id, index: -3 });
    expect(tableOf(low)[0]![0]).toBe("J.1");
  });
});

test("a split gives the second part a new id", () => {
  const row = start.rows[0]!;
  const draft = split(start, row.id, 1);
  expect(tableOf(draft)).toEqual([["r1.1"], ["r2.1", "r3.1", "r4.1"], base.table[1]]);
  expect(new Set(draft.rows.map(({ id }) => id)).size).toBe(3);
  expect(split(start, row.id, 0)).toBe(start);
  expect(split(start, row.id, 4)).toBe(start);
  expect(split(start, 99, 1)).toBe(start);
});

describe("rebasing", () => {
  test("rows that stay the same keep their ids", () => {
    const [run, group] = base.table;
    const next = follow(start, {
      ...base,
      table: [[...group!, "r9.1"], run!, ["k1.1", "k2.1", "k3.1"]],
    });
    expect(next.rows.map(({ id }) => id)).toEqual([
      start.rows[1]!.id,
      start.rows[0]!.id,
      start.next,
    ]);
  });

  test("the rack keeps its arrangement, and new tiles come last", () => {
    const arranged = move(start, base, ["k3.2"], { to: "rack", index: 0 });
    const next = follow(arranged, { ...base, rack: ["J.1", "k3.2", "o2.1", "r5.1"] });
    expect(next.rack).toEqual(["k3.2", "r5.1", "J.1", "o2.1"]);
  });

  test("played tiles return to their old place if it is known and free", () => {
    const laid = move(start, base, ["r5.1", "J.1"], { to: "table" });
    expect(tableOf(follow(laid, base))).toEqual(base.table);
    expect(follow(laid, base).rack).toEqual([null, null, "k3.2", "r5.1", "J.1"]);
    const homes = new Map([
      ["r5.1", 0],
      ["J.1", 2],
      ["k3.2", 1],
    ]);
    expect(follow(laid, base, homes).rack).toEqual(["r5.1", null, "k3.2", "J.1"]);
    const far = new Map([["r5.1", 5]]);
    expect(follow(laid, base, far).rack).toEqual([null, null, "k3.2", null, null, "r5.1", "J.1"]);
  });
});

describe("adopting", () => {
  test("a table of the same tiles is taken over", () => {
    const table = [["r1.1", "r2.1", "r3.1", "r4.1", "r5.1"], ...base.table.slice(1)];
    const draft = adopt(start, base, table)!;
    expect(tableOf(draft)).toEqual(table);
    expect(onRack(draft)).toEqual(["J.1", "k3.2"]);
  });

  test("tiles of the table that it lacks become another row", () => {
    const draft = adopt(start, base, [["r1.1", "r2.1", "r3.1"], []])!;
    expect(tableOf(draft)).toEqual([
      ["r1.1", "r2.1", "r3.1"],
      ["r4.1", "b9.1", "k9.1", "o9.1"],
    ]);
  });

  test("a table with other or doubled tiles is refused", () => {
    expect(adopt(start, base, [["o1.1"]])).toBeUndefined();
    expect(adopt(start, base, [["r1.1"], ["r1.1"]])).toBeUndefined();
  });
});

// Model-based test: a player at the page, with a server that sometimes sends an update.

const BOX = ["r", "b", "k", "o"].flatMap((colour) => [1, 2, 3, 4, 5].map((n) => `${colour}${n}.1`));

/** Random numbers for one step, each taken modulo the number of choices. */
type Lots = readonly number[];

class Player {
  base: Base = { table: [], rack: BOX.slice(0, 8) };
  history: History = begin(follow(EMPTY, this.base));

  get draft(): Draft {
    return this.history.present;
  }

  act(lots: Lots): void {
    const [what = 0, ...rest] = lots;
    const acts = [this.move, this.move, this.move, this.split, this.undo, this.redo, this.anew];
    acts.push(this.sort, this.adopt, this.serve, this.submit);
    acts[what % acts.length]!.call(this, rest);
  }

  private move([from = 0, count = 0, to = 0, row = 0, index = 0]: Lots): void {
    const all = tilesOf(this.draft);
    const tiles = Array.from(
      { length: 1 + (count % 4) },
      (_, n) => all[(from + 3 * n) % all.length]!,
    );
    const { rows } = this.draft;
    const chosen = rows.length > 0 ? rows[row % rows.length]!.id : 1;
    const places: Place[] = [
      { to: "table" },
      { to: "rack", index: (index % 40) - 5 },
      { to: "row", row: chosen, index: (index % 20) - 3 },
    ];
    this.history = step(this.history, move(this.draft, this.base, tiles, places[to % 3]!));
  }

  private split([row = 0, index = 0]: Lots): void {
    const { rows } = this.draft;
    const id = rows.length > 0 ? rows[row % rows.length]!.id : 1;
    this.history = step(this.history, split(this.draft, id, index % 8));
  }

  private undo(): void {
    this.history = undo(this.history);
  }

  private redo(): void {
    this.history = redo(this.history);
  }

  private anew(): void {
    this.history = startAnew(this.history, this.base);
  }

  private sort([order = 0]: Lots): void {
    this.history = step(this.history, sortRack(this.draft, order % 2 ? "colour" : "number"));
  }

  private adopt([drop = 0, size = 0]: Lots): void {
    const tiles = tilesOf(this.draft).slice(drop % 9);
    const length = 1 + (size % 5);
    const table = Array.from({ length: Math.ceil(tiles.length / length) }, (_, n) =>
      tiles.slice(n * length, (n + 1) * length),
    );
    const adopted = adopt(this.draft, this.base, table);
    if (adopted !== undefined) this.history = step(this.history, adopted);
  }

  /** Others played, or a tile was drawn. */
  private serve([what = 0, tile = 0]: Lots): void {
    const known = new Set([...this.base.table.flat(), ...this.base.rack]);
    const fresh = BOX.filter((one) => !known.has(one));
    const more = fresh.slice(0, 1 + (tile % 3));
    const { table, rack } = this.base;
    this.hear(
      what % 3 === 0
        ? { table, rack: [...rack, ...more] }
        : what % 3 === 1 && more.length > 0
          ? { table: [...table.slice(1), ...table.slice(0, 1), more], rack }
          : { table, rack },
    );
  }

  /** The draft was accepted. */
  private submit(): void {
    this.hear({ table: tableOf(this.draft), rack: onRack(this.draft) });
  }

  private hear(next: Base): void {
    this.history = onBase(this.history, this.base, next);
    this.base = next;
  }
}

test("no action loses a tile, doubles one or takes one from the table", () => {
  const lots = fc.array(fc.nat(1000), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(lots, { maxLength: 60 }), (steps) => {
      const player = new Player();
      for (const one of steps) {
        player.act(one);
        const { draft, base: now } = player;
        expect(tilesOf(draft).sort()).toEqual([...now.table.flat(), ...now.rack].sort());
        const own = new Set(now.rack);
        expect(onRack(draft).every((tile) => own.has(tile))).toBe(true);
        const ids = draft.rows.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.every((id) => id < draft.next)).toBe(true);
        expect(draft.rows.every(({ tiles }) => tiles.length > 0)).toBe(true);
        expect(draft.rack.at(-1)).not.toBeNull();
        expect(Object.keys(draft.rack)).toHaveLength(draft.rack.length);
        expect(played(draft, now).length).toBe(now.rack.length - onRack(draft).length);
        for (const row of draft.rows) expect(rowOf(draft, row.tiles[0]!)).toBe(row);
      }
    }),
    { numRuns: 300, seed: 7 },
  );
});

test("undoing all steps restores the first draft, redoing them the last", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 30 }), (steps) => {
      let history = begin(start);
      for (const [tile, to, index] of steps) {
        const tiles = [tilesOf(start)[tile % tilesOf(start).length]!];
        const row = history.present.rows[to % history.present.rows.length]!.id;
        const place: Place = to % 3 ? { to: "row", row, index: index % 6 } : { to: "table" };
        history = step(history, move(history.present, base, tiles, place));
      }
      let back = history;
      while (back.past.length > 0) back = undo(back);
      expect(back.present).toBe(start);
      while (back.future.length > 0) back = redo(back);
      expect(back).toEqual(history);
    }),
    { seed: 7 },
  );
});
