import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Draft, EMPTY, tilesOf } from "../../src/game/draft";
import type { Tile } from "../../src/game/tiles";
import {
  type Box,
  between,
  inside,
  overlap,
  type Point,
  puts,
  RATIO,
  rackAt,
  rowAt,
  targetAt,
  type View,
} from "../../src/table/geometry";
import { arrange, type Places } from "../../src/table/layout";

const BOX: Tile[] = [1, 2].flatMap((copy) =>
  ["r", "b", "k", "o"].flatMap((colour) =>
    Array.from({ length: 13 }, (_, index) => `${colour}${index + 1}.${copy}`),
  ),
);

interface Scene {
  readonly draft: Draft;
  readonly places: Places;
  readonly view: View;
}

/** Rows and a rack with gaps on a stage of some size, moved and zoomed. */
const scene: fc.Arbitrary<Scene> = fc
  .record({
    lengths: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 20 }),
    rack: fc.array(fc.boolean(), { maxLength: 22 }),
    columns: fc.integer({ min: 6, max: 30 }),
    tableTile: fc.integer({ min: 18, max: 90 }),
    rackTile: fc.integer({ min: 32, max: 60 }),
    rackColumns: fc.integer({ min: 6, max: 24 }),
    pan: fc.record({ x: fc.integer({ min: -300, max: 0 }), y: fc.integer({ min: -300, max: 0 }) }),
    high: fc.integer({ min: 3000, max: 4000 }),
  })
  .map(({ lengths, rack, columns, tableTile, rackTile, rackColumns, pan, high }) => {
    let taken = 0;
    const rows = lengths.map((length, index) => {
      taken += length;
      return { id: 3 * index + 1, tiles: BOX.slice(taken - length, taken) };
    });
    const places = arrange(
      new Map(),
      rows.map((row) => ({ id: row.id, length: row.tiles.length })),
      columns,
    );
    const onRack = rack.map((full) => (full ? (BOX[taken++] ?? null) : null));
    const table = { x: 12, y: 6, width: columns * tableTile, height: high };
    const view = {
      table,
      rack: { x: 30, y: high + 40, width: rackColumns * (rackTile + 3), height: 400 },
      rackTile,
      tableTile,
      pan,
      rackColumns,
    };
    return { draft: { ...EMPTY, rows, rack: onRack }, places, view };
  });

function middle({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

const NONE: ReadonlySet<Tile> = new Set();

describe("where things are", () => {
  test("every tile is drawn once, and none on another", () => {
    fc.assert(
      fc.property(scene, ({ draft, places, view }) => {
        const found = puts(view, draft, places);
        expect([...found.keys()].sort()).toEqual(tilesOf(draft).sort());
        const boxes = [...found.values()].map(({ x, y, scale }) => ({
          x,
          y,
          width: view.rackTile * scale - 0.01,
          height: view.rackTile * scale * RATIO - 0.01,
        }));
        boxes.forEach((box, index) => {
          for (const other of boxes.slice(index + 1)) expect(overlap(box, other)).toBe(false);
        });
      }),
    );
  });

  test("what is let go where a place is shown comes into that place", () => {
    fc.assert(
      fc.property(scene, ({ draft, places, view }) => {
        for (const row of draft.rows) {
          const corner = rowAt(view, places.get(row.id)!);
          for (let index = 0; index <= row.tiles.length; index++) {
            const x = corner.x + index * view.tableTile;
            const y = corner.y + (view.tableTile * RATIO) / 2;
            const target = targetAt(view, draft, places, { x, y }, NONE);
            expect(target.place).toEqual({ to: "row", row: row.id, index });
            const again = targetAt(view, draft, places, middle(target.mark), NONE);
            expect(again.place).toEqual(target.place);
          }
        }
      }),
    );
  });

  test("on the left half of a tile is before it, on the right half behind it", () => {
    fc.assert(
      fc.property(scene, ({ draft, places, view }) => {
        const found = puts(view, draft, places);
        for (const row of draft.rows) {
          row.tiles.forEach((tile, index) => {
            const { x, y } = found.get(tile)!;
            const at = (part: number) =>
              targetAt(view, draft, places, { x: x + part * view.tableTile, y: y + 5 }, NONE).place;
            expect(at(0.3)).toEqual({ to: "row", row: row.id, index });
            expect(at(0.7)).toEqual({ to: "row", row: row.id, index: index + 1 });
          });
        }
      }),
    );
  });

  test("every place of the rack is found where it is drawn", () => {
    fc.assert(
      fc.property(scene, fc.nat(60), ({ draft, places, view }, index) => {
        const corner = rackAt(view, index);
        const size = { width: view.rackTile, height: view.rackTile * RATIO };
        const target = targetAt(view, draft, places, middle({ ...corner, ...size }), NONE);
        expect(target.place).toEqual({ to: "rack", index });
        expect(target.mark).toEqual({ ...corner, ...size });
      }),
    );
  });

  test("a drop beside the rack goes to the rack", () => {
    fc.assert(
      fc.property(scene, fc.integer(), fc.nat(3), ({ draft, places, view }, x, line) => {
        const { y } = rackAt(view, line * view.rackColumns);
        const { place } = targetAt(view, draft, places, { x, y: y + 2 }, NONE);
        expect(place.to).toBe("rack");
        const index = place.to === "rack" ? place.index : -1;
        expect(Math.floor(index / view.rackColumns)).toBe(line);
      }),
    );
  });

  test("on free table it is under the pointer", () => {
    fc.assert(
      fc.property(scene, fc.nat(40), fc.nat(12), ({ draft, places, view }, at, line) => {
        const corner = rowAt(view, { at, line });
        const point = { x: corner.x + view.tableTile / 2, y: corner.y + view.tableTile / 2 };
        const { place, spot, mark } = targetAt(view, { ...draft, rows: [] }, places, point, NONE);
        expect(place).toEqual({ to: "table" });
        expect(spot).toEqual({ at, line });
        expect(inside(point, mark)).toBe(true);
      }),
    );
  });

  test("a row that moves as a whole is not its own target, but a part of it is", () => {
    fc.assert(
      fc.property(scene, ({ draft, places, view }) => {
        for (const row of draft.rows) {
          const corner = rowAt(view, places.get(row.id)!);
          const point = { x: corner.x + 2, y: corner.y + view.tableTile / 2 };
          const all = targetAt(view, draft, places, point, new Set(row.tiles));
          expect(all.place.to === "row" && all.place.row === row.id).toBe(false);
          if (row.tiles.length > 1) {
            const one = targetAt(view, draft, places, point, new Set(row.tiles.slice(1)));
            expect(one.place).toEqual({ to: "row", row: row.id, index: 0 });
          }
        }
      }),
    );
  });
});

describe("tiles that are carried together", () => {
  const view: View = {
    table: { x: 0, y: 0, width: 1000, height: 400 },
    rack: { x: 0, y: 500, width: 1000, height: 100 },
    rackTile: 50,
    tableTile: 50,
    pan: { x: 0, y: 0 },
    rackColumns: 15,
  };
  const draft = { ...EMPTY, rows: [{ id: 1, tiles: ["k3.1", "k4.1", "k5.1"] }] };
  const places = new Map([[1, { line: 0, at: 8 }]]);
  const moving = new Set(["k6.1", "k7.1", "k8.1"]);
  const y = rowAt(view, { line: 0, at: 8 }).y + 20;
  const at = (x: number, left: number) =>
    targetAt(view, draft, places, { x, y }, moving, { left, right: 2 - left });

  test("join a row when any of them is near it", () => {
    // The row ends at 350: half a tile of 50 beside it still counts.
    for (const left of [0, 1, 2]) {
      expect(at(395 + 50 * left, left).place).toEqual({ to: "row", row: 1, index: 3 });
      expect(at(405 + 50 * left, left).place).toEqual({ to: "table" });
    }
    // It begins at 200, where the last of them ends.
    for (const left of [0, 1, 2]) {
      expect(at(75 + 50 * left, left).place).toEqual({ to: "row", row: 1, index: 0 });
    }
  });

  test("are shown on free table where they are drawn", () => {
    for (const left of [0, 1, 2]) expect(at(625 + 50 * left, left).mark.x).toBe(600);
  });
});

test("a selection frame is the same from every corner", () => {
  const point = fc.record({ x: fc.integer(), y: fc.integer() });
  fc.assert(
    fc.property(point, point, (one, other) => {
      const box = between(one, other);
      expect(between(other, one)).toEqual(box);
      expect(box.width).toBeGreaterThanOrEqual(0);
      expect(box.height).toBeGreaterThanOrEqual(0);
      expect([box.x, box.x + box.width]).toContain(one.x);
      expect([box.y, box.y + box.height]).toContain(other.y);
    }),
  );
});
