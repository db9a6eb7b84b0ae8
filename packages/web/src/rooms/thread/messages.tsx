import { useCallback, useEffect } from "preact/hooks";
import { useComputed } from "@preact/signals";
import { useApp } from "../../app/context.ts";
import { roomPath } from "../../app/route.ts";
import { Button } from "../../ui/forms/button.tsx";
import { Icon } from "../../ui/forms/icon.tsx";
import { ReadingArea } from "../../ui/lists/reading-area.tsx";
import { type Reading, useReading } from "../../ui/lists/use-reading.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";
import type { Room } from "../state/room.ts";
import { List, type MessagesProps, type Opening, Top } from "./message-list.tsx";
import { OutgoingMessages } from "./outgoing.tsx";
import { TypingLine } from "./typing-line.tsx";
import { useTarget } from "../../ui/lists/use-target.ts";
import { useOpening } from "./use-opening.ts";
import { useReadMark } from "./use-read-mark.ts";

/** Moves to the newest messages, also from a message that the URL names. */
function useToNewest(room: Room, { toEnd }: Reading): () => void {
  const { router } = useApp();
  return () => {
    if (router.route.peek().messageId !== null) router.go(roomPath(room.groupId), "replace");
    if (room.timeline.peek()?.isEnd === true) toEnd();
    else void room.toNewest().then(toEnd);
  };
}

/** Fetches older and newer messages when the view approaches an end. */
function useRoomReading(room: Room): Reading {
  const timeline = room.timeline.value;
  const older = useCallback(() => {
    if (room.problem.peek() === null && room.timeline.peek()?.isStart === false) void room.older();
  }, [room]);
  const newer = useCallback(() => {
    if (room.problem.peek() === null) void room.newer();
  }, [room]);
  const { isStart = false, isEnd = true } = timeline ?? {};
  return useReading(timeline, { older, newer, isEnd, isStart, isLoading: room.isLoading.value });
}

/** The messages that are being sent. A new one scrolls into view. */
function useOutgoing(room: Room, toNewest: () => void) {
  const { outbox } = useRooms();
  const outgoing = useComputed(() => outbox.texts.value.filter(({ to }) => to === String(room.groupId))).value;
  useEffect(() => {
    if (outgoing.length > 0) toNewest();
  }, [outgoing.at(-1)?.nonce]);
  return outgoing;
}

/** A button to the newest messages, with the number of unread ones. */
function ToLatest({ unread, toNewest }: { readonly unread: number; readonly toNewest: () => void }) {
  const texts = useRoomTexts();
  return (
    <Button class="primary latest" onClick={toNewest}>
      <Icon shape="down" />
      {texts.latest}
      {unread > 0 && <span class="count">{texts.newBelow(unread)}</span>}
    </Button>
  );
}

/** The loaded messages, both live and from the history, with a button to the newest below. */
export function Messages(props: MessagesProps & { readonly opening: Opening }) {
  const { room, view } = props;
  const texts = useRoomTexts();
  const timeline = room.timeline.value;
  const reading = useRoomReading(room);
  const has = (id: number): boolean => timeline?.messages.some(({ messageId }) => messageId === id) ?? false;
  const target = useTarget(has, reading.view);
  const mark = useReadMark(room, reading.view, useOpening(room, reading));
  const toNewest = useToNewest(room, reading);
  const outgoing = useOutgoing(room, toNewest);
  const isAbove = timeline !== null && timeline.messages.length > 0 && !reading.atEnd.value;
  const onScroll = (): void => {
    reading.onScroll();
    mark();
  };
  return (
    <>
      <ReadingArea class="view" label={texts.messages(view.groupName)} reading={{ view: reading.view, onScroll }}>
        <div class="column">
          <Top room={room} />
          <List {...props} target={target} />
          <OutgoingMessages room={room} outgoing={outgoing} />
        </div>
      </ReadingArea>
      <div class="strip">
        <span role="status">
          <TypingLine groupId={room.groupId} />
        </span>
        {isAbove && <ToLatest unread={view.unread} toNewest={toNewest} />}
      </div>
    </>
  );
}
