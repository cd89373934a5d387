/**
 * The WebSocket connection: opens, resumes from a version, sends heartbeats, and reconnects with
 * exponential backoff.
 *
 * Commands are idempotent: one without an answer is sent again on the next connection with the same
 * id, and the server applies it once.
 */

import type { FailureCode } from "../failures";
import {
  CLOSING,
  type DraftInfo,
  type ErrorOut,
  type Events,
  type HintOut,
  type Incoming,
  type MissedOut,
  type Outgoing,
  type Refused,
  type Snapshot,
} from "../generated/wire";
import { never } from "../never";

export type Answer =
  | {
      readonly ok: true;
      readonly version: number;
      readonly hint?: HintOut;
      readonly missed?: MissedOut;
    }
  | { readonly ok: false; readonly code: FailureCode; readonly refused?: Refused };

export type MissedPlay = MissedOut["plays"][number];

/** A command without its id, which the connection assigns. */
export type Command = Incoming extends infer M
  ? M extends { id: string }
    ? Omit<M, "id">
    : never
  : never;

export interface Listener {
  /** The version of the state that is known; 0 for none. */
  version(): number;
  snapshot(message: Snapshot): void;
  /** False where events are missing: the connection then asks for a snapshot. */
  events(message: Events): boolean;
  draft(draft: DraftInfo): void;
  state(state: ConnectionState): void;
}

export type ConnectionState = "connecting" | "open" | "lost" | "refused";

export interface Waiting {
  /** Called when the server has queued the command: its answer takes longer. */
  readonly onQueued?: () => void;
  /** Milliseconds after which the command fails; without it, never. */
  readonly within?: number;
}

interface Pending extends Waiting {
  readonly message: Incoming;
  readonly answer: (answer: Answer) => void;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8_000;
const PING_EVERY = 15_000;
const PONG_WITHIN = 8_000;
/** For a connection that may have died while the page was hidden. */
const HURRIED_PONG_WITHIN = 3_000;
const WELCOME_WITHIN = 12_000;
const ACK_EVERY = 1_000;
const AGAIN_AFTER = 1_000;
/** The close code of a client that reconnects. */
const ANEW = 4000;
/** Close codes after which another attempt would fail too. */
const FINAL: ReadonlySet<number> = new Set([
  CLOSING.POLICY,
  CLOSING.NO_SPECTATORS,
  CLOSING.NO_ROOM,
]);

export class Connection {
  /** By how much the server's clock is ahead of ours, in milliseconds. */
  ahead = 0;
  private refusal: ErrorOut["code"] | null = null;
  private socket: WebSocket | null = null;
  private readonly pending = new Map<string, Pending>();
  private readonly prefix = Math.random().toString(36).slice(2, 8);
  private count = 0;
  private tries = 0;
  /** Whether the server has answered on this connection. */
  private isIn = false;
  private retry: number | undefined;
  private pinging: number | undefined;
  private acking: number | undefined;
  private again: number | undefined;
  /** The timeout of the pending answer. */
  private patience: number | undefined;
  private sentAt = 0;
  private ended = false;

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
  ) {}

  open(): void {
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    this.connect();
  }

  close(): void {
    this.ended = true;
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    this.hangUp(CLOSING.NORMAL);
  }

  /** Send a command; resolves when the server has decided, across any number of reconnects. */
  command(command: Command, waiting: Waiting = {}): Promise<Answer> {
    const id = `${this.prefix}-${++this.count}`;
    const message = { ...command, id } as Incoming;
    return new Promise((answer) => {
      this.pending.set(id, { ...waiting, message, answer });
      if (waiting.within !== undefined) {
        setTimeout(() => this.answered(id, { ok: false, code: "timeout" }), waiting.within);
      }
      // A player waits for this answer: find out soon whether the connection is dead.
      if (this.send(message)) this.ping(PONG_WITHIN);
    });
  }

  /** Send a message without an answer; false without a connection. */
  send(message: Incoming): boolean {
    return this.isIn && this.write(message);
  }

  private write(message: Incoming): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private connect(): void {
    if (this.ended) return;
    this.listener.state("connecting");
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.expectWithin(WELCOME_WITHIN);
    socket.onopen = () => {
      this.write({ type: "hello", version: this.listener.version() });
      // If nothing has happened since that version, the pong is the only answer.
      this.ping(WELCOME_WITHIN);
    };
    socket.onmessage = (event) => {
      if (socket === this.socket) this.receive(JSON.parse(event.data) as Outgoing);
    };
    socket.onclose = (event) => {
      if (socket === this.socket) this.lost(event.code);
    };
  }

  private lost(code: number): void {
    this.hangUp();
    if (this.ended) return;
    if (FINAL.has(code) && this.refusal !== "too-fast") {
      this.listener.state("refused");
      const why = this.refusal ?? "room-closed";
      for (const id of [...this.pending.keys()]) this.answered(id, { ok: false, code: why });
      return;
    }
    this.listener.state("lost");
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries++);
    this.retry = setTimeout(
      () => {
        this.retry = undefined;
        this.connect();
      },
      wait * (0.5 + Math.random()),
    );
  }

  /** Drop the connection; later messages on it are ignored. */
  private hangUp(code?: number): void {
    this.stopTimers();
    const { socket } = this;
    this.socket = null;
    this.isIn = false;
    if (socket !== null && code !== undefined) socket.close(code);
  }

  private beginAnew(): void {
    this.hangUp(ANEW);
    this.lost(ANEW);
  }

  /** The network is back or the page is visible again: reconnect or ping at once. */
  private readonly hurry = (): void => {
    if (document.visibilityState === "hidden") return;
    if (this.retry !== undefined) {
      this.stopTimers();
      this.connect();
    } else {
      this.ping(HURRIED_PONG_WITHIN);
    }
  };

  private receive(message: Outgoing): void {
    switch (message.type) {
      case "snapshot":
        this.ahead = message.now - Date.now();
        this.listener.snapshot(message);
        this.welcomed();
        this.answered(message.re, { ok: true, version: message.version });
        break;
      case "events":
        if (!this.listener.events(message)) {
          this.beginAnew();
          return;
        }
        this.welcomed();
        this.answered(message.re, { ok: true, version: message.version });
        this.ack(message.version);
        break;
      case "done":
        this.answered(message.re, { ok: true, version: message.version });
        break;
      case "refused":
        this.answered(message.re, { ok: false, code: message.code, refused: message });
        break;
      case "hint":
        this.answered(message.re, { ok: true, version: 0, hint: message });
        break;
      case "missed":
        this.answered(message.re, { ok: true, version: 0, missed: message });
        break;
      case "queued":
        this.pending.get(message.re)?.onQueued?.();
        break;
      case "draft":
        this.listener.draft(message.draft);
        break;
      case "pong":
        this.pong(message.now);
        this.welcomed();
        break;
      case "error":
        this.refusal = message.code;
        this.failed(message.re, message.code);
        break;
      default:
        // A message of a newer server is ignored.
        never(message, undefined);
    }
  }

  /** The first message of the server opens the session. */
  private welcomed(): void {
    if (this.isIn) return;
    this.isIn = true;
    this.tries = 0;
    this.refusal = null;
    this.listener.state("open");
    this.sendPending();
    this.pinging = setInterval(() => this.ping(PONG_WITHIN), PING_EVERY);
  }

  private sendPending(): void {
    for (const { message } of this.pending.values()) this.send(message);
  }

  private answered(id: string | null | undefined, answer: Answer): void {
    const pending = id == null ? undefined : this.pending.get(id);
    if (pending === undefined) return;
    this.pending.delete(id!);
    pending.answer(answer);
  }

  /**
   * A command that could not be stored or exceeded the rate limit is sent again with the same id.
   * Any other has failed.
   */
  private failed(id: string | null | undefined, code: ErrorOut["code"]): void {
    if (code !== "unavailable" && code !== "too-fast") {
      this.answered(id, { ok: false, code });
    } else if (this.again === undefined) {
      this.again = setTimeout(() => {
        this.again = undefined;
        this.sendPending();
      }, AGAIN_AFTER);
    }
  }

  private ack(version: number): void {
    if (this.acking !== undefined) return;
    this.acking = setTimeout(() => {
      this.acking = undefined;
      this.send({ type: "ack", version: Math.max(version, this.listener.version()) });
    }, ACK_EVERY);
  }

  private ping(within: number): void {
    if (this.socket?.readyState !== WebSocket.OPEN || this.sentAt !== 0) return;
    this.sentAt = Date.now();
    this.write({ type: "ping", id: `${this.prefix}-p` });
    this.expectWithin(within);
  }

  /** Reconnect if the server does not answer in time. */
  private expectWithin(within: number): void {
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.beginAnew(), within);
  }

  private pong(now: number): void {
    if (this.sentAt === 0) return;
    clearTimeout(this.patience);
    this.ahead = now - (this.sentAt + Date.now()) / 2;
    this.sentAt = 0;
  }

  private stopTimers(): void {
    clearTimeout(this.retry);
    clearInterval(this.pinging);
    clearTimeout(this.acking);
    clearTimeout(this.again);
    clearTimeout(this.patience);
    this.retry = this.pinging = this.acking = this.again = undefined;
    this.sentAt = 0;
  }
}
