/**
 * The live source of a table: one seat of a room, followed over a connection.
 *
 * Messages of the server become positions of the table; the draft of a turn goes back to it.
 */

import { batch, computed, effect, type Signal, signal } from "@preact/signals";
import { EMPTY, sameTable, tableOf } from "../game/draft";
import { optionIn } from "../game/editions";
import type { DraftInfo, GameInfo, LastTurn } from "../generated/wire";
import * as sound from "../sound";
import type { TableSource } from "../table/source";
import { draftOf, type Refusal, type TableState } from "../table/state";
import { TableStore } from "../table/store";
import { noteRearranged } from "../table/tips";
import {
  adoptDraft,
  advance,
  arrangementOf,
  rebase,
  withArrangement,
  withRack,
} from "../table/turns";
import { declaredRows } from "../table/verdicts";
import { Advice } from "./advice";
import {
  type Answer,
  type Command,
  Connection,
  type ConnectionState,
  type Listener,
} from "./connection";
import { Deals } from "./deals";
import { DraftSync, type Laid } from "./draftSync";
import { positionOf, rulesOfRoom } from "./position";
import { fold, fromSnapshot, type RoomState } from "./roomState";
import { Seeds } from "./seeds";
import { type Remembered, TabMemory } from "./tabMemory";

export class Seat implements TableSource {
  readonly table = new TableStore();
  readonly roomState = signal<RoomState | null>(null);
  readonly connectionState = signal<ConnectionState>("connecting");
  /** The turns of this game that were seen here, in order. */
  readonly story = signal<readonly LastTurn[]>([]);
  /** Whether this player was removed, and gets no seat again. */
  readonly isRemoved: Signal<boolean>;
  /** Whether a submitted turn awaits its answer. */
  readonly busy = signal(false);
  readonly connection: Connection;
  readonly advice: Advice;
  /** What this tab saw of the deals of the match. */
  readonly deals: Deals;

  readonly room = computed(() => this.roomState.value?.room ?? null);
  readonly game = computed(() => this.room.value?.game ?? null);
  readonly you = computed(() => this.roomState.value?.you ?? null);
  readonly myTurn = this.table.myTurn;

  private readonly settings = computed(() => this.room.value?.settings);
  private readonly rules = computed(() => rulesOfRoom(this.settings.value));
  private readonly phase = computed(() => this.room.value?.phase);
  private readonly isPaused = computed(() => this.room.value?.paused != null);
  /** The same value for as long as nothing of it changes. */
  private readonly position = computed(() =>
    positionOf({
      game: this.game.value,
      phase: this.phase.value,
      isPaused: this.isPaused.value,
      you: this.you.value,
      rules: this.rules.value,
    }),
  );

  /** Whether the pool is empty and only a player who cannot play may pass. */
  readonly mustPlay = computed(
    () =>
      this.myTurn.value &&
      (this.game.value?.pool ?? 0) === 0 &&
      optionIn(this.room.value!.settings, "empty_pool.pass") === "forced_if_able",
  );

  /** Whether the server gives hints now: a player who must play always gets them. */
  readonly mayAsk = computed(() => this.room.value?.settings.hints || this.mustPlay.value);

  /** Whether events are missing, so that the next connection asks for a snapshot. */
  private hasGap = false;
  private readonly memory: TabMemory;
  private readonly seeds: Seeds;
  private readonly draftSync: DraftSync;
  private readonly stop: () => void;

  constructor(
    readonly code: string,
    url: string,
    wasRemoved = false,
  ) {
    this.isRemoved = signal(wasRemoved);
    this.memory = new TabMemory(code);
    this.seeds = new Seeds(() => this.seed());
    this.deals = new Deals(code);
    this.connection = new Connection(url, this.listener());
    this.advice = new Advice(this.table, this.connection, {
      turn: () => this.game.value?.turn,
      game: () => this.game.value?.commitment,
      ending: () => this.game.value?.final?.end ?? undefined,
    });
    this.draftSync = new DraftSync({
      laid: () => this.laid(),
      deadline: () => {
        const deadline = this.game.value?.deadline ?? null;
        return deadline === null ? null : deadline - this.connection.ahead;
      },
      send: (message) => this.connection.send(message),
    });
    // The draft goes to the server, for the clock and for other tabs; its arrangement stays here.
    this.stop = effect(() => {
      this.table.draft.value;
      this.table.declared.value;
      this.story.value;
      if (this.myTurn.value) this.draftSync.changed();
      const game = this.game.value?.commitment;
      if (game !== undefined) this.memory.keep(game, () => this.remembered());
    });
  }

  private listener(): Listener {
    return {
      version: () => (this.hasGap ? 0 : (this.roomState.value?.version ?? 0)),
      snapshot: (message) => {
        this.hasGap = false;
        this.take(fromSnapshot(message), true);
        this.seed();
      },
      events: (message) => {
        const state = this.roomState.value;
        this.hasGap = message.version !== (state?.version ?? 0) + message.events.length;
        if (state === null || this.hasGap) return false;
        for (const event of message.events) {
          if (event.type === "left" && event.removed && event.seat === this.you.value) {
            this.isRemoved.value = true;
          }
          this.take(fold(this.roomState.value!, event), false);
        }
        this.seed();
        return true;
      },
      draft: (draft) => this.takeDraft(draft),
      state: (state) => {
        this.connectionState.value = state;
        if (state === "lost") this.draftSync.lost();
        if (state === "open") this.draftSync.changed();
      },
    };
  }

  open(): void {
    addEventListener("pagehide", this.flush);
    document.addEventListener("visibilitychange", this.flush);
    this.connection.open();
  }

  close(): void {
    this.stop();
    this.table.close();
    this.memory.write();
    removeEventListener("pagehide", this.flush);
    document.removeEventListener("visibilitychange", this.flush);
    this.draftSync.close();
    this.seeds.close();
    this.connection.close();
  }

  /** A hidden page may be discarded, so its draft is stored first. */
  private readonly flush = (): void => {
    this.draftSync.flush();
    this.memory.write();
  };

  // Commands

  async play(): Promise<void> {
    const game = this.game.value;
    if (game === null || !this.myTurn.value) return;
    const state = this.table.state.peek();
    const before = state.position.table;
    const table = tableOf(draftOf(state));
    const declared = declaredRows(state, draftOf(state));
    const isPlayed = await this.submit({ type: "play", turn: game.turn ?? 0, table, declared });
    const kept = new Set(table.map((row) => row.join()));
    if (isPlayed && before.some((row) => !kept.has(row.join()))) noteRearranged();
  }

  /** Draw or pass. Does nothing while tiles are laid out, since drawing would take them back. */
  async draw(): Promise<void> {
    const game = this.game.value;
    this.table.settle();
    if (game === null || !this.myTurn.value || this.table.touched.value) return;
    const type = (game.pool ?? 0) > 0 ? "draw" : "pass";
    await this.submit({ type, turn: game.turn ?? 0 });
  }

  /** Submit a turn; true where the server accepts it. */
  private async submit(command: Command): Promise<boolean> {
    if (this.busy.value) return false;
    this.busy.value = true;
    this.refuse(null);
    const answer = await this.connection.command(command);
    this.busy.value = false;
    if (answer.ok) return true;
    sound.refused();
    this.refuse(answer.refused ?? { code: answer.code });
    return false;
  }

  private refuse(refusal: Refusal | null): void {
    this.table.update((state) => ({ ...state, refusal }));
  }

  ask(command: Command): Promise<Answer> {
    return this.connection.command(command);
  }

  /** Hints in stages; the whole one where a room without hints gives it to a player who must play. */
  advise(): Promise<void> {
    return this.mustPlay.value && !this.room.value?.settings.hints
      ? this.showMe()
      : this.advice.help();
  }

  /** The whole hint at once. */
  showMe(): Promise<void> {
    return this.advice.help(3);
  }

  /** Take part in the shuffle: commit to a seed, and reveal it once all are fixed. */
  private seed(): void {
    const [game, you] = [this.game.value, this.you.value];
    if (game === null || you === null) return;
    const command = this.seeds.due(game, you);
    if (command !== null) void this.connection.command(command);
  }

  // Messages of the server

  /** Take over a state of the room; `isWhole` where it comes from a snapshot. */
  private take(next: RoomState, isWhole: boolean): void {
    const before = this.roomState.value;
    batch(() => {
      this.roomState.value = next;
      const game = next.room.game;
      if (game == null) this.restart((state) => rebase(state, this.position.value, EMPTY));
      else this.takeGame(next, game, before, isWhole);
    });
    if (turnsToMe(before, next)) sound.yourTurn();
    if (!isWhole && goesOut(before, next)) sound.out();
  }

  private takeGame(
    next: RoomState,
    game: GameInfo,
    before: RoomState | null,
    isWhole: boolean,
  ): void {
    const old = before?.room.game ?? null;
    const isNew = old?.commitment !== game.commitment;
    const found = isNew ? this.memory.of(game.commitment) : null;
    if (found !== null) {
      this.restart((state) => withRack(state, found.rack));
      this.story.value = found.story;
    }
    const isDealt = isNew || old?.phase !== game.phase || before?.you !== next.you;
    // Events that end a game or make a player a spectator follow a turn and are not one.
    if (old?.turn !== game.turn && game.last != null) this.logTurn(game.last, isWhole);
    if (isDealt || old.turn !== game.turn) this.turned(game.last, isDealt || isWhole);
    else this.table.update((state) => ({ ...state, position: this.position.value }));
    if (isWhole && next.room.draft?.turn === game.turn) this.takeDraft(next.room.draft!);
    if (found !== null) this.table.replace((state) => withArrangement(state, found));
    this.deals.see(next.room, game, next.you);
  }

  /** Add a turn to the log; the last one of a snapshot may be in it already. */
  private logTurn(last: LastTurn, isWhole: boolean): void {
    const isKnown = isWhole && JSON.stringify(this.story.value.at(-1)) === JSON.stringify(last);
    if (!isKnown) this.story.value = [...this.story.value, last];
  }

  private turned(last: LastTurn | null | undefined, isQuiet: boolean): void {
    this.restart((state) => advance(state, this.position.value, { last, isQuiet }));
    const { fresh } = this.table.highlights.value;
    if (fresh.from !== null && fresh.tiles.size > 0) sound.click(0.2);
    this.draftSync.begin();
  }

  /** Give the table another draft, and drop what was asked about the old one. */
  private restart(change: (state: TableState) => TableState): void {
    this.advice.drop();
    this.table.replace(change);
  }

  private takeDraft({ table, declared, turn }: DraftInfo): void {
    if (this.game.value?.turn !== turn || !this.myTurn.value) return;
    if (!this.draftSync.heard({ table, declared: declared ?? [], turn })) return;
    if (sameTable(table, tableOf(this.table.draft.value))) return;
    this.table.update((state) => adoptDraft(state, table, declared));
  }

  private remembered(): Remembered {
    const state = this.table.state.peek();
    return { rack: draftOf(state).rack, ...arrangementOf(state), story: this.story.value };
  }

  /** The draft of the player's own turn. */
  private laid(): Laid | null {
    const turn = this.game.value?.turn;
    if (turn === undefined || !this.myTurn.value) return null;
    const state = {
      position: this.table.position.value,
      declared: this.table.declared.value,
    };
    const draft = this.table.draft.value;
    return { turn, table: tableOf(draft), declared: declaredRows(state, draft) };
  }
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
