/** Why a table is closed. */

import type { RoomInfo } from "../generated/wire";
import { t } from "../words";

/** It is closed at once when the last person leaves, or when those who sit there do nothing. */
export function closedWords({ seats }: Pick<RoomInfo, "seats">): string {
  return t(seats.some(({ kind }) => kind === "person") ? "room.closed-idle" : "room.closed-left");
}
