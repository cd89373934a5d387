/** The toolbar below the table. */

import type { Order } from "../game/tiles";
import type { Seat } from "../session/seat";
import { type Announce, rackWords } from "../table/ariaText";
import { reasonOf } from "../table/reasons";
import type { TableStore } from "../table/store";
import { t } from "../words";
import { Button, Icon } from "./parts";
import { Hurry } from "./players";

interface ActionsProps {
  seat: Seat;
  announce: Announce;
}

export function Actions({ seat, announce }: ActionsProps) {
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
  return (
    <div class="actions" role="toolbar" aria-label={t("table.actions")}>
      <Hurry seat={seat} />
      <SortButtons table={seat.table} announce={announce} />
      <div class="group">
        <EditButtons table={seat.table} announce={announce} />
        <HintButton seat={seat} />
      </div>
      <Opening seat={seat} />
      <TurnButton seat={seat} announce={announce} />
    </div>
  );
}

interface TableProps {
  table: TableStore;
  announce: Announce;
}

function SortButtons({ table, announce }: TableProps) {
  const sort = (order: Order) => {
    table.sort(order);
    announce(() => rackWords(table));
  };
  return (
    <div class="group">
      <Button onPress={() => sort("colour")} label={t("table.sort-colour")} id="sort-colour">
        789
      </Button>
      <Button onPress={() => sort("number")} label={t("table.sort-number")} id="sort-number">
        777
      </Button>
    </div>
  );
}

/** Undo, redo, and reset. */
function EditButtons({ table, announce }: TableProps) {
  return (
    <>
      <Button
        onPress={() => {
          table.undo();
          announce(t("say.undone"));
        }}
        disabled={!table.canUndo.value}
        label={t("table.undo")}
        id="undo"
      >
        <Icon name="undo" />
      </Button>
      <Button
        onPress={() => {
          table.redo();
          announce(t("say.redone"));
        }}
        disabled={!table.canRedo.value}
        label={t("table.redo")}
        id="redo"
      >
        <Icon name="redo" />
      </Button>
      <Button
        onPress={() => {
          table.reset();
          announce(t("say.back"));
        }}
        disabled={!table.myTurn.value || !table.touched.value}
        label={t("table.reset")}
        id="reset"
      >
        <Icon name="reset" />
      </Button>
    </>
  );
}

function HintButton({ seat }: { seat: Seat }) {
  if (!seat.mayAsk.value) return null;
  return (
    <Button
      onPress={() => void seat.advise()}
      disabled={!seat.myTurn.value || seat.advice.asking.value !== "no"}
      label={t(seat.room.value?.settings.hints ? "hint.title" : "hint.show")}
      id="hint"
    >
      <Icon name="hint" />
    </Button>
  );
}

/** The main button: play the draft, or draw or pass if it is empty. */
function TurnButton({ seat, announce }: ActionsProps) {
  const { table } = seat;
  const isMine = seat.myTurn.value;
  const isBusy = seat.busy.value;
  if (!table.touched.value) {
    return (
      <Button kind="main" onPress={() => void seat.draw()} disabled={!isMine || isBusy} id="draw">
        {t(table.position.value.pool > 0 ? "table.draw" : "table.pass")}
      </Button>
    );
  }
  const { verdict, played } = table.preview.value;
  const { minimum } = table.position.value.rules;
  return (
    <Button
      kind="main"
      onPress={() => void seat.play()}
      disabled={!isMine || isBusy || verdict === "not-ok"}
      whyNot={
        isMine ? () => announce(reasonOf(table.object() ?? undefined, "", minimum)) : undefined
      }
      id="play"
    >
      {t("table.play", { count: played.length })}
    </Button>
  );
}

/** The progress of an opening: points so far, and the minimum. */
function Opening({ seat }: { seat: Seat }) {
  const opening = seat.table.preview.value.opening;
  if (opening === null || opening.minimum === 0) return null;
  const { points: have, minimum } = opening;
  const part = Math.min(1, have / minimum);
  return (
    <div
      class={have >= minimum ? "opening reached" : "opening"}
      title={t("table.opening-note", { minimum })}
    >
      <span>{t("table.opening")}</span>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw that one in their own colours */}
      <span
        role="meter"
        aria-label={t("table.opening")}
        aria-valuemin={0}
        aria-valuemax={minimum}
        aria-valuenow={part * minimum}
      >
        <span style={{ transform: `scaleX(${part})` }} />
      </span>
      <span data-testid="opening">
        {have} / {minimum}
      </span>
    </div>
  );
}
