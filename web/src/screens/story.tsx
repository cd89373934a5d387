/** The turn log of a game, the last turn on top. */

import { sorted, type Tile } from "../game/tiles";
import type { LastTurn } from "../generated/wire";
import type { Seat } from "../session/seat";
import { StillTile } from "../table/tile";
import { t } from "../words";
import { newsOfEnd } from "./endings";
import { storyWords } from "./news";
import { Dialog } from "./parts";
import { remarkWords } from "./remark";

export function Story({ seat, onClose }: { seat: Seat; onClose: () => void }) {
  const turns = [...seat.story.value].reverse();
  const end = newsOfEnd(seat);
  return (
    <Dialog title={t("story.title")} onClose={onClose}>
      {turns.length === 0 && end === "" ? (
        <p>{t("story.empty")}</p>
      ) : (
        <ol class="story" reversed>
          {end !== "" && (
            <li class="ended">
              <p>{end}</p>
            </li>
          )}
          {turns.map((turn, index) => (
            <li key={turns.length - index} class={turn.seat === seat.you.value ? "own" : ""}>
              <p>{storyWords(seat, turn)}</p>
              <Why turn={turn} />
              {turn.tiles != null && <Laid tiles={turn.tiles} />}
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  );
}

/** What a bot said of its turn. */
function Why({ turn }: { turn: LastTurn }) {
  const words = remarkWords(turn);
  return words === "" ? null : <p class="note">{words}</p>;
}

function Laid({ tiles }: { tiles: readonly Tile[] }) {
  return (
    <div class="tiles">
      {sorted(tiles, "colour").map((tile) => (
        <StillTile key={tile} tile={tile} />
      ))}
    </div>
  );
}
