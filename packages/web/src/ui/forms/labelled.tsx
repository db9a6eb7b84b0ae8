import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { ErrorText } from "./error-text.tsx";
import { Hint } from "./hint.tsx";

interface LabelledProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** The error of the chosen value. */
  readonly error?: string | null;
  /** Draws the control, whose id is given. It names its hint as `<id>-hint`. */
  readonly children: (id: string) => ComponentChildren;
}

/** A control of a form with its label and its hint. */
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
