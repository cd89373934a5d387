/** What one can do in a turn: the buttons below the table. */

import type { Order } from "../game/tiles";
import type { Seat } from "../session/seat";
import { type Announce, rackWords } from "../table/ariaText";
import { reasonOf } from "../table/reasons";
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
  const mine = seat.myTurn.value;
  const now = seat.table.preview.value;
  const touched = seat.table.touched.value;
  const count = now.played.length;
  const { minimum } = seat.table.position.value.rules;
  const sort = (order: Order) => {
    seat.table.sort(order);
    announce(() => rackWords(seat.table));
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
            seat.table.undo();
            announce(t("say.undone"));
          }}
          disabled={!seat.table.canUndo.value}
          label={t("table.undo")}
          id="undo"
        >
          <Icon name="undo" />
        </Button>
        <Button
          onPress={() => {
            seat.table.redo();
            announce(t("say.redone"));
          }}
          disabled={!seat.table.canRedo.value}
          label={t("table.redo")}
          id="redo"
        >
          <Icon name="redo" />
        </Button>
        <Button
          onPress={() => {
            seat.table.reset();
            announce(t("say.back"));
          }}
          disabled={!mine || !touched}
          label={t("table.reset")}
          id="reset"
        >
          <Icon name="reset" />
        </Button>
        {seat.mayAsk.value && (
          <Button
            onPress={() => void seat.advise()}
            disabled={!mine || seat.advice.asking.value !== "no"}
            label={t(room.settings.hints ? "hint.title" : "hint.show")}
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
          whyNot={
            mine
              ? () => announce(reasonOf(seat.table.object() ?? undefined, "", minimum))
              : undefined
          }
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
