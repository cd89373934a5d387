/** The player's actions on a table: pure functions from one state to the next. */

import type { As } from "../game/declarations";
import { relaid } from "../game/declarations";
import { adopt, type Draft, move, type Place, rowOf, sortRack, split } from "../game/draft";
import * as history from "../game/history";
import { readRow } from "../game/rows";
import type { Rules } from "../game/rules";
import { facesOf, type Order, type Tile } from "../game/tiles";
import type { Declared, Table } from "../game/turn";
import { arrange, type Spot } from "./layout";
import { draftOf, rowKey, type TableState } from "./state";

/** Move tiles; `spot` is where on the free table they are put. */
export function moveTiles(
  state: TableState,
  tiles: readonly Tile[],
  place: Place,
  spot?: Spot,
): TableState {
  if (!mayMove(state, tiles, place)) return state;
  const before = draftOf(state);
  const moved = move(before, state.position, tiles, place);
  if (moved === before) return state;
  const after = splitAround(state.position.rules, moved, tiles);
  const touched = rowOf(after, tiles[0]!);
  const next = change(state, after, touched?.id, place.to === "table" ? spot : undefined);
  return { ...next, selected: [] };
}

/** A rack may be sorted at any time; the table changes only in the player's own turn. */
function mayMove({ position, ...state }: TableState, tiles: readonly Tile[], place: Place) {
  if (position.you === null) return false;
  if (position.myTurn) return true;
  const rack = new Set(state.history.present.rack);
  return place.to === "rack" && tiles.every((tile) => rack.has(tile));
}

/** Tiles put into the middle of a row where they do not fit may cut it into two sets. */
function splitAround(rules: Rules, draft: Draft, tiles: readonly Tile[]): Draft {
  const isSet = (row: readonly Tile[]) => readRow(rules, facesOf(row)).kind !== null;
  const row = rowOf(draft, tiles[0]!);
  if (row === undefined || isSet(row.tiles)) return draft;
  const first = row.tiles.indexOf(tiles[0]!);
  const cut = [first, first + tiles.length].find(
    (at) => isSet(row.tiles.slice(0, at)) && isSet(row.tiles.slice(at)),
  );
  return cut === undefined ? draft : split(draft, row.id, cut);
}

export function splitRow(state: TableState, row: number, index: number): TableState {
  if (!state.position.myTurn) return state;
  const after = split(draftOf(state), row, index);
  return after === draftOf(state) ? state : change(state, after, row);
}

export function sortTiles(state: TableState, order: Order): TableState {
  return change(state, sortRack(draftOf(state), order));
}

export function undo(state: TableState): TableState {
  return step(state, history.undo(state.history));
}

export function redo(state: TableState): TableState {
  return step(state, history.redo(state.history));
}

/** Take back the whole turn; that too can be undone. */
export function reset(state: TableState): TableState {
  const next = step(state, history.startAnew(state.history, state.position));
  return { ...next, declared: new Map(), refusal: null };
}

/** Select a tile, or deselect it; `more` keeps those that are selected already. */
export function select(state: TableState, tile: Tile, more: boolean): TableState {
  const { selected } = state;
  if (selected.includes(tile)) {
    return { ...state, selected: selected.filter((each) => each !== tile) };
  }
  return { ...state, selected: more ? [...selected, tile] : [tile] };
}

export function declare(state: TableState, tiles: readonly Tile[], as: As): TableState {
  return { ...state, declared: new Map(state.declared).set(rowKey(tiles), as) };
}

/** Lay out a whole table of the same tiles; one that does not fit is ignored. */
export function layOut(state: TableState, table: Table): TableState {
  if (!state.position.myTurn) return state;
  const next = adopt(draftOf(state), state.position, table);
  return next === undefined ? state : change(state, next);
}

/** Lay the table out as it is after a number of steps of the hint. */
export function showStep(state: TableState, number: number): TableState {
  const { hint } = state;
  if (hint === null || !state.position.myTurn) return state;
  const { steps, declared } = hint.found;
  const info = steps[number - 1];
  const laid = info === undefined ? reset(state) : layOut(state, info.table);
  const next = number === steps.length ? declareAs(laid, declared) : laid;
  return { ...next, hint: { ...hint, step: info === undefined ? 0 : number } };
}

/** Declare rows by their tiles, in any order. */
function declareAs(state: TableState, declared: Declared = []): TableState {
  const said = new Map(state.declared);
  for (const { set, as } of declared) {
    const row = draftOf(state).rows.find(({ tiles }) => sameTiles(tiles, set));
    if (row !== undefined) said.set(rowKey(row.tiles), relaid(as, set, row.tiles));
  }
  return { ...state, declared: said };
}

function sameTiles(one: readonly Tile[], other: readonly Tile[]): boolean {
  return [...one].sort().join() === [...other].sort().join();
}

/** Arrange the rows on a table with this number of columns. */
export function fitColumns(state: TableState, columns: number): TableState {
  return arranged({ ...state, columns });
}

function change(state: TableState, draft: Draft, touched?: number, spot?: Spot): TableState {
  return {
    ...step(state, history.step(state.history, draft), touched, spot),
    refusal: null,
  };
}

/** The state with another draft; `touched` is the row that a hand has changed. */
export function step(
  state: TableState,
  next: history.History,
  touched?: number,
  spot?: Spot,
): TableState {
  const changed = { ...state, history: next, objection: null, latest: touched ?? null };
  return arranged(changed, touched, spot);
}

export function arranged(state: TableState, touched?: number, spot?: Spot): TableState {
  const rows = draftOf(state).rows.map((row) => ({ id: row.id, length: row.tiles.length }));
  return { ...state, places: arrange(state.places, rows, state.columns, touched, spot) };
}
