import "./style/index.css";
import { effect } from "@preact/signals";
import { render } from "preact";
import { prefs } from "./prefs";
import { App } from "./ui/app";
import { language, speak } from "./words";

const AGAIN_AFTER = 2_000;

/** Without words there is no page: the net may be gone, or the server has newer ones. */
async function begin(): Promise<void> {
  try {
    await speak(prefs.value.language);
  } catch {
    setTimeout(() => location.reload(), AGAIN_AFTER);
    return;
  }
  render(<App />, document.getElementById("page")!);
  effect(() => {
    // Where other words do not come, the old ones stay.
    if (prefs.value.language !== language.peek()) speak(prefs.value.language).catch(() => {});
  });
}

void begin();
