/** The table: players and clock above, tiles in the middle, what one can do below. */

import { type Signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useCallback, useRef } from "preact/hooks";
import { Board } from "../table/board";
import type { Seat } from "../table/seat";
import { t } from "../words";
import { Actions } from "./actions";
import { askPause, Banner, pauseWords } from "./banner";
import { Chat, lastTalk, saidWords } from "./chat";
import { HelpDialog } from "./help";
import { HintBar, hintWords } from "./hint";
import { Listening, useVoice } from "./listening";
import { leave } from "./lobby";
import { nameAt } from "./names";
import { drawnWords, newsOf } from "./news";
import { Button, Dialog, Icon, Title } from "./parts";
import { Players } from "./players";
import { Proof } from "./proof";
import { openRules } from "./rules";
import { Ending, ScoreSheet } from "./scores";
import { openSettings } from "./settings";
import { Story } from "./story";

type Open = "none" | "menu" | "scores" | "story" | "chat" | "help" | "keys" | "leave";

export function TablePage({ seat }: { seat: Seat }) {
  const opened = useSignal<Open>("none");
  const [said, announce] = useVoice();
  const [polite, tell] = useVoice();
  const folded = useSignal(false);
  const room = seat.room.value!;
  // These stay the same, so that the table is not rendered anew whenever something is opened or said.
  const open = useCallback((what: Open) => {
    opened.value = what;
  }, []);
  const openKeys = useCallback(() => open("keys"), []);

  // What others do and say is told too, and what a hint says. Where a region comes together with
  // its words, not every screen reader says them.
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
            <Button kind="quiet" onPress={() => open("story")} label={t("story.title")}>
              <Icon name="story" />
            </Button>
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
    case "story":
      return <Story seat={seat} onClose={close} />;
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
        <Button onPress={() => open("story")} id="open-story">
          <Icon name="story" /> {t("story.title")}
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
            <Icon name="pause" /> {t(pauseWords(seat))}
          </Button>
        )}
        <Button kind="danger" onPress={() => open("leave")}>
          <Icon name="leave" /> {t("table.leave")}
        </Button>
      </div>
    </Dialog>
  );
}
