/**
 * The browser's storage, with a fallback in memory: some browsers forbid it, in others it is full.
 */

const forgotten = new Map<string, string>();

export type Shelf = "local" | "session";

const shelf = (which: Shelf): Storage => (which === "local" ? localStorage : sessionStorage);

export function recall(which: Shelf, key: string): string | null {
  try {
    return shelf(which).getItem(key) ?? forgotten.get(key) ?? null;
  } catch {
    return forgotten.get(key) ?? null;
  }
}

export function remember(which: Shelf, key: string, value: string): void {
  try {
    shelf(which).setItem(key, value);
    forgotten.delete(key);
  } catch {
    forgotten.set(key, value);
  }
}

/** Delete local items with this prefix whose values are old. */
export function discard(prefix: string, isOld: (value: string) => boolean): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(prefix) && isOld(localStorage.getItem(key)!)) localStorage.removeItem(key);
    }
  } catch {
    // There is nothing that could be deleted.
  }
}
