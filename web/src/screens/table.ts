/**
 * The table of routes. A new screen is its file and one row here.
 *
 * The build lists the paths of this file for the server, which answers any other with status 404.
 */

import { eager, type Lazy, lazy, withMoreWords } from "../lazy";
import { match, type Params } from "../router";
import { Join, Start } from "./start";

export interface ScreenRow {
  readonly name: string;
  /** Parts that begin with a colon are given to the screen as properties. */
  readonly path: string;
  readonly load: Lazy<never>;
}

const room = lazy(() => import("./room").then(({ Room }) => Room));
const create = lazy(withMoreWords(() => import("./create").then(({ Create }) => Create)));
const rules = lazy(withMoreWords(() => import("./rules").then(({ RulesPage }) => RulesPage)));

export const SCREENS: readonly ScreenRow[] = [
  { name: "start", path: "/", load: eager(Start) },
  { name: "join", path: "/join", load: eager(Join) },
  { name: "create", path: "/create", load: create },
  { name: "rules", path: "/rules", load: rules },
  { name: "room", path: "/r/:code", load: room },
];

/** The fallback screen for any other path. */
const missing = lazy(withMoreWords(() => import("./missing").then(({ Missing }) => Missing)));

export interface Shown {
  readonly load: Lazy<Params>;
  readonly params: Params;
}

export function screenAt(path: string): Shown {
  for (const row of SCREENS) {
    const params = match(row.path, path);
    // Types cannot check that the path of a row has the parameters of its screen.
    if (params !== null) return { load: row.load as unknown as Lazy<Params>, params };
  }
  return { load: missing, params: {} };
}
