/** New positions of a table: pure functions from one state to the next. */

import type { As } from "../game/declarations";
import { type Draft, EMPTY, follow } from "../game/draft";
import { begin, homes } from "../game/history";
import { moved } from "../game/moved";
import type { Tile } from "../game/tiles";
import type { Declared } from "../game/turn";
import type { LastTurn } from "../generated/wire";
import type { Spot } from "./layout";
import { arranged, layOut, step } from "./moves";
import { draftOf, type Highlights, rowKey, type TablePosition, type TableState } from "./state";

/** How a position came about. */
export interface Arrival {
  /** The turn that led to it. */
  readonly last?: LastTurn | null | undefined;
  /** Whether nothing is highlighted: a deal, or a jump to another moment of the game. */
  readonly isQuiet: boolean;
}

/** The table after a turn. The rack keeps its arrangement; draft and history start over. */
export function advance(
  state: TableState,
  position: TablePosition,
  { last, isQuiet }: Arrival,
): TableState {
  const isMine = last?.seat === position.you;
  const next = follow(draftOf(state), position, homes(state.history));
  const hasPlayed = !isQuiet && isMine && last?.action === "played";
  const draft = hasPlayed ? { ...next, rack: withoutGaps(next.rack) } : next;
  const highlights = highlightsOf(state, position, { last, isQuiet });
  return { ...rebase(state, position, draft), highlights, declared: saidOf(position.declared) };
}

/** The table on another position, with a new draft: everything about the old one is dropped. */
export function rebase(state: TableState, position: TablePosition, draft: Draft): TableState {
  const fresh = { ...state, position, selected: [], hint: null, refusal: null };
  return step(fresh, begin(draft));
}

function highlightsOf(
  state: TableState,
  position: TablePosition,
  { last, isQuiet }: Arrival,
): Highlights {
  const { fresh, earlier, drawn } = state.highlights;
  const isMine = last?.seat === position.you;
  // The turns of others add up until the player's own turn is over.
  const addsUp = !isQuiet && !isMine && position.you !== null;
  const had = new Set(state.position.rack);
  const elsewhere = isQuiet ? [] : moved(state.position.table, position.table);
  return {
    drawn: new Set(
      position.rack.filter((tile) => (had.has(tile) ? addsUp && drawn.has(tile) : !isQuiet)),
    ),
    earlier: new Set(addsUp && fresh.from !== null ? [...earlier, ...fresh.tiles] : []),
    fresh: {
      tiles: new Set(isMine ? (last?.tiles ?? []) : elsewhere),
      from: isMine ? null : (last?.seat ?? null),
    },
  };
}

/** The table with a draft that was laid out elsewhere: in another tab, or before a reload. */
export function adoptDraft(
  state: TableState,
  table: readonly (readonly Tile[])[],
  declared: Declared | undefined,
): TableState {
  const next = layOut(state, table);
  return next === state ? state : { ...next, declared: saidOf(declared) };
}

/** The table with its rack in a stored arrangement. */
export function withRack(state: TableState, rack: readonly (Tile | null)[]): TableState {
  return rebase(state, state.position, { ...EMPTY, rack });
}

/** The arrangement of a table: the spots of its rows, by their tiles. */
export interface Arrangement {
  readonly spots: Readonly<Record<string, Spot>>;
  /** 0 where it is unknown. */
  readonly columns: number;
}

export function arrangementOf(state: TableState): Arrangement {
  const spots: Record<string, Spot> = {};
  for (const row of draftOf(state).rows) {
    const spot = state.places.get(row.id);
    if (spot !== undefined) spots[rowKey(row.tiles)] = spot;
  }
  return { spots, columns: state.columns };
}

/** Put rows where an arrangement has them. */
export function withArrangement(state: TableState, { spots, columns }: Arrangement): TableState {
  const sized = columns > 0 ? { ...state, columns } : state;
  const known = draftOf(sized).rows.flatMap((row): [number, Spot][] => {
    const spot = spots[rowKey(row.tiles)];
    return spot === undefined ? [] : [[row.id, spot]];
  });
  return known.length === 0 ? sized : arranged({ ...sized, places: new Map(known) });
}

function saidOf(declared: Declared = []): Map<string, As> {
  return new Map(declared.map(({ set, as }) => [rowKey(set), as]));
}

/** A rack whose gaps are at most one place wide. */
function withoutGaps(rack: readonly (Tile | null)[]): (Tile | null)[] {
  return rack.filter((tile, place) => tile !== null || (place > 0 && rack[place - 1] !== null));
}
