import { useCallback, useEffect, useRef } from "preact/hooks";
import { useComputed } from "@preact/signals";
import { useApp } from "../app/context.ts";
import { roomPath } from "../app/route.ts";
import { ReadingArea, ToEnd } from "../ui/lists/reading-area.tsx";
import { type Reading, useReading } from "../ui/lists/use-reading.ts";
import type { RoomView } from "./content/api.ts";
import { useRooms } from "./state/context.ts";
import { OutgoingMessages } from "./outgoing.tsx";
import type { Room } from "./state/room.ts";
import { useRoomTexts } from "./content/texts.ts";
import { type MessagesProps, Top, useReadMark, useTarget, List } from "./message-list.tsx";

/** How many messages have come since the newest ones were in sight. */
function useMissed(isAtEnd: boolean, view: RoomView): number {
  const seen = useRef(0);
  const newest = view.lastMessage?.messageId ?? 0;
  if (isAtEnd) seen.current = newest;
  return newest > seen.current ? view.unread : 0;
}

/** Leads to the newest messages, from the message of an address as well. */
function useToNewest(room: Room, { toEnd }: Reading): () => void {
  const { router } = useApp();
  return () => {
    if (router.route.peek().messageId !== null) router.go(roomPath(room.groupId), "replace");
    if (room.timeline.peek()?.isEnd === true) toEnd();
    else void room.toNewest().then(toEnd);
  };
}

/** The messages of a room. Fetches older and newer ones when the view comes near an end. */
function useRoomReading(room: Room): Reading {
  const timeline = room.timeline.value;
  const older = useCallback(() => {
    if (room.problem.peek() === null && room.timeline.peek()?.isStart === false) void room.older();
  }, [room]);
  const newer = useCallback(() => {
    if (room.problem.peek() === null) void room.newer();
  }, [room]);
  return useReading(timeline, { older, newer, isWhole: timeline?.isEnd ?? true, isLoading: room.isLoading.value });
}

/** The messages on their way to a room. A sent one scrolls into view. */
function useOutgoing(room: Room, toNewest: () => void) {
  const { outbox } = useRooms();
  const outgoing = useComputed(() => outbox.texts.value.filter(({ to }) => to === String(room.groupId))).value;
  useEffect(() => {
    if (outgoing.length > 0) toNewest();
  }, [outgoing.at(-1)?.nonce]);
  return outgoing;
}

/** Leads down to the newest messages. */
function Below({ missed, toNewest }: { readonly missed: number; readonly toNewest: () => void }) {
  const texts = useRoomTexts();
  return <ToEnd onClick={toNewest}>{missed > 0 ? texts.newBelow(missed) : texts.toNewest}</ToEnd>;
}

/** The messages near the ones in sight, as they arrive and as history. */
export function Messages(props: MessagesProps) {
  const { room, view } = props;
  const texts = useRoomTexts();
  const timeline = room.timeline.value;
  const reading = useRoomReading(room);
  const isAtEnd = reading.atEnd.value && timeline !== null;
  const target = useTarget(room, reading);
  const toNewest = useToNewest(room, reading);
  const missed = useMissed(isAtEnd, view);
  useReadMark(room, isAtEnd);
  const outgoing = useOutgoing(room, toNewest);
  const isAbove = !isAtEnd && timeline !== null && timeline.messages.length > 0;
  return (
    <div class="ground">
      <ReadingArea class="view" label={texts.messages(view.groupName)} reading={reading}>
        <div class="column">
          <Top room={room} />
          <List {...props} target={target} />
          <OutgoingMessages room={room} outgoing={outgoing} />
        </div>
      </ReadingArea>
      {isAbove && <Below missed={missed} toNewest={toNewest} />}
    </div>
  );
}
