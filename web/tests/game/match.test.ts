import { expect, test } from "vitest";
import { gamesWon } from "../../src/game/match";

test("games are counted for every winner, also where two have won one together", () => {
  const results = [[0], [2], [0, 2], []].map((winners) => ({ scores: [0, 0, 0], winners }));
  expect(gamesWon({ results, totals: [0, 0, 0] })).toEqual([2, 0, 2]);
  expect(gamesWon({ results: [], totals: [0, 0] })).toEqual([0, 0]);
});
