import type { ComponentChildren } from "preact";
import { Dialog, type DialogProps } from "./dialog.tsx";
import { FormActions } from "../forms/form-actions.tsx";
import { submits } from "../forms/form.ts";

interface FormDialogProps extends DialogProps {
  /** The lead above the form. */
  readonly lead?: ComponentChildren;
  /** The label of the button. */
  readonly submit: string;
  /** True while the form is being sent. The dialog stays open to show an error. */
  readonly busy?: boolean;
  /** False if the form cannot be sent yet. */
  readonly isReady?: boolean;
  readonly onSubmit: () => void;
}

/** A dialog with a form, which can be sent or cancelled. */
export const FormDialog = ({ title, lead, onSubmit, onClose, children, ...actions }: FormDialogProps) => (
  <Dialog title={title} isHeld={actions.busy ?? false} onClose={onClose}>
    {lead !== undefined && <p>{lead}</p>}
    <form onSubmit={submits(onSubmit)}>
      {children}
      <FormActions {...actions} onCancel={onClose} />
    </form>
  </Dialog>
);
