import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** What stands around a control. */
interface LabelledProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Draws the control, whose id is given. It names its hint as `<id>-hint`. */
  readonly children: (id: string) => ComponentChildren;
}

/** A control of a form with its label and its hint. */
export function Labelled({ label, hint, children }: LabelledProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
