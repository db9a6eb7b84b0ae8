import { useEffect } from "preact/hooks";
import { useAccount } from "../../app/account.ts";
import { useApp } from "../../app/context.ts";
import { roomPath } from "../../app/route.ts";
import type { Rooms } from "../state/rooms.ts";

/** The storage key for the number of the last open room. */
const storageKey = "last-room";

/** The media query for windows that show a room next to the list. */
const wide = "(min-width: 48rem)";

/** Opens the last open room in a wide window, if the person is still a member. */
export function useLastRoom({ list }: Pick<Rooms, "list">): void {
  const { shelf } = useAccount();
  const { router } = useApp();
  const { page, groupId, roomDialog } = router.route.value;
  const isLoaded = list.rooms.value !== null;
  useEffect(() => {
    if (groupId !== null) shelf.write(storageKey, String(groupId));
  }, [shelf, groupId]);
  useEffect(() => {
    const last = Number(shelf.read(storageKey));
    const isBare = page === "rooms" && groupId === null && roomDialog === null && window.matchMedia(wide).matches;
    if (isLoaded && isBare && list.find(last) !== undefined) router.go(roomPath(last), "replace");
  }, [isLoaded, page, groupId, roomDialog]);
}
