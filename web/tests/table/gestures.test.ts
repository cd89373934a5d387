import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Tile } from "../../src/game/tiles";
import type { Box, Point } from "../../src/table/geometry";
import { Gestures, type Hands } from "../../src/table/gestures";

/** The recorded gestures, abbreviated. */
class Recorded implements Hands {
  readonly log: string[] = [];
  grasps = (tile: Tile, rest: boolean): readonly Tile[] => (rest ? [tile, "next"] : [tile]);
  pans = true;
  moves = true;

  grasp(tile: Tile, rest: boolean): readonly Tile[] {
    return this.grasps(tile, rest);
  }
  lift(tiles: readonly Tile[], held: Tile): void {
    this.log.push(tiles.length > 1 ? `lift ${tiles} by ${held}` : `lift ${tiles}`);
  }
  drag(tiles: readonly Tile[], by: Point, point: Point): void {
    this.log.push(`drag ${tiles} by ${by.x},${by.y} at ${point.x},${point.y}`);
  }
  drop(tiles: readonly Tile[], point: Point): void {
    this.log.push(`drop ${tiles} at ${point.x},${point.y}`);
  }
  cancel(tiles: readonly Tile[]): void {
    this.log.push(`cancel ${tiles}`);
  }
  tap(point: Point, tile: Tile | null, more: boolean): void {
    this.log.push(`tap ${tile} at ${point.x},${point.y}${more ? " more" : ""}`);
  }
  frame(box: Box | null): void {
    this.log.push(box === null ? "frame gone" : `frame ${words(box)}`);
  }
  chooseIn(box: Box, more: boolean): void {
    this.log.push(`choose ${words(box)}${more ? " more" : ""}`);
  }
  canPan(): boolean {
    return this.pans;
  }
  pan(by: Point): boolean {
    this.log.push(`pan ${by.x},${by.y}`);
    return this.moves;
  }
  zoom(factor: number, at: Point): void {
    this.log.push(`zoom ${factor.toFixed(2)} at ${at.x},${at.y}`);
  }
}

function words({ x, y, width, height }: Box): string {
  return `${x},${y} ${width}x${height}`;
}

/** A stage whose corner is at 100, 50 of the page. */
class Stage {
  readonly captured: number[] = [];
  private readonly handlers = new Map<string, (event: unknown) => void>();
  addEventListener(name: string, handler: (event: unknown) => void): void {
    this.handlers.set(name, handler);
  }
  removeEventListener(name: string): void {
    this.handlers.delete(name);
  }
  getBoundingClientRect(): { left: number; top: number } {
    return { left: 100, top: 50 };
  }
  setPointerCapture(id: number): void {
    this.captured.push(id);
  }
  happens(name: string, event: object): void {
    this.handlers.get(name)?.(event);
  }
  get isLeftAlone(): boolean {
    return this.handlers.size === 0;
  }
}

let stage: Stage;
let recorded: Recorded;
let gestures: Gestures;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", {});
  stage = new Stage();
  recorded = new Recorded();
  gestures = new Gestures(stage as unknown as HTMLElement, recorded);
  stop = gestures.listen();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

interface Finger {
  readonly id?: number;
  readonly kind?: string;
  readonly tile?: Tile;
  readonly shift?: boolean;
  readonly button?: number;
  /** A button of the page that lies on the stage. */
  readonly onButton?: boolean;
}

class Pointer {
  constructor(private readonly finger: Finger = {}) {}

  private happens(name: string, x: number, y: number): this {
    const {
      id = 1,
      kind = "mouse",
      tile,
      shift = false,
      button = 0,
      onButton = false,
    } = this.finger;
    const closest = (selector: string) => {
      if (selector.startsWith("button")) return onButton ? {} : null;
      return tile === undefined ? null : { dataset: { tile } };
    };
    stage.happens(name, {
      pointerId: id,
      pointerType: kind,
      clientX: x + 100,
      clientY: y + 50,
      button,
      shiftKey: shift,
      ctrlKey: false,
      metaKey: false,
      target: { closest },
    });
    return this;
  }

  down(x: number, y: number): this {
    return this.happens("pointerdown", x, y);
  }
  move(x: number, y: number): this {
    return this.happens("pointermove", x, y);
  }
  up(x: number, y: number): this {
    return this.happens("pointerup", x, y);
  }
  cancel(): this {
    return this.happens("pointercancel", 0, 0);
  }
}

function mouse(tile?: Tile, more: Omit<Finger, "tile"> = {}): Pointer {
  return new Pointer({ ...more, ...(tile === undefined ? {} : { tile }) });
}

function finger(tile?: Tile, id = 1): Pointer {
  return mouse(tile, { id, kind: "touch" });
}

describe("a tap", () => {
  test("is a press that hardly moves", () => {
    mouse("r7.1").down(10, 20).move(12, 22).up(12, 22);
    expect(recorded.log).toEqual(["tap r7.1 at 10,20"]);
    expect(stage.captured).toEqual([1]);
  });

  test("may be on nothing, and with a key that adds to the selection", () => {
    mouse().down(10, 20).up(10, 20);
    mouse("r7.1", { shift: true }).down(10, 20).up(10, 20);
    expect(recorded.log).toEqual(["tap null at 10,20", "tap r7.1 at 10,20 more"]);
  });

  test("of a finger may be less steady", () => {
    finger("r7.1").down(10, 20).move(16, 24).up(16, 24);
    expect(recorded.log).toEqual(["tap r7.1 at 10,20"]);
  });

  test("is ignored with another mouse button, or on a control", () => {
    mouse("r7.1", { button: 2 }).down(10, 20).up(10, 20);
    mouse("r7.1", { onButton: true }).down(10, 20).up(10, 20);
    expect(recorded.log).toEqual([]);
    expect(stage.captured).toEqual([]);
  });
});

describe("a drag", () => {
  test("moves the tile and drops it under the mouse", () => {
    mouse("r7.1").down(10, 20).move(30, 20).move(60, 80).up(61, 82);
    expect(recorded.log).toEqual([
      "lift r7.1",
      "drag r7.1 by 20,0 at 30,20",
      "drag r7.1 by 20,0 at 30,20",
      "drag r7.1 by 50,60 at 60,80",
      "drop r7.1 at 61,82",
    ]);
  });

  test("with a finger carries the tile above it", () => {
    finger("r7.1").down(10, 100).move(30, 100).up(30, 100);
    expect(recorded.log.at(0)).toBe("lift r7.1");
    expect(recorded.log.at(-1)).toBe("drop r7.1 at 30,56");
  });

  test("is cancelled by the browser: the tile goes back", () => {
    mouse("r7.1").down(10, 20).move(30, 20).cancel();
    expect(recorded.log.at(-1)).toBe("cancel r7.1");
    mouse("r7.1").move(50, 20).up(50, 20);
    expect(recorded.log.at(-1)).toBe("cancel r7.1");
  });

  test("ends with a reset, and nothing follows", () => {
    const hand = mouse("r7.1").down(10, 20).move(30, 20);
    gestures.abort();
    expect(recorded.log.at(-1)).toBe("cancel r7.1");
    const count = recorded.log.length;
    hand.move(60, 60).up(60, 60);
    expect(recorded.log).toHaveLength(count);
  });

  test("ignores other fingers", () => {
    const hand = finger("r7.1").down(10, 100).move(30, 100);
    const count = recorded.log.length;
    finger("b3.1", 2).down(200, 200).move(240, 240).up(240, 240);
    expect(recorded.log).toHaveLength(count);
    hand.up(30, 100);
    expect(recorded.log.at(-1)).toBe("drop r7.1 at 30,56");
  });
});

describe("a hold", () => {
  test("takes the rest of the row", () => {
    const hand = mouse("r7.1").down(10, 20);
    vi.advanceTimersByTime(379);
    expect(recorded.log).toEqual([]);
    vi.advanceTimersByTime(2);
    expect(recorded.log[0]).toBe("lift r7.1,next by r7.1");
    hand.move(60, 80).up(60, 80);
    expect(recorded.log.at(-1)).toBe("drop r7.1,next at 60,80");
  });

  test("without a move leaves the tiles where they are", () => {
    const hand = finger("r7.1").down(10, 120);
    vi.advanceTimersByTime(400);
    hand.move(12, 121).up(12, 121);
    expect(recorded.log[0]).toBe("lift r7.1,next by r7.1");
    expect(recorded.log.at(-1)).toBe("cancel r7.1,next");
  });

  test("is cancelled by a drag or a release", () => {
    mouse("r7.1").down(10, 20).move(30, 20).up(30, 20);
    mouse("r7.1").down(10, 20).up(10, 20);
    const count = recorded.log.length;
    vi.advanceTimersByTime(1000);
    expect(recorded.log).toHaveLength(count);
  });

  test("of an immovable tile is still a tap", () => {
    recorded.grasps = () => [];
    const hand = mouse("r7.1").down(10, 20);
    vi.advanceTimersByTime(500);
    hand.up(10, 20);
    expect(recorded.log).toEqual(["tap r7.1 at 10,20"]);
  });
});

describe("a frame", () => {
  test("is drawn with the mouse on free table, and selects its tiles", () => {
    mouse().down(50, 60).move(40, 50).move(10, 20).up(10, 20);
    expect(recorded.log).toEqual([
      "frame 40,50 10x10",
      "frame 10,20 40x40",
      "frame gone",
      "choose 10,20 40x40",
    ]);
  });

  test("with a key adds to the selection, on a tile too", () => {
    mouse("r7.1", { shift: true }).down(50, 60).move(10, 20).up(10, 20);
    expect(recorded.log.at(-1)).toBe("choose 10,20 40x40 more");
  });

  test("can start on an immovable tile", () => {
    recorded.grasps = () => [];
    mouse("r7.1").down(50, 60).move(10, 20).up(10, 20);
    expect(recorded.log.at(-1)).toBe("choose 10,20 40x40");
  });

  test("disappears with a reset", () => {
    mouse().down(50, 60).move(10, 20);
    gestures.abort();
    expect(recorded.log.at(-1)).toBe("frame gone");
  });
});

describe("the table", () => {
  test("is panned by one finger on free table", () => {
    finger().down(50, 60).move(50, 75).move(52, 80).up(52, 80);
    expect(recorded.log).toEqual(["pan 0,15", "pan 2,5"]);
  });

  test("is not panned from outside", () => {
    recorded.pans = false;
    finger().down(50, 60).move(50, 90).up(50, 90);
    expect(recorded.log).toEqual([]);
  });

  test("is zoomed and panned by two fingers, on tiles too", () => {
    const one = finger("r7.1", 1).down(100, 100);
    const other = finger("r8.1", 2).down(200, 100);
    other.move(300, 100);
    expect(recorded.log).toEqual(["zoom 2.00 at 200,100", "pan 50,0"]);
    one.move(200, 100);
    expect(recorded.log.slice(2)).toEqual(["zoom 0.50 at 250,100", "pan 50,0"]);
    vi.advanceTimersByTime(1000);
    other.up(300, 100);
    one.move(250, 100).up(250, 100);
    expect(recorded.log).toHaveLength(4);
  });

  test("is released by two fingers in any order, and the next touch counts", () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const hands = [finger(undefined, 1).down(100, 100), finger(undefined, 2).down(200, 100)];
      for (const index of order) hands[index]!.up(100 + 100 * index, 100);
      recorded.log.length = 0;
      finger("r7.1", 3).down(10, 20).up(10, 20);
      expect(recorded.log).toEqual(["tap r7.1 at 10,20"]);
    }
  });

  test("is released when one of two fingers is lost", () => {
    finger(undefined, 1).down(100, 100);
    finger(undefined, 2).down(200, 100).cancel();
    finger(undefined, 1).up(100, 100);
    expect(recorded.log).toEqual([]);
    finger("r7.1", 1).down(10, 20).up(10, 20);
    expect(recorded.log).toEqual(["tap r7.1 at 10,20"]);
  });

  test("is panned by the wheel, and zoomed with a key", () => {
    const preventDefault = vi.fn();
    const wheel = { clientX: 110, clientY: 70, deltaX: 3, deltaY: 30, preventDefault };
    stage.happens("wheel", { ...wheel, ctrlKey: false });
    stage.happens("wheel", { ...wheel, ctrlKey: true });
    expect(recorded.log).toEqual(["pan -3,-30", "zoom 0.90 at 10,20"]);
    expect(preventDefault).toHaveBeenCalledTimes(2);
    recorded.moves = false;
    stage.happens("wheel", { ...wheel, ctrlKey: false });
    expect(preventDefault, "the page is scrolled").toHaveBeenCalledTimes(2);
    recorded.pans = false;
    stage.happens("wheel", { ...wheel, ctrlKey: false });
    expect(preventDefault, "the page is scrolled").toHaveBeenCalledTimes(2);
  });
});

test("a stopped recogniser reports nothing", () => {
  mouse("r7.1").down(10, 20);
  stop();
  expect(stage.isLeftAlone).toBe(true);
  vi.advanceTimersByTime(1000);
  expect(recorded.log).toEqual([]);
});

test("a lost pointer cancels the drag, one captured from a tile does not", () => {
  const hand = mouse("r7.1").down(10, 20).move(40, 20);
  recorded.log.length = 0;
  stage.happens("lostpointercapture", { pointerId: 1, target: {} });
  expect(recorded.log).toEqual([]);
  stage.happens("lostpointercapture", { pointerId: 1, target: stage });
  expect(recorded.log).toEqual(["cancel r7.1"]);
  hand.up(40, 20);
  expect(recorded.log).toEqual(["cancel r7.1"]);
});

test("the context menu of the browser is suppressed", () => {
  const preventDefault = vi.fn();
  stage.happens("contextmenu", { preventDefault });
  expect(preventDefault).not.toHaveBeenCalled();
  finger("r7.1").down(10, 20);
  stage.happens("contextmenu", { preventDefault });
  expect(preventDefault).toHaveBeenCalled();
});
