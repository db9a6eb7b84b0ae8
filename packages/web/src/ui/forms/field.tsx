import type { TargetedInputEvent } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useTexts } from "../../app/context.ts";
import { ErrorText } from "./error-text.tsx";
import { Hint } from "./hint.tsx";

/** A text field with its label, hint and error. */
export interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly hint?: string;
  readonly error?: string | null;
  /** True if it gets the focus when it appears. */
  readonly first?: boolean;
  /** True if it may be empty. */
  readonly optional?: boolean;
  /** True to hide the typed text. */
  readonly secret?: boolean;
  readonly input: {
    readonly name?: string;
    readonly class?: string;
    readonly pattern?: string;
    readonly placeholder?: string;
    readonly maxlength?: number;
    readonly inputmode?: "numeric" | "url";
    readonly autocomplete?: "off" | "current-password" | "new-password";
    readonly autocapitalize?: "none" | "characters";
    readonly spellcheck?: boolean;
  };
}

/** Focuses the field if it is the first one. */
function useFirst(isFirst: boolean) {
  const line = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) line.current?.focus();
  }, [isFirst]);
  return line;
}

/** The attributes for screen readers. */
const wordsOf = (id: string, { hint, error }: FieldProps) => {
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error ? [`${id}-error`] : [])].join(" ");
  return { "aria-describedby": described || undefined, "aria-invalid": error ? ("true" as const) : undefined };
};

function Line({ id, field }: { readonly id: string; readonly field: FieldProps }) {
  const { value, onValue, first = false, optional = false, secret = false, input } = field;
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>): void => onValue(currentTarget.value);
  const line = { ...input, ...wordsOf(id, field), id, value, onInput, required: !optional, ref: useFirst(first) };
  return secret ? <input type="password" {...line} /> : <input type="text" {...line} />;
}

/** A text field. The browser validates the input; `error` comes from the server. */
export function Field(field: FieldProps) {
  const { label, hint, error, optional = false } = field;
  const texts = useTexts();
  const id = useId();
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="hint"> ({texts.optional})</span>}
      </label>
      <Line id={id} field={field} />
      <Hint id={id} text={hint} />
      <ErrorText id={`${id}-error`} text={error} />
    </div>
  );
}
