/** A room from coming in to going out: who are you, lobby, table. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { ApiError, beGuest, lookAt, sitDown, socketOf } from "../net/api";
import { go } from "../router";
import { Seat } from "../table/seat";
import { t } from "../words";
import { Lobby } from "./lobby";
import { Button } from "./parts";
import { BackHome, errorWords, NameField, ownName } from "./start";
import { TablePage } from "./tablepage";

type Stage = "looking" | "outside" | "inside" | "gone";

export function Room({ code }: { code: string }) {
  const stage = useSignal<Stage>("looking");
  const error = useSignal("");
  const canSit = useSignal(false);

  useEffect(() => {
    lookAt(code)
      .then((room) => {
        canSit.value = room.phase === "lobby" && room.seats.some((seat) => seat.kind === "free");
        stage.value = room.you !== null ? "inside" : "outside";
      })
      .catch((caught) => {
        error.value = errorWords(caught);
        stage.value = "gone";
      });
  }, [code]);

  const sit = async () => {
    error.value = "";
    try {
      await beGuest(ownName());
      await sitDown(code);
      stage.value = "inside";
    } catch (caught) {
      const name = caught instanceof ApiError && caught.code === "name-taken";
      error.value = name ? t("error.name-taken") : errorWords(caught);
    }
  };

  switch (stage.value) {
    case "looking":
      return <p class="waiting">{t("room.looking")}</p>;
    case "gone":
      return (
        <main class="sheet">
          <h1>{t("room.gone")}</h1>
          <p role="alert">{error.value}</p>
          <BackHome />
        </main>
      );
    case "outside":
      return (
        <main class="sheet">
          <BackHome />
          <h1>{t("room.come", { code })}</h1>
          {canSit.value ? (
            <>
              <NameField />
              <Button kind="main" onPress={sit} id="sit-down">
                {t("room.sit")}
              </Button>
            </>
          ) : (
            <p>{t("room.full")}</p>
          )}
          <Button
            onPress={() => {
              stage.value = "inside";
            }}
          >
            {t("room.watch")}
          </Button>
          <p class="error" role="alert">
            {error.value}
          </p>
        </main>
      );
    case "inside":
      return <Inside code={code} />;
  }
}

function Inside({ code }: { code: string }) {
  const seat = useMemo(() => new Seat(code, socketOf(code)), [code]);
  useEffect(() => {
    seat.open();
    if (import.meta.env.MODE !== "production" || location.hash === "#inspect") {
      Object.assign(window, { seat });
    }
    return () => seat.close();
  }, [seat]);
  const room = seat.room.value;
  if (seat.state.value === "refused") {
    return (
      <main class="sheet">
        <h1>{t("room.gone")}</h1>
        <BackHome />
      </main>
    );
  }
  if (room === null) return <p class="waiting">{t("room.looking")}</p>;
  if (room.phase === "closed") {
    return (
      <main class="sheet">
        <h1>{t("room.closed")}</h1>
        <p>{t("room.closed-note")}</p>
        <Button kind="main" onPress={() => go({ name: "start" })}>
          {t("app.home")}
        </Button>
      </main>
    );
  }
  return room.phase === "lobby" ? <Lobby seat={seat} /> : <TablePage seat={seat} />;
}
