/** Which page is shown: its address says so. */

import { signal } from "@preact/signals";

export type Route =
  | { readonly name: "start" }
  | { readonly name: "create" }
  | { readonly name: "join" }
  | { readonly name: "rules" }
  | { readonly name: "room"; readonly code: string };

export function routeOf(path: string): Route {
  const [first, second] = path.split("/").filter(Boolean);
  const code = first === "r" && second !== undefined ? codeOf(second) : "";
  if (code !== "") return { name: "room", code };
  if (first === "create" || first === "join" || first === "rules") return { name: first };
  return { name: "start" };
}

/** A code as somebody may have typed it, or the link to a room, alone or in a sentence. */
export function codeOf(text: string): string {
  const code = /\/r\/([^/?#\s]+)/.exec(text)?.[1] ?? text;
  return code.toUpperCase().replace(/[^A-Z0-9]/g, "");
}

export function pathOf(route: Route): string {
  switch (route.name) {
    case "start":
      return "/";
    case "room":
      return `/r/${route.code}`;
    default:
      return `/${route.name}`;
  }
}

export const route = signal<Route>(routeOf(location.pathname));

export function go(next: Route, replace = false): void {
  history[replace ? "replaceState" : "pushState"](null, "", pathOf(next));
  route.value = next;
  scrollTo(0, 0);
}

addEventListener("popstate", () => {
  route.value = routeOf(location.pathname);
});
