import "./style.css";
import { effect } from "@preact/signals";
import { render } from "preact";
import { prefs } from "./prefs";
import { App } from "./ui/app";
import { language, speak } from "./words";

const page = document.getElementById("page")!;
await speak(prefs.value.language);
render(<App />, page);
effect(() => {
  // Where the words do not come, the old ones stay.
  if (prefs.value.language !== language.peek()) speak(prefs.value.language).catch(() => {});
});
