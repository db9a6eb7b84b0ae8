import { useMemo } from "preact/hooks";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Dialog } from "../../ui/panes/dialog.tsx";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";
import { PeoplePicker } from "./people-picker.tsx";
import { useChatWith } from "./use-chat-with.ts";

/** Finds a person, and opens the private chat with them. */
export function NewChatDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useRoomTexts();
  const { people } = useRooms();
  const find = useMemo(() => {
    const findAll = people();
    // Models have conversations instead of private chats.
    return async (typed: string) => (await findAll(typed)).filter(({ isModel }) => !isModel);
  }, [people]);
  const chat = useChatWith();
  return (
    <Dialog title={texts.privateChat} isHeld={chat.busy} onClose={onClose}>
      <PeoplePicker find={find} label={texts.person} chosen={null} onChoose={chat.open} />
      <ErrorText text={chat.text} />
    </Dialog>
  );
}
