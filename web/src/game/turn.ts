/**
 * A preview of the referee's verdict on a draft, as far as the page can judge it.
 *
 * The server decides. It accepts what is `ok` here and refuses what is `not-ok`; `maybe` leaves the
 * question to it.
 */

import type { Declared, Names } from "./declarations";
import { judgeJokers, takenApart } from "./jokers";
import { continuedOpening, type Opening, plainOpening } from "./openings";
import { namesAsLaid, type Read, readTable, reasonFor, type Table } from "./reads";
import type { Kind, Reading, Reason, RowVerdict } from "./rows";
import type { Rules } from "./rules";
import { sorted, type Tile } from "./tiles";

export type { Declared } from "./declarations";
export type { Opening } from "./openings";
export type { Table } from "./reads";

/** The position at the start of the turn. */
export interface Position {
  readonly opened: boolean;
  /** Whether rows of the table may be taken apart now. */
  readonly manipulation: boolean;
  readonly table: Table;
  readonly rack: readonly Tile[];
  readonly declared?: Declared;
}

export interface RowPreview {
  readonly verdict: RowVerdict;
  /** Its kind as declared, or in its most valuable reading; null when it is not a set. */
  readonly kind: Kind | null;
  readonly value: number | null;
  /** Whether the player still has to choose one of its readings. */
  readonly undeclared: boolean;
  readonly reasons: readonly Reason[];
  /** Its readings as declared; places count in the row as laid. */
  readonly readings: readonly Reading[];
  /** What its jokers are named. */
  readonly named: ReadonlyMap<Tile, Names>;
  /** All possible names of its slots, if its jokers need names. */
  readonly ways: readonly (readonly string[])[];
}

export interface Preview {
  readonly verdict: "ok" | "not-ok" | "maybe";
  /** Everything that is certainly wrong; empty unless the verdict is `not-ok`. */
  readonly reasons: readonly Reason[];
  readonly rows: readonly RowPreview[];
  /** By colour and number. */
  readonly played: readonly Tile[];
  /** For a player who has not opened. */
  readonly opening: Opening | null;
  /** The indices of rows before the turn that must be left alone and were not. */
  readonly disturbed: readonly number[];
}

export function preview(
  rules: Rules,
  position: Position,
  draft: Table,
  declared: Declared = [],
): Preview {
  const { before, after } = tablesOf(rules, position, draft, declared);
  const { played, reasons } = judgeTiles(position, draft);
  const against = after.flatMap((row) => row.reasons);
  reasons.push(...against.filter((reason) => !isAsked(reason)), ...against.filter(isAsked));
  const sound = reasons.length === 0;
  const isRead = ![...before, ...after].some(({ unread }) => unread);

  let opening: Opening | null = null;
  let certain = true;
  const disturbed: number[] = [];
  if (!position.opened) {
    const found = rules.sameTurn
      ? continuedOpening(rules, after, played)
      : plainOpening(rules, before, after, played);
    opening = found.opening;
    disturbed.push(...found.changed);
    if (sound || !rules.sameTurn) reasons.push(...found.reasons);
    certain = opening.reached !== "maybe";
  }
  if (sound && (position.opened || rules.sameTurn)) {
    const jokers = judgeJokers(rules, before, after);
    if (reasons.length === 0) reasons.push(...distinct(jokers.reasons));
    certain &&= jokers.certain;
  }
  if (!position.manipulation) {
    for (const number of takenApart(before, after)) {
      reasons.push(reasonFor("no-manipulation", before[number]!.tiles));
      disturbed.push(number);
    }
  }
  return {
    verdict: !isRead ? "maybe" : reasons.length > 0 ? "not-ok" : certain ? "ok" : "maybe",
    reasons,
    rows: after.map(rowPreview),
    played,
    opening,
    disturbed: [...new Set(disturbed)],
  };
}

const isAsked = ({ code }: Reason) => code === "undeclared";

function tablesOf(rules: Rules, position: Position, draft: Table, declared: Declared) {
  const said = position.declared ?? [];
  const before = readTable(rules, position.table, said);
  // The declaration of a row lasts as long as the row; the name of a joker moves with it.
  const kinds = said.filter(({ as }) => typeof as === "string");
  return { before, after: readTable(rules, draft, [...kinds, ...declared], before) };
}

/** The declarations, completed by the most valuable meaning of each row with unnamed jokers. */
export function withDefaults(
  rules: Rules,
  position: Position,
  draft: Table,
  declared: Declared,
): Declared {
  if (rules.declare !== "explicit") return declared;
  const { after } = tablesOf(rules, position, draft, declared);
  const open = after.filter((row) => row.reasons.some(isAsked));
  return [
    ...declared,
    ...open.map((row) => ({ set: row.laid, as: namesAsLaid(row, row.left[0]!) })),
  ];
}

function rowPreview(row: Read): RowPreview {
  const { verdict, readings, reasons, named, ways } = row;
  const settled = readings.length < verdict.readings.length;
  return {
    verdict,
    kind: settled ? readings[0]!.kind : verdict.kind,
    value: readings[0]?.value ?? null,
    undeclared: reasons.some(isAsked),
    reasons,
    readings,
    named,
    ways: ways.map((way) => namesAsLaid(row, way)),
  };
}

/** The tiles played, and what is wrong with where tiles come from and go to. */
function judgeTiles(position: Position, draft: Table): { played: Tile[]; reasons: Reason[] } {
  const old = position.table.flat();
  const now = draft.flat();
  const added = without(now, old);
  const gone = without(old, now);
  const foreign = without(added, position.rack);
  const known = new Set([...old, ...position.rack]);
  const strange = foreign.filter((tile) => !known.has(tile));
  const twice = foreign.filter((tile) => known.has(tile));
  const reasons: Reason[] = [];
  if (gone.length > 0) reasons.push(reasonFor("tile-left-table", gone));
  if (strange.length > 0) reasons.push(reasonFor("not-on-rack", strange));
  if (twice.length > 0) reasons.push(reasonFor("tile-twice", twice));
  if (added.length === 0) reasons.push(reasonFor("nothing-played"));
  return { played: added, reasons };
}

/** The multiset difference of tiles, in order. */
function without(tiles: readonly Tile[], others: readonly Tile[]): Tile[] {
  const counts = new Map<Tile, number>();
  for (const tile of others) counts.set(tile, (counts.get(tile) ?? 0) + 1);
  const left = tiles.filter((tile) => {
    const count = counts.get(tile) ?? 0;
    counts.set(tile, count - 1);
    return count <= 0;
  });
  return sorted(left, "colour");
}

function distinct(reasons: readonly Reason[]): Reason[] {
  return [...new Map(reasons.map((one) => [JSON.stringify(one), one])).values()];
}
