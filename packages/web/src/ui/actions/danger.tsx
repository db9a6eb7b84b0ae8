import { DangerDialog } from "../panes/danger-dialog.tsx";
import { ErrorText } from "../forms/error-text.tsx";
import { Opens } from "./dialog-form.tsx";
import { useAction, type Work } from "./use-action.ts";

/** The question before an action that cannot be undone. */
interface DangerProps {
  /** The name of the action: on the button that asks, and on the one that confirms. */
  readonly label: string;
  /** Whose it is, for screen readers: several buttons have the same label. */
  readonly about?: string;
  readonly look?: "" | "danger" | "link";
  readonly title: string;
  readonly lead: string;
  readonly work: Work;
}

function Question({ title, label, lead, work, onClose }: DangerProps & { readonly onClose: () => void }) {
  const action = useAction();
  const done = async (): Promise<string | null> => {
    const said = await work();
    onClose();
    return said;
  };
  return (
    <DangerDialog {...{ title, onClose }} confirm={label} busy={action.busy} onConfirm={() => action.run(done)}>
      <p>{lead}</p>
      <ErrorText text={action.text} />
    </DangerDialog>
  );
}

/** A button that asks first. */
export const Danger = ({ look = "danger", ...question }: DangerProps) => (
  <Opens label={question.label} about={question.about} look={look}>
    {(close) => <Question {...question} onClose={close} />}
  </Opens>
);
