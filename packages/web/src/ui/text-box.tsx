import type { RefObject, TargetedKeyboardEvent } from "preact";
import type { Signal } from "@preact/signals";
import { useApp, useTexts } from "../context.ts";
import { isSendKey, useGrowth } from "./typing.ts";

/** What a box for a text asks for. */
interface TextBoxProps {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  /** What was typed; each key changes it. */
  readonly draft: Signal<string>;
  readonly onSend: () => void;
  readonly onEscape?: (() => void) | undefined;
  /** Gets each key first; true where the key has done its work. */
  readonly onKey?: ((event: TargetedKeyboardEvent<HTMLTextAreaElement>) => boolean) | undefined;
  /** What screen readers are told, and how it looks. */
  readonly input: {
    readonly class?: string;
    readonly placeholder: string;
    readonly "aria-label": string;
    readonly "aria-describedby": string;
    readonly "aria-invalid": "true" | undefined;
    readonly "aria-controls"?: string | undefined;
    readonly "aria-activedescendant"?: string | undefined;
    readonly "aria-autocomplete"?: "list";
  };
}

/** A box that grows with its text. The key that sends is the one that the person has chosen. */
export function TextBox({ box, draft, onSend, onEscape, onKey, input }: TextBoxProps) {
  const enterSends = useApp().preferences.enterKey.value === "send";
  const text = draft.value;
  useGrowth(box, text);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    if (onKey?.(event) === true) return event.preventDefault();
    if (event.key === "Escape") onEscape?.();
    if (!isSendKey(event, enterSends)) return;
    event.preventDefault();
    onSend();
  };
  const onInput = (): void => {
    draft.value = box.current?.value ?? "";
  };
  const shared = { ...input, ref: box, rows: 1, dir: "auto", value: text, onInput, onKeyDown } as const;
  return <textarea {...shared} enterkeyhint={enterSends ? "send" : "enter"} />;
}

/** Says which key sends. */
export function KeysHint({ id }: { readonly id: string }) {
  const { preferences } = useApp();
  const texts = useTexts();
  return (
    <p class="keys" id={id}>
      {preferences.enterKey.value === "send" ? texts.sendsHint : texts.breaksHint}
    </p>
  );
}
