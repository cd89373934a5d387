import { beforeAll, expect, test, vi } from "vitest";
import { seatName } from "../../src/screens/names";
import { speak } from "../../src/words";

beforeAll(() => {
  vi.stubGlobal("document", { documentElement: { lang: "" } });
  return speak("en");
});

test("a bot has a name in the language of the page", async () => {
  expect(seatName({ kind: "bot", name: "Simple 2", bot: "simple" })).toBe("Rookie 2");
  expect(seatName({ kind: "bot", name: "Solver", bot: "solver" })).toBe("Expert");
  await speak("zh-Hans");
  expect(seatName({ kind: "bot", name: "Solver 1", bot: "solver" })).toBe("高手");
  await speak("en");
});

test("the first bot of a kind has no number, in older rooms and records either", () => {
  expect(seatName({ kind: "bot", name: "Solver 1", bot: "solver" })).toBe("Expert");
  expect(seatName({ kind: "bot", name: "Solver 12", bot: "solver" })).toBe("Expert 12");
});

test("a person keeps their own name", () => {
  expect(seatName({ kind: "person", name: "Simple 2" })).toBe("Simple 2");
  expect(seatName({ kind: "free" })).toBe("");
});

test("a bot that stands in for somebody who left keeps their name", () => {
  expect(seatName({ kind: "bot", name: "Ann", bot: "simple" })).toBe("Ann");
  expect(seatName({ kind: "bot", name: "Simple 2", bot: "solver" })).toBe("Simple 2");
});

test.each(["שרה!", "علي 2", "Ann שרה", "\u{10900}", "ﺍ"])(
  "a name that is read from right to left is set apart: %s",
  (name) => {
    const isolated = `\u2068${name}\u2069`;
    expect(seatName({ kind: "person", name })).toBe(isolated);
    expect(seatName({ kind: "bot", name, bot: "simple" })).toBe(isolated);
  },
);

test.each(["Ann", "陳大文", "Žofie 2", "Ναυσικά", "😀", "한별"])(
  "others stay as they are: %s",
  (name) => {
    expect(seatName({ kind: "person", name })).toBe(name);
  },
);
