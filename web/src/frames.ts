/** Deferred work: runs after the frame that shows the player's last action. */

/** Milliseconds until work runs anyway: a hidden page draws no frames. */
const AT_LATEST = 100;

/** Run when the next frame is drawn and the one after it begins. Returns a cancel function. */
export function afterFrame(act: () => void): () => void {
  const frame = globalThis.requestAnimationFrame?.bind(globalThis);
  let isOff = false;
  const once = () => {
    if (isOff) return;
    isOff = true;
    clearTimeout(timer);
    act();
  };
  const timer = setTimeout(once, frame === undefined ? 0 : AT_LATEST);
  frame?.(() => frame(once));
  return () => {
    isOff = true;
    clearTimeout(timer);
  };
}
