import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inOrder, readRow } from "../../src/game/rows";
import { rulesFor, rulesOf } from "../../src/game/rules";

const classic = rulesOf({});
const twist = rulesOf({ jokers: "J2 D2 C2 M2", "set.order": "as_laid" });

const read = (rules: typeof classic, row: string) => readRow(rules, row.split(" "));

describe("a row", () => {
  test("is ambiguous if it can be read as a run and as a group", () => {
    const { readings, kind, value, ambiguous } = read(classic, "r8 J J");
    expect(readings.map((reading) => [reading.kind, reading.value])).toEqual([
      ["run", 27],
      ["group", 24],
    ]);
    expect([kind, value, ambiguous]).toEqual(["run", 27, true]);
  });

  test("knows what its jokers stand for", () => {
    expect(read(classic, "r5 J r7").readings[0]!.stands).toEqual([[1, ["r6"]]]);
    expect(read(classic, "b9 k9 J").readings[0]!.stands).toEqual([[2, ["r9", "o9"]]]);
    expect(read(twist, "o2 D o5").readings[0]!.stands).toEqual([[1, ["o3", "o4"]]]);
    expect(read(twist, "k4 k5 M J k4").readings[0]!.stands).toEqual([
      [2, []],
      [3, ["k5"]],
    ]);
  });

  test("is sorted if the edition does so, and places count in the row as laid", () => {
    const { order, readings, value } = read(classic, "J r13 r12");
    expect(order).toEqual([0, 2, 1]);
    expect(readings[0]!.stands).toEqual([[0, ["r11"]]]);
    expect(value).toBe(36);
    expect(read(twist, "o8 o6 o7").faults.map(({ code }) => code)).toEqual(["wrong-order"]);
    expect(inOrder(twist, ["o8", "o6", "o7"])).toEqual(["o6", "o7", "o8"]);
    expect(inOrder(twist, ["o8", "o6", "k7"])).toBeNull();
  });

  test("stays as laid if it is a set already", () => {
    expect(read(classic, "J r9 r10")).toMatchObject({ value: 27, order: null });
  });

  test("lists every fault with its faces if it is not a set", () => {
    expect(read(classic, "k12 k13 k1").faults).toEqual([
      { code: "wraps", faces: ["k12", "k13", "k1"], params: {} },
    ]);
    expect(read(classic, "J J J").faults).toEqual([
      { code: "inventory", faces: ["J", "J", "J"], params: { face: "J", count: 2 } },
      { code: "no-number-tile", faces: ["J", "J", "J"], params: {} },
    ]);
    expect(readRow(classic, []).faults[0]!.code).toBe("too-short");
  });

  test("throws on unknown tiles", () => {
    expect(() => read(classic, "r14 b14 k14")).toThrow("r14");
  });

  test("is cached, and the cache is bounded", () => {
    const once = read(classic, "r1 r2 r3");
    expect(read(classic, "r1 r2 r3")).toBe(once);
    for (let n = 0; n < 2500; n++)
      readRow(
        classic,
        Array.from({ length: n }, () => "r1"),
      );
    expect(read(classic, "r1 r2 r3")).not.toBe(once);
    expect(read(classic, "r1 r2 r3")).toEqual(once);
  });
});

test("an edition with changed options", () => {
  const editions = { twist: { options: { jokers: "J2 D2 C2 M2", "set.order": "as_laid" } } };
  const rules = rulesFor(editions, "twist", { "set.order": "normalise", "joker.max_per_set": 1 });
  expect(rules).toMatchObject({ jokers: [2, 2, 2, 2], normalise: true, maxJokers: 1, copies: 2 });
  expect(() => rulesFor(editions, "nonsense")).toThrow("nonsense");
});

const FACES = ["r", "b", "k", "o"].flatMap((colour) =>
  Array.from({ length: 13 }, (_, n) => `${colour}${n + 1}`),
);
const rows = fc.array(fc.constantFrom(...FACES.slice(0, 20), "J", "D", "C", "M"), { maxLength: 9 });

test("the order in which a row counts is a set of the same tiles, worth the most", () => {
  const normal = rulesOf({ jokers: "J2 D2 C2 M2", "set.order": "normalise" });
  fc.assert(
    fc.property(rows, (row) => {
      const best = inOrder(normal, row);
      const found = readRow(normal, row);
      expect(found.faults.length > 0).toBe(best === null);
      expect(found.readings.length > 0).toBe(best !== null);
      if (best === null) return;
      expect([...best].sort()).toEqual([...row].sort());
      expect(readRow(normal, best)).toMatchObject({ order: null });
      expect(readRow(normal, best).value).toBeGreaterThanOrEqual(found.value!);
      if (found.order) expect(found.order.map((place) => row[place])).toEqual(best);
    }),
    { numRuns: 2000, seed: 7 },
  );
});
