import { expect, test } from "vitest";
import { moved } from "../../src/game/moved";

const row = (text: string) => text.split(" ");

test("on an empty table all tiles are new", () => {
  expect(moved([], [row("r1 r2 r3")])).toEqual(row("r1 r2 r3"));
});

test("unchanged rows have not moved, in any order of the list", () => {
  const before = [row("r1 r2 r3"), row("b5 k5 o5")];
  expect(moved(before, [row("b5 k5 o5"), row("r1 r2 r3")])).toEqual([]);
});

test("an added tile is marked, its neighbours are not", () => {
  expect(moved([row("r1 r2 r3")], [row("r1 r2 r3 r4")])).toEqual(["r4"]);
});

test("a tile in another row has moved", () => {
  const before = [row("r5 b5 k5 o5"), row("r6 r7 r8")];
  expect(moved(before, [row("b5 k5 o5"), row("r5 r6 r7 r8")])).toEqual(["r5"]);
});

test("a split row has not moved", () => {
  expect(moved([row("r1 r2 r3 r4 r5 r6")], [row("r1 r2 r3"), row("r4 r5 r6")])).toEqual([]);
});

test("a replaced joker has moved, its neighbours have not", () => {
  const before = [row("r5 J r7"), row("k1 k2 k3")];
  const after = [row("r5 r6 r7"), row("k1 k2 k3"), row("b9 J b11")];
  expect(moved(before, after)).toEqual(row("r6 b9 J b11"));
});

test("when two rows merge, the smaller one has moved", () => {
  const before = [row("r3 r4 r1 r2"), row("r5 r6 r7")];
  expect(moved(before, [row("r3 r4 r5 r6 r7")])).toEqual(row("r3 r4"));
});
