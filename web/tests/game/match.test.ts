import { expect, test } from "vitest";
import { gamesWon } from "../../src/game/match";

test("a shared win counts for every winner", () => {
  const results = [[0], [2], [0, 2], []].map((winners) => ({ scores: [0, 0, 0], winners }));
  expect(gamesWon({ results, totals: [0, 0, 0] })).toEqual([2, 0, 2]);
  expect(gamesWon({ results: [], totals: [0, 0] })).toEqual([0, 0]);
});
