/** Before the match: who is there, the link for the others, bots for the empty seats. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { CLOCK, houseRules } from "../game/choices";
import { type Options, optionIn, USUAL } from "../game/editions";
import { BOTS } from "../generated/bots";
import type { SeatInfo, Settings } from "../generated/wire";
import { go } from "../router";
import type { Seat } from "../session/seat";
import { t } from "../words";
import { refusalOf } from "./errors";
import { useLost } from "./lost";
import { seatName } from "./names";
import { openRules, openSettings } from "./opened";
import { Button, Icon, Title } from "./parts";
import { QrCode } from "./qr";
import { beginsAtOnce } from "./start";

interface LobbyProps {
  seat: Seat;
  /** Take a free seat; what it answers is told. */
  onSit: () => Promise<string>;
}

export function Lobby({ seat, onSit }: LobbyProps) {
  const room = seat.room.value!;
  const you = seat.you.value;
  const isHost = you !== null && room.host === you;
  const taken = room.seats.filter((each) => each.kind !== "free").length;
  const error = useSignal("");
  const copied = useSignal(false);
  const lost = useLost(seat);
  const told = useNews(room.seats);
  const link = `${location.origin}/r/${room.code}`;
  const canShare = navigator.share !== undefined && matchMedia("(pointer: coarse)").matches;
  // Whoever loses a seat without having left it was removed.
  const hadSeat = useRef(false);
  hadSeat.current ||= you !== null;

  const ask = async (command: Parameters<Seat["ask"]>[0]) => {
    const answer = await seat.ask(command);
    error.value = answer.ok ? "" : refusalOf(answer.code);
  };

  const sit = async () => {
    error.value = await onSit();
  };

  // Whoever asked to play at once does not have to press another button.
  useEffect(() => {
    if (isHost && taken === room.seats.length && beginsAtOnce(room.code)) {
      void ask({ type: "begin" });
    }
  }, [isHost, taken]);

  const copy = async () => {
    try {
      if (canShare) {
        await navigator.share({ title: t("app.name"), url: link });
      } else {
        await copyText(link);
        copied.value = true;
        told.value = t("lobby.copied");
      }
    } catch {
      // Whoever changes their mind has shared nothing.
    }
  };

  return (
    <main class="sheet lobby">
      <header class="bar">
        <Button kind="quiet" onPress={() => leave(seat)} label={t("table.leave")}>
          <Icon name="leave" />
        </Button>
        <Button kind="quiet" onPress={() => openRules(room.settings)} label={t("start.rules")}>
          <Icon name="rules" />
        </Button>
        <Button kind="quiet" onPress={openSettings} label={t("settings.title")}>
          <Icon name="settings" />
        </Button>
      </header>
      <Title
        words={t("lobby.title", {
          edition: t(`edition.${room.settings.edition ?? USUAL}.name`),
        })}
      />
      <p class="note facts">{factsOf(room.settings)}</p>
      {you === null && hadSeat.current && (
        <p class="removed" role="alert">
          {t("room.removed")}
        </p>
      )}
      <section class="invite" aria-label={t("lobby.invite")}>
        <div>
          <p>{t("lobby.invite")}</p>
          <p class="code" data-testid="code">
            {room.code}
          </p>
          <p class="link">
            {location.origin}/r/
            <wbr />
            {room.code}
          </p>
          <Button onPress={copy} id="copy-link">
            <Icon name="copy" />{" "}
            {t(copied.value ? "lobby.copied" : canShare ? "lobby.share" : "lobby.copy")}
          </Button>
        </div>
        <QrCode text={link} label={t("lobby.qr")} />
      </section>
      <ol class="seats">
        {room.seats.map((each, number) => (
          <li key={number} class={each.kind}>
            <Icon name={each.kind === "bot" ? "bot" : "person"} />
            <span>
              {each.kind === "free" ? t("lobby.free") : seatName(each)}
              {number === you && <em> {t("lobby.you")}</em>}
              {number === room.host && <em> {t("lobby.host")}</em>}
              {each.away && <em> {t("lobby.away")}</em>}
            </span>
            {isHost && each.kind === "free" && (
              <span class="add">
                {BOTS.map(({ id, kind }) => (
                  <Button key={id} onPress={() => ask({ type: "bot", bot: id, seat: number })}>
                    {t(kind)}
                  </Button>
                ))}
              </span>
            )}
            {isHost && each.kind !== "free" && number !== you && (
              <Button
                kind="quiet"
                label={t("lobby.remove", { name: seatName(each) })}
                onPress={() => ask({ type: "remove", seat: number })}
              >
                <Icon name="close" />
              </Button>
            )}
          </li>
        ))}
      </ol>
      <p class="unseen" role="status" data-testid="told">
        {told}
      </p>
      <p class="error" role="alert">
        {error.value}
      </p>
      {lost.value && (
        <p class="error" role="alert" data-testid="lost">
          {t("table.lost")}
        </p>
      )}
      {isHost ? (
        <Button kind="main" onPress={() => ask({ type: "begin" })} disabled={taken < 2} id="begin">
          {t(taken < 2 ? "lobby.too-few" : "lobby.begin")}
        </Button>
      ) : (
        <p class="waiting-for">{t(you === null ? "lobby.watching" : "lobby.wait")}</p>
      )}
      {you === null && taken < room.seats.length && (
        <Button kind="main" onPress={sit} id="sit-down">
          {t("room.sit")}
        </Button>
      )}
    </main>
  );
}

/** Who has come and who has left, for those who do not see it. */
function useNews(seats: readonly SeatInfo[]): Signal<string> {
  const told = useSignal("");
  const before = useRef(seats);
  const missing = (some: readonly SeatInfo[], others: readonly SeatInfo[]) =>
    some.filter((one) => one.kind !== "free" && !others.some(({ name }) => name === one.name));
  useEffect(() => {
    const words = [
      ...missing(seats, before.current).map((one) => t("lobby.came", { name: seatName(one) })),
      ...missing(before.current, seats).map((one) => t("lobby.gone", { name: seatName(one) })),
    ].join(" ");
    before.current = seats;
    if (words !== "") told.value = words;
  }, [seats]);
  return told;
}

/** What the host has chosen, in a line. */
export function factsOf(settings: Settings): string {
  const { edition = USUAL, options = {} } = settings;
  const seconds = Number(optionIn(settings, CLOCK));
  const own = houseRules({ edition, changed: options as Options });
  return [
    seconds === 0 ? t("create.no-clock") : t("lobby.seconds", { seconds }),
    t("lobby.rounds", { count: settings.rounds ?? 1 }),
    ...(settings.hints ? [t("lobby.hints")] : []),
    ...(own > 0 ? [t("lobby.own-rules", { count: own })] : []),
  ].join(" · ");
}

/** Without a certificate, as at home, browsers have no clipboard but the old one. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  if (!isDone) throw new Error("it cannot be copied");
}

const LEAVE_WITHIN = 2_000;

/** Whoever wants to go goes, even where nobody can be told. */
export async function leave(seat: Seat): Promise<void> {
  if (seat.you.value !== null) {
    const tooLate = new Promise((late) => setTimeout(late, LEAVE_WITHIN));
    await Promise.race([seat.ask({ type: "leave" }), tooLate]);
  }
  go("/");
}
