/** Fake browser sockets and events, controlled by a test. */

import { vi } from "vitest";
import type { Incoming, Outgoing } from "../../src/generated/wire";

export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly sent: Incoming[] = [];
  closedWith: number | undefined;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  /** Like a browser: the other side is notified, and `onclose` comes later, if at all. */
  close(code: number): void {
    this.readyState = 2;
    this.closedWith ??= code;
  }

  // The other side

  opens(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  says(message: Outgoing): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  breaks(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  /** The messages of a kind that were sent. */
  of<T extends Incoming["type"]>(type: T): Extract<Incoming, { type: T }>[] {
    return this.sent.filter((message) => message.type === type) as Extract<Incoming, { type: T }>[];
  }
}

/** The listeners of `addEventListener`, and a way to dispatch events. */
class FakeEvents {
  private readonly handlers = new Map<string, Set<() => void>>();
  readonly addEventListener = (name: string, handler: () => void): void => {
    this.handlers.set(name, (this.handlers.get(name) ?? new Set()).add(handler));
  };
  readonly removeEventListener = (name: string, handler: () => void): void => {
    this.handlers.get(name)?.delete(handler);
  };

  happens(name: string): void {
    for (const handler of [...(this.handlers.get(name) ?? [])]) handler();
  }
}

export class FakeDocument extends FakeEvents {
  visibilityState = "visible";
}

export class FakeBrowser {
  readonly window = new FakeEvents();
  readonly document = new FakeDocument();

  constructor() {
    FakeSocket.all = [];
    vi.stubGlobal("WebSocket", FakeSocket);
    vi.stubGlobal("addEventListener", this.window.addEventListener);
    vi.stubGlobal("removeEventListener", this.window.removeEventListener);
    vi.stubGlobal("document", this.document);
  }
}
