/** The first screen: play at once, with friends, join, or read the rules. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { LADDER, playNow } from "../game/choices";
import { type Edition, NAMES } from "../game/editions";
import type { NewRoom, RoomsReply } from "../generated/wire";
import { lazy, withMoreWords } from "../lazy";
import { choose, prefs } from "../prefs";
import { codeOf, go, goToRoom } from "../router";
import { beGuest, openRoom, publicRooms } from "../session/api";
import { t } from "../words";
import { errorWords } from "./errors";
import { botKind } from "./names";
import { openSettings } from "./opened";
import { Button, Logo, Title } from "./parts";

const opponents = lazy(
  withMoreWords(() => import("./opponents").then(({ Opponents }) => Opponents)),
  "nothing",
);

/** Open a room and go there. */
export async function open(room: NewRoom, atOnce = false): Promise<void> {
  await beGuest(ownName());
  const opened = await openRoom(room);
  eager = atOnce ? opened.code : "";
  goToRoom(opened.code);
}

/** The room that "play now" has opened. */
let eager = "";

/** Whether the match of a new room starts automatically; true once. */
export function beginsAtOnce(code: string): boolean {
  const does = eager === code;
  if (does) eager = "";
  return does;
}

/** The player's name, or that of a guest. */
export function ownName(): string {
  return prefs.value.name.trim() || t("app.guest");
}

export function Start() {
  const busy = useSignal(false);
  const error = useSignal("");
  const { edition } = prefs.value;
  const play = async () => {
    busy.value = true;
    error.value = "";
    try {
      await open(playNow(prefs.value), true);
    } catch (caught) {
      error.value = errorWords(caught);
    }
    busy.value = false;
  };
  return (
    <main class="start">
      <header class="brand">
        <Logo />
        <Title words={t("app.name")} />
        <p>{t("start.line")}</p>
      </header>
      <NameField error={error.value} />
      <nav class="ways" aria-label={t("start.ways")}>
        <div class="now">
          <Button kind="main" onPress={play} disabled={busy.value} id="play-now">
            <strong>{t("start.now")}</strong>
            <small>{t("start.now-note")}</small>
            <span class="unseen">{t(`edition.${edition}.name`)}</span>
          </Button>
          <EditionField />
          <LevelField />
        </div>
        <div class="opponents">
          <opponents.Screen />
        </div>
        <Button onPress={() => go("/create")} id="with-friends">
          <strong>{t("start.friends")}</strong>
          <small>{t("start.friends-note")}</small>
        </Button>
        <Button onPress={() => go("/join")} id="join">
          <strong>{t("start.join")}</strong>
          <small>{t("start.join-note")}</small>
        </Button>
        <Button onPress={() => go("/rules")} id="rules">
          <strong>{t("start.rules")}</strong>
          <small>{t("start.rules-note")}</small>
        </Button>
      </nav>
      <ErrorLine error={error.value} />
      <footer>
        <Button kind="quiet" onPress={openSettings} id="settings">
          {t("app.settings")}
        </Button>
      </footer>
    </main>
  );
}

/** The edition of "play now", until another one is chosen here or for a room. */
function EditionField() {
  return (
    <label class="field edition">
      <span>{t("create.edition")}</span>
      <select
        id="edition"
        value={prefs.value.edition}
        onChange={(event) => choose({ edition: event.currentTarget.value as Edition })}
      >
        {NAMES.map((name) => (
          <option key={name} value={name}>
            {t(`edition.${name}.name`)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The level of the bots of "play now". */
function LevelField() {
  return (
    <label class="field level">
      <span>{t("start.level")}</span>
      <select
        id="level"
        aria-describedby="opponent"
        value={prefs.value.level}
        onChange={(event) => choose({ level: Number(event.currentTarget.value) })}
      >
        {LADDER.map((bot) => (
          <option key={bot.id} value={bot.level}>
            {botKind(bot)}
          </option>
        ))}
      </select>
    </label>
  );
}

function isAboutName(error: string): boolean {
  return error !== "" && [t("error.bad-name"), t("error.name-taken")].includes(error);
}

/** The error, unless the name field shows it. */
export function ErrorLine({ error }: { error: string }) {
  return (
    <p class="error" role="alert">
      {isAboutName(error) ? "" : error}
    </p>
  );
}

export function NameField({ error = "" }: { error?: string }) {
  const isWrong = isAboutName(error);
  return (
    <Field error={isWrong ? error : ""}>
      <span>{t("start.name")}</span>
      <input
        type="text"
        {...wrong(isWrong)}
        maxLength={24}
        autocomplete="nickname"
        placeholder={t("app.guest")}
        value={prefs.value.name}
        onInput={(event) => choose({ name: event.currentTarget.value })}
      />
    </Field>
  );
}

const WRONG = "what-is-wrong";
const wrong = (is: boolean) => (is ? { "aria-invalid": true, "aria-describedby": WRONG } : {});

/** A field with its label and its error, which moves the focus to the field. */
function Field({ error, children }: { error: string; children: ComponentChildren }) {
  const field = useRef<HTMLLabelElement>(null);
  useEffect(() => {
    if (error !== "") field.current!.querySelector("input")!.focus();
  }, [error]);
  return (
    <>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: it is among the children */}
      <label class="field" ref={field}>
        {children}
      </label>
      {error !== "" && (
        <p class="error" role="alert" id={WRONG}>
          {error}
        </p>
      )}
    </>
  );
}

export function Join() {
  const code = useSignal("");
  const error = useSignal("");
  const submit = (event: Event) => {
    event.preventDefault();
    const found = codeOf(code.value);
    if (found !== "") goToRoom(found);
    else error.value = t("error.bad-code");
  };
  return (
    <main class="sheet">
      <BackHome />
      <Title words={t("start.join")} />
      <form onSubmit={submit}>
        <NameField />
        <Field error={error.value}>
          <span>{t("join.code")}</span>
          <input
            class="code"
            {...wrong(error.value !== "")}
            type="text"
            required
            autocapitalize="characters"
            autocomplete="off"
            spellcheck={false}
            value={code.value}
            onInput={(event) => {
              code.value = event.currentTarget.value;
              error.value = "";
            }}
          />
        </Field>
        <p class="note">{t("join.note")}</p>
        <button type="submit" class="button main">
          {t("join.go")}
        </button>
      </form>
      <OpenTables />
    </main>
  );
}

/** Public rooms with free seats. */
function OpenTables() {
  const rooms = useSignal<RoomsReply["rooms"] | null>(null);
  useEffect(() => {
    publicRooms()
      .then((found) => {
        rooms.value = found.rooms.filter((room) => room.phase === "lobby" && room.free > 0);
      })
      .catch(() => {
        rooms.value = null; // a code still works
      });
  }, []);
  if (rooms.value === null) return null;
  return (
    <section>
      <h2>{t("join.open")}</h2>
      {rooms.value.length === 0 && <p class="note">{t("join.none")}</p>}
      <ul class="seats">
        {rooms.value.map((room) => (
          <li key={room.id}>
            <span>{t(`edition.${room.edition}.name`)}</span>
            <span>{t("join.free", { count: room.free })}</span>
            <Button onPress={() => goToRoom(room.code)}>
              {t("room.come", { code: room.code })}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function BackHome() {
  return (
    <Button kind="quiet" onPress={() => go("/")}>
      ‹ {t("app.home")}
    </Button>
  );
}
