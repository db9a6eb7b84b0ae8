import { useTexts } from "../../app/context.ts";
import { Button } from "../forms/button.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";

/** The question before an action that cannot be undone. */
interface DangerDialogProps extends DialogProps {
  /** The label of the button that confirms. */
  readonly confirm: string;
  /** It is being done, which shows here whether it works. */
  readonly busy?: boolean;
  readonly onConfirm: () => void;
}

/** Asks before an action that cannot be undone. The button for cancelling has the focus. */
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
