import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { LANGUAGES } from "../../src/generated/words";
import { callWords, endWords, newsOfEnd } from "../../src/screens/endings";
import type { SeatView } from "../../src/screens/names";
import { newsOf } from "../../src/screens/news";
import { speak } from "../../src/words";

beforeAll(() => {
  vi.stubGlobal("document", { documentElement: { lang: "", dataset: {} } });
});

beforeEach(() => speak("en"));

/** The end of a game of Ann and Ben, as Ann or another person sees it. */
function ended(final: object, you: number | null = 0): SeatView {
  const seats = [
    { kind: "person", name: "Ann" },
    { kind: "person", name: "Ben" },
  ];
  const last = { seat: 1, action: "passed", why: "choice" };
  const view = {
    room: { value: { phase: "between", seats } },
    game: { value: { current: 0, last, final: { winners: [1], blocked: true, ...final } } },
    you: { value: you },
  };
  return view as unknown as SeatView;
}

const OUT = { blocked: false, end: "out" };

describe("the end of a game", () => {
  test.each([
    [OUT, "Ben went out."],
    [{ ...OUT, winners: [0] }, "You went out."],
    [{ end: "nobody_can" }, "Nobody can play any more."],
    [{ end: "first_unable", unable: 1 }, "Ben can't play, so the game is over."],
    [{ end: "first_unable", unable: 0 }, "You can't play, so the game is over."],
    [{ end: "first_unable" }, "A player can't play, so the game is over."],
    [{ end: "final_round" }, "The final round is over."],
    [{ end: "final_round", unable: null }, "The final round is over."],
    [{ end: "final_round", unable: 1 }, "Ben can't play, so the final round is over."],
    [{ end: "final_round", unable: 0 }, "You can't play, so the final round is over."],
    [{ end: "all_passed" }, "Nobody played for a whole round."],
    // A server that is older than the page.
    [{ blocked: false }, "Ben went out."],
    [{ end: "" }, "The game is over."],
    [{}, "The game is over."],
  ])("has its sentence: %j", (final, words) => {
    expect(endWords(ended(final))).toBe(words);
  });

  test("a spectator reads names", () => {
    expect(endWords(ended({ end: "first_unable", unable: 0 }, null))).toBe(
      "Ann can't play, so the game is over.",
    );
    expect(callWords(ended({ ...OUT, winners: [0] }, null))).toBe("Ann: I'm out!");
  });

  test("a running game has no sentence", () => {
    const seat = ended({});
    Object.assign(seat.game, { value: { final: null } });
    expect([callWords(seat), endWords(seat), newsOfEnd(seat)]).toEqual(["", "", ""]);
  });

  test("has a sentence in each language", async () => {
    const ends = ["nobody_can", "first_unable", "final_round", "all_passed", ""];
    for (const language of LANGUAGES) {
      await speak(language);
      const finals = [
        OUT,
        ...ends.flatMap((end) => [{ end }, { end, unable: 0 }, { end, unable: 1 }]),
      ];
      for (const final of finals) {
        const text = newsOfEnd(ended(final));
        expect(text).not.toMatch(/^ended\.|[{}]/);
        expect(text).toMatch(/[.!。！]$/);
      }
    }
  });
});

describe("going out", () => {
  test.each([
    ["en", "Ben: I'm out!", "You: I'm out!"],
    ["zh-Hans", "Ben：出完了！", "你：出完了！"],
    ["zh-Hant", "Ben：出完了！", "你：出完了！"],
  ] as const)("is called aloud in %s", async (language, theirs, mine) => {
    await speak(language);
    expect(callWords(ended(OUT))).toBe(theirs);
    expect(callWords(ended({ ...OUT, winners: [0] }))).toBe(mine);
    expect(callWords(ended({ end: "all_passed" }))).toBe("");
  });

  test("is announced after the last turn, and so is another end", () => {
    expect(newsOf(ended(OUT))).toBe("Ben passes. Ben: I'm out!");
    expect(newsOf(ended({ end: "all_passed" }))).toBe(
      "Ben passes. Nobody played for a whole round.",
    );
  });
});
