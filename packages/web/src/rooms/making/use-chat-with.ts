import { useApp } from "../../app/context.ts";
import { roomPath } from "../../app/route.ts";
import { useAction } from "../../ui/actions/use-action.ts";
import { useRooms } from "../state/context.ts";

/** Opens a private chat with a person, creating it if necessary. */
export function useChatWith() {
  const { changes } = useRooms();
  const { router } = useApp();
  const { busy, text, run } = useAction();
  const go = async (userId: number): Promise<null> => {
    const { groupId } = await changes.chatWith(userId);
    router.go(roomPath(groupId), location.hash === "" ? "push" : "replace");
    return null;
  };
  return { busy, text, open: ({ userId }: { readonly userId: number }) => run(() => go(userId)) };
}
