import { useTexts } from "../../app/context.ts";
import { Button } from "./button.tsx";
import { SubmitButton } from "./submit-button.tsx";

/** How the form of a dialog is sent, or left. */
interface FormActionsProps {
  /** The label of the button. */
  readonly submit: string;
  /** It is being sent. */
  readonly busy?: boolean;
  /** False while nothing can be sent yet. */
  readonly isReady?: boolean;
  readonly onCancel: () => void;
}

/** The buttons at the end of the form of a dialog. */
export function FormActions({ submit, busy = false, isReady = true, onCancel }: FormActionsProps) {
  const texts = useTexts();
  return (
    <div class="actions">
      <Button disabled={busy} onClick={onCancel}>
        {texts.cancel}
      </Button>
      <SubmitButton label={submit} isReady={isReady && !busy} />
    </div>
  );
}
