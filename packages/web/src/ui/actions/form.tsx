import { useState } from "preact/hooks";
import { Check } from "../forms/check.tsx";
import { ErrorText } from "../forms/error-text.tsx";
import { Field, type FieldProps } from "../forms/field.tsx";
import { submits } from "../forms/form.ts";
import { Labelled } from "../forms/labelled.tsx";
import { Select, type SelectOption } from "../forms/select.tsx";
import { SubmitButton } from "../forms/submit-button.tsx";
import { useAction } from "./use-action.ts";

interface Entry {
  readonly label: string;
  readonly hint?: string;
}

interface TextEntry extends Entry {
  readonly kind?: "text";
  readonly optional?: boolean;
  readonly secret?: boolean;
  readonly input?: FieldProps["input"];
}

interface SelectEntry extends Entry {
  readonly kind: "select";
  readonly options: readonly SelectOption[];
}

interface CheckEntry extends Entry {
  readonly kind: "check";
}

/** A field of a form. The value of a checkbox is `"on"` or `""`. */
type FormEntry = TextEntry | SelectEntry | CheckEntry;

/** The fields of a form, by their names on the server. */
export type FormEntries<N extends string> = Readonly<Record<N, FormEntry>>;

export type Read<N extends string> = (name: N) => string;

/** The fields of a form, and its action. */
export interface FormProps<N extends string> {
  readonly entries: FormEntries<N>;
  /** The initial values. */
  readonly initial?: Readonly<Partial<Record<N, string>>>;
  /** The label of the button. */
  readonly submit: string;
  /** Resolves with a message for the person. With null, the action is not complete, and a dialog stays open. */
  readonly onSubmit: (read: Read<N>) => Promise<string | null>;
}

/** Creates options with a name for each value. */
export const optionsOf = <V extends string | number>(
  values: readonly V[],
  names: Readonly<Record<V, string>>,
): readonly SelectOption[] => values.map((value) => ({ value, name: names[value] }));

interface ControlProps {
  readonly name: string;
  readonly entry: FormEntry;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: string | null;
  readonly first: boolean;
}

function SelectControl({ entry, error, name, value, onValue }: ControlProps & { readonly entry: SelectEntry }) {
  const { label, hint, options } = entry;
  const select = { name, value, options, onValue };
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(id) => <Select {...select} id={id} aria-describedby={hint && `${id}-hint`} />}
    </Labelled>
  );
}

const CheckControl = ({ entry, error, name, value, onValue }: ControlProps & { readonly entry: CheckEntry }) => (
  <>
    <Check name={name} checked={value !== ""} onChecked={(checked) => onValue(checked ? "on" : "")}>
      {entry.label}
      {entry.hint !== undefined && <span class="hint">{entry.hint}</span>}
    </Check>
    <ErrorText text={error} />
  </>
);

function Control({ entry, ...control }: ControlProps) {
  if (entry.kind === "select") return <SelectControl entry={entry} {...control} />;
  if (entry.kind === "check") return <CheckControl entry={entry} {...control} />;
  const { kind: _kind, input, ...field } = entry;
  return <Field {...control} {...field} input={{ name: control.name, autocomplete: "off", ...input }} />;
}

/** The values of a form, and the errors of the server. */
export function useForm<N extends string>(
  { entries, initial, onSubmit }: Omit<FormProps<N>, "submit">,
  isFirst: boolean,
) {
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map(Object.entries(initial ?? {})));
  const { busy, text, errorOf, run } = useAction(Object.keys(entries));
  const controlOf = ([name, entry]: [string, FormEntry], index: number) => {
    const onValue = (value: string): void => setValues((current) => new Map([...current, [name, value]]));
    const control = { name, entry, onValue, value: values.get(name) ?? "", error: errorOf(name) };
    return <Control key={name} {...control} first={isFirst && index === 0} />;
  };
  const controls = (
    <>
      {Object.entries<FormEntry>(entries).map(controlOf)}
      <ErrorText text={text} />
    </>
  );
  return { controls, busy, send: () => run(() => onSubmit((name) => values.get(name) ?? "")) };
}

export function Form<N extends string>({ submit, ...form }: FormProps<N>) {
  const { controls, busy, send } = useForm(form, false);
  return (
    <form class="form" onSubmit={submits(send)}>
      {controls}
      <div class="actions">
        <SubmitButton label={submit} isReady={!busy} />
      </div>
    </form>
  );
}

/** The trimmed text, or null if it is empty. */
export const textOrNull = (value: string): string | null => value.trim() || null;

/** The values of fields that are not empty. */
export function givenOf<N extends string>(read: Read<N>, names: readonly N[]): Partial<Record<N, string>> {
  const given: Partial<Record<N, string>> = {};
  for (const name of names) if (read(name).trim() !== "") given[name] = read(name).trim();
  return given;
}
