/** Verification of a match: deals and turns are checked against the record. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { lastMatch, recordOf, verified } from "../session/api";
import type { Seat } from "../session/seat";
import { t } from "../words";
import { errorWords } from "./errors";
import { Button, Icon } from "./parts";
import { problemWords } from "./problems";

interface Outcome {
  readonly good: boolean;
  readonly words: string;
  readonly problems: readonly string[];
}

export function Proof({ seat }: { seat: Seat }) {
  const busy = useSignal(false);
  const outcome = useSignal<Outcome | null>(null);
  const result = useRef<HTMLDivElement>(null);
  // It may be outside the viewport.
  useEffect(() => {
    if (outcome.value !== null) result.current?.scrollIntoView({ block: "nearest" });
  }, [outcome.value]);
  if ((seat.room.value?.match?.results.length ?? 0) === 0) return null;

  const work = async (what: (match: number) => Promise<Outcome | null>) => {
    busy.value = true;
    try {
      outcome.value = await what(await lastMatch(seat.code));
    } catch (caught) {
      outcome.value = { good: false, words: errorWords(caught), problems: [] };
    }
    busy.value = false;
  };
  const check = (match: number) =>
    verified(seat.code, match).then(({ holds, problems }) => ({
      good: holds,
      words: t(holds ? "proof.holds" : "proof.broken"),
      problems: problems.map(problemWords),
    }));
  const download = async (match: number) => {
    const link = document.createElement("a");
    link.href = recordOf(seat.code, match);
    link.download = "";
    link.click();
    return null;
  };

  return (
    <section class="proof">
      <p class="note">{t("proof.note")}</p>
      <div class="both">
        <Button onPress={() => void work(check)} disabled={busy.value} id="check-shuffle">
          <Icon name="check" /> {t("proof.check")}
        </Button>
        <Button onPress={() => void work(download)} disabled={busy.value} id="download-record">
          <Icon name="download" /> {t("proof.download")}
        </Button>
      </div>
      <div role="status" ref={result}>
        {outcome.value !== null && (
          <p class={outcome.value.good ? "outcome good" : "outcome bad"} data-testid="proof">
            {outcome.value.words}
          </p>
        )}
        {outcome.value?.problems.map((problem) => (
          <p key={problem} class="note">
            {problem}
          </p>
        ))}
      </div>
    </section>
  );
}
