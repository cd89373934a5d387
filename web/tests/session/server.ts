/**
 * Fake server for one seat, without a referee: it deals, accepts and broadcasts turns, stores
 * drafts, and sends missed events after a reconnect.
 */

import type {
  DraftInfo,
  Ending,
  GameInfo,
  Incoming,
  LastTurn,
  MatchInfo,
  RoomEvent,
  RoomPhase,
  SeatInfo,
  Settings,
  Snapshot,
} from "../../src/generated/wire";
import { FakeSocket } from "./socket";

export type Table = readonly (readonly string[])[];

const BOX: readonly string[] = [
  ...["r", "b", "k", "o"].flatMap((colour) =>
    Array.from({ length: 26 }, (_, at) => `${colour}${(at % 13) + 1}.${at < 13 ? 1 : 2}`),
  ),
  "J.1",
  "J.2",
];
const MATCH: MatchInfo = { rounds: 1, games: 9, results: [], totals: [], leaders: [] };

interface Game {
  readonly number: number;
  readonly commitment: string;
  phase: "waiting" | "playing" | "over";
  racks: string[][];
  pool: string[];
  table: Table;
  current: number;
  turn: number;
  last: LastTurn | null;
}

export class FakeServer {
  settings: Settings = {};
  you: number | null = 0;
  phase: RoomPhase = "lobby";
  game: Game | null = null;
  paused: number | null = null;
  draft: DraftInfo | null = null;
  /** Whether a reconnect always gets a snapshot. */
  forgets = false;
  readonly log: RoomEvent[] = [];
  private games = 0;
  private read = new Map<FakeSocket, number>();

  constructor(
    readonly players: number,
    private readonly random: () => number,
  ) {}

  get version(): number {
    return 1 + this.log.length;
  }

  get isMyTurn(): boolean {
    const { game } = this;
    return this.phase === "playing" && this.paused === null && game?.current === this.you;
  }

  any<T>(of: readonly T[]): T {
    return of[Math.floor(this.random() * of.length)]!;
  }

  // Outgoing messages

  private get socket(): FakeSocket | undefined {
    const socket = FakeSocket.all.at(-1);
    return socket?.readyState === 1 && this.read.has(socket) ? socket : undefined;
  }

  broadcast(events: readonly RoomEvent[], re?: string): void {
    this.log.push(...events);
    const message = { type: "events", version: this.version, events } as const;
    this.socket?.says(re === undefined ? message : { ...message, re });
  }

  sendDraft(draft: DraftInfo): void {
    this.draft = draft;
    this.socket?.says({ type: "draft", draft });
  }

  /** Answer all pending messages. */
  serve(): void {
    for (let again = true; again; ) {
      again = false;
      const socket = FakeSocket.all.at(-1);
      if (socket === undefined || socket.closedWith !== undefined) return;
      if (socket.readyState === 0) socket.opens();
      while (socket.readyState === 1 && (this.read.get(socket) ?? 0) < socket.sent.length) {
        const message = socket.sent[this.read.get(socket) ?? 0]!;
        this.read.set(socket, (this.read.get(socket) ?? 0) + 1);
        this.answer(socket, message);
        again = true;
      }
    }
  }

  private answer(socket: FakeSocket, message: Incoming): void {
    const refuse = (re: string) =>
      socket.says({ type: "refused", re, code: "illegal-play", message: "" });
    switch (message.type) {
      case "hello":
        this.welcome(socket, message.version ?? 0);
        break;
      case "ping":
        socket.says({ type: "pong", re: message.id, now: Date.now() });
        break;
      case "draft":
        if (this.isMyTurn && message.turn === this.game!.turn) {
          const { turn, table, declared } = message;
          this.draft = { turn, table, ...(declared === undefined ? {} : { declared }) };
        }
        break;
      case "play":
        if (message.turn === this.game?.turn && this.isFine(message.table) && this.random() < 0.7) {
          this.plays(message.table, "choice", message.id);
        } else refuse(message.id);
        break;
      case "draw":
      case "pass":
        if (this.isMyTurn && message.turn === this.game!.turn) this.draws(1, "choice", message.id);
        else refuse(message.id);
        break;
      case "commit":
        if (this.game?.phase === "waiting" && this.you !== null) {
          const { commitment } = message;
          this.broadcast([{ type: "committed", at: 1, seat: this.you, commitment }], message.id);
        } else refuse(message.id);
        break;
      case "ack":
      case "hint":
      case "missed":
        break; // a test answers these itself
      default:
        socket.says({ type: "done", re: message.id, version: this.version });
    }
  }

  private welcome(socket: FakeSocket, known: number): void {
    const draft = this.isMyTurn && this.draft?.turn === this.game!.turn ? this.draft : null;
    if (known === 0 || this.forgets || known > this.version) {
      socket.says(this.snapshot(draft));
      return;
    }
    const events = this.log.slice(known - 1);
    if (events.length > 0) socket.says({ type: "events", version: this.version, events });
    if (draft !== null) socket.says({ type: "draft", draft });
  }

  snapshot(draft: DraftInfo | null = null): Snapshot {
    const room = {
      room: "r",
      code: "ABCDEF",
      settings: this.settings,
      phase: this.phase,
      since: 0,
      seats: this.seats(),
      paused: this.paused,
      game: this.game === null ? null : this.seen(this.game),
      draft,
    };
    return { type: "snapshot", version: this.version, now: Date.now(), you: this.you, room };
  }

  private seats(): SeatInfo[] {
    return Array.from({ length: this.players }, (_, seat) => ({ kind: "person", name: `${seat}` }));
  }

  private seen(game: Game): GameInfo {
    return {
      number: game.number,
      phase: game.phase,
      commitment: game.commitment,
      seeds: game.racks.map(() => null),
      rack: this.you === null ? [] : (game.racks[this.you] ?? []),
      rack_sizes: game.racks.map((rack) => rack.length),
      pool: game.pool.length,
      table: game.table,
      opened: game.racks.map(() => true),
      current: game.current,
      turn: game.turn,
      last: game.last,
    };
  }

  // Events

  begins(): void {
    if (this.phase !== "lobby") return;
    this.games = 0;
    this.you = Math.floor(this.random() * this.players);
    const began = { type: "began", at: 1, seats: this.seats(), you: this.you } as const;
    this.broadcast([{ ...began, host: 0, match: MATCH }, ...this.created()]);
  }

  private created(): RoomEvent[] {
    this.games += 1;
    this.phase = "dealing";
    this.draft = null;
    this.game = {
      number: this.games,
      commitment: `${this.random()}`,
      phase: "waiting",
      racks: Array.from({ length: this.players }, () => []),
      pool: [],
      table: [],
      current: 0,
      turn: 0,
      last: null,
    };
    const { number, commitment } = this.game;
    return [{ type: "created", at: 1, number, commitment }];
  }

  deals(): void {
    const { game } = this;
    if (game?.phase !== "waiting") return;
    const box = [...BOX];
    for (let at = box.length - 1; at > 0; at--) {
      const other = Math.floor(this.random() * (at + 1));
      [box[at], box[other]] = [box[other]!, box[at]!];
    }
    game.racks = game.racks.map(() => box.splice(0, 14));
    game.pool = box.splice(0, 20);
    game.phase = "playing";
    game.current = Math.floor(this.random() * this.players);
    game.turn = 1;
    this.phase = "playing";
    this.broadcast([
      {
        type: "dealt",
        at: 1,
        rack: this.you === null ? [] : game.racks[this.you]!,
        rack_sizes: game.racks.map((rack) => rack.length),
        pool: game.pool.length,
        current: game.current,
        turn: game.turn,
      },
    ]);
  }

  private next(game: Game, last: LastTurn) {
    const seat = game.current;
    game.last = last;
    game.current = (game.current + 1) % this.players;
    game.turn += 1;
    this.draft = null;
    return {
      at: 1,
      seat,
      current: game.current,
      turn: game.turn,
      deadline: null,
      final_turns: null,
      manipulation: true,
      why: last.why,
    };
  }

  /** The current player turns the table into this one. */
  plays(table: Table, why: LastTurn["why"] = "choice", re?: string): void {
    const { game } = this;
    if (game === null || this.phase !== "playing" || this.paused !== null) return;
    const before = new Set(game.table.flat());
    const tiles = table.flat().filter((tile) => !before.has(tile));
    const seat = game.current;
    game.racks[seat] = game.racks[seat]!.filter((tile) => !tiles.includes(tile));
    game.table = table.filter((row) => row.length > 0);
    const turn = this.next(game, { seat, action: "played", why, count: tiles.length, tiles });
    const events: RoomEvent[] = [{ type: "played", ...turn, tiles, table: game.table }];
    if (game.racks[seat]!.length === 0) events.push(this.ended(game));
    this.broadcast(events, re);
  }

  /** Another player rearranges the table and lays a few tiles. */
  otherPlays(): void {
    const { game } = this;
    if (game === null || game.current === this.you || this.phase !== "playing") return;
    const laid = game.racks[game.current]!.slice(0, 1 + Math.floor(this.random() * 3));
    const rows = game.table.map((row) => [...row]);
    const from = rows.length > 0 ? this.any(rows) : undefined;
    if (from !== undefined && this.random() < 0.5) laid.push(from.pop()!);
    if (rows.length > 0 && this.random() < 0.5) this.any(rows).push(...laid);
    else rows.splice(Math.floor(this.random() * (rows.length + 1)), 0, laid);
    this.plays(rows.filter((row) => row.length > 0));
  }

  draws(count: number, why: LastTurn["why"] = "choice", re?: string): void {
    const { game } = this;
    if (game === null || this.phase !== "playing" || this.paused !== null) return;
    const seat = game.current;
    const tiles = game.pool.splice(0, count);
    if (tiles.length === 0) {
      const turn = this.next(game, { seat, action: "passed", why });
      this.broadcast([{ type: "passed", ...turn }], re);
      return;
    }
    game.racks[seat] = [...game.racks[seat]!, ...tiles].sort();
    const own = seat === this.you ? tiles : [];
    const turn = this.next(game, {
      seat,
      action: "drew",
      why,
      count: tiles.length,
      tiles: own,
    });
    this.broadcast([{ type: "drew", ...turn, count: tiles.length, tiles: own }], re);
  }

  /** The clock runs out: the draft counts, or costs tiles. */
  timesOut(): void {
    const { game, draft } = this;
    if (game === null || this.phase !== "playing" || this.paused !== null) return;
    const isLaid = draft !== null && draft.table.flat().length > game.table.flat().length;
    if (isLaid && this.isFine(draft.table) && this.random() < 0.5) this.plays(draft.table, "clock");
    else this.draws(isLaid ? 3 : 1, isLaid ? "penalty" : "clock");
  }

  /** Whether our tiles allow this table; rows are not judged. */
  private isFine(table: Table): boolean {
    const { game, you } = this;
    if (game === null || you === null || !this.isMyTurn) return false;
    const before = game.table.flat();
    const after = table.flat();
    const laid = after.filter((tile) => !before.includes(tile));
    return (
      new Set(after).size === after.length &&
      before.every((tile) => after.includes(tile)) &&
      laid.every((tile) => game.racks[you]!.includes(tile)) &&
      laid.length > 0
    );
  }

  private ended(game: Game, end: Ending = "out"): RoomEvent {
    game.phase = "over";
    this.phase = this.games % 2 === 0 ? "over" : "between";
    const { racks, pool } = game;
    const blocked = end !== "out";
    const final = { scores: [], winners: [], blocked, racks, pool, secret: "s", end };
    return { type: "ended", at: 1, final, match: MATCH, phase: this.phase };
  }

  ends(end = "out"): void {
    if (this.game?.phase !== "playing" || this.paused !== null) return;
    this.broadcast([this.ended(this.game, end as Ending)]);
  }

  goesOn(): void {
    if (this.phase === "between") this.broadcast(this.created());
    else if (this.phase === "over") {
      this.phase = "lobby";
      this.game = null;
      this.broadcast([{ type: "reopened", at: 1, seats: this.seats(), you: this.you, host: 0 }]);
    }
  }

  pauses(): void {
    if (this.phase !== "playing") return;
    if (this.paused === null) {
      this.paused = 5;
      this.broadcast([{ type: "paused", at: 5 }]);
    } else {
      this.paused = null;
      this.broadcast([{ type: "resumed", at: 6 }]);
    }
  }

  /** A bot goes on in our place. */
  leaves(): void {
    if (this.you === null || this.game === null) return;
    const seat = this.you;
    this.you = null;
    this.draft = null;
    this.broadcast([{ type: "left", at: 1, seat, bot: "simple" }]);
  }

  talks(): void {
    this.broadcast([{ type: "said", at: 1, seat: 0, text: "hello" }]);
  }
}
