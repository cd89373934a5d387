/** The table: players and clock above, tiles in the middle, what one can do below. */

import { type Signal, untracked, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { onRack, played } from "../game/draft";
import { type Order, points } from "../game/tiles";
import { Board, tableWords } from "../table/board";
import { reasonOf, refusalOf } from "../table/reasons";
import type { Seat } from "../table/seat";
import { namesOf } from "../table/tile";
import { t } from "../words";
import { Chat, lastTalk, saidWords } from "./chat";
import { HelpDialog } from "./help";
import { HintBar, hintWords } from "./hint";
import { leave } from "./lobby";
import { useLost } from "./lost";
import { nameAt, seatName } from "./names";
import { drawnWords, lastBriefly, lastWords, newsOf } from "./news";
import { Button, Dialog, Icon, Title } from "./parts";
import { Hurry, Players } from "./players";
import { Proof } from "./proof";
import { openRules } from "./rules";
import { Ending, ScoreSheet } from "./scores";
import { openSettings } from "./settings";

type Open = "none" | "menu" | "scores" | "chat" | "help" | "keys" | "leave";

export function TablePage({ seat }: { seat: Seat }) {
  const opened = useSignal<Open>("none");
  const said = useSignal("");
  const polite = useSignal("");
  const folded = useSignal(false);
  const room = seat.room.value!;
  // These stay the same, so that the table is not rendered anew whenever something is opened or said.
  const open = useCallback((what: Open) => {
    opened.value = what;
  }, []);
  const openKeys = useCallback(() => open("keys"), []);
  const announce = useCallback((text: string) => {
    // The same words twice are said twice.
    said.value = said.peek() === text ? `${text}\u00a0` : text;
  }, []);

  // What others do and say is told too, and what a hint says. Where a region comes together with
  // its words, not every screen reader says them.
  const tell = (text: string) => {
    if (text !== "") polite.value = polite.peek() === text ? `${text}\u00a0` : text;
  };
  const news = useComputed(() => `${newsOf(seat)} ${drawnWords(seat)}`.trim());
  const hint = useComputed(() => hintWords(seat));
  const talk = useComputed(() => lastTalk(seat));
  const heard = useRef(talk.peek()?.at ?? 0);
  useSignalEffect(() => tell(news.value));
  useSignalEffect(() => tell(hint.value));
  useSignalEffect(() => {
    const now = talk.value;
    if (now === undefined || now.at <= heard.current) return;
    heard.current = now.at;
    tell(`${nameAt(seat, now.seat)}: ${saidWords(now)}`);
  });

  const isOver = room.phase === "between" || room.phase === "over";
  return (
    <main class="table-page" data-turn={seat.game.value?.turn}>
      <Title words={t("table.title")} unseen />
      <header class="top">
        <Players seat={seat} />
        <div class="tools">
          <span class="wide-only">
            <Button kind="quiet" onPress={() => openRules(room.settings)} label={t("start.rules")}>
              <Icon name="rules" />
            </Button>
          </span>
          <ChatButton seat={seat} opened={opened} open={open} />
          <Button kind="quiet" onPress={() => open("menu")} label={t("table.menu")} id="open-menu">
            <Icon name="more" />
          </Button>
        </div>
      </header>
      <div class="telling">
        <Banner seat={seat} />
      </div>
      <div class="field-of-play" inert={isOver && !folded.value}>
        <Board seat={seat} announce={announce} onKeys={openKeys} />
      </div>
      <Listening seat={seat} />
      <HintBar seat={seat} />
      <Actions seat={seat} announce={announce} />
      <p class="unseen" aria-live="assertive" data-testid="said">
        {said}
      </p>
      <p class="unseen" aria-live="polite" data-testid="news">
        {polite}
      </p>
      {isOver && <Ending seat={seat} folded={folded} onLeave={() => open("leave")} />}
      <Dialogs seat={seat} opened={opened} open={open} />
    </main>
  );
}

interface OpenProps {
  seat: Seat;
  opened: Signal<Open>;
  open: (what: Open) => void;
}

/** Marked when something was said while nobody looked; what was said before one came has been read. */
function ChatButton({ seat, opened, open }: OpenProps) {
  const last = lastTalk(seat)?.at ?? 0;
  const read = useRef(last);
  if (opened.value === "chat") read.current = last;
  return (
    <span class={last > read.current ? "unread" : ""}>
      <Button kind="quiet" onPress={() => open("chat")} label={t("chat.title")} id="open-chat">
        <Icon name="chat" />
      </Button>
    </span>
  );
}

/** What lies over the table, one thing at a time. */
function Dialogs({ seat, opened, open }: OpenProps) {
  const close = () => open("none");
  switch (opened.value) {
    case "none":
      return null;
    case "menu":
      return <Menu seat={seat} open={open} onClose={close} />;
    case "scores":
      return (
        <Dialog title={t("scores.title")} onClose={close} wide>
          <ScoreSheet seat={seat} />
          <Proof seat={seat} />
        </Dialog>
      );
    case "chat":
      return <Chat seat={seat} onClose={close} />;
    case "help":
    case "keys":
      return <HelpDialog byKey={opened.value === "keys"} onClose={close} />;
    case "leave":
      return (
        <Dialog title={t("table.leave")} onClose={close}>
          <p>{t(seat.you.value === null ? "table.leave-watching" : "table.leave-note")}</p>
          <div class="menu">
            <Button kind="danger" onPress={() => void leave(seat)} id="leave-yes">
              {t("table.leave-yes")}
            </Button>
            <Button onPress={close}>{t("table.leave-no")}</Button>
          </div>
        </Dialog>
      );
  }
}

interface MenuProps {
  seat: Seat;
  open: (what: Open) => void;
  onClose: () => void;
}

function Menu({ seat, open, onClose }: MenuProps) {
  const room = seat.room.value!;
  return (
    <Dialog title={t("table.menu")} onClose={onClose}>
      <div class="menu">
        <Button onPress={() => open("scores")}>
          <Icon name="sheet" /> {t("scores.title")}
        </Button>
        <Button
          onPress={() => {
            onClose();
            openRules(room.settings);
          }}
        >
          <Icon name="rules" /> {t("start.rules")}
        </Button>
        <Button
          onPress={() => {
            onClose();
            openSettings();
          }}
        >
          <Icon name="settings" /> {t("settings.title")}
        </Button>
        <Button onPress={() => open("help")} id="open-help">
          <Icon name="help" /> {t("help.title")}
        </Button>
        {seat.you.value !== null && room.phase === "playing" && (
          <Button
            onPress={() => {
              askPause(seat);
              onClose();
            }}
            id="ask-pause"
          >
            <Icon name="pause" /> {t(wantsPause(seat) ? "table.no-pause" : "table.pause")}
          </Button>
        )}
        <Button kind="danger" onPress={() => open("leave")}>
          <Icon name="leave" /> {t("table.leave")}
        </Button>
      </div>
    </Dialog>
  );
}

function wantsPause(seat: Seat): boolean {
  const you = seat.you.value;
  return you !== null && (seat.room.value?.seats[you]?.pause ?? false);
}

function askPause(seat: Seat): void {
  void seat.ask({ type: "ask", what: "pause", want: !wantsPause(seat) });
}

/** Lines that matter more than anything else: the net is gone, the game is paused, a turn refused. */
function Banner({ seat }: { seat: Seat }) {
  const room = seat.room.value!;
  const lost = useLost(seat);
  const own = useOwnNews(seat);
  if (lost.value) {
    return (
      <p class="banner warn" role="alert" data-testid="lost">
        {t("table.lost")}
      </p>
    );
  }
  if (room.paused != null) return <PauseLine seat={seat} />;
  const refusal = seat.refusal.value;
  if (refusal !== null) {
    const first = refusal.reasons?.[0];
    const why =
      first === undefined
        ? refusalOf(refusal.code)
        : reasonOf({ code: first.code, faces: first.faces ?? [], params: {} }, first.message);
    return (
      <p class="banner warn" role="alert" data-testid="refused">
        {why}
      </p>
    );
  }
  if (room.phase === "playing" && own.value === "" && room.seats.some((each) => each.pause)) {
    return <PauseLine seat={seat} />;
  }
  const last = own.value || lastWords(seat);
  const mine = seat.myTurn.value;
  if (room.phase !== "playing" || (last === "" && !mine)) return null;
  const isNews = own.value !== "" || (seat.game.value?.last?.why ?? "choice") !== "choice";
  const brief = isNews ? "" : lastBriefly(seat);
  return (
    <p class={isNews ? "banner news" : "banner quiet"} data-testid="last">
      {own.value === "" && mine && (
        <b class="now" aria-hidden="true">
          {t("table.now")}
        </b>
      )}
      {brief === "" ? (
        last
      ) : (
        <span class="either">
          {last}
          <span class="brief" aria-hidden="true">
            {brief}
          </span>
        </span>
      )}
    </p>
  );
}

/** Who wants a pause, who has not agreed yet, and what oneself can do about it. */
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
      ? t("table.pause-waits", { names: names(false) })
      : t("table.pause-asked", { names: names(true) });
  return (
    <p class="banner news" role={isPaused ? undefined : "alert"} data-testid="pause">
      {words}
      {seat.you.value !== null && wants === isPaused && (
        <Button onPress={() => askPause(seat)} id="agree">
          {t(isPaused ? "table.no-pause" : "table.pause-yes")}
        </Button>
      )}
    </p>
  );
}

const READ_WITHIN = 8_000;

/** What the clock did to oneself: told for a while, however quickly the others go on. */
function useOwnNews(seat: Seat): Signal<string> {
  const told = useSignal("");
  useSignalEffect(() => {
    const last = seat.game.value?.last;
    if (last != null && last.seat === seat.you.value && last.why !== "choice") {
      told.value = lastWords(seat);
    }
  });
  useEffect(() => {
    if (told.value === "") return undefined;
    const timer = setTimeout(() => {
      told.value = "";
    }, READ_WITHIN);
    return () => clearTimeout(timer);
  }, [told.value]);
  return told;
}

interface ActionsProps {
  seat: Seat;
  announce: (text: string) => void;
}

function Actions({ seat, announce }: ActionsProps) {
  const room = seat.room.value!;
  const game = seat.game.value;
  if (seat.you.value === null) {
    return (
      <div class="actions">
        <p class="waiting-for">{t("lobby.watching")}</p>
      </div>
    );
  }
  if (game === null || room.phase !== "playing") return <div class="actions quiet" />;
  const mine = seat.myTurn.value;
  const now = seat.preview.value;
  const touched = seat.touched.value;
  const count = now.played.length;
  const sort = (order: Order) => {
    seat.sort(order);
    announce(t("say.rack", { tiles: namesOf(onRack(seat.draft.value)) }));
  };
  return (
    <div class="actions" role="toolbar" aria-label={t("table.actions")}>
      <Hurry seat={seat} />
      <div class="group">
        <Button onPress={() => sort("colour")} label={t("table.sort-colour")} id="sort-colour">
          789
        </Button>
        <Button onPress={() => sort("number")} label={t("table.sort-number")} id="sort-number">
          777
        </Button>
      </div>
      <div class="group">
        <Button
          onPress={() => {
            seat.undo();
            announce(t("say.undone"));
          }}
          disabled={!seat.canUndo.value}
          label={t("table.undo")}
          id="undo"
        >
          <Icon name="undo" />
        </Button>
        <Button
          onPress={() => {
            seat.redo();
            announce(t("say.redone"));
          }}
          disabled={!seat.canRedo.value}
          label={t("table.redo")}
          id="redo"
        >
          <Icon name="redo" />
        </Button>
        <Button
          onPress={() => {
            seat.reset();
            announce(t("say.back"));
          }}
          disabled={!mine || !touched}
          label={t("table.reset")}
          id="reset"
        >
          <Icon name="reset" />
        </Button>
        {room.settings.hints && (
          <Button
            onPress={() => void seat.help()}
            disabled={!mine || seat.busy.value}
            label={t("hint.title")}
            id="hint"
          >
            <Icon name="hint" />
          </Button>
        )}
      </div>
      <Opening seat={seat} />
      {touched ? (
        <Button
          kind="main"
          onPress={() => void seat.play()}
          disabled={!mine || seat.busy.value || now.verdict === "not-ok"}
          id="play"
        >
          {t("table.play", { count })}
        </Button>
      ) : (
        <Button
          kind="main"
          onPress={() => void seat.draw()}
          disabled={!mine || seat.busy.value}
          id="draw"
        >
          {t((game.pool ?? 0) > 0 ? "table.draw" : "table.pass")}
        </Button>
      )}
    </div>
  );
}

/** Until a player has opened: the points so far, on the way to the minimum. */
function Opening({ seat }: { seat: Seat }) {
  const opening = seat.preview.value.opening;
  if (opening === null || opening.minimum === 0) return null;
  const { points: have, minimum } = opening;
  return (
    <div
      class={have >= minimum ? "opening reached" : "opening"}
      title={t("table.opening-note", { minimum })}
    >
      <span>{t("table.opening")}</span>
      <meter
        min={0}
        max={minimum}
        value={Math.min(have, minimum)}
        aria-label={t("table.opening")}
      />
      <span data-testid="opening">
        {have} / {minimum}
      </span>
    </div>
  );
}

/** Milliseconds after a change, when it has been drawn. */
const TOLD_AFTER = 60;

/** The table in words: what a screen reader finds when it walks over the page. */
function Listening({ seat }: { seat: Seat }) {
  // All rows in words are long: they follow a step, and do not hold up its picture.
  const told = useSignal(0);
  useSignalEffect(() => {
    seat.preview.value;
    seat.places.value;
    const timer = setTimeout(() => {
      told.value += 1;
    }, TOLD_AFTER);
    return () => clearTimeout(timer);
  });
  told.value;
  const { table, rack, count } = untracked(() => ({
    table: tableWords(seat),
    rack: onRack(seat.draft.value),
    count: played(seat.draft.value, seat.base.value).length,
  }));
  return (
    <section class="unseen" aria-label={t("board.words")}>
      <h2>{t("board.table")}</h2>
      <p>{table}</p>
      <h2>{t("board.rack")}</h2>
      <p>
        {rack.length === 0
          ? t("board.no-rack")
          : t("say.rack-worth", {
              tiles: namesOf(rack),
              points: points(rack, seat.jokerPenalty.value),
            })}
      </p>
      <p>{t("board.laid", { count })}</p>
    </section>
  );
}
