import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Draft, EMPTY } from "../../src/game/draft";
import { type Cursor, keyOf, placeAt, type Step, tileAt, walk } from "../../src/table/keyboard";

const STEPS: readonly Step[] = ["left", "right", "up", "down", "home", "end"];

const draft: fc.Arbitrary<Draft> = fc
  .record({
    lengths: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 7 }),
    rack: fc.array(fc.boolean(), { maxLength: 16 }),
  })
  .map(({ lengths, rack }) => ({
    ...EMPTY,
    rows: lengths.map((length, index) => ({
      id: 10 * index + 3,
      tiles: Array.from({ length }, (_, place) => `r${place + 1}.${index + 1}`),
    })),
    rack: rack.map((full, place) => (full ? `b${place + 1}.1` : null)),
  }));

/** The rows from top to bottom, in another order than in the draft. */
function orderOf({ rows }: Draft): number[] {
  return rows.map((row) => row.id).reverse();
}

function places(of: Draft): Cursor[] {
  return [
    ...of.rack.map((_, index): Cursor => ({ zone: "rack", index })),
    ...of.rows.flatMap((row) =>
      Array.from({ length: row.tiles.length + 1 }, (_, index): Cursor => {
        return { zone: "row", row: row.id, index };
      }),
    ),
  ];
}

const key = (cursor: Cursor) => JSON.stringify(Object.entries(cursor).sort());

function reachable(of: Draft, from: Cursor): Map<string, Cursor> {
  const order = orderOf(of);
  const found = new Map([[key(from), from]]);
  for (const cursor of found.values()) {
    for (const step of STEPS) {
      const next = walk(of, order, walk(of, order, cursor, step));
      found.set(key(next), next);
    }
  }
  return found;
}

describe("the cursor", () => {
  test("comes from everywhere to everywhere, and nowhere else", () => {
    fc.assert(
      fc.property(draft, (of) => {
        const all = places(of);
        const start = walk(of, orderOf(of), { zone: "rack", index: 0 });
        const found = reachable(of, start);
        for (const place of all) expect([...found.keys()], key(place)).toContain(key(place));
        const allowed = new Set([...all.map(key), key({ zone: "free" }), key(start)]);
        for (const cursor of found.keys()) expect([...allowed]).toContain(cursor);
        for (const from of found.values()) {
          expect([...reachable(of, from).keys()]).toContain(key(start));
        }
        const isEmpty = of.rows.length === 0 && of.rack.every((tile) => tile === null);
        expect(found.has(key({ zone: "free" }))).toBe(!isEmpty);
      }),
    );
  });

  test("stays on the board when that changes under it", () => {
    fc.assert(
      fc.property(draft, draft, fc.nat(60), (before, after, any) => {
        const all = [...places(before), { zone: "free" } as Cursor];
        const cursor = walk(after, orderOf(after), all[any % all.length]!);
        const allowed = new Set([...places(after), { zone: "free" } as Cursor].map(key));
        allowed.add(key({ zone: "rack", index: 0 }));
        expect([...allowed]).toContain(key(cursor));
        expect(walk(after, orderOf(after), cursor)).toEqual(cursor);
      }),
    );
  });

  test("right and left are ways there and back", () => {
    fc.assert(
      fc.property(draft, (of) => {
        const order = orderOf(of);
        for (const from of places(of)) {
          const next = walk(of, order, walk(of, order, from, "right"));
          if (key(next) === key(from)) continue;
          expect(walk(of, order, walk(of, order, next, "left"))).toEqual(from);
        }
      }),
    );
  });

  test("knows the tile under it and the target of a drop", () => {
    fc.assert(
      fc.property(draft, (of) => {
        for (const cursor of places(of)) {
          const tile = tileAt(of, cursor);
          const place = placeAt(cursor);
          if (cursor.zone === "rack") {
            expect(tile).toBe(of.rack[cursor.index]);
            expect(place).toEqual({ to: "rack", index: cursor.index });
          } else if (cursor.zone === "row") {
            const row = of.rows.find((each) => each.id === cursor.row)!;
            expect(tile).toBe(row.tiles[cursor.index] ?? null);
            expect(place).toEqual({ to: "row", row: row.id, index: cursor.index });
          }
        }
      }),
    );
    expect(placeAt({ zone: "free" })).toEqual({ to: "table" });
    expect(tileAt(EMPTY, { zone: "free" })).toBeNull();
  });
});

describe("keys", () => {
  const press = (name: string, held: Partial<Parameters<typeof keyOf>[0]> = {}) =>
    keyOf({ key: name, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

  test("are for what hands do", () => {
    expect(press("ArrowLeft")).toEqual({ do: "step", step: "left" });
    expect(press("End")).toEqual({ do: "step", step: "end" });
    expect(press(" ")).toEqual({ do: "choose" });
    expect(press("Enter")).toEqual({ do: "put" });
    expect(press("P", { shiftKey: true })).toEqual({ do: "play" });
    expect(press("z", { ctrlKey: true })).toEqual({ do: "undo" });
    expect(press("Z", { metaKey: true, shiftKey: true })).toEqual({ do: "redo" });
    expect(press("y", { ctrlKey: true })).toEqual({ do: "redo" });
    expect(press("Enter", { ctrlKey: true })).toEqual({ do: "play" });
  });

  test("that are the browser's stay the browser's", () => {
    for (const name of ["Tab", "F5", "q", "Shift"]) {
      expect(press(name)).toBeUndefined();
    }
    for (const name of ["p", "d", "c", "ArrowLeft", "r"]) {
      expect(press(name, { altKey: true })).toBeUndefined();
      expect(press(name, { ctrlKey: true })).toBeUndefined();
    }
  });
});
