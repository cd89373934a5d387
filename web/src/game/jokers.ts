/**
 * The joker rules of `rules/jokers.py`, as far as the page can judge them: re-use, locked rows, and
 * rows that must not be taken apart.
 *
 * Tiles have ids here, so the re-use of jokers is exact. Whether a locked row was opened
 * correctly, or a special joker replaces another, only the server decides.
 */

import { isWithin, jokersOf, type Read, reasonFor, standsFor, standsIn } from "./reads";
import type { Reason } from "./rows";
import type { Rules } from "./rules";
import { isJoker, jokerKind, type Tile } from "./tiles";

const NEW_SET_RACK_TILES = 2;

export interface JokerVerdict {
  /** What is certainly wrong. */
  readonly reasons: readonly Reason[];
  /** Whether nothing else can be wrong. */
  readonly certain: boolean;
}

/** What the joker rules say of an opened player's turn; all rows are sets, no tile is missing. */
export function judgeJokers(
  rules: Rules,
  before: readonly Read[],
  after: readonly Read[],
): JokerVerdict {
  const touched = before.filter((row) => jokersOf(row).length > 0 && !liesOn(row, after));
  const reasons = rules.reuse === "any" ? [] : reuseReasons(rules, touched, before, after);
  const certain =
    !(rules.exchangeBan && touched.some((row) => mayBeExchanged(row, after))) &&
    !(rules.lockedSets && touched.some((row) => !after.some((target) => survives(row, target))));
  return { reasons, certain };
}

function liesOn(row: Read, after: readonly Read[]): boolean {
  return after.some(
    ({ tiles, readings }) =>
      tiles.join() === row.tiles.join() &&
      JSON.stringify(readings) === JSON.stringify(row.readings),
  );
}

/** A joker that now stands for something else has been taken back, and must lie in a new set. */
function reuseReasons(
  rules: Rules,
  touched: readonly Read[],
  before: readonly Read[],
  after: readonly Read[],
): Reason[] {
  const onlyOwn = rules.reuse === "other_set";
  const code = onlyOwn ? "joker-not-in-other-set" : "joker-not-in-new-set";
  const old = new Set(before.flatMap((row) => row.tiles));
  const reused: Reason[] = [];
  const lacking: Reason[] = [];
  for (const row of touched) {
    for (const joker of jokersOf(row)) {
      const target = after.find(({ tiles }) => tiles.includes(joker));
      if (!jokerKind(joker)!.wild || target === undefined) continue;
      const now = standsFor(target, joker);
      if (standsFor(row, joker).some((face) => now.includes(face))) continue;
      if ((onlyOwn ? [row] : before).some((one) => remainsIn(one, target))) {
        reused.push(reasonFor(code, target.tiles));
      }
      const fresh = target.tiles.filter((tile) => !old.has(tile)).length;
      if (rules.reuse === "new_set_rack2" && fresh < NEW_SET_RACK_TILES) {
        const params = { minimum: NEW_SET_RACK_TILES };
        lacking.push(reasonFor("joker-needs-rack-tiles", target.tiles, params));
      }
    }
  }
  return [...reused, ...lacking];
}

/** Whether a new row has all numbered tiles of an old one, at least two. */
function remainsIn(old: Read, target: Read): boolean {
  const shown = old.tiles.filter((tile) => !isJoker(tile));
  return shown.length >= 2 && isWithin(shown, target.tiles);
}

/** Whether a special joker may have replaced a joker that is elsewhere now. */
function mayBeExchanged(row: Read, after: readonly Read[]): boolean {
  return jokersOf(row).some((joker) => {
    const rest = row.tiles.filter((tile) => tile !== joker);
    const isRival = (tile: Tile) => {
      const kind = jokerKind(tile);
      return kind?.special && kind.wild && kind !== jokerKind(joker) && !rest.includes(tile);
    };
    return after.some(
      ({ tiles }) => isWithin(rest, tiles) && !tiles.includes(joker) && tiles.some(isRival),
    );
  });
}

/** Whether a locked row was only extended: its jokers mean what they meant, or less. */
function survives(old: Read, target: Read): boolean {
  const first = target.tiles.indexOf(old.tiles[0]!);
  const inOnePiece = old.tiles.every((tile, place) => target.tiles[first + place] === tile);
  if (!inOnePiece && !isWithin(old.tiles, target.tiles)) return false;
  return old.readings.some((reading) =>
    target.readings.some(
      (next) =>
        (inOnePiece || (isGroup(reading.kind) && isGroup(next.kind))) &&
        jokersOf(old).every((joker) =>
          isWithin(standsIn(target, next, joker), standsIn(old, reading, joker)),
        ),
    ),
  );
}

function isGroup(kind: string): boolean {
  return kind === "group" || kind === "mirror-group";
}

/** The indices of old rows that were neither left alone nor only extended, each in its own row. */
export function takenApart(before: readonly Read[], after: readonly Read[]): number[] {
  const taken = new Set<Read>();
  return [...before.keys()].filter((number) => {
    const home = after.find((row) => goesOn(before[number]!, row));
    if (home === undefined || taken.has(home)) return true;
    taken.add(home);
    return false;
  });
}

/** Whether the new row contains the old one unchanged, each joker with the same meaning. */
function goesOn(old: Read, row: Read): boolean {
  const found = row.tiles.filter((tile) => old.tiles.includes(tile));
  const key = found.join();
  const inAnyOrder = old.readings.some((reading) => isGroup(reading.kind));
  return (
    found.length === old.tiles.length &&
    (inAnyOrder || key === old.tiles.join() || key === [...old.tiles].reverse().join()) &&
    jokersOf(old).every((joker) => isWithin(standsFor(row, joker), standsFor(old, joker)))
  );
}
