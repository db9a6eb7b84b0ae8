import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../forms/button.tsx";
import { FormDialog } from "../panes/form-dialog.tsx";
import { type Read, type FormProps, useForm } from "./form.tsx";

interface DialogFormProps<N extends string> extends FormProps<N> {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly onClose: () => void;
}

export function DialogForm<N extends string>({ title, lead, submit, onSubmit, onClose, ...form }: DialogFormProps<N>) {
  const submitAndClose = async (read: Read<N>): Promise<string | null> => {
    const said = await onSubmit(read);
    if (said !== null) onClose();
    return said;
  };
  const { controls, busy, send } = useForm({ ...form, onSubmit: submitAndClose }, true);
  return (
    <FormDialog {...{ title, lead, submit, busy, onClose }} onSubmit={send}>
      {controls}
    </FormDialog>
  );
}

interface OpensProps {
  readonly label: string;
  /** Names the item for screen readers, because several buttons have the same label. */
  readonly about?: string | undefined;
  readonly look?: "" | "primary" | "danger" | "link";
  /** Draws the dialog. Receives a function that closes it. */
  readonly children: (close: () => void) => ComponentChildren;
}

export function Opens({ label, about, look = "", children }: OpensProps) {
  const [isOpen, setOpen] = useState(false);
  const name = about === undefined ? undefined : `${label}: ${about}`;
  return (
    <>
      <Button class={look} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
