/** Chat and emotes, with a way to mute players. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Emote } from "../generated/wire";
import type { Seat } from "../session/seat";
import { t } from "../words";
import { refusalOf } from "./errors";
import { nameAt } from "./names";
import { Button, Dialog } from "./parts";
import { saidWords } from "./talk";

const EMOTES: readonly Emote["emote"][] = [
  "hello",
  "thanks",
  "well-played",
  "oops",
  "thinking",
  "hurry",
  "wow",
  "bye",
];

export function Chat({ seat, onClose }: { seat: Seat; onClose: () => void }) {
  const room = seat.room.value!;
  const list = useRef<HTMLOListElement>(null);
  const muted = new Set(room.muted ?? []);
  const chat = (room.chat ?? []).filter((said) => !muted.has(said.seat));
  useEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [chat.length]);
  return (
    <Dialog title={t("chat.title")} onClose={onClose}>
      <ol class="chat" ref={list} aria-live="polite">
        {chat.length === 0 && <li class="note">{t("chat.empty")}</li>}
        {chat.map((said) => (
          <li key={`${said.at}-${said.seat}-${said.text}`}>
            <b>{nameAt(seat, said.seat)}</b> <bdi>{saidWords(said)}</bdi>
          </li>
        ))}
      </ol>
      {seat.you.value !== null && (
        <>
          <div class="emotes">
            {EMOTES.map((emote) => (
              <Button key={emote} onPress={() => void seat.ask({ type: "emote", emote })}>
                {t(`emote.${emote}`)}
              </Button>
            ))}
          </div>
          <SayForm seat={seat} />
          <Mute seat={seat} muted={muted} />
        </>
      )}
    </Dialog>
  );
}

function SayForm({ seat }: { seat: Seat }) {
  const text = useSignal("");
  const error = useSignal("");
  const say = async (event: Event) => {
    event.preventDefault();
    const words = text.value.trim();
    if (words === "") return;
    text.value = "";
    const answer = await seat.ask({ type: "say", text: words });
    error.value = answer.ok ? "" : refusalOf(answer.code);
    // A refused text comes back, so that it can be changed.
    if (!answer.ok && text.value === "") text.value = words;
  };
  return (
    <>
      <form class="say" onSubmit={say}>
        <input
          type="text"
          maxLength={200}
          aria-label={t("chat.say")}
          placeholder={t("chat.say")}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="button main">
          {t("chat.send")}
        </button>
      </form>
      {error.value !== "" && (
        <p class="error" role="alert">
          {error.value}
        </p>
      )}
    </>
  );
}

function Mute({ seat, muted }: { seat: Seat; muted: ReadonlySet<number> }) {
  const { seats } = seat.room.value!;
  const others = [...seats.keys()].filter(
    (number) => number !== seat.you.value && seats[number]?.kind === "person",
  );
  if (others.length === 0) return null;
  return (
    <details>
      <summary>{t("chat.mute")}</summary>
      <div class="emotes">
        {others.map((number) => (
          <Button
            key={number}
            pressed={muted.has(number)}
            onPress={() => void seat.ask({ type: "mute", seat: number, on: !muted.has(number) })}
          >
            {nameAt(seat, number)}
          </Button>
        ))}
      </div>
    </details>
  );
}
