import "./style/index.css";
import { effect } from "@preact/signals";
import { render } from "preact";
import { startAnew } from "./lazy";
import { prefs } from "./prefs";
import { App, prepare } from "./screens/app";
import { language, speak } from "./words";

/** Without words there is no page: the net may be gone, or the server has newer ones. */
async function begin(): Promise<void> {
  try {
    await Promise.all([speak(prefs.value.language), prepare()]);
  } catch {
    startAnew();
    return;
  }
  render(<App />, document.getElementById("page")!);
  effect(() => {
    // Where other words do not come, the old ones stay.
    if (prefs.value.language !== language.peek()) speak(prefs.value.language).catch(() => {});
  });
}

void begin();
