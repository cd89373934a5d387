/** Focus management: where the focus goes when its element is removed. */

/** Where the focus belongs: the result that covers the table, the table, or the heading. */
function homeIn(element: Element): HTMLElement | null {
  const homes = [".ending:not(.folded)", ".stage:not([inert] *)", "h1"];
  return homes.map((home) => element.querySelector<HTMLElement>(home)).find(Boolean) ?? null;
}

const isNowhere = () => document.activeElement === null || document.activeElement === document.body;

/**
 * Call when an element is removed: focus inside it moves to a neighbour, or else to the table or
 * the heading of the screen.
 */
export function keepFocus(element: HTMLElement): () => void {
  return () => {
    if (!element.contains(document.activeElement)) return;
    const around: Element[] = [];
    for (let each = element.parentElement; each !== null; each = each.parentElement) {
      around.push(each);
    }
    queueMicrotask(() => {
      if (!isNowhere()) return;
      const left = around.find((each) => each.isConnected && each.matches("li, .hint-bar, main"));
      const next =
        left === undefined || left.matches("main")
          ? homeIn(left ?? document.body)
          : left.querySelector<HTMLElement>("button:not([aria-disabled])");
      next?.focus({ preventScroll: true });
    });
  };
}

let isFirst = true;

/** Move the focus to a new screen. The first screen is read from its top. */
export function settle(): void {
  if (!isFirst && isNowhere()) homeIn(document.body)?.focus({ preventScroll: true });
  isFirst = false;
}
