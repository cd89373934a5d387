/** The input mode, keyboard or pointer: programmatic focus shows a ring only for the keyboard. */

let byKey = false;

const note = (event: Event) => {
  byKey = event.type === "keydown";
};
globalThis.addEventListener?.("keydown", note, true);
globalThis.addEventListener?.("pointerdown", note, true);

export function isByKey(): boolean {
  return byKey;
}
