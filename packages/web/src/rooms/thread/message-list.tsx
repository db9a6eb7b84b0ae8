import { useMemo, useState } from "preact/hooks";
import { useAccount } from "../../app/account.ts";
import { useTexts } from "../../app/context.ts";
import { LinkButton } from "../../ui/forms/link-button.tsx";
import { moveFocus } from "../../ui/lists/arrows.ts";
import type { RoomView } from "../content/api.ts";
import { useRoomTexts } from "../content/texts.ts";
import type { Room } from "../state/room.ts";
import { Message } from "./message.tsx";
import { Notice } from "./notice.tsx";
import { layOut } from "./rows.ts";

/** The unread state of a room when it was opened. */
export type Opening = Pick<RoomView, "readUpTo" | "unread">;

export interface MessagesProps {
  readonly room: Room;
  readonly view: RoomView;
  readonly onQuote: (messageId: number) => void;
}

/** The top of the history: its beginning, or a way to load more. */
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

/** Moves between messages with the arrow keys. */
const moveToMessage = (event: KeyboardEvent): void =>
  moveFocus(event, "[data-id]", (next) => (next instanceof HTMLElement ? next : null));

/** The rows to draw. Messages that were unread when the room was opened stay marked. */
function useRows(room: Room, { readUpTo }: Opening) {
  const { person } = useAccount();
  const timeline = room.timeline.value;
  return useMemo(() => {
    const { messages = [], isStart = false } = timeline ?? {};
    return layOut({ messages, isStart, readUpTo: Number(readUpTo), own: String(person.userId) });
  }, [timeline, readUpTo, person]);
}

interface ListProps extends MessagesProps {
  /** The message that the URL names, or null. */
  readonly target: number | null;
  readonly opening: Opening;
}

export function List({ room, view, onQuote, target, opening }: ListProps) {
  const texts = useRoomTexts();
  const [active, setActive] = useState<number | null>(null);
  const shared = { room, view, unread: opening.unread, since: opening.readUpTo, onActive: setActive, onQuote };
  const rows = useRows(room, opening).map((row) => {
    const { messageId, notice } = row.message;
    if (notice !== undefined)
      return <Notice key={messageId} row={row} notice={notice} members={room.members.value} view={view} />;
    const state = { isActive: messageId === active, isTarget: messageId === target };
    return <Message key={messageId} row={row} {...shared} {...state} />;
  });
  return (
    // Safari does not treat a list without markers as a list.
    <ol role="list" class="message-list" aria-label={texts.messages(view.groupName)} onKeyDown={moveToMessage}>
      {rows}
    </ol>
  );
}
