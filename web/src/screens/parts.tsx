/** Shared components: buttons, dialogs, fields, icons. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { afterFrame } from "../frames";
import { t } from "../words";
import { keepFocus, settle } from "./focus";

type Press = () => void;

interface ButtonProps {
  onPress: Press;
  children: ComponentChildren;
  kind?: "main" | "plain" | "quiet" | "danger";
  disabled?: boolean;
  /** Called instead while the button is disabled, to say why. */
  whyNot?: Press | undefined;
  label?: string;
  pressed?: boolean;
  id?: string;
}

export function Button({
  onPress,
  children,
  kind = "plain",
  disabled,
  whyNot,
  label,
  pressed,
  id,
}: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => keepFocus(button.current!), []);
  return (
    <button
      ref={button}
      type="button"
      class={`button ${kind}`}
      // A button with `disabled` would lose the focus to the page.
      {...(disabled ? { "aria-disabled": true } : {})}
      onClick={disabled ? whyNot : onPress}
      {...(label === undefined ? {} : { "aria-label": label, title: label })}
      {...(pressed === undefined ? {} : { "aria-pressed": pressed })}
      {...(id === undefined ? {} : { id })}
    >
      {children}
    </button>
  );
}

interface DialogProps {
  title: string;
  onClose: Press;
  children: ComponentChildren;
  wide?: boolean;
}

/**
 * Show a dialog at once, and make it modal a moment later: for that, browsers restyle the whole
 * page, tile by tile, which is slow. Returns a function that closes it.
 */
function show(element: HTMLDialogElement): () => void {
  if (element.showPopover === undefined) {
    element.showModal();
    return () => element.close();
  }
  const from = document.activeElement as HTMLElement | null;
  const hide = () => {
    element.hidePopover();
    from?.focus({ preventScroll: true });
  };
  element.showPopover();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(() => {
      const focused = document.activeElement as HTMLElement | null;
      hide();
      element.showModal();
      if (element.contains(focused)) focused?.focus({ preventScroll: true });
    });
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    if (element.open) element.close();
    else hide();
  };
}

/** A native dialog: it traps the focus and closes with Escape. */
export function Dialog({ title, onClose, children, wide }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Close it before it is removed, so that the browser restores the focus.
  useLayoutEffect(() => {
    const element = dialog.current!;
    const close = show(element);
    const keep = keepFocus(element);
    return () => {
      going.current?.();
      keep();
      close();
    };
  }, []);
  // Hide it first: removing it makes the browser restyle every tile.
  const going = useRef<(() => void) | null>(null);
  const dismiss = () => {
    dialog.current!.classList.add("going");
    going.current ??= afterFrame(onClose);
  };
  // Only a click that begins and ends outside closes: selecting text may end anywhere.
  const began = useRef<EventTarget | null>(null);
  const outside = (event: MouseEvent) => {
    if (event.target === dialog.current && began.current === dialog.current) dismiss();
  };
  return (
    <dialog
      ref={dialog}
      class={wide ? "dialog wide" : "dialog"}
      popover="manual"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        dismiss();
      }}
      onKeyDown={(event) => {
        // During IME composition the key belongs to the composition.
        if (event.key === "Escape" && !event.isComposing) dismiss();
      }}
      onPointerDown={(event) => {
        began.current = event.target;
      }}
      onClick={outside}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        <button type="button" class="close" aria-label={t("app.close")} onClick={dismiss}>
          <Icon name="close" />
        </button>
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

/** The heading of a screen: it names the page, and navigation moves the focus to it. */
export function Title({ words, unseen }: { words: string; unseen?: boolean }) {
  const app = t("app.name");
  useEffect(() => {
    document.title = words === app ? app : `${words} · ${app}`;
  }, [words, app]);
  useEffect(settle, []);
  return (
    <h1 class={unseen ? "unseen" : ""} tabIndex={-1}>
      {words}
    </h1>
  );
}

interface ChoiceProps<T extends string | number | boolean> {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChoose: (value: T) => void;
  note?: string;
  /** Whether each option is a language tag, which sets the `lang` of its text. */
  inTheirLanguage?: boolean;
}

/** A radio group. */
export function Choice<T extends string | number | boolean>(props: ChoiceProps<T>) {
  const { label, value, options, onChoose, note, inTheirLanguage } = props;
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="segments">
        {options.map(([option, text]) => (
          <label key={String(option)} class={option === value ? "on" : ""}>
            <input
              type="radio"
              name={name}
              checked={option === value}
              onChange={() => onChoose(option)}
            />
            <span {...(inTheirLanguage ? { lang: String(option) } : {})}>{text}</span>
          </label>
        ))}
      </div>
      {note !== undefined && <p class="note">{note}</p>}
    </fieldset>
  );
}

interface SwitchProps {
  label: string;
  on: boolean;
  onChange: (on: boolean) => void;
  note?: string;
}

export function Switch({ label, on, onChange, note }: SwitchProps) {
  return (
    <label class="switch">
      <span>
        {label}
        {note !== undefined && <small>{note}</small>}
      </span>
      <input
        type="checkbox"
        checked={on}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  );
}

const ICONS: Record<string, string> = {
  close: "M5 5l10 10M15 5 5 15",
  back: "M12 4l-6 6 6 6",
  next: "M8 4l6 6-6 6",
  undo: "M4 8h8a4 4 0 0 1 0 8H8M4 8l3-3M4 8l3 3",
  redo: "M16 8H8a4 4 0 0 0 0 8h4M16 8l-3-3M16 8l-3 3",
  reset: "M5 10a5 5 0 1 0 2-4M7 3v3.5h3.5",
  help: "M7 7.5a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.100-1.500 2.400M10 16v.01",
  check: "M4 10.500l4 4 8-9",
  download: "M10 3v9M6 8.500l4 4 4-4M4 16h12",
  hint: "M10 3a5 5 0 0 0-2.5 9.3V14h5v-1.7A5 5 0 0 0 10 3zM8 17h4",
  settings: "M4 6h7M15 6h1M4 14h1M9 14h7M13 4v4M7 12v4",
  rules: "M5 4h8a2 2 0 0 1 2 2v10H7a2 2 0 0 1-2-2zM8 8h4M8 11h4",
  chat: "M4 5h12v8H9l-4 3v-3H4z",
  more: "M10 4.500v.01M10 10v.01M10 15.500v.01",
  pause: "M7 5v10M13 5v10",
  leave: "M9 4H5v12h4M9 10h7M13 7l3 3-3 3",
  copy: "M7 7h9v9H7zM4 13V4h9",
  story: "M10 6v4.500l3 2M4.500 7a6.500 6.500 0 1 1-.8 4.500M4 3.500V7h3.500",
  sheet: "M4 4h12v12H4zM4 8h12M8 8v8",
  person: "M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 17c0-3 3-5 6-5s6 2 6 5",
  bot: "M5 8h10v8H5zM10 5v3M8 11v1M12 11v1",
};

export function Icon({ name }: { name: keyof typeof ICONS | string }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={ICONS[name] ?? ""} />
    </svg>
  );
}

/** The logo: three tiles in a fan. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 64 48" aria-hidden="true">
      <g transform="rotate(-14 18 40)">
        <rect class="t" x="8" y="8" width="22" height="30" rx="4" />
        <path class="r" d="M19 15l6 11H13z" />
      </g>
      <g transform="rotate(14 46 40)">
        <rect class="t" x="34" y="8" width="22" height="30" rx="4" />
        <path class="b" d="M40 17h10v10H40z" />
      </g>
      <rect class="t" x="21" y="5" width="22" height="30" rx="4" />
      <path class="o" d="M32 12l7 8-7 8-7-8z" />
    </svg>
  );
}
