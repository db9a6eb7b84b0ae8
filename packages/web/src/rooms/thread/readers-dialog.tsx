import type { MessageView } from "@telex/core";
import { useEffect, useState } from "preact/hooks";
import { useTexts } from "../../app/context.ts";
import { failureText } from "../../ui/actions/use-action.ts";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Dialog } from "../../ui/panes/dialog.tsx";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";

interface ReadersDialogProps {
  readonly message: MessageView;
  readonly onClose: () => void;
}

export function ReadersDialog({ message, onClose }: ReadersDialogProps) {
  const { amends } = useRooms();
  const texts = useRoomTexts();
  const shared = useTexts();
  const [names, setNames] = useState<readonly string[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    amends.readers(message).then(
      (readers) => setNames(readers.map(({ nickname }) => nickname)),
      (cause: unknown) => setError(failureText(cause, shared)),
    );
  }, []);
  return (
    <Dialog title={texts.readBy} onClose={onClose}>
      <ErrorText text={error} />
      {names?.length === 0 && <p class="hint">{texts.readByNobody}</p>}
      <ul class="names">
        {names?.map((name) => (
          <li key={name} dir="auto">
            {name}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
