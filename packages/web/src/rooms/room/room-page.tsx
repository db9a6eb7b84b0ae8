import { useEffect, useMemo, useState } from "preact/hooks";
import { useApp } from "../../app/context.ts";
import { roomsHome } from "../../app/route.ts";
import { problemOf } from "../../server/problem.ts";
import { createLazy } from "../../ui/panes/lazy.tsx";
import { Missing } from "../../ui/lists/missing.tsx";
import type { RoomView } from "../content/api.ts";
import { Composer } from "../composer/composer.tsx";
import { useRooms } from "../state/context.ts";
import type { Opening } from "../thread/message-list.tsx";
import { Messages } from "../thread/messages.tsx";
import type { Room } from "../state/room.ts";
import { RoomHeading } from "./room-heading.tsx";
import { useRoomTexts } from "../content/texts.ts";
import "../styles/thread.css";
import "../styles/composer.css";
import "../styles/making.css";

const Side = createLazy(async () => (await import("../side/side.tsx")).Side);
const ArchivedHere = createLazy(async () => (await import("./archived-here.tsx")).ArchivedHere);

/** The room with this number. If the list does not contain it, it is fetched. */
function useRoomView(groupId: number): { readonly view: RoomView | undefined; readonly isMissing: boolean } {
  const { list, live } = useRooms();
  const [isMissing, setMissing] = useState(false);
  // Not a computed signal, which would keep the list of the first render.
  const view = list.rooms.value?.find((room) => room.groupId === groupId);
  const isListed = list.rooms.value !== null;
  const state = live.state.value;
  useEffect(() => {
    if (!isListed || view !== undefined) return;
    list.refresh(groupId).catch((error: unknown) => setMissing(problemOf(error) === "roomNotFound"));
  }, [list, groupId, isListed, view === undefined, state]);
  return { view, isMissing };
}

const isShown = (room: Room, messageId: number): boolean =>
  room.timeline.peek()?.messages.some((message) => message.messageId === messageId) ?? false;

/** Loads the message that the URL names, or the first unread message. Repeats this after each reconnection. */
function useLoading(room: Room, opening: Opening): void {
  const { live } = useRooms();
  const { router } = useApp();
  const route = router.route.value;
  const { messageId } = route;
  const state = live.state.value;
  useEffect(() => {
    // Loading can replace the visible messages.
    if (messageId !== null && (!isShown(room, messageId) || room.isLoading.peek())) void room.jump(messageId);
  }, [room, route]);
  useEffect(() => {
    const isOpened = room.timeline.peek() !== null || room.isLoading.peek();
    if (!isOpened && messageId === null) void room.open(opening);
    if (state === "live") void room.loadMembers();
  }, [room, state]);
}

/** The open room, with its unread state at the time of opening. The room is left when another one is opened. */
function useOpenRoom(view: RoomView) {
  const rooms = useRooms();
  const room = useMemo(() => rooms.open(view), [rooms, view.groupId]);
  useEffect(() => () => rooms.leave(view.groupId), [rooms, view.groupId]);
  const [opening] = useState<Opening>(() => ({ readUpTo: view.readUpTo, unread: view.unread }));
  useLoading(room, opening);
  return { room, opening };
}

function OpenRoom({ view }: { readonly view: RoomView }) {
  const { room, opening } = useOpenRoom(view);
  const { isSideOpen } = useRooms();
  const [quoted, setQuoted] = useState<number | null>(null);
  const box = { room, view, quoted, onQuoted: setQuoted };
  const isClosed = view.archived && view.groupType !== 2;
  return (
    <>
      <section class="room" aria-label={view.groupName}>
        <RoomHeading view={view} room={room} />
        <Messages room={room} view={view} opening={opening} onQuote={setQuoted} />
        {isClosed ? <ArchivedHere view={view} /> : <Composer {...box} />}
      </section>
      {isSideOpen.value && <Side room={room} view={view} />}
    </>
  );
}

/** Replaces a room that does not exist. */
function Unknown() {
  const texts = useRoomTexts();
  const back = { back: roomsHome, backLabel: texts.backToList };
  return <Missing title={texts.unknownRoom} lead={texts.unknownRoomLead} {...back} />;
}

export function RoomPage({ groupId }: { readonly groupId: number }) {
  const { view, isMissing } = useRoomView(groupId);
  if (view !== undefined) return <OpenRoom view={view} />;
  return isMissing ? <Unknown /> : <section class="blank" />;
}
