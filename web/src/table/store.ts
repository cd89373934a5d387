/**
 * The store of a table: holds its state in a signal and gives every part of it as a signal of its
 * own, so that a change renders only what depends on it.
 *
 * A step is drawn in two frames: first the tiles, then their verdict (decision 013).
 */

import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { afterFrame } from "../frames";
import type { As } from "../game/declarations";
import { type Draft, isTouched, onRack, type Place } from "../game/draft";
import { fetchNaming } from "../game/reads";
import type { Reason } from "../game/rows";
import type { Order, Tile } from "../game/tiles";
import * as sound from "../sound";
import type { Places, Spot } from "./layout";
import * as moves from "./moves";
import { draftOf, emptyTable, type TablePosition, type TableState } from "./state";
import { judge, objectionTo } from "./verdicts";

/** The draft that is judged, and where its rows lie. */
export interface Settled {
  readonly draft: Draft;
  readonly places: Places;
}

const RETRY_AFTER = 2_000;

export class TableStore {
  private readonly value = signal<TableState>(emptyTable());
  /** Cancels the settling that is scheduled. */
  private unsettled: (() => void) | null = null;
  /** Whether the code that reads named jokers is loaded. */
  private readonly isNaming = signal(false);

  readonly state: ReadonlySignal<TableState> = this.value;
  readonly position = computed(() => this.value.value.position);
  readonly draft = computed(() => draftOf(this.value.value));
  readonly places = computed(() => this.value.value.places);
  readonly columns = computed(() => this.value.value.columns);
  readonly latest = computed(() => this.value.value.latest);
  readonly selected = computed(() => this.value.value.selected);
  readonly declared = computed(() => this.value.value.declared);
  readonly highlights = computed(() => this.value.value.highlights);
  readonly hint = computed(() => this.value.value.hint);
  readonly objection = computed(() => this.value.value.objection);
  readonly refusal = computed(() => this.value.value.refusal);
  readonly you = computed(() => this.position.value.you);
  readonly myTurn = computed(() => this.position.value.myTurn);

  // The verdict, one frame after the draft is drawn
  readonly settled = signal<Settled>({ draft: this.draft.peek(), places: this.places.peek() });
  readonly canUndo = signal(false);
  readonly canRedo = signal(false);
  readonly touched = computed(() => isTouched(this.settled.value.draft, this.position.value));
  readonly preview = computed(() => {
    this.isNaming.value;
    const state = { position: this.position.value, declared: this.declared.value };
    return judge(state, this.settled.value.draft);
  });

  constructor(state?: TableState) {
    if (state !== undefined) this.replace(() => state);
  }

  /** Change the state. The draft is judged after the next frame. */
  update(change: (state: TableState) => TableState): void {
    const before = this.value.peek();
    const next = change(before);
    this.value.value = next;
    if (next.history !== before.history || next.places !== before.places) {
      this.unsettled ??= afterFrame(() => this.settle());
    }
    if (next.position !== before.position) this.prepare(next.position);
  }

  /** Change the state, and judge it at once: a new position and an old draft do not go together. */
  replace(change: (state: TableState) => TableState): void {
    batch(() => {
      this.update(change);
      this.settle();
    });
  }

  /** Judge the draft now instead of after the next frame. */
  settle(): void {
    if (this.unsettled === null) return;
    this.unsettled();
    this.unsettled = null;
    const { history, places } = this.value.peek();
    batch(() => {
      this.settled.value = { draft: history.present, places };
      this.canUndo.value = history.past.length > 0;
      this.canRedo.value = history.future.length > 0;
    });
  }

  /** Cancel what is scheduled; from now on only `settle` judges. */
  close(): void {
    this.unsettled?.();
  }

  // Actions of hands, keys and buttons

  move(tiles: readonly Tile[], place: Place, spot?: Spot): void {
    const before = this.value.peek();
    this.update((state) => moves.moveTiles(state, tiles, place, spot));
    if (this.value.peek() !== before) sound.click();
  }

  split(row: number, index: number): void {
    this.update((state) => moves.splitRow(state, row, index));
  }

  sort(order: Order): void {
    this.update((state) => moves.sortTiles(state, order));
    sound.click(0.15);
  }

  undo(): void {
    this.update(moves.undo);
  }

  redo(): void {
    this.update(moves.redo);
  }

  reset(): void {
    this.update(moves.reset);
  }

  select(tile: Tile, more: boolean): void {
    this.update((state) => moves.select(state, tile, more));
  }

  selectOnly(tiles: readonly Tile[]): void {
    this.update((state) => ({ ...state, selected: tiles }));
  }

  declare(tiles: readonly Tile[], as: As): void {
    this.update((state) => moves.declare(state, tiles, as));
  }

  showStep(step: number): void {
    this.update((state) => moves.showStep(state, step));
  }

  closeHint(): void {
    this.update((state) => ({ ...state, hint: null }));
  }

  fitColumns(columns: number): void {
    this.replace((state) => moves.fitColumns(state, columns));
  }

  /** Find the fault of the draft, show it, and return it; null where none is known. */
  object(): Reason | null {
    this.settle();
    const objection = objectionTo(this.preview.value);
    this.update((state) => ({ ...state, objection }));
    if (objection !== null) sound.refused();
    return objection;
  }

  /**
   * Run through a step without showing it, so that browsers compile the code before a player waits
   * for it.
   */
  rehearse(): void {
    const now = this.value.peek();
    const draft = draftOf(now);
    const [tile] = onRack(draft);
    if (tile === undefined) return;
    const [row] = draft.rows;
    const place: Place = row ? { to: "row", row: row.id, index: 1 } : { to: "table" };
    const state = { ...now, position: { ...now.position, myTurn: true } };
    const after = moves.moveTiles(state, [tile], place);
    judge(after, draftOf(after));
  }

  /** Load the code that reads named jokers, where a position needs it. */
  private prepare({ rules, declared }: TablePosition): void {
    if (rules.declare !== "position" || declared?.length) this.loadNaming();
  }

  private loadNaming(): void {
    fetchNaming().then(
      () => {
        this.isNaming.value = true;
      },
      () => setTimeout(() => this.loadNaming(), RETRY_AFTER),
    );
  }
}
