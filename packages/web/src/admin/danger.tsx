import { DangerDialog } from "../ui/danger-dialog.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { Opens } from "./form.tsx";
import { useAction } from "./use-action.ts";

/** What is asked before something is done that cannot be undone. */
interface DangerProps {
  readonly label: string;
  /** Whose it is, for screen readers: several buttons have the same label. */
  readonly about?: string;
  readonly look?: "danger" | "link";
  readonly title: string;
  readonly lead: string;
  /** What confirming does. */
  readonly confirm: string;
  readonly work: () => Promise<void>;
}

function Question({ title, lead, confirm, work, onClose }: DangerProps & { readonly onClose: () => void }) {
  const action = useAction();
  const done = async (): Promise<void> => {
    await work();
    onClose();
  };
  return (
    <DangerDialog {...{ title, confirm, onClose }} busy={action.busy} onConfirm={() => action.run(done)}>
      <p>{lead}</p>
      <ErrorText text={action.text} />
    </DangerDialog>
  );
}

/** A button that asks first. */
export function Danger({ look = "danger", ...question }: DangerProps) {
  const { label, about } = question;
  return (
    <Opens label={label} look={look} {...(about !== undefined && { about })}>
      {(close) => <Question {...question} onClose={close} />}
    </Opens>
  );
}
