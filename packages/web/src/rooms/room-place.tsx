import { useEffect, useMemo, useState } from "preact/hooks";
import { useComputed } from "@preact/signals";
import { useApp } from "../app/context.ts";
import { roomsHome } from "../app/route.ts";
import { problemOf } from "../server/problem.ts";
import { Heading } from "../ui/panes/heading.tsx";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { Missing } from "../ui/lists/missing.tsx";
import type { RoomView } from "./content/api.ts";
import { Composer } from "./composer.tsx";
import { useRooms } from "./state/context.ts";
import { MembersDialog } from "./members-dialog.tsx";
import { Messages } from "./messages.tsx";
import type { Room } from "./state/room.ts";
import { BotPresence } from "./room-nav.tsx";
import { SearchButton } from "./search-form.tsx";
import { useRoomTexts } from "./content/texts.ts";

/** The room with this number. A room that is not in the list is fetched. */
function useRoomView(groupId: number): { readonly view: RoomView | undefined; readonly isMissing: boolean } {
  const { list, live } = useRooms();
  const [isMissing, setMissing] = useState(false);
  const view = useComputed(() => list.rooms.value?.find((room) => room.groupId === groupId)).value;
  const isListed = list.rooms.value !== null;
  const state = live.state.value;
  useEffect(() => {
    if (!isListed || view !== undefined) return;
    list.look(groupId).catch((error: unknown) => setMissing(problemOf(error) === "roomNotFound"));
  }, [list, groupId, isListed, view === undefined, state]);
  return { view, isMissing };
}

function RoomHeading({ view, room }: { readonly view: RoomView; readonly room: Room }) {
  const texts = useRoomTexts();
  const [showsMembers, setShowsMembers] = useState(false);
  const about = (
    <p>
      <LinkButton onClick={() => setShowsMembers(true)}>{texts.members(view.memberCount)}</LinkButton>
      <BotPresence bot={view.bot} />
    </p>
  );
  return (
    <Heading title={view.groupName} back={roomsHome} backLabel={texts.backToList} about={about}>
      <SearchButton groupId={view.groupId} />
      {showsMembers && <MembersDialog room={room} onClose={() => setShowsMembers(false)} />}
    </Heading>
  );
}

/** Loads the message of the address, or the newest messages, again after each reconnection. */
function useLoading(room: Room): void {
  const { live } = useRooms();
  const { router } = useApp();
  const route = router.route.value;
  const { messageId } = route;
  const state = live.state.value;
  useEffect(() => {
    const isThere = room.timeline.peek()?.messages.some((message) => message.messageId === messageId) ?? false;
    // Loading may replace the messages in sight.
    if (messageId !== null && (!isThere || room.isLoading.peek())) void room.jump(messageId);
  }, [room, route]);
  useEffect(() => {
    if (room.timeline.peek() === null && messageId === null) void room.toNewest();
    if (state === "live") void room.loadMembers();
  }, [room, state]);
}

function OpenRoom({ view }: { readonly view: RoomView }) {
  const rooms = useRooms();
  const room = useMemo(() => rooms.open(view), [rooms, view.groupId]);
  const [quoted, setQuoted] = useState<number | null>(null);
  useEffect(() => () => rooms.leave(view.groupId), [rooms, view.groupId]);
  useLoading(room);
  return (
    <section class="room" aria-label={view.groupName}>
      <RoomHeading view={view} room={room} />
      <Messages room={room} view={view} onQuote={setQuoted} />
      <Composer room={room} view={view} quoted={quoted} onQuoted={setQuoted} />
    </section>
  );
}

/** In the place of a room that does not exist. */
function Unknown() {
  const texts = useRoomTexts();
  const back = { back: roomsHome, backLabel: texts.backToList };
  return <Missing title={texts.unknownRoom} lead={texts.unknownRoomLead} {...back} />;
}

/** The place of one room. */
export function RoomPlace({ groupId }: { readonly groupId: number }) {
  const { view, isMissing } = useRoomView(groupId);
  if (view !== undefined) return <OpenRoom view={view} />;
  return isMissing ? <Unknown /> : <section class="blank" />;
}
