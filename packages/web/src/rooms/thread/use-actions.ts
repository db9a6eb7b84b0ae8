import type { MessageView } from "@telex/core";
import { useAccount } from "../../app/account.ts";
import { useApp, useTexts } from "../../app/context.ts";
import { roomPath } from "../../app/route.ts";
import { useOnce } from "../../ui/actions/use-once.ts";
import type { Shape } from "../../ui/forms/icon.tsx";
import { useCopy } from "../../ui/forms/use-copy.ts";
import { useProblemText, useReport } from "../../ui/forms/use-report.ts";
import type { RoomView } from "../content/api.ts";
import { plainText, readContent } from "../content/content.ts";
import { isBy } from "../content/sender.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";

/** An action for a message. */
export interface MessageAction {
  readonly shape: Shape;
  readonly name: string;
  readonly run: () => void;
}

/** The time within which a message can be recalled, and edited, in milliseconds. */
const recallTime = 120_000;
const editTime = 24 * 60 * 60_000;

const editableKinds: ReadonlySet<string> = new Set(["text", "at", "reply"]);

/** True for a message that contains only text. Otherwise its files would have to be sent again. */
const isEditable = ({ content }: MessageView): boolean =>
  readContent(content).every(({ kind }) => editableKinds.has(kind));

interface ActionsOptions {
  readonly message: MessageView;
  readonly view: RoomView;
  readonly onQuote: (messageId: number) => void;
  readonly onEdit: () => void;
  readonly onReaders: () => void;
  /** Called before a message is recalled. */
  readonly onRecall: () => void;
}

/** True if the server has accounts, and the room is neither archived nor connected to an external network. */
const useIsOurs = (view: RoomView): boolean => useCanReact(view) && view.bot === null;

/** True if people can react in this room. External networks without reactions reject them. */
export function useCanReact({ archived }: RoomView): boolean {
  const { session } = useApp();
  return !archived && session.way.value === "accounts";
}

/** The actions for own messages. */
function useOwnActions({ message, view, onEdit, onReaders, onRecall }: ActionsOptions): readonly MessageAction[] {
  const { person } = useAccount();
  const { now } = useApp();
  const rooms = useRooms();
  const texts = useRoomTexts();
  const report = useReport(useProblemText());
  const { once } = useOnce();
  const isOurs = useIsOurs(view);
  const age = now.value - message.createTime;
  if (!isBy(message, String(person.userId))) return [];
  const edit: MessageAction = { shape: "pencil", name: texts.edit, run: onEdit };
  const readers: MessageAction = { shape: "check", name: texts.readBy, run: onReaders };
  const recall = (): void => {
    onRecall();
    void once(() => report(rooms.recall(message), texts.recalled));
  };
  return [
    ...(isOurs && age < editTime && isEditable(message) ? [edit] : []),
    ...(isOurs ? [readers] : []),
    ...(age < recallTime ? [{ shape: "trash", name: texts.recall, run: recall } as const] : []),
  ];
}

/** Pins or unpins a message. Available to owners and moderators, and to both people of a private chat. */
function usePinAction({ message, view }: ActionsOptions): readonly MessageAction[] {
  const { amends } = useRooms();
  const texts = useRoomTexts();
  const report = useReport(useProblemText());
  const { once } = useOnce();
  const isOurs = useIsOurs(view);
  if (!isOurs || (view.groupType !== 2 && view.role === "member")) return [];
  const isPinned = message.pinned === true;
  const said = isPinned ? texts.unpinned : texts.pinned;
  const pin = (): void => void once(() => report(amends.pin(message, isPinned), said));
  return [{ shape: "pin", name: isPinned ? texts.unpin : texts.pin, run: pin }];
}

export function useMessageActions(options: ActionsOptions): readonly MessageAction[] {
  const { message, onQuote } = options;
  const { origin } = useApp();
  const shared = useTexts();
  const texts = useRoomTexts();
  const { groupId, messageId, content } = message;
  const text = plainText(readContent(content));
  const copy = useCopy(text, shared.copied);
  const copyLink = useCopy(origin + roomPath(groupId, messageId), shared.copied);
  return [
    { shape: "reply", name: texts.quote, run: () => onQuote(messageId) },
    ...(copy !== null && text !== "" ? [{ shape: "copy", name: shared.copy, run: copy } as const] : []),
    ...usePinAction(options),
    ...useOwnActions(options),
    ...(copyLink === null ? [] : [{ shape: "link", name: texts.copyLink, run: copyLink } as const]),
  ];
}
