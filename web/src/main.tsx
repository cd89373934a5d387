import { render } from "preact";
import { speak, t } from "./words";

await speak("en");
render(
  <main>
    <h1>{t("app.name")}</h1>
  </main>,
  document.getElementById("page")!,
);
