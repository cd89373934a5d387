import { beforeAll, expect, test, vi } from "vitest";
import { problemWords } from "../../src/screens/problems";
import { speak, speakMore } from "../../src/words";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: { lang: "" } });
  await speakMore();
});

test.each([
  [
    "en",
    "Game 2: the tiles weren't dealt as shuffled.",
    "Game 1, turn 5: this turn didn't follow the rules.",
  ],
  ["zh-Hans", "第 2 局：牌没有按洗好的顺序发出。", "第 1 局，第 5 回合：这个回合不合规则。"],
  ["zh-Hant", "第 2 局：牌沒有依洗好的順序發出。", "第 1 局，第 5 回合：這個回合不符合規則。"],
] as const)("the problems of a record are described in %s", async (language, deal, turn) => {
  await speak(language);
  expect(problemWords({ code: "deal", message: "not dealt", game: 2, turn: null })).toBe(deal);
  expect(problemWords({ code: "turn", message: "too late", game: 1, turn: 5 })).toBe(turn);
});

test("an unknown problem is shown as the server describes it", async () => {
  await speak("en");
  expect(problemWords({ code: "new", message: "it smells.", game: 3, turn: null })).toBe(
    "Game 3: it smells.",
  );
});
