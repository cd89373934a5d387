/** Before the match: who is there, the link for the others, bots for the empty seats. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { go } from "../router";
import { refusalOf } from "../table/reasons";
import type { Seat } from "../table/seat";
import { t } from "../words";
import { Button, Icon } from "./parts";
import { QrCode } from "./qr";
import { openRules } from "./rules";
import { openSettings } from "./settings";

export function Lobby({ seat }: { seat: Seat }) {
  const room = seat.room.value!;
  const you = seat.you.value;
  const isHost = you !== null && room.host === you;
  const taken = room.seats.filter((each) => each.kind !== "free").length;
  const error = useSignal("");
  const copied = useSignal(false);
  const link = `${location.origin}/r/${room.code}`;

  const ask = async (command: Parameters<Seat["ask"]>[0]) => {
    const answer = await seat.ask(command);
    error.value = answer.ok ? "" : refusalOf(answer.code);
  };

  // Whoever asked to play at once does not have to press another button.
  useEffect(() => {
    if (isHost && sessionStorage.getItem("begin") === "at-once" && taken === room.seats.length) {
      sessionStorage.removeItem("begin");
      void ask({ type: "begin" });
    }
  }, [isHost, taken]);

  const copy = async () => {
    try {
      if (navigator.share !== undefined && matchMedia("(pointer: coarse)").matches) {
        await navigator.share({ title: t("app.name"), url: link });
      } else {
        await navigator.clipboard.writeText(link);
        copied.value = true;
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
      <h1>
        {t("lobby.title", { edition: t(`edition.${room.settings.edition ?? "classic"}.name`) })}
      </h1>
      <section class="invite" aria-label={t("lobby.invite")}>
        <div>
          <p>{t("lobby.invite")}</p>
          <p class="code" data-testid="code">
            {room.code}
          </p>
          <p class="link">{link}</p>
          <Button onPress={copy} id="copy-link">
            <Icon name="copy" /> {t(copied.value ? "lobby.copied" : "lobby.copy")}
          </Button>
        </div>
        <QrCode text={link} label={t("lobby.qr")} />
      </section>
      <ol class="seats">
        {room.seats.map((each, number) => (
          <li key={number} class={each.kind}>
            <Icon name={each.kind === "bot" ? "bot" : "person"} />
            <span>
              {each.kind === "free" ? t("lobby.free") : each.name}
              {number === you && <em> {t("lobby.you")}</em>}
              {number === room.host && <em> {t("lobby.host")}</em>}
              {each.away && <em> {t("lobby.away")}</em>}
            </span>
            {isHost && each.kind === "free" && (
              <span class="add">
                <Button onPress={() => ask({ type: "bot", bot: "simple", seat: number })}>
                  {t("lobby.add-simple")}
                </Button>
                <Button onPress={() => ask({ type: "bot", bot: "solver", seat: number })}>
                  {t("lobby.add-solver")}
                </Button>
              </span>
            )}
            {isHost && each.kind !== "free" && number !== you && (
              <Button
                kind="quiet"
                label={t("lobby.remove", { name: each.name ?? "" })}
                onPress={() => ask({ type: "remove", seat: number })}
              >
                <Icon name="close" />
              </Button>
            )}
          </li>
        ))}
      </ol>
      <p class="error" role="alert">
        {error.value}
      </p>
      {isHost ? (
        <Button kind="main" onPress={() => ask({ type: "begin" })} disabled={taken < 2} id="begin">
          {t(taken < 2 ? "lobby.too-few" : "lobby.begin")}
        </Button>
      ) : (
        <p class="waiting-for">{t(you === null ? "lobby.watching" : "lobby.wait")}</p>
      )}
    </main>
  );
}

export async function leave(seat: Seat): Promise<void> {
  if (seat.you.value !== null) await seat.ask({ type: "leave" });
  go({ name: "start" });
}
