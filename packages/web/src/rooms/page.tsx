import { useEffect, useMemo } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useApp, useTexts } from "../app/context.ts";
import { createLazy, WaitingSection } from "../ui/panes/lazy.tsx";
import { TwoPanes } from "../ui/panes/two-panes.tsx";
import { Announcements } from "./list/announcements.tsx";
import { RoomsContext, useRoomsSignal } from "./state/context.ts";
import { RoomNav } from "./list/room-nav.tsx";
import { type Rooms, wide } from "./state/rooms.ts";
import { startRooms } from "./state/start.ts";
import { useLastRoom } from "./room/use-last-room.ts";
import "./styles/layout.css";
import "./styles/list.css";

const RoomPage = createLazy(async () => (await import("./room/room-page.tsx")).RoomPage, WaitingSection);
const Start = createLazy(async () => (await import("./list/start.tsx")).Start);
const OpenDialog = createLazy(async () => (await import("./making/dialogs.tsx")).OpenDialog);

/** Closes the side panel where it covers the room, when the person opens another room or a message. */
function useRoomInView({ isSideOpen }: Rooms): void {
  const route = useApp().router.route.value;
  useEffect(() => {
    if (!matchMedia(wide).matches) isSideOpen.value = false;
  }, [isSideOpen, route]);
}

/** The page of rooms: the list, with one room next to it. On a phone, the room replaces the list. */
export function RoomsPage() {
  const account = useAccount();
  const app = useApp();
  const signal = useRoomsSignal();
  const texts = useTexts();
  const rooms = useMemo(() => startRooms(app, account, signal, window), [app, account, signal]);
  const { groupId, roomDialog } = app.router.route.value;
  const listed = rooms.list.rooms.value;
  const isEmpty = listed?.length === 0;
  useLastRoom(rooms);
  useRoomInView(rooms);
  // Preloads the code of a room, so that opening one does not wait for it.
  useEffect(RoomPage.prepare, []);
  return (
    <RoomsContext.Provider value={rooms}>
      <TwoPanes page="rooms" title={texts.rooms} isReading={groupId !== null || isEmpty}>
        <RoomNav />
        {groupId !== null && <RoomPage key={groupId} groupId={groupId} />}
        {groupId === null && (listed === null ? <section class="blank" /> : <Start />)}
        {roomDialog !== null && <OpenDialog />}
        <Announcements />
      </TwoPanes>
    </RoomsContext.Provider>
  );
}
