import type { MessageView } from "@telex/core";
import type { LiveEvent } from "@telex/core/transport";
import type { MediaPart } from "../wire/parts.ts";
import type { Actor } from "./context.ts";
import { partsOf, type SpokenPart } from "./outgoing-parts.ts";
import type { BookedRoom } from "./rooms/room-book.ts";

/** A message with its parts. */
export interface Said {
  readonly room: BookedRoom;
  readonly view: MessageView;
  readonly parts: readonly SpokenPart[];
}

/** An event for frameworks, whatever the version. */
export type Happening =
  | ({ readonly kind: "message"; readonly isOwn: boolean } & Said)
  /** `authorId`: null if it is not known. */
  | {
      readonly kind: "recall";
      readonly room: BookedRoom;
      readonly messageId: number;
      readonly authorId: number | null;
      readonly operatorId: number | null;
    }
  | {
      readonly kind: "upload";
      readonly room: BookedRoom;
      readonly userId: number;
      readonly file: MediaPart;
      readonly at: number;
    }
  | { readonly kind: "joined" | "left"; readonly groupId: number; readonly userId: number };

/** A message as frameworks receive it. */
export async function saidOf(actor: Actor, room: BookedRoom, view: MessageView): Promise<Said> {
  return { room, view, parts: await partsOf(actor, room, view.content) };
}

const isFile = (part: SpokenPart): part is MediaPart & { readonly kind: "file" } => part.kind === "file";

/** Files in groups are notices in OneBot 11. A message that is only a file is only a notice. */
function uploadsOf({ room, view, parts }: Said): readonly Happening[] {
  const userId = Number(view.userId);
  return parts.filter(isFile).map((file) => ({ kind: "upload", room, userId, file, at: view.createTime }));
}

async function messageHappenings(actor: Actor, room: BookedRoom, view: MessageView): Promise<readonly Happening[]> {
  const isOwn = view.userId === String(actor.holder.userId);
  const content = await saidOf(actor, room, view);
  const message: Happening = { kind: "message", isOwn, ...content };
  const uploads = actor.version === 11 && !room.isPrivate && !isOwn ? uploadsOf(content) : [];
  return uploads.length > 0 && content.parts.length === 1 ? uploads : [message, ...uploads];
}

/** The events of frameworks for a live event. Rooms of external networks cause none. */
export async function happeningsOf(actor: Actor, event: LiveEvent): Promise<readonly Happening[]> {
  if (event.kind !== "message" && event.kind !== "message_recalled") return [];
  const { groupId, groupType, messageId } = event.data;
  const room = groupType === 1 || groupType === 2 ? await actor.rooms.find(groupId) : null;
  if (room === null) return [];
  actor.messageRooms.note(messageId, groupId);
  if (event.kind === "message") return messageHappenings(actor, room, event.data);
  const { operatorId } = event.data;
  const author = await actor.messageRooms.find(actor.holder, messageId).then(
    ({ view }) => Number(view.userId),
    () => null,
  );
  return [
    { kind: "recall", room, messageId, authorId: author, operatorId: operatorId === null ? null : Number(operatorId) },
  ];
}
