/**
 * Notices above the table, in a place of their own: what the players decide together, a pause, a bot
 * that plays for this player, and a deal that was cancelled.
 */

import type { ComponentChildren } from "preact";
import { withheldBy } from "../game/fairness";
import type { VoteInfo } from "../generated/wire";
import type { Seat } from "../session/seat";
import { t } from "../words";
import { nameAt, nameOrYou, seatName } from "./names";
import { Button } from "./parts";
import { askPause, type Motion, wantsPause } from "./votes";

export function Notices({ seat }: { seat: Seat }) {
  const { votes = [], paused, phase, seats } = seat.room.value!;
  const isPlaying = phase === "playing";
  const you = seat.you.value;
  const standIn = you === null ? null : seats[you]?.bot;
  return (
    <div class="notices">
      <CancelledLine seat={seat} />
      {isPlaying && standIn != null && <BackLine seat={seat} bot={standIn} />}
      {(paused != null || (isPlaying && seats.some((each) => each.pause))) && (
        <PauseLine seat={seat} />
      )}
      {motionsOf(votes).map((motion) => (
        <VoteLine key={`${motion.what} ${motion.about}`} seat={seat} motion={motion} />
      ))}
    </div>
  );
}

interface NoticeProps {
  id: string;
  isUrgent?: boolean;
  /** Whether a live region of the page says it anyway. */
  isSaid?: boolean;
  children: ComponentChildren;
}

function Notice({ id, isUrgent = false, isSaid = false, children }: NoticeProps) {
  const role = isSaid ? undefined : "alert";
  return (
    <div class={isUrgent ? "notice warn" : "notice"} role={role} data-testid={id}>
      {children}
    </div>
  );
}

/** A deal of this game was cancelled; shown until the first turn is over. */
function CancelledLine({ seat }: { seat: Seat }) {
  const game = seat.game.value;
  const deal = game?.cancelled?.at(-1);
  if (deal === undefined || game?.last != null || game?.phase === "over") return null;
  const withheld = withheldBy(deal);
  const isYou = withheld.length === 1 && withheld[0] === seat.you.value;
  const names = withheld.map((number) => nameAt(seat, number)).join(t("list.comma"));
  return (
    <Notice id="cancelled">
      <p>{isYou ? t("proof.cancelled-you") : t("proof.cancelled-now", { names })}</p>
    </Notice>
  );
}

/** A bot plays for this player: the way back. */
function BackLine({ seat, bot }: { seat: Seat; bot: string }) {
  return (
    <Notice id="stood-in" isUrgent>
      <p>{t("vote.replaced", { name: t(`bot.${bot}`) })}</p>
      <Button onPress={() => void seat.ask({ type: "back" })} id="take-over">
        {t("vote.back")}
      </Button>
    </Notice>
  );
}

/** Who wants a pause, who has not agreed yet, and the player's own answer. */
function PauseLine({ seat }: { seat: Seat }) {
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
      ? t("vote.pause-waits", { names: names(false) })
      : t("vote.pause-asked", { names: names(true) });
  return (
    <Notice id="pause" isSaid={isPaused}>
      <p>{words}</p>
      {seat.you.value !== null && (wants || !isPaused) && (
        <Button onPress={() => askPause(seat)} id="agree">
          {t(isPaused ? "vote.no-pause" : wants ? "vote.pause-no" : "vote.yes")}
        </Button>
      )}
    </Notice>
  );
}

/** What is voted on, in the order of the first votes. */
function motionsOf(votes: readonly VoteInfo[]): Motion[] {
  return votes.filter(
    ({ what, about }, index) =>
      votes.findIndex((other) => other.what === what && other.about === about) === index,
  );
}

/** A running vote: what it is about, who is in favour, when it ends, and the player's own answer. */
function VoteLine({ seat, motion }: { seat: Seat; motion: Motion }) {
  const { what, about } = motion;
  const you = seat.you.value;
  const voters = (seat.room.value!.votes ?? [])
    .filter((vote) => vote.what === what && vote.about === about)
    .map((vote) => vote.seat);
  const wants = you !== null && voters.includes(you);
  const names = voters.map((number) => nameOrYou(seat, number)).join(t("list.comma"));
  return (
    <Notice id="vote">
      <p>
        {you === about
          ? t(`vote.${what}-you`, { names })
          : t(`vote.${what}-asked`, { name: nameAt(seat, about), names })}{" "}
        <small>{t(`vote.${what}-until`)}</small>
      </p>
      {you !== null && you !== about && (
        <Button onPress={() => void seat.ask({ type: "vote", what, about, want: !wants })}>
          {t(wants ? "vote.no" : "vote.yes")}
        </Button>
      )}
    </Notice>
  );
}
