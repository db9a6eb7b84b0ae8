import type { MessageView } from "@telex/core";
import type { ChannelEvent } from "@telex/ws/client";
import { signal } from "@preact/signals";
import type { Outbox } from "../../outbox/outbox.ts";
import { isWanted } from "../content/about.ts";
import { isBy } from "../content/sender.ts";
import { withNewPicture } from "./listed-rooms.ts";
import type { Room } from "./room.ts";
import type { RoomList } from "./room-list.ts";
import type { Typing } from "./typing.ts";

interface ReceivingDeps {
  readonly list: RoomList;
  /** The open room, if it has this number. */
  readonly current: { readonly of: (groupId: number) => Room | null };
  /** Shows a message in its room and in the list. */
  readonly show: (message: MessageView) => void;
  /** Shows the new version of an edited message. */
  readonly edited: (message: MessageView) => void;
  /** Removes the content of a recalled message. */
  readonly forget: (recalled: Pick<MessageView, "groupId" | "messageId">) => void;
  readonly own: string;
  readonly nickname: string;
  readonly typing: Typing;
  readonly outbox: Outbox<MessageView>;
  /** Called for each new message of another member that should notify the person. */
  readonly notify: (message: MessageView) => void;
}

type EventData<T extends ChannelEvent<"rooms">["type"]> = Extract<ChannelEvent<"rooms">, { readonly type: T }>["data"];

/** Updates the picture in the browser's cache, so that the next page load shows the new one. */
const renewPicture = (avatar: string): void =>
  void fetch(`${avatar}&size=80`, { cache: "reload" }).catch(() => {
    // If this fails, the next page load shows the old picture until its cache entry expires.
  });

/** Handles the events of the server. */
export function createReceiving(deps: ReceivingDeps) {
  const { own, nickname, typing, list, current, outbox, show, edited, forget, notify } = deps;
  const arrived = signal<MessageView | null>(null);
  const take = (message: MessageView): void => {
    if (outbox.hold(message)) return;
    show(message);
    typing.end(message);
    if (isBy(message, own)) return;
    arrived.value = message;
    if (isWanted(list.find(message.groupId), message, nickname)) notify(message);
  };
  const withReactions = ({ groupId, messageId, reactions }: EventData<"GroupMessageReaction">): void =>
    current.of(groupId)?.amend(messageId, (message) => ({ ...message, reactions }));
  const takeChange = (change: EventData<"GroupChanged">): void => {
    if (change.change === "removed") return list.drop(change.groupId);
    if (change.change === "avatar") renewPicture(change.avatar);
    list.put(change.change === "avatar" ? withNewPicture(change) : change);
    void current.of(change.groupId)?.loadMembers();
  };
  const receive = (event: ChannelEvent<"rooms">): void => {
    if (event.type === "GroupMessage") take(event.data);
    else if (event.type === "Gap") current.of(event.data.groupId)?.miss(event.data.since);
    else if (event.type === "GroupMessageRecalled") forget(event.data);
    else if (event.type === "ReadMarker") list.mark(event.data.groupId, event.data);
    else if (event.type === "GroupMessageEdited") edited(event.data);
    else if (event.type === "GroupMessageReaction") withReactions(event.data);
    else if (event.type === "GroupChanged") takeChange(event.data);
    else if (event.type === "Typing") typing.start(event.data);
  };
  return { arrived, receive };
}
