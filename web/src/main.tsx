import "./style/index.css";
import { effect } from "@preact/signals";
import { render } from "preact";
import { startAnew } from "./lazy";
import { prefs } from "./prefs";
import { App, prepare } from "./screens/app";
import { language, speak } from "./words";

/** Load words and screen, then render. Where they do not load, the page reloads itself. */
async function begin(): Promise<void> {
  try {
    await Promise.all([speak(prefs.value.language), prepare()]);
  } catch {
    startAnew();
    return;
  }
  render(<App />, document.getElementById("page")!);
  effect(() => {
    // If another language does not load, the old one stays.
    if (prefs.value.language !== language.peek()) speak(prefs.value.language).catch(() => {});
  });
}

void begin();
