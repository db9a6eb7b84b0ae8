import { useTexts } from "../../app/context.ts";
import { Button } from "../forms/button.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";

/** What a dialog before something that cannot be undone asks for. */
interface DangerDialogProps extends DialogProps {
  /** What confirming does. */
  readonly confirm: string;
  /** It is being done, which shows here whether it works. */
  readonly busy?: boolean;
  readonly onConfirm: () => void;
}

/** Asks before something that cannot be undone. Cancelling has the focus. */
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
