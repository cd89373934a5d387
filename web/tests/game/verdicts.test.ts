/**
 * Differential test: the preview of the page agrees with the referee on rows and turns.
 *
 * tests/page/test_preview.py writes the verdicts of the referee to a file and runs this test;
 * without the file it is skipped.
 */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fetchNaming } from "../../src/game/reads";
import { inOrder, type Kind, type Reading, type Reason, readRow } from "../../src/game/rows";
import { type Options, type Rules, rulesOf } from "../../src/game/rules";
import {
  type Declared,
  type Position,
  type Preview,
  preview,
  type Table,
} from "../../src/game/turn";

await fetchNaming();

const FILE = process.env.TILERUMMY_VERDICTS;

type ReasonCase = [code: string, faces: string[], params: Record<string, string | number>];

interface RowCase {
  row: string;
  kind?: Kind;
  readings?: [Kind, number, [number, string[]][]][];
  ambiguous?: boolean;
  faults?: ReasonCase[];
  order?: string;
  counts?: string;
}

interface TurnCase {
  position: Position;
  table: Table;
  declared: Declared;
  verdict: {
    legal: boolean;
    reasons: ReasonCase[];
    played: string[];
    value: number | null;
    table: Table;
  };
}

interface Line {
  options: Options;
  rows?: RowCase[];
  turns?: TurnCase[];
}

const lines: Line[] = FILE
  ? readFileSync(FILE, "utf8")
      .split("\n")
      .map((line) => JSON.parse(line))
  : [];

/** Reasons that only the server can find. */
const SERVER_ONLY = ["locked-row", "special-exchange"];
const OPENING = ["no-opening", "below-minimum", "below-minimum-single", "opening-joker"];
const REUSE = ["joker-not-in-new-set", "joker-not-in-other-set", "joker-needs-rack-tiles"];
/** Reasons whose tiles the referee lists with first copies first. */
const ELSEWHERE = ["tile-left-table", "not-on-rack", "tile-twice"];

describe.skipIf(lines.length === 0)("the referee's verdicts", { timeout: 600_000 }, () => {
  test("of rows", () => {
    for (const { options, rows = [] } of lines) {
      const rules = rulesOf(options);
      for (const one of rows) {
        const expected = {
          kind: one.kind ?? null,
          value: one.readings?.[0]?.[1] ?? null,
          ambiguous: one.ambiguous ?? false,
          readings: one.readings ?? [],
          counts: one.counts ?? one.row,
          faults: one.readings ? [] : one.faults,
          order: one.order,
        };
        same(rowSaid(rules, one.row), expected, { row: one.row, options });
      }
    }
  });

  test("of turns", () => {
    let [all, unsure] = [0, 0];
    for (const { options, turns = [] } of lines) {
      const rules = rulesOf(options);
      for (const turn of turns) {
        const found = preview(rules, turn.position, turn.table, turn.declared);
        same(...turnSaid(rules, turn, found), { turn, found, options });
        all++;
        if (found.verdict === "maybe") unsure++;
      }
    }
    // A preview that always says `maybe` is never wrong, and useless.
    expect(unsure).toBeLessThan(all / 10);
  });
});

/** Like `toEqual`, which is too slow for so many cases. */
function same(said: object, expected: object, about: object): void {
  if (JSON.stringify(said) === JSON.stringify(expected)) return;
  expect(said, JSON.stringify(about)).toEqual(expected);
}

function rowSaid(rules: Rules, text: string) {
  const faces = text === "" ? [] : text.split(" ");
  const { kind, value, ambiguous, readings, faults, order } = readRow(rules, faces);
  return {
    kind,
    value,
    ambiguous,
    readings: readings.map((reading) => asOrdered(reading, order)),
    counts: (order?.map((place) => faces[place]) ?? faces).join(" "),
    faults: tuples(faults),
    order: inOrder(rules, faces)?.join(" "),
  };
}

/** The page numbers places in the row as laid, the referee in the row as it counts. */
function asOrdered({ kind, value, stands }: Reading, order: readonly number[] | null) {
  const places = stands.map(([at, faces]) => [order ? order.indexOf(at) : at, faces] as const);
  return [kind, value, [...places].sort(([one], [other]) => one - other)];
}

/** The preview of a turn, and the expected one. */
function turnSaid(rules: Rules, turn: TurnCase, found: Preview): [object, object] {
  const { legal, reasons, played, value, table } = turn.verdict;
  const sure = found.verdict !== "maybe";
  const opening = found.opening;
  const goesOn = opening !== null && rules.sameTurn;
  // If a player may open and go on, some reasons depend on which rows count as the opening.
  const beyond = [...SERVER_ONLY, ...(goesOn && opening.reached ? [...OPENING, ...REUSE] : [])];
  const comparable = (some: readonly ReasonCase[]) =>
    some
      .filter(([code]) => !beyond.includes(code))
      .map(([code, faces, params]) =>
        ELSEWHERE.includes(code) ? [code, [...faces].sort(), params] : [code, faces, params],
      );
  const counted = opening !== null && !goesOn && value !== null;
  // The misleading `reached`: false for a legal turn, true for one below the minimum.
  const short = reasons.some(([code]) => OPENING.includes(code)) || undefined;
  const said = {
    legal: sure ? found.verdict === "ok" : legal,
    reasons: sure ? comparable(tuples(found.reasons)) : [],
    played: found.played,
    points: counted ? opening.points : null,
    misled: opening !== null && opening.reached === (legal ? false : short),
    table: turn.table.map((row, number) => {
      const order = found.rows[number]!.verdict.order;
      return order?.map((place) => row[place]) ?? row;
    }),
  };
  const expected = {
    legal,
    reasons: sure ? comparable(reasons) : [],
    played,
    points: counted ? value : null,
    misled: false,
    table,
  };
  return [said, expected];
}

function tuples(reasons: readonly Reason[]): ReasonCase[] {
  return reasons.map(({ code, faces, params }) => [code, [...faces], { ...params }]);
}
