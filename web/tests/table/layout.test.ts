import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arrange, GAP, type Laid, linesOf, type Places, type Spot } from "../../src/table/layout";

const columns = fc.integer({ min: 6, max: 30 });
const spot = fc.record({ line: fc.nat(9), at: fc.nat(60) });
/** As many rows as 106 tiles make, none longer than the narrowest table is wide. */
const rows = fc
  .array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 34, size: "max" })
  .map((lengths) => lengths.map((length, id) => ({ id, length })));
/** Also rows that are longer than the table is wide. */
const wild = fc
  .array(fc.integer({ min: 1, max: 26 }), { maxLength: 34, size: "max" })
  .map((lengths) => lengths.map((length, id) => ({ id, length })));
const wishes = fc
  .dictionary(fc.nat(33).map(String), spot)
  .map((found): Places => new Map(Object.entries(found).map(([id, wish]) => [Number(id), wish])));

function overlap(one: Laid, other: Laid, places: Places): boolean {
  const [here, there] = [places.get(one.id)!, places.get(other.id)!];
  return (
    here.line === there.line &&
    here.at < there.at + 2 * other.length + GAP &&
    there.at < here.at + 2 * one.length + GAP
  );
}

function check(laid: readonly Laid[], places: Places, width: number): void {
  expect([...places.keys()].sort((a, b) => a - b)).toEqual(laid.map((row) => row.id));
  laid.forEach((row, index) => {
    const { line, at } = places.get(row.id)!;
    expect(line).toBeGreaterThanOrEqual(0);
    expect(at).toBeGreaterThanOrEqual(0);
    if (row.length <= width) expect(at + 2 * row.length).toBeLessThanOrEqual(2 * width);
    for (const other of laid.slice(index + 1)) {
      expect(overlap(row, other, places), `${row.id} and ${other.id}`).toBe(false);
    }
  });
}

describe("rows on the table", () => {
  test("each has a place of its own, within the table", () => {
    fc.assert(
      fc.property(wild, wishes, columns, fc.option(fc.nat(33)), fc.option(spot), (...given) => {
        const [laid, before, width, first, wish] = given;
        const places = arrange(before, laid, width, first ?? undefined, wish ?? undefined);
        check(laid, places, width);
        const again = arrange(before, laid, width, first ?? undefined, wish ?? undefined);
        expect(again).toEqual(places);
      }),
    );
  });

  test("they stay where they are", () => {
    fc.assert(
      fc.property(wild, wishes, columns, (laid, before, width) => {
        const places = arrange(before, laid, width);
        expect(arrange(places, laid, width)).toEqual(places);
        expect(arrange(places, [...laid].reverse(), width)).toEqual(places);
      }),
    );
  });

  test("a row stays where it is put, and only rows in its way move", () => {
    fc.assert(
      fc.property(rows, wishes, columns, fc.nat(33), spot, (laid, before, width, any, wish) => {
        const id = any % laid.length;
        const row = laid[id]!;
        const places = arrange(before, laid, width);
        const after = arrange(places, laid, width, id, wish);
        check(laid, after, width);
        const at = Math.min(wish.at, 2 * (width - row.length));
        expect(after.get(id)).toEqual({ line: wish.line, at });
        const there = new Map([...places, [id, after.get(id)!] as const]);
        for (const other of laid) {
          if (other.id === id || overlap(row, other, there)) continue;
          expect(after.get(other.id), `row ${other.id}`).toEqual(places.get(other.id));
        }
      }),
    );
  });

  test("one that grows stays where it begins, if the table is wide enough", () => {
    fc.assert(
      fc.property(rows, wishes, columns, fc.nat(33), (laid, before, width, any) => {
        const id = any % laid.length;
        const row = laid[id]!;
        const places = arrange(before, laid, width);
        const { line, at } = places.get(id)!;
        const grown = laid.map((each) => (each.id === id ? { id, length: each.length + 1 } : each));
        const after = arrange(places, grown, width, id);
        check(grown, after, width);
        if (at + 2 * row.length + 2 <= 2 * width) expect(after.get(id)).toEqual({ line, at });
      }),
    );
  });

  test("new rows start at the top left, and existing rows do not move", () => {
    expect(arrange(new Map(), [{ id: 7, length: 3 }], 10).get(7)).toEqual({ line: 0, at: 0 });
    fc.assert(
      fc.property(rows, wishes, columns, fc.integer({ min: 1, max: 6 }), (...given) => {
        const [laid, before, width, length] = given;
        const places = arrange(before, laid, width);
        const after = arrange(places, [...laid, { id: 99, length }], width);
        for (const [id, at] of places) expect(after.get(id)).toEqual(at);
      }),
    );
  });

  test("one that has to make room goes no further than it must", () => {
    const laid = [1, 2].map((id) => ({ id, length: 3 }));
    const places: Places = new Map([[1, { line: 0, at: 10 } as Spot]]);
    const after = arrange(places, laid, 20, 2, { line: 0, at: 8 });
    expect(after.get(1)).toEqual({ line: 0, at: 15 });
  });
});

test("lines are counted from the top to the last that is in use", () => {
  expect(linesOf(new Map())).toBe(0);
  expect(linesOf(new Map([[1, { line: 3, at: 0 }]]))).toBe(4);
});
