/** With what somebody works here: what is focused by itself is framed for the keyboard alone. */

let byKey = false;

const note = (event: Event) => {
  byKey = event.type === "keydown";
};
globalThis.addEventListener?.("keydown", note, true);
globalThis.addEventListener?.("pointerdown", note, true);

export function isByKey(): boolean {
  return byKey;
}
