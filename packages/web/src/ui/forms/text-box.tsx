import type { RefObject, TargetedKeyboardEvent } from "preact";
import type { Signal } from "@preact/signals";
import { useApp, useTexts } from "../../app/context.ts";
import { isSendKey, useGrowth } from "./typing.ts";

interface TextBoxProps {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  /** The typed text; each key changes it. */
  readonly draft: Signal<string>;
  readonly onSend: () => void;
  readonly onEscape?: (() => void) | undefined;
  /** Gets each key first; true where the key has done its work. */
  readonly onKey?: ((event: TargetedKeyboardEvent<HTMLTextAreaElement>) => boolean) | undefined;
  /** The name of the box, which is also shown in it while it is empty. */
  readonly label: string;
  /** Shown instead of the name. */
  readonly placeholder?: string;
  readonly look?: string;
  readonly isTooLong: boolean;
  /** The ids of what describes it further than {@link KeysHint}. */
  readonly describedBy?: string;
  /** The list of what can be completed, for screen readers. */
  readonly completion?: {
    readonly "aria-controls": string | undefined;
    readonly "aria-activedescendant": string | undefined;
    readonly "aria-autocomplete": "list";
  };
}

const keysHint = "keys-hint";

type Keys = Pick<TextBoxProps, "onSend" | "onEscape" | "onKey">;

/** The keys of a box. */
const createKeyHandler =
  ({ onSend, onEscape, onKey }: Keys, enterSends: boolean) =>
  (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    if (onKey?.(event) === true) return event.preventDefault();
    if (event.key === "Escape") onEscape?.();
    if (!isSendKey(event, enterSends)) return;
    event.preventDefault();
    onSend();
  };

/** The attributes that tell screen readers of a box. */
const wordsOf = ({ label, placeholder = label, isTooLong, describedBy, completion }: TextBoxProps) => ({
  placeholder,
  "aria-label": label,
  "aria-describedby": describedBy === undefined ? keysHint : `${describedBy} ${keysHint}`,
  "aria-invalid": isTooLong ? ("true" as const) : undefined,
  ...completion,
});

/** A box that grows with its text. The key that sends is the one that the person has chosen. */
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

/** Says which key sends. */
export function KeysHint() {
  const { preferences } = useApp();
  const texts = useTexts();
  return (
    <p class="keys" id={keysHint}>
      {preferences.enterKey.value === "send" ? texts.sendsHint : texts.breaksHint}
    </p>
  );
}
