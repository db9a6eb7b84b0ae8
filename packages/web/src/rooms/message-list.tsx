import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useApp, useTexts } from "../app/context.ts";
import { isSeen } from "../server/network.ts";
import { moveFocus } from "../ui/lists/arrows.ts";
import { LinkButton } from "../ui/forms/link-button.tsx";
import type { Reading } from "../ui/lists/use-reading.ts";
import type { RoomView } from "./content/api.ts";
import { useRooms } from "./state/context.ts";
import { Message } from "./message.tsx";
import type { Room } from "./state/room.ts";
import { layOut } from "./rows.ts";
import { useRoomTexts } from "./content/texts.ts";

export interface MessagesProps {
  readonly room: Room;
  readonly view: RoomView;
  readonly onQuote: (messageId: number) => void;
}

/** The end of the history above the oldest message. */
export function Top({ room }: { readonly room: Room }) {
  const texts = useRoomTexts();
  const shared = useTexts();
  const { isStart = false, messages = [] } = room.timeline.value ?? {};
  const problem = room.problem.value;
  const isEmpty = isStart && messages.length === 0;
  if (isStart) return <p class="quiet top">{isEmpty ? texts.empty : texts.begins}</p>;
  if (problem === null) return <p class="quiet top">{texts.loading}</p>;
  const again = (): void => void (room.timeline.peek() === null ? room.toNewest() : room.older());
  return (
    <p class="quiet top" role="alert">
      {shared.problem[problem]} <LinkButton onClick={again}>{shared.tryAgain}</LinkButton>
    </p>
  );
}

/** Marks the visible messages as read. */
export function useReadMark(room: Room, isAtEnd: boolean): void {
  const { read } = useRooms();
  const { now } = useApp();
  const newest = room.timeline.value?.messages.at(-1)?.messageId ?? 0;
  useEffect(() => {
    if (isAtEnd && newest > 0 && isSeen(window)) read(room.groupId, newest);
  }, [read, room, isAtEnd, newest, now.value]);
}

/** Brings a message into sight, and gives it the focus. */
function goTo(view: HTMLElement | null, messageId: number | null): void {
  const line = view?.querySelector<HTMLElement>(`[data-id="${messageId}"]`);
  line?.scrollIntoView({ block: "center" });
  line?.focus({ preventScroll: true });
}

/** Shows the message of the address, once it is there. */
export function useTarget(room: Room, { view }: Reading): number | null {
  const route = useApp().router.route.value;
  const { messageId } = route;
  const shown = useRef<typeof route | null>(null);
  const hasIt = room.timeline.value?.messages.some((message) => message.messageId === messageId) ?? false;
  useLayoutEffect(() => {
    if (!hasIt || shown.current === route) return;
    shown.current = route;
    goTo(view.current, messageId);
  }, [hasIt, route, view]);
  return messageId;
}

/** Moves from message to message with the arrow keys. */
const moveToMessage = (event: KeyboardEvent): void =>
  moveFocus(event, "[data-id]", (next) => (next instanceof HTMLElement ? next : null));

/** The messages as they are laid out. Messages that were unread when the room was opened stay marked. */
function useRows(room: Room, view: RoomView) {
  const { person } = useAccount();
  const [readUpTo] = useState(() => Number(view.readUpTo));
  const messages = room.timeline.value?.messages ?? [];
  return useMemo(() => layOut(messages, readUpTo, String(person.userId)), [messages, readUpTo, person]);
}

export function List({ room, view, onQuote, target }: MessagesProps & { readonly target: number | null }) {
  const texts = useRoomTexts();
  const [active, setActive] = useState<number | null>(null);
  const shared = { view, onActive: setActive, onQuote };
  const rows = useRows(room, view).map((row) => {
    const { messageId } = row.message;
    const state = { isActive: messageId === active, isTarget: messageId === target };
    return <Message key={messageId} row={row} {...shared} {...state} />;
  });
  return (
    // Without its marks, Safari takes a list for none.
    <ol role="list" class="said" aria-label={texts.messages(view.groupName)} onKeyDown={moveToMessage}>
      {rows}
    </ol>
  );
}
