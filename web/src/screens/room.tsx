/** The screen of a room: invitation, lobby, table. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { USUAL } from "../game/editions";
import type { RoomReply } from "../generated/wire";
import { lazy, prefetch } from "../lazy";
import { never } from "../never";
import { codeOf, go } from "../router";
import { ApiError, beGuest, lookAt, sitDown, socketOf } from "../session/api";
import { Seat } from "../session/seat";
import { openBox } from "../table/tile";
import { t } from "../words";
import { closedWords } from "./closed";
import { errorWords } from "./errors";
import { factsOf } from "./facts";
import { seatName } from "./names";
import { Button, Icon, Title } from "./parts";
import { BackHome, ErrorLine, NameField, ownName } from "./start";
import { TablePage } from "./tablePage";

const lobby = lazy(() => import("./lobby").then(({ Lobby }) => Lobby));

const LOOK_AGAIN = 2_000;

type Stage = "looking" | "outside" | "inside" | "gone" | "unreachable";

/** The screen of a room; its code may have been typed by hand. */
export function Room({ code }: { code: string }) {
  return <RoomOf code={codeOf(code)} />;
}

function RoomOf({ code }: { code: string }) {
  const { stage, error, seen, look } = useRoom(code);
  useEffect(() => prefetch(lobby), []);
  const sit = async () => {
    error.value = await takeSeat(code);
    if (error.value === "") stage.value = "inside";
    else look();
  };
  switch (stage.value) {
    case "looking":
      return <p class="waiting">{t("room.looking")}</p>;
    case "gone":
      return (
        <Failure title={t("room.gone")} error={error.value}>
          <Button kind="main" onPress={() => go("/join")}>
            {t("start.join")}
          </Button>
        </Failure>
      );
    case "unreachable":
      return (
        <Failure title={t("room.unreachable")} error={error.value}>
          <Button kind="main" onPress={look} id="retry">
            {t("app.retry")}
          </Button>
        </Failure>
      );
    case "outside": {
      const watch = () => {
        stage.value = "inside";
      };
      return <Outside room={seen.value!} error={error.value} onSit={sit} onWatch={watch} />;
    }
    case "inside":
      return <Inside code={code} wasRemoved={seen.value?.removed} />;
  }
}

/** Look a room up; retry while the server does not answer. */
function useRoom(code: string) {
  const stage = useSignal<Stage>(code === "" ? "gone" : "looking");
  const error = useSignal(code === "" ? t("error.bad-code") : "");
  const seen = useSignal<RoomReply | null>(null);
  const look = () => {
    if (code === "") return;
    lookAt(code)
      .then((room) => {
        seen.value = room;
        stage.value = room.you !== null ? "inside" : "outside";
      })
      .catch((caught) => {
        error.value = errorWords(caught);
        // No answer does not mean that the room does not exist.
        const isGone = caught instanceof ApiError && caught.code === "no-room";
        stage.value = isGone ? "gone" : "unreachable";
      });
  };
  useEffect(look, [code]);
  useEffect(() => {
    if (stage.value !== "unreachable") return undefined;
    const timer = setInterval(look, LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [stage.value]);
  return { stage, error, seen, look };
}

interface FailureProps {
  title: string;
  error: string;
  children: ComponentChildren;
}

function Failure({ title, error, children }: FailureProps) {
  return (
    <main class="sheet">
      <BackHome />
      <Title words={title} />
      <p role="alert">{error}</p>
      {children}
    </main>
  );
}

interface OutsideProps {
  room: RoomReply;
  error: string;
  onSit: () => void;
  onWatch: () => void;
}

/** The invitation: settings and players, before taking a seat. */
function Outside({ room, error, onSit, onWatch }: OutsideProps) {
  const hasBegun = room.phase !== "lobby";
  const canSit = !hasBegun && !room.removed && room.seats.some((seat) => seat.kind === "free");
  return (
    <main class="sheet">
      <BackHome />
      <Title words={t("room.come", { code: room.code })} />
      <p class="note facts">
        {t(`edition.${room.settings.edition ?? USUAL}.name`)} · {factsOf(room.settings)}
      </p>
      {canSit ? (
        <>
          <NameField error={error} />
          <Button kind="main" onPress={onSit} id="sit-down">
            {t("room.sit")}
          </Button>
        </>
      ) : (
        <p>{t(room.removed ? "refusal.removed" : hasBegun ? "room.begun" : "room.full")}</p>
      )}
      <Button onPress={onWatch}>{t("room.watch")}</Button>
      <ErrorLine error={error} />
      <ol class="seats" aria-label={t("players.title")}>
        {room.seats.map((each, number) => (
          <li key={number} class={each.kind}>
            <Icon name={each.kind === "bot" ? "bot" : "person"} />
            <span>
              {each.kind === "free" ? t("lobby.free") : seatName(each)}
              {number === room.host && <em> {t("lobby.host")}</em>}
            </span>
          </li>
        ))}
      </ol>
    </main>
  );
}

let taking: Promise<string> | null = null;

/** Take a free seat; returns an error text or "". A double click sends one request. */
async function takeSeat(code: string): Promise<string> {
  taking ??= sitAs(ownName(), code);
  const error = await taking;
  taking = null;
  return error;
}

async function sitAs(name: string, code: string): Promise<string> {
  try {
    await beGuest(name);
    await sitDown(code);
    return "";
  } catch (caught) {
    return errorWords(caught);
  }
}

function Inside({ code, wasRemoved }: { code: string; wasRemoved: boolean | undefined }) {
  // A connection belongs to one seat: a spectator who sits down gets another.
  const lines = useSignal(0);
  const seat = useMemo(() => new Seat(code, socketOf(code), wasRemoved), [code, lines.value]);
  const sit = async () => {
    const error = await takeSeat(code);
    if (error === "") lines.value += 1;
    return error;
  };
  useEffect(() => {
    seat.open();
    if (import.meta.env.MODE !== "production" || location.hash === "#inspect") {
      Object.assign(window, { seat });
    }
    return () => seat.close();
  }, [seat]);
  const room = seat.room.value;
  const edition = room?.settings.edition ?? USUAL;
  useEffect(() => openBox(edition), [edition]);
  if (seat.connectionState.value === "refused") {
    return (
      <main class="sheet">
        <BackHome />
        <Title words={t("room.gone")} />
      </main>
    );
  }
  if (room === null) return <p class="waiting">{t("room.looking")}</p>;
  const { phase } = room;
  switch (phase) {
    case "closed":
      return (
        <main class="sheet">
          <Title words={t("room.closed")} />
          <p>{closedWords(room)}</p>
          <Button kind="main" onPress={() => go("/")}>
            {t("app.home")}
          </Button>
        </main>
      );
    case "lobby":
      return <lobby.Screen key={lines.value} seat={seat} onSit={sit} />;
    case "dealing":
    case "playing":
    case "between":
    case "over":
      return <TablePage seat={seat} />;
    default:
      return never(phase, null);
  }
}
