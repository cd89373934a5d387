/**
 * One place at a table, as this browser sees it: what the server says, and the turn being laid out.
 *
 * Everything that a hand can do, by mouse, touch or keyboard, is a method here.
 */

import { batch, computed, effect, signal } from "@preact/signals";
import { afterFrame } from "../frames";
import {
  adopt,
  type Base,
  type Draft,
  EMPTY,
  follow,
  isTouched,
  move,
  onRack,
  type Place,
  rowOf,
  sameTable,
  sortRack,
  split,
  tableOf,
} from "../game/draft";
import { EDITIONS, optionIn, USUAL } from "../game/editions";
import * as history from "../game/history";
import { moved } from "../game/moved";
import type { As } from "../game/names";
import { fetchNaming, relaid } from "../game/reads";
import { type Reason, readRow } from "../game/rows";
import { rulesFor } from "../game/rules";
import { facesOf, type Order, type Tile } from "../game/tiles";
import { type Declared, type Position, preview, type Table, withDefaults } from "../game/turn";
import type { DraftInfo, HintOut, LastTurn, Refused } from "../generated/wire";
import * as sound from "../sound";
import { recall, remember } from "../storage";
import { arrange, type Places, type Spot } from "../table/layout";
import {
  type Answer,
  type Command,
  Connection,
  type ConnectionState,
  type MissedPlay,
} from "./connection";
import { DraftSync, type Laid } from "./draftSync";
import { fold, fromSnapshot, type RoomState } from "./roomState";
import { type Remembered, TabMemory } from "./tabMemory";

export interface Flight {
  /** Tiles that lie elsewhere than before, or are new here. */
  readonly tiles: ReadonlySet<Tile>;
  /** The seat they come from, if they are new. */
  readonly from: number | null;
}

/** What the server advises, and how much of it is shown: the steps so far in the third stage. */
export interface Help {
  readonly found: HintOut;
  readonly stage: number;
  readonly step: number;
}

export interface Settled {
  readonly draft: Draft;
  readonly places: Places;
}

/** Whether the server looks for advice, and whether that waits for others. */
export type Asking = "no" | "asked" | "queued";

export class Seat {
  readonly roomState = signal<RoomState | null>(null);
  readonly connectionState = signal<ConnectionState>("connecting");
  readonly draft = signal<Draft>(EMPTY);
  /** The draft that is judged: what lies there or, until its picture is drawn, what lay there before. */
  readonly settled = signal<Settled>({ draft: EMPTY, places: new Map() });
  readonly places = signal<Places>(new Map());
  readonly columns = signal(24);
  /** The row that was touched last. */
  readonly latest = signal<number | null>(null);
  readonly selected = signal<readonly Tile[]>([]);
  readonly declared = signal<ReadonlyMap<string, As>>(new Map());
  /** Whether what reads named jokers is there. */
  private readonly isNaming = signal(false);
  /** What the last turns changed, to be seen for a while. */
  readonly fresh = signal<Flight>({ tiles: new Set(), from: null });
  /** What the others changed before that, since one's own turn. */
  readonly earlier = signal<ReadonlySet<Tile>>(new Set());
  /** What came onto the rack since one's own turn began. */
  readonly drawn = signal<ReadonlySet<Tile>>(new Set());
  /** The turns of this game, as far as they were seen here; the last one last. */
  readonly story = signal<readonly LastTurn[]>([]);
  readonly refusal = signal<Refused | null>(null);
  /** What is wrong with the draft, once somebody has tried to play it. */
  readonly objection = signal<Reason | null>(null);
  readonly busy = signal(false);
  readonly hint = signal<Help | null>(null);
  readonly asking = signal<Asking>("no");
  /** What could still have been played when the game ended. */
  readonly missed = signal<readonly MissedPlay[]>([]);
  /** Steps of undo and redo that there are. */
  readonly canUndo = signal(false);
  readonly canRedo = signal(false);
  readonly connection: Connection;

  private history = history.begin();
  /** Calls off what is going to be settled. */
  private unsettled: (() => void) | null = null;
  /** Counts what was asked for advice, so that an answer about another table is not shown. */
  private question = 0;
  /** Whether something happened that is not known. */
  private hasGap = false;
  private readonly memory: TabMemory;
  private readonly draftSync: DraftSync;
  private readonly stop: () => void;

  constructor(
    readonly code: string,
    url: string,
  ) {
    this.memory = new TabMemory(code);
    this.connection = new Connection(url, {
      version: () => (this.hasGap ? 0 : (this.roomState.value?.version ?? 0)),
      snapshot: (message) => {
        this.hasGap = false;
        this.take(fromSnapshot(message), true);
      },
      events: (message) => {
        const state = this.roomState.value;
        this.hasGap = message.version !== (state?.version ?? 0) + message.events.length;
        if (state === null || this.hasGap) return false;
        for (const event of message.events) {
          const before = this.roomState.value!;
          this.take(fold(before, event), false);
          if (event.type === "created") this.seed();
        }
        return true;
      },
      draft: (draft) => this.takeDraft(draft),
      state: (state) => {
        this.connectionState.value = state;
        if (state === "lost") this.draftSync.lost();
        if (state === "open") this.draftSync.changed();
      },
    });
    this.draftSync = new DraftSync({
      laid: () => this.laid(),
      deadline: () => {
        const deadline = this.game.value?.deadline ?? null;
        return deadline === null ? null : deadline - this.connection.ahead;
      },
      send: (message) => this.connection.send(message),
    });
    // What is laid out in this turn is mirrored, for the clock and for other tabs; how it is
    // arranged is nobody's business but this tab's.
    this.stop = effect(() => {
      if (this.rules.value.declare !== "position" || this.game.value?.declared?.length) {
        this.fetchNaming();
      }
      this.draft.value;
      this.declared.value;
      this.story.value;
      if (this.myTurn.value) this.draftSync.changed();
      const game = this.game.value?.commitment;
      if (game !== undefined) this.memory.keep(game, () => this.remembered());
    });
  }

  open(): void {
    addEventListener("pagehide", this.hide);
    document.addEventListener("visibilitychange", this.hide);
    this.connection.open();
  }

  close(): void {
    this.stop();
    this.unsettled?.();
    this.memory.write();
    removeEventListener("pagehide", this.hide);
    document.removeEventListener("visibilitychange", this.hide);
    this.draftSync.close();
    this.connection.close();
  }

  /** Whoever reloads the page, or whose phone closes it, finds what was laid. */
  private readonly hide = (): void => {
    this.draftSync.tell();
    this.memory.write();
  };

  // What follows from what is known

  readonly room = computed(() => this.roomState.value?.room ?? null);
  readonly game = computed(() => this.room.value?.game ?? null);
  readonly you = computed(() => this.roomState.value?.you ?? null);

  readonly myTurn = computed(() => {
    const game = this.game.value;
    const room = this.room.value;
    return (
      room !== null &&
      game !== null &&
      room.phase === "playing" &&
      room.paused == null &&
      game.current === this.you.value
    );
  });

  readonly rules = computed(() => {
    const settings = this.room.value?.settings;
    return rulesFor(EDITIONS, settings?.edition ?? USUAL, settings?.options ?? {});
  });

  /** Whether the pool is empty and only a player who cannot play may pass. */
  readonly mustPlay = computed(
    () =>
      this.myTurn.value &&
      (this.game.value?.pool ?? 0) === 0 &&
      optionIn(this.room.value!.settings, "empty_pool.pass") === "forced_if_able",
  );

  /** Whether the server gives advice now: a player who must play is always shown how. */
  readonly mayAsk = computed(() => this.room.value?.settings.hints || this.mustPlay.value);

  /** What a joker left on the rack costs. */
  readonly jokerPenalty = computed(() =>
    Number(optionIn(this.room.value?.settings ?? {}, "joker.rack_penalty")),
  );

  readonly base = computed<Base>(() => {
    const game = this.game.value;
    return { table: game?.table ?? [], rack: game?.rack ?? [] };
  });

  readonly touched = computed(() => isTouched(this.settled.value.draft, this.base.value));

  readonly preview = computed(() => this.judged(this.settled.value.draft));

  private judged(draft: Draft) {
    this.isNaming.value;
    return preview(this.rules.value, this.position(), tableOf(draft), this.declaredRows(draft));
  }

  private fetchNaming(): void {
    fetchNaming().then(
      () => {
        this.isNaming.value = true;
      },
      () => setTimeout(() => this.fetchNaming(), AGAIN_AFTER),
    );
  }

  private position(): Position {
    const game = this.game.value;
    const you = this.you.value;
    const { table, rack } = this.base.value;
    return {
      table,
      rack,
      opened: you !== null && (game?.opened?.[you] ?? false),
      manipulation: game?.manipulation ?? true,
      declared: game?.declared ?? [],
    };
  }

  /**
   * Go through a step in mind. Browsers take their time for code that runs for the first time, and
   * should do so before somebody waits for it.
   */
  rehearse(): void {
    const draft = this.draft.peek();
    const [tile] = onRack(draft);
    if (tile === undefined) return;
    const [row] = draft.rows;
    const place: Place = row ? { to: "row", row: row.id, index: 1 } : { to: "table" };
    const after = this.splitAt(move(draft, this.base.peek(), [tile], place), [tile]);
    this.judged(after);
  }

  // What hands do

  /** Move tiles; `spot` is where on the free table they were put. */
  move(tiles: readonly Tile[], place: Place, spot?: Spot): void {
    if (!this.mayMove(tiles, place)) return;
    const before = this.draft.value;
    const moved = move(before, this.base.value, tiles, place);
    if (moved === before) return;
    const after = this.splitAt(moved, tiles);
    const touched = after.rows.find((row) => row.tiles.includes(tiles[0]!));
    batch(() => {
      this.change(after, touched?.id, place.to === "table" ? spot : undefined);
      this.selected.value = [];
    });
    sound.click();
  }

  /** A tile that is put into the middle of a row, where it does not fit, may make two rows of it. */
  private splitAt(draft: Draft, tiles: readonly Tile[]): Draft {
    const row = rowOf(draft, tiles[0]!);
    if (row === undefined || this.isSet(row.tiles)) return draft;
    const first = row.tiles.indexOf(tiles[0]!);
    const cut = [first, first + tiles.length].find(
      (at) => this.isSet(row.tiles.slice(0, at)) && this.isSet(row.tiles.slice(at)),
    );
    return cut === undefined ? draft : split(draft, row.id, cut);
  }

  private isSet(tiles: readonly Tile[]): boolean {
    return readRow(this.rules.value, facesOf(tiles)).kind !== null;
  }

  split(row: number, index: number): void {
    if (!this.myTurn.value) return;
    const after = split(this.draft.value, row, index);
    if (after !== this.draft.value) this.change(after, row);
  }

  sort(order: Order): void {
    this.change(sortRack(this.draft.value, order));
    sound.click(0.15);
  }

  undo(): void {
    this.step(history.undo(this.history));
  }

  redo(): void {
    this.step(history.redo(this.history));
  }

  reset(): void {
    batch(() => {
      this.step(history.startAnew(this.history, this.base.value));
      this.declared.value = new Map();
      this.refusal.value = null;
    });
  }

  select(tile: Tile, more: boolean): void {
    const chosen = this.selected.value;
    if (chosen.includes(tile)) this.selected.value = chosen.filter((each) => each !== tile);
    else this.selected.value = more ? [...chosen, tile] : [tile];
  }

  declare(tiles: readonly Tile[], as: As): void {
    this.declared.value = new Map(this.declared.value).set(tiles.join(" "), as);
  }

  /** Others may look at the rack at any time, but the table moves only in one's own turn. */
  private mayMove(tiles: readonly Tile[], place: Place): boolean {
    if (this.you.value === null) return false;
    if (this.myTurn.value) return true;
    const rack = new Set(this.draft.value.rack);
    return place.to === "rack" && tiles.every((tile) => rack.has(tile));
  }

  // What is asked of the server

  /** What is surely wrong is not handed in: the reason is shown, and given back. */
  object(): Reason | null {
    this.settle();
    const { verdict, reasons } = this.preview.value;
    const reason = verdict === "not-ok" ? (reasons[0] ?? null) : null;
    this.objection.value = reason;
    if (reason !== null) sound.refused();
    return reason;
  }

  async play(): Promise<void> {
    const game = this.game.value;
    if (game === null || !this.myTurn.value) return;
    const before = this.base.value.table;
    const table = tableOf(this.draft.value);
    const declared = this.declaredRows(this.draft.value);
    const isPlayed = await this.turn({ type: "play", turn: game.turn ?? 0, table, declared });
    const kept = new Set(table.map((row) => row.join()));
    if (isPlayed && before.some((row) => !kept.has(row.join())))
      remember("local", REARRANGED, "yes");
  }

  /** Whoever has laid something does not mean to. */
  async draw(): Promise<void> {
    const game = this.game.value;
    this.settle();
    if (game === null || !this.myTurn.value || this.touched.value) return;
    const type = (game.pool ?? 0) > 0 ? "draw" : "pass";
    await this.turn({ type, turn: game.turn ?? 0 });
  }

  /** Whether it counts. */
  private async turn(command: Command): Promise<boolean> {
    if (this.busy.value) return false;
    this.busy.value = true;
    this.refusal.value = null;
    const answer = await this.connection.command(command);
    this.busy.value = false;
    if (answer.ok) return true;
    sound.refused();
    this.refusal.value = answer.refused ?? {
      type: "refused",
      re: "",
      code: answer.code,
      message: answer.code,
    };
    return false;
  }

  ask(command: Command): Promise<Answer> {
    return this.connection.command(command);
  }

  /** The next stage of help: how many tiles, which, how. One's own hands may go on meanwhile. */
  async help(stage = 1): Promise<void> {
    const now = this.hint.value;
    if (now !== null && now.found.turn === this.game.value?.turn) {
      this.hint.value = { ...now, stage: Math.min(3, Math.max(stage, now.stage + 1)) };
      return;
    }
    if (this.asking.value !== "no") return;
    const question = ++this.question;
    this.asking.value = "asked";
    this.refusal.value = null;
    const answer = await this.connection.command(
      { type: "hint" },
      {
        onQueued: () => {
          if (question === this.question) this.asking.value = "queued";
        },
      },
    );
    // What comes after the clock has ended the turn is about a table that is gone.
    if (question !== this.question) return;
    this.asking.value = "no";
    const found = answer.ok ? answer.hint : undefined;
    if (found !== undefined && found.turn === this.game.value?.turn) {
      this.hint.value = { found, stage: found.tiles === 0 ? 1 : stage, step: 0 };
    } else if (!answer.ok && answer.refused) this.refusal.value = answer.refused;
  }

  /** Help in stages, or all of it where a room without hints gives it to a player who must play. */
  advise(): Promise<void> {
    return this.mustPlay.value && !this.room.value?.settings.hints ? this.showMe() : this.help();
  }

  /** All of the help at once. */
  showMe(): Promise<void> {
    return this.help(3);
  }

  /**
   * Ask what could still have been played, where a game ended although a player may have been able.
   * All who were in the game ask at the same moment, so a solver that is busy is asked again.
   */
  async askMissed(): Promise<void> {
    const game = this.game.value;
    if (!MAYBE_MISSED.has(game?.final?.end ?? "")) return;
    for (let left = MISSED_TRIES; left > 0; left--) {
      const answer = await this.connection.command({ type: "missed" }, { within: MISSED_WITHIN });
      if (this.game.value?.commitment !== game?.commitment) return;
      if (answer.ok) this.missed.value = answer.missed?.plays ?? [];
      if (answer.ok || !TRY_AGAIN.has(answer.code)) return;
      await new Promise((wait) => setTimeout(wait, MISSED_AGAIN * (0.5 + Math.random())));
    }
  }

  /** Lay the table out as it is after so many steps of the hint. */
  showStep(step: number): void {
    const now = this.hint.value;
    if (now === null || !this.myTurn.value) return;
    batch(() => {
      const info = now.found.steps[step - 1];
      if (info === undefined) this.reset();
      else this.follow(info.table);
      if (step === now.found.steps.length) this.declareAs(now.found.declared);
      this.hint.value = { ...now, step: info === undefined ? 0 : step };
    });
  }

  /** Say what was said of rows of the same tiles, in whichever order they lie now. */
  private declareAs(declared: Declared = []): void {
    const said = new Map(this.declared.value);
    for (const { set, as } of declared) {
      const row = this.draft.value.rows.find(({ tiles }) => sameTiles(tiles, set));
      if (row !== undefined) said.set(row.tiles.join(" "), relaid(as, set, row.tiles));
    }
    this.declared.value = said;
  }

  follow(table: Table): void {
    if (!this.myTurn.value) return;
    const next = adopt(this.draft.value, this.base.value, table);
    if (next !== undefined) this.change(next);
  }

  private seed(): void {
    if (this.you.value === null) return;
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const seed = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    void this.connection.command({ type: "seed", seed });
  }

  // What the server says

  private take(state: RoomState, whole: boolean): void {
    const before = this.roomState.value;
    batch(() => {
      this.roomState.value = state;
      const game = state.room.game;
      const old = before?.room.game ?? null;
      if (game == null) {
        this.rebase(EMPTY);
        return;
      }
      const isNew = old?.commitment !== game.commitment;
      const found = isNew ? this.memory.of(game.commitment) : null;
      if (found !== null) {
        this.rebase({ ...EMPTY, rack: found.rack });
        this.story.value = found.story;
      }
      const dealt = isNew || old?.phase !== game.phase || before?.you !== state.you;
      const turned = dealt || old.turn !== game.turn;
      // What ends a game, or makes one a spectator, comes after a turn and is none.
      if (old?.turn !== game.turn && game.last != null) this.tell(game.last, whole);
      if (turned) this.turned(state, dealt || whole, old?.table ?? [], old?.rack ?? []);
      if (whole && state.room.draft != null && state.room.draft.turn === game.turn) {
        this.takeDraft(state.room.draft);
      }
      if (found !== null) this.layAsBefore(found);
      if (whole && game.phase === "waiting") {
        if (state.you !== null && game.seeds[state.you] == null) this.seed();
      }
    });
    if (turnsToMe(before, state)) sound.yourTurn();
    if (!whole && goesOut(before, state)) sound.out();
  }

  /** What a snapshot says happened last may have been seen before. */
  private tell(last: LastTurn, whole: boolean): void {
    const isKnown = whole && JSON.stringify(this.story.value.at(-1)) === JSON.stringify(last);
    if (!isKnown) this.story.value = [...this.story.value, last];
  }

  private remembered(): Remembered {
    const { rack, rows } = this.draft.value;
    const spots: Record<string, Spot> = {};
    for (const row of rows) {
      const spot = this.places.value.get(row.id);
      if (spot !== undefined) spots[row.tiles.join(" ")] = spot;
    }
    return { rack, spots, columns: this.columns.value, story: this.story.value };
  }

  /** Rows that lay there before the page was left lie where they lay. */
  private layAsBefore({ spots, columns }: Remembered): void {
    if (columns > 0) this.columns.value = columns;
    const known = this.draft.value.rows.flatMap((row): [number, Spot][] => {
      const spot = spots[row.tiles.join(" ")];
      return spot === undefined ? [] : [[row.id, spot]];
    });
    if (known.length === 0) return;
    this.places.value = new Map(known);
    this.place();
    this.settle();
  }

  private turned(state: RoomState, quiet: boolean, table: Table, rack: readonly Tile[]): void {
    const game = state.room.game!;
    const base = this.base.value;
    const mine = game.last?.seat === state.you;
    const had = new Set(rack);
    const elsewhere = quiet ? [] : moved(table, game.table ?? []);
    if (!quiet && elsewhere.length > 0 && !mine) sound.click(0.2);
    const isSince = !quiet && !mine && state.you !== null;
    const { tiles: last, from } = this.fresh.value;
    this.drawn.value = new Set(
      base.rack.filter((tile) => (had.has(tile) ? isSince && this.drawn.value.has(tile) : !quiet)),
    );
    this.earlier.value = new Set(isSince && from !== null ? [...this.earlier.value, ...last] : []);
    this.fresh.value = {
      tiles: new Set(mine ? (game.last?.tiles ?? []) : elsewhere),
      from: mine ? null : (game.last?.seat ?? null),
    };
    this.declared.value = saidOf(game.declared);
    const next = follow(this.draft.value, base, history.homes(this.history));
    // What was played leaves no holes behind.
    const hasPlayed = !quiet && mine && game.last?.action === "played";
    this.rebase(hasPlayed ? { ...next, rack: closed(next.rack) } : next);
    this.draftSync.begin();
  }

  private takeDraft({ table, declared, turn }: DraftInfo): void {
    if (this.game.value?.turn !== turn || !this.myTurn.value) return;
    if (!this.draftSync.heard({ table, declared: declared ?? [], turn })) return;
    if (sameTable(table, tableOf(this.draft.value))) return;
    const next = adopt(this.draft.value, this.base.value, table);
    if (next === undefined) return;
    this.change(next);
    this.declared.value = saidOf(declared);
  }

  // The draft and its history

  private change(next: Draft, touched?: number, spot?: Spot): void {
    this.step(history.step(this.history, next), touched, spot);
    this.refusal.value = null;
  }

  private rebase(next: Draft): void {
    this.selected.value = [];
    this.hint.value = null;
    this.asking.value = "no";
    this.question += 1;
    this.missed.value = [];
    this.refusal.value = null;
    this.step(history.begin(next));
    this.settle();
  }

  private step(next: history.History, touched?: number, spot?: Spot): void {
    this.history = next;
    batch(() => {
      this.objection.value = null;
      this.draft.value = next.present;
      this.latest.value = touched ?? null;
      this.place(touched, spot);
    });
  }

  /** Judge what lies there now, and not only when its picture is drawn. */
  settle(): void {
    if (this.unsettled === null) return;
    this.unsettled();
    this.unsettled = null;
    batch(() => {
      this.settled.value = { draft: this.draft.value, places: this.places.value };
      this.canUndo.value = this.history.past.length > 0;
      this.canRedo.value = this.history.future.length > 0;
    });
  }

  /** Lay the rows out anew, for this many columns. */
  place(touched?: number, spot?: Spot): void {
    const rows = this.draft.value.rows.map((row) => ({ id: row.id, length: row.tiles.length }));
    this.places.value = arrange(this.places.value, rows, this.columns.value, touched, spot);
    this.unsettled ??= afterFrame(() => this.settle());
  }

  /** What lies there in one's own turn. */
  private laid(): Laid | null {
    const turn = this.game.value?.turn;
    if (turn === undefined || !this.myTurn.value) return null;
    const draft = this.draft.value;
    return { turn, table: tableOf(draft), declared: this.declaredRows(draft) };
  }

  /** What is said of the rows; jokers that nobody has named are what is worth most. */
  private declaredRows(draft: Draft): Declared {
    const said = draft.rows.flatMap((row): Declared => {
      const as = this.declared.value.get(row.tiles.join(" "));
      return as === undefined ? [] : [{ set: row.tiles, as }];
    });
    return withDefaults(this.rules.value, this.position(), tableOf(draft), said);
  }
}

/** The endings after which a player may have been able to play. */
const MAYBE_MISSED: ReadonlySet<string> = new Set(["first_unable", "final_round", "all_passed"]);
const MISSED_WITHIN = 30_000;
const MISSED_TRIES = 5;
const MISSED_AGAIN = 2_000;
/** Refusals of a server that has too much to do. */
const TRY_AGAIN: ReadonlySet<string> = new Set(["busy", "too-fast"]);

function sameTiles(one: readonly Tile[], other: readonly Tile[]): boolean {
  return [...one].sort().join() === [...other].sort().join();
}

function saidOf(declared: Declared = []): Map<string, As> {
  return new Map(declared.map(({ set, as }) => [set.join(" "), as]));
}

const AGAIN_AFTER = 2_000;
const REARRANGED = "tilerummy rearranged";

/** Whether somebody has once changed a row that lay there, and so knows that it is allowed. */
export function hasRearranged(): boolean {
  return recall("local", REARRANGED) !== null;
}

/** Without gaps that are wider than one place. */
function closed(rack: readonly (Tile | null)[]): (Tile | null)[] {
  return rack.filter((tile, place) => tile !== null || (place > 0 && rack[place - 1] !== null));
}

function goesOut(before: RoomState | null, now: RoomState): boolean {
  const final = now.room.game?.final;
  return final != null && !final.blocked && before?.room.game?.final == null;
}

function turnsToMe(before: RoomState | null, now: RoomState): boolean {
  const game = now.room.game;
  if (game == null || now.room.phase !== "playing" || game.current !== now.you) return false;
  const old = before?.room.game;
  return old == null || old.turn !== game.turn || old.number !== game.number;
}
