import { describe, expect, test } from "vitest";
import { levelAfter, NO_STREAK, tableLevel, withResult } from "../../src/game/streak";

const HIGHEST = 11;

/** The level after games at this level: each letter is a win or a loss. */
function after(level: number, results: string): number {
  const streak = [...results].reduce(
    (before, result, game) => withResult(before, level, `game ${game}`, result === "w"),
    NO_STREAK,
  );
  return levelAfter(streak, HIGHEST);
}

test.each([
  ["", 0],
  ["w", 4],
  ["ww", 5],
  ["l", 4],
  ["ll", 3],
  ["wlwl", 4],
  ["lww", 5],
  ["wll", 3],
])("results %s at level 4 lead to level %d", (results, level) => {
  expect(after(results === "" ? 0 : 4, results)).toBe(level);
});

test("the level stays on the ladder", () => {
  expect(after(1, "ll")).toBe(1);
  expect(after(HIGHEST, "ww")).toBe(HIGHEST);
});

describe("a streak", () => {
  const once = withResult(NO_STREAK, 4, "first", true);

  test("counts each game once", () => {
    expect(withResult(once, 4, "first", true)).toBe(once);
  });

  test("begins again at another level", () => {
    expect(levelAfter(withResult(once, 5, "second", true), HIGHEST)).toBe(5);
  });
});

test("the level of a table is that of its middle bot", () => {
  expect(tableLevel([5, 3, 4])).toBe(4);
  expect(tableLevel([1, 2, 1])).toBe(1);
  expect(tableLevel([11, 10, 11])).toBe(11);
  expect(tableLevel([7])).toBe(7);
});

test("a table with a person or a bot without a level has none", () => {
  expect(tableLevel([4, 0, 4])).toBe(0);
  expect(tableLevel([])).toBe(0);
});
