/**
 * The page tells the steps of a turn as the terminal does.
 *
 * tests/page/test_tellings.py writes down what the terminal tells and runs this; without it there is
 * nothing to compare with.
 */

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Edition } from "../../src/game/editions";
import type { StepInfo } from "../../src/generated/wire";
import { LANGUAGES, type Language } from "../../src/generated/words";
import { stepWords, type Telling, telling } from "../../src/table/steps";
import { openBox } from "../../src/table/tile";
import { speak } from "../../src/words";

const FILE = process.env.TILERUMMY_TELLINGS;

interface Told extends Telling {
  step: StepInfo;
  /** The whole sentences, where the terminal has no letters in them. */
  texts?: Record<Language, string>;
}

interface Case {
  edition: Edition;
  table: string[][];
  told: Told[];
}

const cases: Case[] = FILE
  ? readFileSync(FILE, "utf8")
      .split("\n")
      .map((line) => JSON.parse(line))
  : [];

beforeAll(() => {
  vi.stubGlobal("document", { documentElement: { lang: "", dataset: {} } });
});

describe.skipIf(cases.length === 0)("the steps that the terminal tells", () => {
  test("are told by the same sentences, which name the same", () => {
    for (const { step, table, sentence, parts } of steps()) {
      expect(telling(step, table), JSON.stringify({ step, table })).toEqual({ sentence, parts });
    }
  });

  test.each(LANGUAGES)("in %s, where it has words and no letters, in those words", async (lang) => {
    await speak(lang);
    for (const { edition, step, table, texts } of steps()) {
      openBox(edition);
      const said = stepWords(step, table);
      expect(said).toMatch(/^[^{}]+[.。]$/);
      if (texts) expect(said, JSON.stringify({ step, table })).toBe(texts[lang]);
    }
  });
});

/** Each step with the table that it finds, as the page takes it from a hint. */
function steps() {
  return cases.flatMap(({ edition, table, told }) =>
    told.map((one, number) => ({
      ...one,
      edition,
      table: told[number - 1]?.step.table ?? table,
    })),
  );
}
