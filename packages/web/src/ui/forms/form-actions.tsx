import { useTexts } from "../../app/context.ts";
import { Button } from "./button.tsx";
import { SubmitButton } from "./submit-button.tsx";

/** The actions of a form in a dialog. */
interface FormActionsProps {
  /** The label of the button. */
  readonly submit: string;
  /** True while the form is being sent. */
  readonly busy?: boolean;
  /** False if the form cannot be sent yet. */
  readonly isReady?: boolean;
  readonly onCancel: () => void;
}

/** The buttons at the end of a form in a dialog. */
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
