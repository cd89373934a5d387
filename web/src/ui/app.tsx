/** The whole page: the screen that its address asks for. */

import { useEffect } from "preact/hooks";
import { route } from "../router";
import { Create } from "./create";
import { Room } from "./room";
import { closeRules, RulesDialog, RulesPage } from "./rules";
import { closeSettings, SettingsDialog } from "./settings";
import { Join, Start } from "./start";

export function App() {
  const here = route.value;
  const screen = here.name === "room" ? here.code : here.name;
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
      <RulesDialog />
      <SettingsDialog />
    </>
  );
}

function Screen() {
  const here = route.value;
  switch (here.name) {
    case "start":
      return <Start />;
    case "create":
      return <Create />;
    case "join":
      return <Join />;
    case "rules":
      return <RulesPage />;
    case "room":
      return <Room code={here.code} />;
  }
}
