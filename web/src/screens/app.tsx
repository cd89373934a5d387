/** The whole page: the screen of its address, and the dialogs that any screen may open. */

import { useEffect } from "preact/hooks";
import { lazy, prefetch, withMoreWords } from "../lazy";
import { path } from "../router";
import { closeRules, closeSettings, rules, settings } from "./opened";
import { SCREENS, screenAt } from "./table";

const rulesDialog = lazy(
  withMoreWords(() => import("./rules").then(({ RulesDialog }) => RulesDialog)),
  "nothing",
);
const settingsDialog = lazy(
  withMoreWords(() => import("./settings").then(({ SettingsDialog }) => SettingsDialog)),
  "nothing",
);

/** Fetch the code of the screen that is shown first. */
export function prepare(): Promise<void> {
  return screenAt(path.peek()).load.fetch();
}

export function App() {
  const { load, params } = screenAt(path.value);
  useEffect(() => prefetch(...SCREENS.map((row) => row.load), rulesDialog, settingsDialog), []);
  // Dialogs of one screen do not stay open on the next.
  useEffect(
    () => () => {
      closeRules();
      closeSettings();
    },
    [path.value],
  );
  return (
    <>
      <load.Screen key={path.value} {...params} />
      {rules.value !== null && <rulesDialog.Screen of={rules.value} />}
      {settings.value && <settingsDialog.Screen />}
    </>
  );
}
