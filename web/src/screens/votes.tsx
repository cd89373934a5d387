/**
 * What the players decide together: a pause, to remove one of them, or to let a bot play for one who
 * does not move.
 */

import { useSignal } from "@preact/signals";
import type { VoteInfo } from "../generated/wire";
import type { Seat } from "../session/seat";
import { t } from "../words";
import { refusalOf } from "./errors";
import { nameAt, nameOrYou, seatName } from "./names";
import { Button, Dialog } from "./parts";

type Motion = Pick<VoteInfo, "what" | "about">;

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

/** A running vote: what it is about, who is in favour, and the player's own answer. */
export function VoteLine({ seat, motion }: { seat: Seat; motion: Motion }) {
  const { what, about } = motion;
  const you = seat.you.value;
  const voters = (seat.room.value!.votes ?? [])
    .filter((vote) => vote.what === what && vote.about === about)
    .map((vote) => vote.seat);
  const wants = you !== null && voters.includes(you);
  const names = voters.map((number) => nameOrYou(seat, number)).join(t("list.comma"));
  return (
    <p class="banner news" role="alert" data-testid="vote">
      {you === about
        ? t(`vote.${what}-you`, { names })
        : t(`vote.${what}-asked`, { name: nameAt(seat, about), names })}
      {you !== null && you !== about && (
        <Button
          onPress={() => void seat.ask({ type: "vote", what, about, want: !wants })}
          id="cast-vote"
        >
          {t(wants ? "vote.no" : "vote.yes")}
        </Button>
      )}
    </p>
  );
}

/** A bot plays for this player: the way back. */
export function BackLine({ seat }: { seat: Seat }) {
  return (
    <p class="banner warn" role="alert" data-testid="stood-in">
      {t("vote.replaced")}
      <Button onPress={() => void seat.ask({ type: "back" })} id="take-over">
        {t("vote.back")}
      </Button>
    </p>
  );
}

// Pauses

/** The label of the pause button: alone among bots, a player needs no agreement. */
export function pauseWords(seat: Seat): "table.no-pause" | "table.pause-now" | "table.pause" {
  if (wantsPause(seat)) return "table.no-pause";
  const people = seat.room.value?.seats.filter((each) => each.kind === "person" && !each.away);
  return people?.length === 1 ? "table.pause-now" : "table.pause";
}

function wantsPause(seat: Seat): boolean {
  const you = seat.you.value;
  return you !== null && (seat.room.value?.seats[you]?.pause ?? false);
}

export function askPause(seat: Seat): void {
  void seat.ask({ type: "ask", what: "pause", want: !wantsPause(seat) });
}

/** Who wants a pause, who has not agreed yet, and the player's own answer. */
export function PauseLine({ seat }: { seat: Seat }) {
  const { paused, seats } = seat.room.value!;
  const wants = wantsPause(seat);
  const names = (want: boolean) =>
    seats
      .filter((each) => each.kind === "person" && !each.away && (each.pause ?? false) === want)
      .map(seatName)
      .join(t("list.comma"));
  const isPaused = paused != null;
  const words = isPaused
    ? t("table.paused")
    : wants
      ? t("table.pause-waits", { names: names(false) })
      : t("table.pause-asked", { names: names(true) });
  return (
    <p class="banner news" role={isPaused ? undefined : "alert"} data-testid="pause">
      {words}
      {seat.you.value !== null && (wants || !isPaused) && (
        <Button onPress={() => askPause(seat)} id="agree">
          {t(isPaused ? "table.no-pause" : wants ? "table.pause-no" : "table.pause-yes")}
        </Button>
      )}
    </p>
  );
}
