import { useTexts } from "../../app/context.ts";
import { Button } from "../forms/button.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";

/** The confirmation of an action that cannot be undone. */
interface DangerDialogProps extends DialogProps {
  /** The label of the button that confirms. */
  readonly confirm: string;
  /** True while the action runs. The dialog shows its result. */
  readonly busy?: boolean;
  readonly onConfirm: () => void;
}

/** Asks for confirmation of an action that cannot be undone. The cancel button has the focus. */
export function DangerDialog({ title, confirm, busy = false, onConfirm, onClose, children }: DangerDialogProps) {
  const texts = useTexts();
  return (
    <Dialog title={title} isHeld={busy} onClose={onClose}>
      {children}
      <div class="actions">
        <Button class="danger" disabled={busy} onClick={onConfirm}>
          {confirm}
        </Button>
        <Button disabled={busy} onClick={onClose} autofocus>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
