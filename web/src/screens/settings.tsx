/** The settings of this browser. */

import { LANGUAGES, OWN_NAMES } from "../generated/words";
import { choose, prefs } from "../prefs";
import { t } from "../words";
import { closeSettings } from "./opened";
import { Choice, Dialog, Switch } from "./parts";

export function SettingsDialog() {
  const now = prefs.value;
  return (
    <Dialog title={t("app.settings")} onClose={closeSettings}>
      <Choice
        label={t("settings.language")}
        value={now.language}
        options={LANGUAGES.map((each) => [each, OWN_NAMES[each]] as const)}
        onChoose={(language) => choose({ language })}
        inTheirLanguage
      />
      <Choice
        label={t("settings.theme")}
        value={now.theme}
        options={[
          ["system", t("settings.theme-system")],
          ["light", t("settings.theme-light")],
          ["dark", t("settings.theme-dark")],
          ["contrast", t("settings.theme-contrast")],
        ]}
        onChoose={(theme) => choose({ theme })}
      />
      <Choice
        label={t("settings.motion")}
        value={now.motion}
        options={[
          ["system", t("settings.motion-system")],
          ["full", t("settings.motion-full")],
          ["less", t("settings.motion-less")],
        ]}
        onChoose={(motion) => choose({ motion })}
      />
      <Switch
        label={t("settings.symbols")}
        note={t("settings.symbols-note")}
        on={now.symbols === "shapes"}
        onChange={(on) => choose({ symbols: on ? "shapes" : "plain" })}
      />
      <Switch
        label={t("settings.remarks")}
        note={t("settings.remarks-note")}
        on={now.remarks}
        onChange={(remarks) => choose({ remarks })}
      />
      <Switch label={t("settings.sound")} on={now.sound} onChange={(sound) => choose({ sound })} />
      <Switch
        label={t("settings.left")}
        note={t("settings.left-note")}
        on={now.leftHanded}
        onChange={(leftHanded) => choose({ leftHanded })}
      />
    </Dialog>
  );
}
