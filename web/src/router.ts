/** The router: the path of the page as a signal, and path patterns. */

import { signal } from "@preact/signals";

/** The values of the `:name` segments of a pattern. */
export type Params = Readonly<Record<string, string>>;

const partsOf = (path: string): string[] => path.split("/").filter(Boolean);

/** The parameters of a path that matches a pattern such as `/r/:code`; null if it does not. */
export function match(pattern: string, path: string): Params | null {
  const wanted = partsOf(pattern);
  const parts = partsOf(path);
  if (parts.length !== wanted.length) return null;
  if (!wanted.every((part, at) => part.startsWith(":") || part === parts[at])) return null;
  return Object.fromEntries(
    wanted.flatMap((part, at) => (part.startsWith(":") ? [[part.slice(1), parts[at]!]] : [])),
  );
}

/** The code of a room in a text: the code itself, or a link to the room within a sentence. */
export function codeOf(text: string): string {
  const code = /\/r\/([^/?#\s]+)/.exec(text)?.[1] ?? text;
  return code.toUpperCase().replace(/[^A-Z0-9]/g, "");
}

export const path = signal(location.pathname);

export function go(next: string, replace = false): void {
  history[replace ? "replaceState" : "pushState"](null, "", next);
  path.value = next;
  scrollTo(0, 0);
}

export function goToRoom(code: string): void {
  go(`/r/${code}`);
}

addEventListener("popstate", () => {
  path.value = location.pathname;
});
