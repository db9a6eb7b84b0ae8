import type { MessageView } from "@telex/core";
import { useEffect, useState } from "preact/hooks";
import { useTexts } from "../../app/context.ts";
import { roomPath } from "../../app/route.ts";
import { failureText } from "../../ui/actions/use-action.ts";
import { Button } from "../../ui/forms/button.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Icon } from "../../ui/forms/icon.tsx";
import { Dialog } from "../../ui/panes/dialog.tsx";
import type { RoomView } from "../content/api.ts";
import { readContent, summarise } from "../content/content.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";

interface PinsProps {
  readonly view: RoomView;
  readonly onClose: () => void;
}

/** The pinned messages. Each links to its position in the history. */
function PinsDialog({ view: { groupId }, onClose }: PinsProps) {
  const texts = useRoomTexts();
  const shared = useTexts();
  const { amends } = useRooms();
  const [pins, setPins] = useState<readonly MessageView[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    amends.pins(groupId).then(setPins, (cause: unknown) => setError(failureText(cause, shared)));
  }, []);
  return (
    <Dialog title={texts.pinnedMessages} onClose={onClose}>
      <ErrorText text={error} />
      {pins?.length === 0 && <p class="hint">{texts.noPins}</p>}
      <ul class="names">
        {pins?.map(({ messageId, nickname, content }) => (
          <li key={messageId}>
            <a href={roomPath(groupId, messageId)} dir="auto" onClick={onClose}>
              <b>{nickname}:</b> {summarise(readContent(content), texts.summary)}
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

export function PinsButton({ view }: Pick<PinsProps, "view">) {
  const texts = useRoomTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon shape="pin" />
        {texts.pinnedMessages}
      </Button>
      {isOpen && <PinsDialog view={view} onClose={() => setOpen(false)} />}
    </>
  );
}
