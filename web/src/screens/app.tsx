/** The whole page: the screen that its address asks for. */

import { useEffect } from "preact/hooks";
import { lazy, prefetch, withMoreWords } from "../lazy";
import { type Route, route } from "../router";
import { closeRules, closeSettings, rules, settings } from "./opened";
import { SettingsDialog } from "./settings";
import { Join, Start } from "./start";

const room = lazy(() => import("./room").then(({ Room }) => Room));
const create = lazy(withMoreWords(() => import("./create").then(({ Create }) => Create)));
const book = lazy(withMoreWords(() => import("./rules").then(({ RulesPage }) => RulesPage)));
const overlay = lazy(
  withMoreWords(() => import("./rules").then(({ RulesDialog }) => RulesDialog)),
  "unseen",
);

/** Fetch what a screen needs. */
export async function prepare(here: Route): Promise<void> {
  if (here.name === "room") await room.fetch();
  if (here.name === "create") await create.fetch();
  if (here.name === "rules") await book.fetch();
}

export function App() {
  const here = route.value;
  const screen = here.name === "room" ? here.code : here.name;
  useEffect(() => prefetch(room, create, book, overlay), []);
  // What lies over one screen does not lie over the next.
  useEffect(
    () => () => {
      closeRules();
      closeSettings();
    },
    [screen],
  );
  return (
    <>
      <Screen key={screen} />
      {rules.value !== null && <overlay.Screen of={rules.value} />}
      {settings.value && <SettingsDialog />}
    </>
  );
}

function Screen() {
  const here = route.value;
  switch (here.name) {
    case "start":
      return <Start />;
    case "create":
      return <create.Screen />;
    case "join":
      return <Join />;
    case "rules":
      return <book.Screen />;
    case "room":
      return <room.Screen code={here.code} />;
  }
}
