import type { ComponentChildren } from "preact";
import { Dialog, type DialogProps } from "./dialog.tsx";
import { FormActions } from "./form-actions.tsx";
import { submits } from "./form.ts";

/** What a dialog with a form asks for. */
interface FormDialogProps extends DialogProps {
  /** A sentence above the form. */
  readonly lead?: ComponentChildren;
  /** What sending it does. */
  readonly submit: string;
  /** It is being sent. */
  readonly busy?: boolean;
  readonly onSubmit: () => void;
}

/** A dialog whose form is sent or cancelled. */
export function FormDialog({ title, lead, submit, busy = false, onSubmit, onClose, children }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {lead !== undefined && <p>{lead}</p>}
      <form onSubmit={submits(onSubmit)}>
        {children}
        <FormActions submit={submit} busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
