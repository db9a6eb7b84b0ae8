import { useState } from "preact/hooks";
import { useFormat } from "../../app/context.ts";
import { useAction } from "../../ui/actions/use-action.ts";
import { Button } from "../../ui/forms/button.tsx";
import { Command } from "../../ui/forms/command.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Icon } from "../../ui/forms/icon.tsx";
import { Dialog } from "../../ui/panes/dialog.tsx";
import type { RoomView } from "../content/api.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";

/** Creates an invitation link for people with an account, and shows it once. */
export function InviteButton({ view: { groupId, archived } }: { readonly view: RoomView }) {
  const texts = useRoomTexts();
  const format = useFormat();
  const { changes } = useRooms();
  const { busy, text, run } = useAction();
  const [link, setLink] = useState<Awaited<ReturnType<typeof changes.link>> | null>(null);
  const make = async (): Promise<null> => {
    setLink(await changes.link(groupId));
    return null;
  };
  return (
    <>
      <Button disabled={busy || archived} onClick={() => run(make)}>
        <Icon shape="link" />
        {texts.invite}
      </Button>
      <ErrorText text={text} />
      {link !== null && (
        <Dialog title={texts.inviteTitle} onClose={() => setLink(null)} isKept>
          <p>{texts.inviteLead}</p>
          <Command>{link.url}</Command>
          <p class="hint">{texts.linkEnds(format.date(Date.parse(link.expiresAt)))}</p>
        </Dialog>
      )}
    </>
  );
}
