/** Help in three stages: how many tiles, which, and how, one movement after the other. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isCalm } from "../prefs";
import type { Seat } from "../table/seat";
import { namesOf } from "../table/tile";
import { t } from "../words";
import { Button } from "./parts";

const STEP = 1_100;

export function HintBar({ seat }: { seat: Seat }) {
  const hint = seat.hint.value;
  const step = useSignal(0);
  const found = hint?.found;
  const stage = hint?.stage ?? 0;
  useEffect(() => {
    if (stage !== 3 || found === undefined) return undefined;
    step.value = 0;
    seat.reset();
    let at = 0;
    const next = () => {
      const info = found.steps[at];
      if (info === undefined) return;
      at += 1;
      step.value = at;
      seat.follow(info.table);
      timer = setTimeout(next, STEP);
    };
    let timer = setTimeout(next, isCalm() ? 0 : 400);
    return () => clearTimeout(timer);
  }, [stage, found]);
  if (found === undefined) return null;
  return (
    <div
      class="hint-bar"
      role="status"
      data-testid="hint"
      data-left={stage < 3 ? found.steps.length : found.steps.length - step.value}
    >
      <p>{words(seat, step.value)}</p>
      {stage < 3 && found.tiles > 0 && (
        <Button onPress={() => void seat.help()} id="hint-more">
          {t(stage === 1 ? "hint.which" : "hint.how")}
        </Button>
      )}
      <Button
        kind="quiet"
        label={t("app.close")}
        onPress={() => {
          seat.hint.value = null;
        }}
      >
        ✕
      </Button>
    </div>
  );
}

function words(seat: Seat, step: number): string {
  const { found, stage } = seat.hint.value!;
  if (found.tiles === 0) return t("hint.none");
  if (stage === 1) return t("hint.count", { count: found.tiles });
  if (stage === 2) return t("hint.tiles", { tiles: namesOf(found.played) });
  const info = found.steps[step - 1];
  if (info === undefined) return t("hint.watch");
  const told = t(`hint.step-${info.kind}`, { tiles: namesOf(info.tiles) });
  return t("hint.step", { step, steps: found.steps.length, told });
}
