/** The dialogs of a table, one at a time. */

import type { Seat } from "../session/seat";
import { t } from "../words";
import { Chat } from "./chat";
import { HelpDialog } from "./help";
import { leave } from "./leave";
import { openRules, openSettings } from "./opened";
import { Button, Dialog, Icon } from "./parts";
import { Proof } from "./proof";
import { ScoreSheet } from "./scores";
import { Story } from "./story";
import { askPause, pauseWords, VoteDialog } from "./votes";

export type Open =
  | "none"
  | "menu"
  | "scores"
  | "story"
  | "chat"
  | "votes"
  | "help"
  | "keys"
  | "leave";

interface DialogsProps {
  seat: Seat;
  opened: Open;
  open: (what: Open) => void;
}

export function Dialogs({ seat, opened, open }: DialogsProps) {
  const close = () => open("none");
  switch (opened) {
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
    case "votes":
      return <VoteDialog seat={seat} onClose={close} />;
    case "help":
    case "keys":
      return <HelpDialog byKey={opened === "keys"} onClose={close} />;
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
  const people = room.seats.filter(({ kind }) => kind === "person").length;
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
          <Icon name="settings" /> {t("app.settings")}
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
        {seat.you.value !== null && people > 1 && (
          <Button onPress={() => open("votes")} id="open-votes">
            <Icon name="person" /> {t("vote.title")}
          </Button>
        )}
        <Button kind="danger" onPress={() => open("leave")}>
          <Icon name="leave" /> {t("table.leave")}
        </Button>
      </div>
    </Dialog>
  );
}
