/** The hint bar, in three stages: how many tiles, which, and how, step by step. */

import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Draft } from "../game/draft";
import { isCalm } from "../prefs";
import type { Seat } from "../session/seat";
import type { Announce } from "../table/ariaText";
import { stepWords } from "../table/steps";
import { namesOf } from "../table/tile";
import { t } from "../words";
import { Button, Icon } from "./parts";

/** Long enough to read a sentence and see what it says. */
const STEP = 1_800;

/** Shows the steps of a hint one after the other, until the player takes over. */
function useSteps({ table }: Seat): (next: number, runs: boolean) => void {
  const hint = table.hint.value;
  const found = hint?.found;
  const stage = hint?.stage ?? 0;
  const step = hint?.step ?? 0;
  /** Whether the next step follows automatically. */
  const runs = useSignal(true);
  const shown = useRef<Draft | null>(null);
  const show = (next: number) => {
    table.showStep(next);
    shown.current = table.draft.value;
  };
  useEffect(() => {
    runs.value = true;
    if (stage === 3) show(0);
  }, [stage, found]);
  useEffect(() => {
    if (stage !== 3 || found === undefined || !runs.value) return undefined;
    if (step >= found.steps.length) return undefined;
    const next = () => {
      // A player who goes on alone is not interrupted.
      if (shown.current === table.draft.value) show(step + 1);
      else runs.value = false;
    };
    const timer = setTimeout(next, step > 0 ? STEP : isCalm() ? 0 : 500);
    return () => clearTimeout(timer);
  }, [stage, found, step, runs.value]);
  return (next, isRunning) => {
    runs.value = isRunning;
    show(next);
  };
}

interface HintProps {
  seat: Seat;
  announce: Announce;
}

export function HintBar({ seat, announce }: HintProps) {
  const turn = useSteps(seat);
  const words = useComputed(() => hintWords(seat));
  useSignalEffect(() => announce(words.value));
  const hint = seat.table.hint.value;
  if (hint === null) return <QueueLine seat={seat} />;
  const { found, stage, step } = hint;
  const left = found.steps.length - step;
  return (
    <div
      class="hint-bar"
      data-testid="hint"
      data-left={stage < 3 ? found.steps.length : found.steps.length - step}
    >
      <p>{words}</p>
      {stage < 3 && found.tiles > 0 && (
        <Button onPress={() => void seat.advice.help()} id="hint-more">
          {t(stage === 1 ? "hint.which" : "hint.how")}
        </Button>
      )}
      {stage === 3 && <StepButtons step={step} left={left} turn={turn} />}
      <Button
        kind="quiet"
        label={t("app.close")}
        id="hint-close"
        onPress={() => seat.table.closeHint()}
      >
        <Icon name="close" />
      </Button>
    </div>
  );
}

interface StepProps {
  step: number;
  left: number;
  turn: (next: number, runs: boolean) => void;
}

function StepButtons({ step, left, turn }: StepProps) {
  return (
    <span class="steps">
      <Button
        onPress={() => turn(step - 1, false)}
        disabled={step === 0}
        label={t("hint.back")}
        id="hint-back"
      >
        <Icon name="back" />
      </Button>
      {left > 0 ? (
        <Button onPress={() => turn(step + 1, false)} label={t("hint.next")} id="hint-next">
          <Icon name="next" />
        </Button>
      ) : (
        <Button onPress={() => turn(0, true)} label={t("hint.again")} id="hint-again">
          <Icon name="reset" />
        </Button>
      )}
    </span>
  );
}

/** A hint that waits in the server's queue. */
function QueueLine({ seat }: { seat: Seat }) {
  if (seat.advice.asking.value !== "queued") return null;
  return (
    <div class="hint-bar" data-testid="queued">
      <p>{t("hint.queued")}</p>
    </div>
  );
}

/** The text of the hint, or that it waits; "" without one. */
function hintWords(seat: Seat): string {
  if (seat.table.hint.value === null)
    return seat.advice.asking.value === "queued" ? t("hint.queued") : "";
  const { found, stage, step } = seat.table.hint.value;
  if (found.tiles === 0) {
    return t((seat.game.value?.pool ?? 0) > 0 ? "hint.none" : "hint.none-pass");
  }
  if (stage === 1) return t("hint.count", { count: found.tiles });
  if (stage === 2) return t("hint.tiles", { tiles: namesOf(found.played) });
  const info = found.steps[step - 1];
  if (info === undefined) return t("hint.watch");
  return t("hint.step", { step, steps: found.steps.length, text: stepWords(info) });
}
