/**
 * Differential test: page and terminal describe the steps of a turn in the same sentences.
 *
 * tests/page/test_step_texts.py writes the sentences of the terminal to a file and runs this test.
 */

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Edition } from "../../src/game/editions";
import type { StepInfo } from "../../src/generated/wire";
import { LANGUAGES, type Language } from "../../src/generated/words";
import { stepWords } from "../../src/table/steps";
import { openBox } from "../../src/table/tile";
import { speak } from "../../src/words";

const FILE = process.env.TILERUMMY_STEP_TEXTS;

interface Described {
  step: StepInfo;
  /** The whole sentences, where the terminal has no letters in them. */
  texts?: Record<Language, string>;
}

interface Case {
  edition: Edition;
  table: string[][];
  steps: Described[];
}

const cases: Case[] = FILE
  ? readFileSync(FILE, "utf8")
      .split("\n")
      .map((line) => JSON.parse(line))
  : [];

beforeAll(() => {
  vi.stubGlobal("document", { documentElement: { lang: "", dataset: {} } });
});

describe.skipIf(cases.length === 0)("the steps as the terminal describes them", () => {
  test.each(LANGUAGES)("read the same in %s", async (lang) => {
    await speak(lang);
    for (const { edition, steps } of cases) {
      openBox(edition);
      for (const { step, texts } of steps) {
        const said = stepWords(step);
        expect(said).toMatch(/^[^{}]+[.。]$/);
        if (texts) expect(said, JSON.stringify(step)).toBe(texts[lang]);
      }
    }
  });
});
