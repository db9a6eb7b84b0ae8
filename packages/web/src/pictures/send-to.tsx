import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { useApp } from "../app/context.ts";
import { submits } from "../ui/forms/form.ts";
import { Select } from "../ui/forms/select.tsx";
import { usePictureTexts } from "./texts.ts";

/** The destinations of a picture. */
interface SendToProps {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly name: string }[];
  readonly onSend: (value: string) => void;
  /** Called when another destination is chosen. */
  readonly onChoose?: (value: string) => void;
  /** The submit button, and further content. */
  readonly children: ComponentChildren;
}

/** A form that sends a picture as text to a device or a room. Hidden if the person has neither. */
export function SendTo({ label, options, onSend, onChoose, children }: SendToProps) {
  const { notices } = useApp();
  const texts = usePictureTexts();
  const id = useId();
  const [chosen, setChosen] = useState("");
  const to = options.find(({ value }) => value === chosen) ?? options[0];
  if (to === undefined) return null;
  const send = (): void => {
    onSend(to.value);
    notices.show(texts.printed(to.name));
  };
  const choose = (value: string): void => {
    setChosen(value);
    onChoose?.(value);
  };
  return (
    <form class="send-to" onSubmit={submits(send)}>
      <label for={id}>{label}</label>
      <Select id={id} value={to.value} options={options} onValue={choose} />
      {children}
    </form>
  );
}
