import { DangerDialog } from "../panes/danger-dialog.tsx";
import { ErrorText } from "../forms/error-text.tsx";
import { Opens } from "./dialog-form.tsx";
import { useAction, type Work } from "./use-action.ts";

/** The confirmation of an action that cannot be undone. */
interface DangerProps {
  /** The label of the button that opens the confirmation, and of the button that confirms. */
  readonly label: string;
  /** Names the item for screen readers, because several buttons have the same label. */
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

/** A button that asks for confirmation. */
export const Danger = ({ look = "danger", ...question }: DangerProps) => (
  <Opens label={question.label} about={question.about} look={look}>
    {(close) => <Question {...question} onClose={close} />}
  </Opens>
);
