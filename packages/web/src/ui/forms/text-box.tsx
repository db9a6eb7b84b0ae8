import type { RefObject, TargetedKeyboardEvent } from "preact";
import type { Signal } from "@preact/signals";
import { useApp, useTexts } from "../../app/context.ts";
import { isSendKey, useGrowth } from "./typing.ts";

interface TextBoxProps {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  /** The typed text, updated by each key. */
  readonly draft: Signal<string>;
  readonly onSend: () => void;
  readonly onEscape?: (() => void) | undefined;
  /** Handles each key first. Returns true if it handled the key. */
  readonly onKey?: ((event: TargetedKeyboardEvent<HTMLTextAreaElement>) => boolean) | undefined;
  /** The accessible name of the box, and its default placeholder. */
  readonly label: string;
  /** Replaces the default placeholder. */
  readonly placeholder?: string;
  readonly look?: string;
  readonly isTooLong: boolean;
  /** The IDs of further descriptions besides {@link KeysHint}. */
  readonly describedBy?: string;
  /** The list of completions, for screen readers. */
  readonly completion?: {
    readonly "aria-controls": string | undefined;
    readonly "aria-activedescendant": string | undefined;
    readonly "aria-autocomplete": "list";
  };
}

const keysHint = "keys-hint";

type Keys = Pick<TextBoxProps, "onSend" | "onEscape" | "onKey">;

const createKeyHandler =
  ({ onSend, onEscape, onKey }: Keys, enterSends: boolean) =>
  (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    if (onKey?.(event) === true) return event.preventDefault();
    if (event.key === "Escape") onEscape?.();
    if (!isSendKey(event, enterSends)) return;
    event.preventDefault();
    onSend();
  };

/** The attributes for screen readers. */
const wordsOf = ({ label, placeholder = label, isTooLong, describedBy, completion }: TextBoxProps) => ({
  placeholder,
  "aria-label": label,
  "aria-describedby": describedBy === undefined ? keysHint : `${describedBy} ${keysHint}`,
  "aria-invalid": isTooLong ? ("true" as const) : undefined,
  ...completion,
});

/** A text box that grows with its text. The preferences determine which key sends. */
export function TextBox(props: TextBoxProps) {
  const { box, draft, look } = props;
  const enterSends = useApp().preferences.enterKey.value === "send";
  const text = draft.value;
  useGrowth(box, text);
  const onInput = (): void => {
    draft.value = box.current?.value ?? "";
  };
  const onKeyDown = createKeyHandler(props, enterSends);
  const shared = { ...wordsOf(props), ref: box, rows: 1, dir: "auto", value: text, onInput, onKeyDown } as const;
  return <textarea {...shared} class={look} enterkeyhint={enterSends ? "send" : "enter"} />;
}

/** Explains which key sends. */
export function KeysHint() {
  const { preferences } = useApp();
  const texts = useTexts();
  return (
    <p class="keys" id={keysHint}>
      {preferences.enterKey.value === "send" ? texts.sendsHint : texts.breaksHint}
    </p>
  );
}
