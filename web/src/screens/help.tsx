/** Help: how to move tiles by pointer, and the keyboard shortcuts. */

import { t } from "../words";
import { Dialog } from "./parts";

const HANDS = ["move", "tap", "several", "rest", "split", "look", "sort", "undo"] as const;

const KEYS = [
  ["← → ↑ ↓", "keys.walk"],
  ["keys.space", "keys.choose"],
  ["Enter", "keys.put"],
  ["T", "keys.new-row"],
  ["B", "keys.back"],
  ["X", "keys.split"],
  ["U / Ctrl+Z", "keys.undo"],
  ["Ctrl+Y", "keys.redo"],
  ["C / N", "keys.sort"],
  ["P", "keys.play"],
  ["D", "keys.draw"],
  ["H", "keys.hint"],
  ["W", "keys.where"],
  ["Esc", "keys.clear"],
  ["?", "keys.help"],
] as const;

interface HelpProps {
  /** Whether it was opened with a key. */
  byKey: boolean;
  onClose: () => void;
}

export function HelpDialog({ byKey, onClose }: HelpProps) {
  return (
    <Dialog title={t("help.title")} onClose={onClose} wide>
      <dl class="hands">
        {HANDS.map((each) => (
          <div key={each}>
            <dt>{t(`help.${each}`)}</dt>
            <dd>{t(`help.${each}-how`)}</dd>
          </div>
        ))}
      </dl>
      <details open={byKey || matchMedia("(hover: hover)").matches}>
        <summary>{t("keys.title")}</summary>
        <dl class="keys">
          {KEYS.map(([key, words]) => (
            <div key={key}>
              <dt>
                <kbd>{key === "keys.space" ? t(key) : key}</kbd>
              </dt>
              <dd>{t(words)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Dialog>
  );
}
