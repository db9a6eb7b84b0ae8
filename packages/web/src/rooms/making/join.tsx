import { useApp } from "../../app/context.ts";
import { roomPath } from "../../app/route.ts";
import { DialogForm } from "../../ui/actions/dialog-form.tsx";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";

/** The secret at the end of a link. */
const secretOf = (link: string): string => link.trim().slice(link.trim().lastIndexOf("#") + 1);

export function JoinDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useRoomTexts();
  const { changes } = useRooms();
  const { router } = useApp();
  const join = async (read: (name: "secret") => string): Promise<null> => {
    const { groupId } = await changes.join(secretOf(read("secret")));
    router.go(roomPath(groupId), "replace");
    return null;
  };
  const entries = { secret: { label: texts.link, input: { placeholder: texts.linkHint } } } as const;
  const form = { title: texts.haveLink, lead: texts.haveLinkLead, submit: texts.join, entries };
  return <DialogForm {...form} onSubmit={join} onClose={onClose} />;
}
