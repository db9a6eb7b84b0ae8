import type { RoomMessage, RoomSource } from "@telex/transcripts";
import { parseImageName } from "@telex/files/blobs";
import { plainText, readContent } from "../records/content.ts";
import type { MessageRecord } from "../records/messages.ts";
import type { MessageStore } from "./store.ts";

interface RoomSourceDeps {
  readonly store: Pick<MessageStore, "page" | "findMessage">;
  /** A stored picture as a `data:` address. */
  readonly pictureData: (md5: string) => Promise<string | null>;
}

export function toRoomMessage({ id, createTime, external, userId, nickname, content }: MessageRecord): RoomMessage {
  const segments = readContent(content);
  return {
    id,
    at: createTime,
    userId: external ? null : Number(userId),
    name: nickname,
    text: plainText(segments),
    quotes: segments.flatMap(({ reply }) => (reply === undefined ? [] : Number(reply.messageId ?? 0)))[0] ?? null,
    pictures: segments.flatMap(({ image }) => parseImageName(image?.file ?? "")?.md5 ?? []),
  };
}

/** Reads rooms for models, as they are stored at that time. */
export const createRoomSources =
  ({ store, pictureData }: RoomSourceDeps) =>
  (groupId: number): RoomSource => ({
    page: async (before, limit) => (await store.page({ groupId, before, limit })).messages.map(toRoomMessage),
    find: (id) => store.findMessage(groupId, id).then((message) => message && toRoomMessage(message)),
    readPicture: (md5) => pictureData(md5).catch(() => null),
  });
