/** The input mode, keyboard or pointer: only the keyboard frames focus that moves by itself. */

let byKey = false;

const note = (event: Event) => {
  byKey = event.type === "keydown";
};
globalThis.addEventListener?.("keydown", note, true);
globalThis.addEventListener?.("pointerdown", note, true);

export function isByKey(): boolean {
  return byKey;
}
