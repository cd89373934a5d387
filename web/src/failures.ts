import type { ErrorOut } from "./generated/wire";

/** Why a command or a request failed: a code of the server, or one of the page's own. */
export type FailureCode = ErrorOut["code"] | "offline" | "timeout";
