import fc from "fast-check";
import { expect, test } from "vitest";
import type { Draft } from "../../src/game/draft";
import { clampPan, into, largestFit, viewOf } from "../../src/table/areas";
import { lineHeight, RATIO, rackAt } from "../../src/table/geometry";
import { arrange, linesOf } from "../../src/table/layout";

/** Stages from the smallest phone, with what lies above and below taken off, to 4K. */
const sizes = fc.record({
  width: fc.integer({ min: 320, max: 3840 }),
  height: fc.integer({ min: 240, max: 2000 }),
});

const contents = fc
  .record({
    lengths: fc.array(fc.integer({ min: 1, max: 13 }), { maxLength: 26 }),
    rack: fc.integer({ min: 0, max: 40 }),
    hasRack: fc.boolean(),
  })
  .map(({ lengths, rack, hasRack }) => {
    const draft: Draft = {
      rows: lengths.map((length, id) => ({
        id,
        tiles: Array.from({ length }, (_, at) => `r${at + 1}.${id}`),
      })),
      rack: Array.from({ length: rack }, (_, at) => `b${at + 1}.9`),
      next: lengths.length,
    };
    const rows = lengths.map((length, id) => ({ id, length }));
    return { draft, places: arrange(new Map(), rows, 24), rackPlaces: hasRack ? rack + 1 : 0 };
  });

const NOT_MOVED = { x: 0, y: 0 };

test("table and rack lie on the stage, one above the other", () => {
  fc.assert(
    fc.property(contents, sizes, (content, size) => {
      const { table, rack } = viewOf(content.rackPlaces, size, 40, NOT_MOVED);
      expect(table.x).toBeGreaterThanOrEqual(0);
      expect(table.x + table.width).toBeLessThanOrEqual(size.width);
      expect(rack.x).toBeGreaterThanOrEqual(0);
      expect(rack.x + rack.width).toBeLessThanOrEqual(size.width);
      if (content.rackPlaces > 0) expect(rack.y).toBeLessThan(size.height);
      else expect(rack.y).toBeGreaterThanOrEqual(size.height);
    }),
  );
});

test("every tile of a rack is on the stage, and can be hit by a finger", () => {
  fc.assert(
    fc.property(contents, sizes, (content, size) => {
      const view = viewOf(content.draft.rack.length + 1, size, 40, NOT_MOVED);
      expect(view.rackTile).toBeGreaterThanOrEqual(32);
      content.draft.rack.forEach((_, index) => {
        const { x, y } = rackAt(view, index);
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + view.rackTile).toBeLessThanOrEqual(size.width);
        expect(y + view.rackTile * RATIO).toBeLessThanOrEqual(size.height + 4);
      });
    }),
  );
});

test("tiles are as large as all rows allow, and no smaller than can be read", () => {
  fc.assert(
    fc.property(contents, sizes, (content, size) => {
      const { tile, columns } = largestFit(content, size);
      const view = viewOf(content.rackPlaces, size, tile, NOT_MOVED);
      expect(tile).toBeGreaterThanOrEqual(30);
      expect(columns).toBeGreaterThanOrEqual(6);
      const rows = content.draft.rows.map(({ id, tiles }) => ({ id, length: tiles.length }));
      const lines = linesOf(arrange(content.places, rows, columns));
      const isSmallest = tile <= 34;
      expect(isSmallest || (lines + 1) * lineHeight(view) <= view.table.height).toBe(true);
    }),
  );
});

test("a table moves no further than there is something to see", () => {
  const wishes = fc.record({
    x: fc.integer({ min: -9_000, max: 9_000 }),
    y: fc.integer({ min: -9_000, max: 9_000 }),
  });
  fc.assert(
    fc.property(contents, sizes, wishes, (content, size, wish) => {
      const view = viewOf(content.rackPlaces, size, largestFit(content, size).tile, NOT_MOVED);
      const pan = clampPan(content, view, wish);
      expect(pan.x).toBeLessThanOrEqual(0);
      expect(pan.y).toBeLessThanOrEqual(0);
      expect(clampPan(content, view, pan)).toEqual(pan);
    }),
  );
});

test("an interval outside the view scrolls just into it", () => {
  expect(into(5, 10, 0, 100)).toBe(0);
  expect(into(-5, 10, 0, 100)).toBe(5);
  expect(into(95, 10, 0, 100)).toBe(-5);
});
