import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { ErrorText } from "../ui/error-text.tsx";
import { Field, type FieldProps } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { submits } from "../ui/form.ts";
import { useAction } from "./use-action.ts";

interface Entry<N extends string> {
  readonly name: N;
  readonly label: string;
  readonly hint?: string;
}

interface TextEntry<N extends string> extends Entry<N> {
  readonly kind: "text";
  readonly optional?: boolean;
  readonly secret?: boolean;
  readonly input?: FieldProps["input"];
}

interface SelectEntry<N extends string> extends Entry<N> {
  readonly kind: "select";
  readonly options: readonly (readonly [value: string, name: string])[];
}

interface CheckEntry<N extends string> extends Entry<N> {
  readonly kind: "check";
}

/** One thing that a form asks for. A check is `"on"` or `""`. */
export type FormEntry<N extends string> = TextEntry<N> | SelectEntry<N> | CheckEntry<N>;

/** What a form asks for, and what is done with the answers. */
interface FormProps<N extends string> {
  readonly entries: readonly FormEntry<N>[];
  /** What is filled in at first. */
  readonly initial?: Readonly<Partial<Record<N, string>>>;
  /** What sending it does. */
  readonly submit: string;
  readonly onSubmit: (read: (name: N) => string) => Promise<void>;
}

interface ControlProps<N extends string> {
  readonly entry: FormEntry<N>;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: string | null;
  readonly first: boolean;
}

function Select<N extends string>({ entry, value, onValue, error }: ControlProps<N> & { entry: SelectEntry<N> }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{entry.label}</label>
      <select
        id={id}
        name={entry.name}
        value={value}
        aria-describedby={entry.hint === undefined ? undefined : `${id}-hint`}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      >
        {entry.options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
      {entry.hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {entry.hint}
        </p>
      )}
      <ErrorText text={error} />
    </div>
  );
}

function Check<N extends string>({ entry, value, onValue, error }: ControlProps<N> & { entry: CheckEntry<N> }) {
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          name={entry.name}
          checked={value !== ""}
          onChange={({ currentTarget }) => onValue(currentTarget.checked ? "on" : "")}
        />
        <span>
          {entry.label}
          {entry.hint !== undefined && <span class="hint">{entry.hint}</span>}
        </span>
      </label>
      <ErrorText text={error} />
    </>
  );
}

function Control<N extends string>({ entry, ...control }: ControlProps<N>) {
  if (entry.kind === "select") return <Select entry={entry} {...control} />;
  if (entry.kind === "check") return <Check entry={entry} {...control} />;
  const { name, label, hint, optional = false, secret = false, input } = entry;
  const line = { name, autocomplete: "off", ...input } as const;
  return <Field {...control} label={label} optional={optional} secret={secret} input={line} {...(hint && { hint })} />;
}

/** The answers to the entries of a form, and what the server says about them. */
function useForm<N extends string>({ entries, initial, onSubmit }: Omit<FormProps<N>, "submit">, isFirst: boolean) {
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map(Object.entries(initial ?? {})));
  const action = useAction(entries.map(({ name }) => name));
  const read = (name: N): string => values.get(name) ?? "";
  const controls = (
    <>
      {entries.map((entry, place) => (
        <Control
          key={entry.name}
          entry={entry}
          value={read(entry.name)}
          onValue={(value) => setValues((known) => new Map([...known, [entry.name, value]]))}
          error={action.errorOf(entry.name)}
          first={isFirst && place === 0}
        />
      ))}
      <ErrorText text={action.text} />
    </>
  );
  return { controls, busy: action.busy, send: () => action.run(() => onSubmit(read)) };
}

/** A form in the page. */
export function Form<N extends string>({ submit, ...form }: FormProps<N>) {
  const { controls, busy, send } = useForm(form, false);
  return (
    <form class="form" onSubmit={submits(send)}>
      {controls}
      <div class="actions">
        <button type="submit" class="primary" disabled={busy}>
          {submit}
        </button>
      </div>
    </form>
  );
}

interface DialogFormProps<N extends string> extends FormProps<N> {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly onClose: () => void;
}

/** A form in a dialog over the page. */
export function DialogForm<N extends string>({ title, lead, submit, onClose, ...form }: DialogFormProps<N>) {
  const { controls, busy, send } = useForm(form, true);
  return (
    <FormDialog {...{ title, lead, submit, busy, onClose }} onSubmit={send}>
      {controls}
    </FormDialog>
  );
}

/** A button that opens a dialog, which gets what closes it. */
export function Opens({ label, about, look = "", children }: OpensProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class={look}
        aria-label={about === undefined ? undefined : `${label}: ${about}`}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

interface OpensProps {
  readonly label: string;
  /** Whose it is, for screen readers: several buttons have the same label. */
  readonly about?: string;
  readonly look?: "" | "primary" | "danger" | "link";
  readonly children: (close: () => void) => ComponentChildren;
}

/** Filled in by hand: the text without spaces around it, or nothing. */
export const textOr = <T,>(value: string, none: T): string | T => (value.trim() === "" ? none : value.trim());
