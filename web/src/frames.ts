/** Work that can wait until what a hand has done is on the screen. */

/** Milliseconds after which nobody waits for a picture: a page that is not seen draws none. */
const AT_LATEST = 100;

/** When the next picture is drawn, and the one after it begins. Gives what calls it off. */
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
