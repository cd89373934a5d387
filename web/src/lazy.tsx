/** Lazy loading of screens: after the first screen is drawn, or when one is opened. */

import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import { speakMore, t } from "./words";

const AGAIN_AFTER = 2_000;

export interface Lazy<Props> {
  readonly Screen: FunctionComponent<Props>;
  /** Load the code; resolves when it is loaded. */
  readonly fetch: () => Promise<void>;
}

/** What a screen shows while it loads. */
type Placeholder = "text" | "nothing";

export function lazy<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  placeholder: Placeholder = "text",
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
    return placeholder === "text" ? <p class="waiting">{t("app.loading")}</p> : null;
  };
  return { Screen, fetch };
}

/** A screen in the main bundle. */
export function eager<Props extends object>(Screen: FunctionComponent<Props>): Lazy<Props> {
  return { Screen, fetch: () => Promise.resolve() };
}

/** For a screen that also needs the texts loaded later. */
export function withMoreWords<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => (await Promise.all([load(), speakMore()]))[0];
}

/** Milliseconds. */
const AT_LATEST = 3_000;
const SOON = 500;

/** Prefetch screens when the browser is idle. One that fails is loaded when it is opened. */
export function prefetch(...screens: Pick<Lazy<never>, "fetch">[]): void {
  const act = () => {
    for (const { fetch } of screens) fetch().catch(() => {});
  };
  // Not every browser has `requestIdleCallback`.
  if (globalThis.requestIdleCallback === undefined) setTimeout(act, SOON);
  else requestIdleCallback(act, { timeout: AT_LATEST });
}

/**
 * Reload the page once the server answers: a file that does not load may belong to a newer version,
 * whose files have other names. Until then the page stays as it is.
 */
export function startAnew(): void {
  setTimeout(() => {
    globalThis
      .fetch(location.href, { method: "HEAD", cache: "no-store" })
      .then(({ status }) => (status < 500 ? location.reload() : startAnew()), startAnew);
  }, AGAIN_AFTER);
}
