import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { ErrorText } from "./error-text.tsx";
import { Hint } from "./hint.tsx";

interface LabelledProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** The error of the current value. */
  readonly error?: string | null;
  /** Draws the control with this ID. Its `aria-describedby` is `<id>-hint`. */
  readonly children: (id: string) => ComponentChildren;
}

/** A form control with its label and hint. */
export function Labelled({ label, hint, error, children }: LabelledProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
      <Hint id={id} text={hint} />
      <ErrorText text={error} />
    </div>
  );
}
