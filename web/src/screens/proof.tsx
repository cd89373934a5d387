/** Verification of a match: deals in this browser, turns on the server. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type DealProof, withheldBy } from "../game/fairness";
import { lastMatch, recordOf, verified } from "../session/api";
import { faultOf } from "../session/dealCheck";
import type { Seat } from "../session/seat";
import { t } from "../words";
import { errorWords } from "./errors";
import { seatName } from "./names";
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

  const checkDeals = () => {
    outcome.value = dealOutcome(seat);
  };
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
    verified(seat.code, match).then(({ holds, problems, cancelled: count = 0 }) => ({
      good: holds,
      words: t(holds ? "proof.holds" : "proof.broken"),
      problems: [...problems.map(problemWords), t("proof.on-record", { count })],
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
      <DealNotes seat={seat} />
      <div class="both">
        <Button onPress={checkDeals} disabled={busy.value} id="check-shuffle">
          <Icon name="check" /> {t("proof.check")}
        </Button>
        <Button onPress={() => void work(check)} disabled={busy.value} id="check-turns">
          <Icon name="check" /> {t("proof.turns")}
        </Button>
        <Button onPress={() => void work(download)} disabled={busy.value} id="download-record">
          <Icon name="download" /> {t("proof.download")}
        </Button>
      </div>
      <div role="status" ref={result}>
        {outcome.value !== null && <Shown {...outcome.value} />}
      </div>
    </section>
  );
}

function Shown({ good, words, problems }: Outcome) {
  return (
    <>
      <p class={good ? "outcome good" : "outcome bad"} data-testid="proof">
        {words}
      </p>
      {problems.map((problem) => (
        <p key={problem} class="note">
          {problem}
        </p>
      ))}
    </>
  );
}

/** What everybody should know about the deals, without asking. */
function DealNotes({ seat }: { seat: Seat }) {
  const notes = seat.deals.proofs.flatMap((proof) => dealNotes(seat, proof));
  return (
    <>
      {notes.map((note) => (
        <p key={note} class="note" data-testid="deal-note">
          {note}
        </p>
      ))}
    </>
  );
}

/** Compute every deal again that this page saw. Needs no server. */
function dealOutcome(seat: Seat): Outcome {
  const total = seat.room.value?.match?.results.length ?? 0;
  const proofs = seat.deals.proofs.filter(({ version }) => version > 1);
  const problems = proofs.flatMap((proof) => {
    const code = faultOf(proof, seat.deals.seen(proof.game));
    return code === null ? [] : [problemWords({ code, message: "", game: proof.game, turn: null })];
  });
  if (problems.length > 0) return { good: false, words: t("proof.deals-broken"), problems };
  const count = proofs.length;
  const rest = count < total ? [t("proof.partly", { count, total })] : [];
  return { good: count > 0, words: t("proof.deals-hold", { count }), problems: rest };
}

/** Who did not take part in the shuffle of a game, and who cancelled a deal. */
function dealNotes(seat: Seat, proof: DealProof): string[] {
  const { game, sources, cancelled } = proof;
  const names = (seats: readonly number[]) =>
    seats.map((each) => seatName(seat.room.value!.seats[each]!)).join(t("list.comma"));
  const without = [...sources.keys()].filter((each) => sources[each] === "default");
  return [
    ...(proof.version > 1 ? [] : [t("proof.old", { game })]),
    ...cancelled.map((deal, index) =>
      t("proof.cancelled", { game, deal: index + 1, names: names(withheldBy(deal)) }),
    ),
    ...(without.length === 0 ? [] : [t("proof.without", { game, names: names(without) })]),
  ];
}
