/** The players: names, tiles left, who has opened, whose turn it is, and the clock. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { lazy, withMoreWords } from "../lazy";
import type { Seat } from "../session/seat";
import * as sound from "../sound";
import { t } from "../words";
import { isReplaced, nameOrYou } from "./names";
import { Icon } from "./parts";
import { saidWords } from "./talk";

/** No bot has moved at first. */
const remark = lazy(
  withMoreWords(() => import("./remark").then(({ Remark }) => Remark)),
  "nothing",
);

export function Players({ seat }: { seat: Seat }) {
  const room = seat.room.value!;
  const game = seat.game.value;
  const list = useRef<HTMLUListElement>(null);
  const current = game?.current;
  // A small screen does not show everybody: it scrolls to the player whose turn it is.
  useEffect(() => {
    const element = list.current?.querySelector<HTMLElement>(".turn");
    if (element == null) return;
    const middle = element.offsetLeft + element.offsetWidth / 2;
    list.current!.scrollLeft = middle - list.current!.clientWidth / 2;
  }, [current]);
  return (
    <ul class="players" ref={list} aria-label={t("players.title")}>
      {room.seats.map((_, number) => (
        <Player key={number} seat={seat} number={number} />
      ))}
      {game !== null && (
        <li class="player pool">
          <span class="stack" aria-hidden="true" />
          <span class="who">
            <span class="name">{t("players.pool")}</span>
            <span class="facts" data-testid="pool">
              {game.pool ?? 0}
            </span>
          </span>
        </li>
      )}
    </ul>
  );
}

interface PlayerProps {
  seat: Seat;
  number: number;
}

function Player({ seat, number }: PlayerProps) {
  const room = seat.room.value!;
  const each = room.seats[number]!;
  const isTurn = room.phase === "playing" && seat.game.value?.current === number;
  const isYou = number === seat.you.value;
  const names = ["player", isTurn && "turn", each.away && "away", isYou && "you"];
  return (
    <li
      class={names.filter(Boolean).join(" ")}
      data-seat={number}
      {...(isTurn ? { "aria-current": true } : {})}
    >
      {isTurn ? (
        <Clock seat={seat} />
      ) : (
        <Icon name={each.kind === "bot" || each.bot ? "bot" : "person"} />
      )}
      <span class="who">
        <span class="name">{nameOrYou(seat, number)}</span>
        <Facts seat={seat} number={number} />
      </span>
      {each.bot != null && <remark.Screen seat={seat} number={number} />}
      <Bubble seat={seat} number={number} />
    </li>
  );
}

/** How many tiles a player has, and whether they have opened or are away. */
function Facts({ seat, number }: PlayerProps) {
  const each = seat.room.value!.seats[number]!;
  const game = seat.game.value;
  const left = game?.rack_sizes?.[number];
  return (
    <span class="facts">
      {left !== undefined && (
        <span class="left" title={t("players.tiles", { count: left })}>
          <span aria-hidden="true">▮ {left}</span>
          <span class="unseen">{t("players.tiles", { count: left })}</span>
        </span>
      )}
      {game?.opened?.[number] && (
        <span class="opened" title={t("players.opened")}>
          <span aria-hidden="true">✓</span>
          <span class="unseen">{t("players.opened")}</span>
        </span>
      )}
      {isReplaced(each) ? (
        <span>
          {t("players.replaced")} · {t(`bot.${each.bot}`)}
        </span>
      ) : (
        each.away && <span>{t("lobby.away")}</span>
      )}
    </span>
  );
}

const SHOWN = 5_000;

/** The last message of a player, beside the name. */
function Bubble({ seat, number }: { seat: Seat; number: number }) {
  const room = seat.room.value!;
  const last = (room.chat ?? []).findLast((said) => said.seat === number);
  const shown = useSignal(0);
  const at = last?.at ?? 0;
  useEffect(() => {
    const left = at + SHOWN - (Date.now() + seat.connection.ahead);
    if (left <= 0 || (room.muted ?? []).includes(number)) return undefined;
    shown.value = at;
    const timer = setTimeout(() => {
      shown.value = 0;
    }, left);
    return () => clearTimeout(timer);
  }, [at]);
  if (last === undefined || shown.value !== at) return null;
  return (
    <span class="bubble" dir="auto">
      {saidWords(last)}
    </span>
  );
}

const AROUND = 2 * Math.PI * 15;

/** Milliseconds before the end of a turn when it is time to hurry. */
const SOON = 10_000;

/** The current time, updated while there is a deadline. */
function useNow(deadline: number | null): Signal<number> {
  const now = useSignal(Date.now());
  useEffect(() => {
    if (deadline === null) return undefined;
    now.value = Date.now();
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 250);
    return () => clearInterval(timer);
  }, [deadline]);
  return now;
}

/** The last seconds of the player's turn, beside the button that ends it. */
export function Hurry({ seat }: { seat: Seat }) {
  const deadline = seat.myTurn.value ? (seat.game.value?.deadline ?? null) : null;
  const now = useNow(deadline);
  const left = deadline === null ? 0 : deadline - seat.connection.ahead - now.value;
  const seconds = Math.ceil(left / 1000);
  const isSoon = left > 0 && left <= SOON;
  useEffect(() => {
    if (isSoon) sound.hurry();
  }, [isSoon, seconds]);
  if (!isSoon) return null;
  return (
    <div class="hurry" aria-hidden="true" data-testid="hurry">
      <div style={{ transform: `scaleX(${left / SOON})` }} />
      <b>{seconds}</b>
    </div>
  );
}

/** A ring that empties; its last seconds are counted. */
function Clock({ seat }: { seat: Seat }) {
  const game = seat.game.value!;
  const deadline = game.deadline ?? null;
  const now = useNow(deadline);
  if (deadline === null) return <span class="turn-dot" aria-hidden="true" />;
  const whole = Math.max(1, deadline - (game.turn_began ?? 0));
  const left = Math.max(0, Math.min(whole, deadline - seat.connection.ahead - now.value));
  const seconds = Math.ceil(left / 1000);
  return (
    <span class={left <= SOON ? "clock soon" : "clock"} data-testid="clock">
      <svg viewBox="0 0 36 36" aria-hidden="true">
        <circle cx="18" cy="18" r="15" />
        <circle
          class="left"
          cx="18"
          cy="18"
          r="15"
          stroke-dasharray={AROUND}
          stroke-dashoffset={AROUND * (1 - left / whole)}
        />
      </svg>
      <span aria-hidden="true">{seconds}</span>
      <span class="unseen" role="timer">
        {t("players.seconds", { seconds })}
      </span>
      <ClockWords seconds={seconds} />
    </span>
  );
}

/** A live region that announces 30, 10 and 5 seconds. */
function ClockWords({ seconds }: { seconds: number }) {
  const announced = [30, 10, 5].find((moment) => seconds === moment);
  return (
    <span class="unseen" aria-live="polite">
      {announced === undefined ? "" : t("players.seconds", { seconds: announced })}
    </span>
  );
}
