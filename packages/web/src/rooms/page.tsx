import { useMemo } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useApp, useTexts } from "../app/context.ts";
import { Tape } from "../ui/panes/tape.tsx";
import { TwoPanes } from "../ui/panes/two-panes.tsx";
import { Announcements } from "./announcements.tsx";
import { RoomsContext, useRooms, useRoomsSignal } from "./state/context.ts";
import { RoomNav } from "./room-nav.tsx";
import { RoomPlace } from "./room-place.tsx";
import { startRooms } from "./state/start.ts";
import { useRoomTexts } from "./content/texts.ts";
import "./rooms.css";

function NoRoom() {
  const { list } = useRooms();
  const texts = useRoomTexts();
  return (
    <section class="blank">
      <Tape>{"  ROOMS  "}</Tape>
      {(list.rooms.value ?? []).length > 0 && <p class="quiet">{texts.pickRoom}</p>}
    </section>
  );
}

/** The chat rooms: the list, and next to it one room, which replaces the list on a phone. */
export function RoomsPage() {
  const account = useAccount();
  const app = useApp();
  const signal = useRoomsSignal();
  const texts = useTexts();
  const rooms = useMemo(() => startRooms(app, account, signal, window), [app, account, signal]);
  const { groupId } = app.router.route.value;
  return (
    <RoomsContext.Provider value={rooms}>
      <TwoPanes page="rooms" title={texts.rooms} isReading={groupId !== null}>
        <RoomNav />
        {groupId === null ? <NoRoom /> : <RoomPlace key={groupId} groupId={groupId} />}
        <Announcements />
      </TwoPanes>
    </RoomsContext.Provider>
  );
}
