/** How long the bots of a room think. */

import { type BotPace, PACES } from "../game/choices";
import { t } from "../words";
import { Choice } from "./parts";

interface PaceProps {
  pace: BotPace;
  onChoose: (pace: BotPace) => void;
}

export function PaceChoice({ pace, onChoose }: PaceProps) {
  return (
    <Choice
      label={t("pace.title")}
      value={pace}
      options={PACES.map((each) => [each, t(`pace.${each}`)] as const)}
      onChoose={onChoose}
    />
  );
}
