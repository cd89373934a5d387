import { render } from "preact";
import { speak, t } from "./words";

await speak("en");
render(<h1>{t("app.name")}</h1>, document.getElementById("page")!);
