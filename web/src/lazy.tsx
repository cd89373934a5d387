/** Screens whose code comes after the first one has been drawn, or when somebody wants them. */

import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import { speakMore, t } from "./words";

const AGAIN_AFTER = 2_000;

export interface Lazy<Props> {
  readonly Screen: FunctionComponent<Props>;
  /** Begin to fetch it, or wait until it is there. */
  readonly fetch: () => Promise<void>;
}

/** Whether one is told to wait, or what lies over a screen is simply not there yet. */
type Wait = "told" | "unseen";

export function lazy<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  wait: Wait = "told",
): Lazy<Props> {
  const found = signal<{ Screen: FunctionComponent<Props> } | null>(null);
  let coming: Promise<void> | null = null;
  const fetch = () => {
    coming ??= load().then(
      (Screen) => {
        found.value = { Screen };
      },
      (error) => {
        coming = null;
        throw error;
      },
    );
    return coming;
  };
  const Screen = (props: Props) => {
    useEffect(() => {
      if (found.peek() === null) fetch().catch(startAnew);
    }, []);
    const Found = found.value?.Screen;
    if (Found !== undefined) return <Found {...props} />;
    return wait === "told" ? <p class="waiting">{t("app.loading")}</p> : null;
  };
  return { Screen, fetch };
}

/** A screen that comes with the page itself. */
export function eager<Props extends object>(Screen: FunctionComponent<Props>): Lazy<Props> {
  return { Screen, fetch: () => Promise.resolve() };
}

/** For a screen that says more than the first ones do. */
export function withMoreWords<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => (await Promise.all([load(), speakMore()]))[0];
}

/** Milliseconds; what is shown comes first. */
const AT_LATEST = 3_000;
const SOON = 500;

/** When there is nothing else to do, and before somebody asks. What fails is tried again then. */
export function prefetch(...screens: Pick<Lazy<never>, "fetch">[]): void {
  const act = () => {
    for (const { fetch } of screens) fetch().catch(() => {});
  };
  // Not every browser says when it has nothing to do.
  if (globalThis.requestIdleCallback === undefined) setTimeout(act, SOON);
  else requestIdleCallback(act, { timeout: AT_LATEST });
}

/**
 * What does not come may come later, or the server has become a newer one whose files have other
 * names: then the whole page is fetched anew. While there is no server, what is shown stays.
 */
export function startAnew(): void {
  setTimeout(() => {
    globalThis
      .fetch(location.href, { method: "HEAD", cache: "no-store" })
      .then(({ status }) => (status < 500 ? location.reload() : startAnew()), startAnew);
  }, AGAIN_AFTER);
}
