/** The screen of a game: players and clock above, the board in the middle, buttons below. */

import { type Signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { lazy, prefetch, withMoreWords } from "../lazy";
import type { Seat } from "../session/seat";
import { Board } from "../table/board";
import { t } from "../words";
import { Actions } from "./actions";
import { Banner } from "./banner";
import type { Open } from "./dialogs";
import { Listening, useVoice } from "./listening";
import { nameAt } from "./names";
import { drawnWords, newsOf } from "./news";
import { openRules } from "./opened";
import { Button, Icon, Title } from "./parts";
import { Players } from "./players";
import { lastTalk, saidWords } from "./talk";

const dialogs = lazy(
  withMoreWords(() => import("./dialogs").then(({ Dialogs }) => Dialogs)),
  "nothing",
);
const ending = lazy(
  withMoreWords(() => import("./scores").then(({ Ending }) => Ending)),
  "nothing",
);

/** Most games never show one. */
const notices = lazy(
  withMoreWords(() => import("./notices").then(({ Notices }) => Notices)),
  "nothing",
);

/** It comes right after the table: a hint is asked for, never there at first. */
const hintBar = lazy(() => import("./hint").then(({ HintBar }) => HintBar), "nothing");

export function TablePage({ seat }: { seat: Seat }) {
  const opened = useSignal<Open>("none");
  const [said, announce] = useVoice();
  const [polite, tell] = useNews(seat);
  const folded = useSignal(false);
  const room = seat.room.value!;
  // These stay the same, so that opening or saying something does not render the table again.
  const open = useCallback((what: Open) => {
    opened.value = what;
  }, []);
  useEffect(() => prefetch(dialogs, ending), []);
  const openKeys = useCallback(() => open("keys"), []);
  const isOver = room.phase === "between" || room.phase === "over";
  return (
    <main class="table-page" data-turn={seat.game.value?.turn}>
      <Title words={t("table.title")} unseen />
      <header class="top">
        <Players seat={seat} />
        <Tools seat={seat} opened={opened} open={open} />
      </header>
      <div class="telling">
        <Banner seat={seat} />
      </div>
      {hasNotices(seat) && <notices.Screen seat={seat} />}
      <div class="field-of-play" inert={isOver && !folded.value}>
        <Board source={seat} announce={announce} onKeys={openKeys} />
      </div>
      <Listening table={seat.table} />
      <hintBar.Screen seat={seat} announce={tell} />
      <Actions seat={seat} announce={announce} />
      <p class="unseen" aria-live="assertive" data-testid="said">
        {said}
      </p>
      <p class="unseen" aria-live="polite" data-testid="news">
        {polite}
      </p>
      {isOver && <ending.Screen seat={seat} folded={folded} onLeave={() => open("leave")} />}
      <Over seat={seat} opened={opened} open={open} />
    </main>
  );
}

/** Whether there may be a notice; which one, `notices.tsx` says. */
function hasNotices(seat: Seat): boolean {
  const { game, paused, seats, votes } = seat.room.value!;
  return (
    paused != null ||
    !!votes?.length ||
    !!game?.cancelled?.length ||
    seats.some(({ kind, bot, pause }) => pause || (kind === "person" && bot != null))
  );
}

/** Live region for turns, chat and hints. It is rendered from the start, so that readers watch it. */
function useNews(seat: Seat): ReturnType<typeof useVoice> {
  const [said, announce] = useVoice();
  const news = useComputed(() => `${newsOf(seat)} ${drawnWords(seat)}`.trim());
  const talk = useComputed(() => lastTalk(seat));
  const heard = useRef(talk.peek()?.at ?? 0);
  useSignalEffect(() => announce(news.value));
  useSignalEffect(() => {
    const now = talk.value;
    if (now === undefined || now.at <= heard.current) return;
    heard.current = now.at;
    announce(`${nameAt(seat, now.seat)}: ${saidWords(now)}`);
  });
  return [said, announce];
}

function Tools({ seat, opened, open }: OpenProps) {
  const rules = () => openRules(seat.room.value!.settings);
  return (
    <div class="tools">
      <span class="wide-only">
        <Button kind="quiet" onPress={() => open("story")} label={t("story.title")}>
          <Icon name="story" />
        </Button>
        <Button kind="quiet" onPress={rules} label={t("start.rules")}>
          <Icon name="rules" />
        </Button>
      </span>
      <ChatButton seat={seat} opened={opened} open={open} />
      <Button kind="quiet" onPress={() => open("menu")} label={t("table.menu")} id="open-menu">
        <Icon name="more" />
      </Button>
    </div>
  );
}

interface OpenProps {
  seat: Seat;
  opened: Signal<Open>;
  open: (what: Open) => void;
}

/** Marked while there are unread messages; those from before this page was opened count as read. */
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

/** Dialogs over the table, in a component of its own: opening one does not render the table. */
function Over({ seat, opened, open }: OpenProps) {
  return opened.value === "none" ? null : (
    <dialogs.Screen seat={seat} opened={opened.value} open={open} />
  );
}
