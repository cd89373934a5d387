/**
 * What the players decide together: a pause, to remove one of them, or to let a bot play for one who
 * does not move. `notices.tsx` shows what is under way.
 */

import { useSignal } from "@preact/signals";
import type { VoteInfo } from "../generated/wire";
import type { Seat } from "../session/seat";
import { t } from "../words";
import { refusalOf } from "./errors";
import { nameAt } from "./names";
import { Button, Dialog } from "./parts";

export type Motion = Pick<VoteInfo, "what" | "about">;

/** Players besides this one who are needed to remove somebody. */
const LEAST_VOTERS = 2;

/** What this player can vote on now. */
function motions(seat: Seat): Motion[] {
  const room = seat.room.value!;
  const game = seat.game.value;
  const people = [...room.seats.keys()].filter(
    (number) => room.seats[number]!.kind === "person" && number !== seat.you.value,
  );
  const isHere = (number: number) => !room.seats[number]!.away;
  const stalls = (number: number) =>
    room.phase === "playing" &&
    room.paused == null &&
    game?.current === number &&
    game.deadline == null &&
    room.seats[number]!.bot == null;
  return people.flatMap((about) => {
    const voters = 1 + people.filter((other) => other !== about && isHere(other)).length;
    const found: Motion[] = [];
    if (stalls(about)) found.push({ what: "stand-in", about });
    if (voters >= LEAST_VOTERS) found.push({ what: "remove", about });
    return found;
  });
}

/** The votes of the others that this player can cast, in a dialog. */
export function VoteDialog({ seat, onClose }: { seat: Seat; onClose: () => void }) {
  const error = useSignal("");
  const found = motions(seat);
  const vote = async (motion: Motion) => {
    const answer = await seat.ask({ type: "vote", ...motion, want: true });
    if (answer.ok) onClose();
    else error.value = refusalOf(answer.code);
  };
  return (
    <Dialog title={t("vote.title")} onClose={onClose}>
      <p class="note">{t(found.length === 0 ? "vote.none" : "vote.note")}</p>
      <div class="menu">
        {found.map((motion) => (
          <Button
            key={`${motion.what} ${motion.about}`}
            kind={motion.what === "remove" ? "danger" : "plain"}
            onPress={() => vote(motion)}
          >
            {t(`vote.${motion.what}`, { name: nameAt(seat, motion.about) })}
          </Button>
        ))}
      </div>
      <p class="error" role="alert">
        {error.value}
      </p>
    </Dialog>
  );
}

// Pauses

/** The label of the pause button: alone among bots, a player needs no agreement. */
export function pauseWords(seat: Seat): "vote.no-pause" | "vote.pause-now" | "vote.pause" {
  if (wantsPause(seat)) return "vote.no-pause";
  const people = seat.room.value?.seats.filter((each) => each.kind === "person" && !each.away);
  return people?.length === 1 ? "vote.pause-now" : "vote.pause";
}

export function wantsPause(seat: Seat): boolean {
  const you = seat.you.value;
  return you !== null && (seat.room.value?.seats[you]?.pause ?? false);
}

export function askPause(seat: Seat): void {
  void seat.ask({ type: "ask", what: "pause", want: !wantsPause(seat) });
}
