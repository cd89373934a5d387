import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterFrame } from "../src/frames";

let frames: (() => void)[];

/** Simulates an animation frame. */
function frame(): void {
  for (const act of frames.splice(0)) act();
}

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (act: () => void) => frames.push(act));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("waits for one frame, and runs with the next", () => {
  const act = vi.fn();
  afterFrame(act);
  frame();
  expect(act).not.toHaveBeenCalled();
  frame();
  expect(act).toHaveBeenCalledOnce();
  vi.runAllTimers();
  frame();
  expect(act).toHaveBeenCalledOnce();
});

test("runs after a timeout if no frame is drawn", () => {
  const act = vi.fn();
  afterFrame(act);
  vi.advanceTimersByTime(100);
  expect(act).toHaveBeenCalledOnce();
  frame();
  frame();
  expect(act).toHaveBeenCalledOnce();
});

test("can be cancelled", () => {
  const act = vi.fn();
  afterFrame(act)();
  frame();
  frame();
  vi.runAllTimers();
  expect(act).not.toHaveBeenCalled();
});
