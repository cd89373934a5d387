/** Why a room is closed. */

import type { RoomInfo } from "../generated/wire";
import { t } from "../words";

/** A room closes when the last person leaves, or after a long time without activity. */
export function closedWords({ seats }: Pick<RoomInfo, "seats">): string {
  return t(seats.some(({ kind }) => kind === "person") ? "room.closed-idle" : "room.closed-left");
}
