/** The lobby: who is there, the link to invite others, bots for free seats. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { USUAL } from "../game/editions";
import { BOTS, type BotId } from "../generated/bots";
import type { SeatInfo } from "../generated/wire";
import { lazy, prefetch, withMoreWords } from "../lazy";
import { prefs } from "../prefs";
import type { Seat } from "../session/seat";
import { fetchHashing } from "../session/seeds";
import { t } from "../words";
import { refusalOf } from "./errors";
import { factsOf } from "./facts";
import { leave } from "./leave";
import { useLost } from "./lost";
import { seatName } from "./names";
import { openRules, openSettings } from "./opened";
import { Button, Icon, Title } from "./parts";
import { QrCode } from "./qr";
import { useRemoved } from "./removed";
import { beginsAtOnce } from "./start";

const botField = lazy(withMoreWords(() => import("./botField").then(({ BotField }) => BotField)));

interface LobbyProps {
  seat: Seat;
  /** Take a free seat; resolves to an error text or "". */
  onSit: () => Promise<string>;
}

export function Lobby({ seat, onSit }: LobbyProps) {
  const room = seat.room.value!;
  const you = seat.you.value;
  const isHost = you !== null && room.host === you;
  const taken = room.seats.filter((each) => each.kind !== "free").length;
  const error = useSignal("");
  const bot = useSignal<BotId>(BOTS.find(({ level }) => level === prefs.value.level)!.id);
  const status = useNews(room.seats);
  const lostSeat = useRemoved(seat);
  const isRemoved = seat.isRemoved.value;
  const ask: Ask = async (command) => {
    const answer = await seat.ask(command);
    error.value = answer.ok ? "" : refusalOf(answer.code);
  };
  const sit = async () => {
    error.value = await onSit();
  };
  // The deal that follows needs it at once.
  useEffect(() => prefetch({ fetch: fetchHashing }), []);
  // "Play now" starts the match without another button.
  useEffect(() => {
    if (isHost && taken === room.seats.length && beginsAtOnce(room.code)) {
      void ask({ type: "begin" });
    }
  }, [isHost, taken]);
  return (
    <main class="sheet lobby">
      <Head seat={seat} />
      {(isRemoved || lostSeat) && (
        <p class="removed" role="alert">
          {t(isRemoved ? "refusal.removed" : "room.removed")}
        </p>
      )}
      <Invite code={room.code} status={status} />
      <ol class="seats">
        {room.seats.map((_, number) => (
          <SeatRow key={number} seat={seat} number={number} bot={bot.value} ask={ask} />
        ))}
      </ol>
      {isHost && taken < room.seats.length && (
        <botField.Screen bot={bot} edition={room.settings.edition ?? USUAL} />
      )}
      <Alerts seat={seat} status={status} error={error} />
      {isHost ? (
        <Button kind="main" onPress={() => ask({ type: "begin" })} disabled={taken < 2} id="begin">
          {t(taken < 2 ? "lobby.too-few" : "lobby.begin")}
        </Button>
      ) : (
        <p class="waiting-for">{t(you === null ? "lobby.watching" : "lobby.wait")}</p>
      )}
      {you === null && !isRemoved && taken < room.seats.length && (
        <Button kind="main" onPress={sit} id="sit-down">
          {t("room.sit")}
        </Button>
      )}
    </main>
  );
}

type Ask = (command: Parameters<Seat["ask"]>[0]) => Promise<void>;

function Head({ seat }: { seat: Seat }) {
  const { settings } = seat.room.value!;
  const edition = t(`edition.${settings.edition ?? USUAL}.name`);
  return (
    <>
      <header class="bar">
        <Button kind="quiet" onPress={() => leave(seat)} label={t("table.leave")}>
          <Icon name="leave" />
        </Button>
        <Button kind="quiet" onPress={() => openRules(settings)} label={t("start.rules")}>
          <Icon name="rules" />
        </Button>
        <Button kind="quiet" onPress={openSettings} label={t("app.settings")}>
          <Icon name="settings" />
        </Button>
      </header>
      <Title words={t("lobby.title", { edition })} />
      <p class="note facts">{factsOf(settings)}</p>
    </>
  );
}

/** The code, the link and its QR code, to be shared or copied. */
function Invite({ code, status }: { code: string; status: Signal<string> }) {
  const copied = useSignal(false);
  const link = `${location.origin}/r/${code}`;
  const canShare = navigator.share !== undefined && matchMedia("(pointer: coarse)").matches;
  const copy = async () => {
    try {
      if (canShare) {
        await navigator.share({ title: t("app.name"), url: link });
      } else {
        await copyText(link);
        copied.value = true;
        status.value = t("lobby.copied");
      }
    } catch {
      // The player has closed the dialog of the system.
    }
  };
  return (
    <section class="invite" aria-label={t("lobby.invite")}>
      <div>
        <p>{t("lobby.invite")}</p>
        <p class="code" data-testid="code">
          {code}
        </p>
        <p class="link">
          {location.origin}/r/
          <wbr />
          {code}
        </p>
        <Button onPress={copy} id="copy-link">
          <Icon name="copy" />{" "}
          {t(copied.value ? "lobby.copied" : canShare ? "lobby.share" : "lobby.copy")}
        </Button>
      </div>
      <QrCode text={link} label={t("lobby.qr")} />
    </section>
  );
}

interface SeatRowProps {
  seat: Seat;
  number: number;
  /** The bot that the host can put here. */
  bot: BotId;
  ask: Ask;
}

/** A seat: its player, and the actions of the host. */
function SeatRow({ seat, number, bot, ask }: SeatRowProps) {
  const room = seat.room.value!;
  const you = seat.you.value;
  const each = room.seats[number]!;
  const isHost = you !== null && room.host === you;
  return (
    <li class={each.kind}>
      <Icon name={each.kind === "bot" ? "bot" : "person"} />
      <span>
        {each.kind === "free" ? t("lobby.free") : seatName(each)}
        {number === you && <em> {t("lobby.you")}</em>}
        {number === room.host && <em> {t("lobby.host")}</em>}
        {each.away && <em> {t("lobby.away")}</em>}
      </span>
      {isHost && each.kind === "free" && (
        <span class="add">
          <Button onPress={() => ask({ type: "bot", bot, seat: number })}>
            {t("lobby.add", { name: t(`bot.${bot}`) })}
          </Button>
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
  );
}

interface AlertsProps {
  seat: Seat;
  status: Signal<string>;
  error: Signal<string>;
}

/** Live regions: who joined or left, errors, and a lost connection. */
function Alerts({ seat, status, error }: AlertsProps) {
  const lost = useLost(seat);
  return (
    <>
      <p class="unseen" role="status" data-testid="lobby-status">
        {status}
      </p>
      <p class="error" role="alert">
        {error.value}
      </p>
      {lost.value && (
        <p class="error" role="alert" data-testid="lost">
          {t("table.lost")}
        </p>
      )}
    </>
  );
}

/** Who has joined and who has left, for a live region. */
function useNews(seats: readonly SeatInfo[]): Signal<string> {
  const status = useSignal("");
  const before = useRef(seats);
  const missing = (some: readonly SeatInfo[], others: readonly SeatInfo[]) =>
    some.filter((one) => one.kind !== "free" && !others.some(({ name }) => name === one.name));
  useEffect(() => {
    const words = [
      ...missing(seats, before.current).map((one) => t("lobby.came", { name: seatName(one) })),
      ...missing(before.current, seats).map((one) => t("lobby.gone", { name: seatName(one) })),
    ].join(" ");
    before.current = seats;
    if (words !== "") status.value = words;
  }, [seats]);
  return status;
}

/** Copy text. Without HTTPS, as at home, browsers have only the old clipboard API. */
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
