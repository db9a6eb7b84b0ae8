import { useApp } from "../../app/context.ts";
import { JoinDialog } from "./join.tsx";
import { NewChatDialog } from "./new-chat.tsx";
import { NewRoomDialog } from "./new-room.tsx";
import "../styles/making.css";

const dialogs = { new: NewRoomDialog, chat: NewChatDialog, join: JoinDialog };

/** The dialog that the URL names. */
export function OpenDialog() {
  const { router } = useApp();
  const { roomDialog } = router.route.value;
  const Dialog = roomDialog && dialogs[roomDialog];
  return Dialog && <Dialog onClose={() => router.go(location.pathname, "replace")} />;
}
