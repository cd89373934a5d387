/** HTTP requests to the server, each with the type of its answer. */

import type { FailureCode } from "../failures";
import type {
  ErrorOut,
  GamesReply,
  NewRoom,
  OpenedReply,
  RoomReply,
  RoomsReply,
  RulesReply,
  VerifyReply,
} from "../generated/wire";
import { recall, remember } from "../storage";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: FailureCode,
    /** The numbers in its text. */
    readonly params: Readonly<Record<string, number>> = {},
  ) {
    super(code);
  }
}

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    });
  } catch {
    throw new ApiError(0, "offline");
  }
  if (!answer.ok) {
    const body = (await answer.json().catch(() => ({}))) as Partial<ErrorOut>;
    throw new ApiError(answer.status, body.code ?? "internal", body.params);
  }
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

/** Sign in as a guest, identified by a cookie. A new name replaces the old one. */
export async function beGuest(name: string): Promise<void> {
  if (recall("local", KNOWN) !== null) {
    try {
      const me = await request<{ name: string }>("GET", "/api/me");
      if (me.name !== name) await request("PATCH", "/api/me", { name });
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
    }
  }
  await request("POST", "/api/guests", { name });
  remember("local", KNOWN, "yes");
}

/** Scripts cannot read the cookie, so this remembers whether there is one. */
const KNOWN = "tilerummy guest";

export const openRoom = (room: NewRoom) => request<OpenedReply>("POST", "/api/rooms", room);
export const sitDown = (code: string) => request("POST", `/api/rooms/${code}/seats`, {});
export const lookAt = (code: string) => request<RoomReply>("GET", `/api/rooms/${code}`);
export const publicRooms = () => request<RoomsReply>("GET", "/api/rooms");
export function rulesOf(edition: string, options: string, language: string): Promise<RulesReply> {
  const query = new URLSearchParams({ edition, options, language });
  return request("GET", `/api/rules?${query}`);
}
/** The number of the last match with a finished game; every rematch has its own. */
export async function lastMatch(code: string): Promise<number> {
  const { games } = await request<GamesReply>("GET", `/api/rooms/${code}/games`);
  return Math.max(...games.map((game) => game.match));
}
export const verified = (code: string, match: number) =>
  request<VerifyReply>("GET", `/api/rooms/${code}/matches/${match}/verify`);
export const recordOf = (code: string, match: number) =>
  `/api/rooms/${code}/matches/${match}/record?format=text`;
export const forgetMe = () => request("DELETE", "/api/me");

export function socketOf(code: string): string {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}/api/rooms/${code}/socket`;
}
