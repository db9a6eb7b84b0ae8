import { useMemo } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useApp, useTexts } from "../app/context.ts";
import { createLazy } from "../ui/panes/lazy.tsx";
import { TwoPanes } from "../ui/panes/two-panes.tsx";
import { Announcements } from "./list/announcements.tsx";
import { RoomsContext, useRoomsSignal } from "./state/context.ts";
import { RoomNav } from "./list/room-nav.tsx";
import { RoomPlace } from "./place/room-place.tsx";
import { startRooms } from "./state/start.ts";
import { useLastRoom } from "./place/use-last-room.ts";
import "./styles/layout.css";
import "./styles/list.css";
import "./styles/thread.css";
import "./styles/composer.css";
import "./styles/side.css";
import "./styles/making.css";

const Start = createLazy(async () => (await import("./list/start.tsx")).Start);
const OpenDialog = createLazy(async () => (await import("./making/dialogs.tsx")).OpenDialog);

/** The chat rooms: the list, and next to it one room, which replaces the list on a phone. */
export function RoomsPage() {
  const account = useAccount();
  const app = useApp();
  const signal = useRoomsSignal();
  const texts = useTexts();
  const rooms = useMemo(() => startRooms(app, account, signal, window), [app, account, signal]);
  const { groupId, roomDialog } = app.router.route.value;
  const isEmpty = rooms.list.rooms.value?.length === 0;
  useLastRoom(rooms);
  return (
    <RoomsContext.Provider value={rooms}>
      <TwoPanes page="rooms" title={texts.rooms} isReading={groupId !== null || isEmpty}>
        <RoomNav />
        {groupId === null ? <Start /> : <RoomPlace key={groupId} groupId={groupId} />}
        {roomDialog !== null && <OpenDialog />}
        <Announcements />
      </TwoPanes>
    </RoomsContext.Provider>
  );
}
