import type { OwnFileView } from "@telex/core";
import { useAction } from "../ui/actions/use-action.ts";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { DangerDialog } from "../ui/panes/danger-dialog.tsx";
import { nameOf } from "./name.ts";
import type { OwnFiles } from "./own-files.ts";
import { useFileTexts } from "./texts.ts";

interface RemoveProps {
  readonly own: OwnFiles;
  readonly file: OwnFileView;
  readonly onClose: () => void;
}

/** Asks for confirmation before a file is deleted, and explains that messages keep it. */
export function RemoveDialog({ own, file, onClose }: RemoveProps) {
  const texts = useFileTexts();
  const action = useAction();
  const remove = async (): Promise<string> => {
    await own.remove(file.file_id);
    onClose();
    return texts.removed(nameOf(file));
  };
  return (
    <DangerDialog
      title={texts.removeTitle}
      confirm={texts.removeNow}
      busy={action.busy}
      onConfirm={() => action.run(remove)}
      onClose={onClose}
    >
      <p class="lead">{texts.removeLead(nameOf(file))}</p>
      <ErrorText text={action.text} />
    </DangerDialog>
  );
}
