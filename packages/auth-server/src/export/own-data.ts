import { type Telex, TelexError, type TokenHolder } from "@telex/core";
import { arrayOf, itemsOf, type JsonPieces, objectOf } from "./json.ts";

type Pages<T> = Parameters<typeof itemsOf<T, string>>[0];

const pageSize = 50;

/** Errors of a room, a device or a conversation that is removed while it is read. */
const gone: readonly string[] = ["group_not_found", "device_not_found", "not_owner", "not_found"];

/** The items of a list; it ends early if the room, device or conversation is removed. */
const itemsIn = <T>(fetch: Pages<T>): AsyncIterable<T> =>
  itemsOf<T, string>(async (cursor) => {
    try {
      return await fetch(cursor);
    } catch (error) {
      if (TelexError.is(error) && gone.includes(error.code)) return { list: [], next: null };
      throw error;
    }
  });

const at = (cursor: string | undefined) => ({ pageSize, ...(cursor !== undefined && { cursor }) });
const atId = (cursor: string | undefined) => ({ pageSize, ...(cursor !== undefined && { cursor: Number(cursor) }) });

/** The messages that a person has sent to a room. */
const sentTo = (
  { messages }: Telex,
  caller: TokenHolder,
  room: Pick<Parameters<Telex["messages"]["history"]>[1], "groupId" | "groupType">,
): JsonPieces =>
  arrayOf(
    itemsIn(async (cursor) => {
      const page = await messages.history(caller, { ...room, more: 1, ...atId(cursor) });
      const list = page.groupMessages
        .filter(({ userId }) => userId === String(caller.userId))
        .map(({ messageId, type, content, createTime, notice }) => ({ messageId, type, content, createTime, notice }));
      return { list, next: page.nextPageCursor };
    }),
  );

/** The rooms of a person, each with the messages that they have sent there. */
const roomsOf = (telex: Telex, caller: TokenHolder): JsonPieces => {
  const listed = itemsIn(async (cursor) => {
    const { list, nextCursor } = await telex.rooms.list(caller, at(cursor));
    return { list, next: nextCursor };
  });
  return arrayOf(listed, ({ groupId, groupType, groupName, topic, role, archived }) => {
    const messages = sentTo(telex, caller, { groupId, groupType });
    return objectOf({ groupId, groupType, groupName, topic, role, archived }, { messages });
  });
};

/** The devices of a person, each with its texts. */
const devicesOf = ({ teleprinter }: Telex, caller: TokenHolder): JsonPieces => {
  const listed = itemsIn(async (cursor) => {
    const list = await teleprinter.devices(caller, at(cursor));
    return { list, next: list.length < pageSize ? null : (list.at(-1)?.deviceId ?? null) };
  });
  return arrayOf(listed, (device) => {
    const texts = itemsIn(async (cursor) => {
      const page = await teleprinter.messages(caller, { deviceId: device.deviceId, ...atId(cursor) });
      return { list: page.messages, next: page.nextPageCursor };
    });
    return objectOf(device, { texts: arrayOf(texts) });
  });
};

/** The conversations of a person with models, each with its messages. */
const conversationsOf = ({ ai }: Telex, caller: TokenHolder): JsonPieces => {
  const listed = itemsIn(async (cursor = "1") => {
    const { list, page } = await ai.conversations(caller, { page: Number(cursor), pageSize });
    return { list, next: list.length < pageSize ? null : String(page + 1) };
  });
  return arrayOf(listed, (conversation) => {
    const conversationId = conversation.id;
    const turns = itemsIn(async (cursor) => {
      const page = await ai.conversationMessages(caller, { conversationId, ...atId(cursor) });
      return { list: page.messages, next: page.nextPageCursor };
    });
    return objectOf(conversation, { messages: arrayOf(turns) });
  });
};

/** The files that a person has uploaded, with the paths under which they are downloaded. */
const filesOf = ({ bucket }: Telex, caller: TokenHolder): JsonPieces =>
  arrayOf(
    itemsIn(async (cursor) => {
      const { list, nextCursor } = await bucket.files(caller, at(cursor));
      return { list, next: nextCursor };
    }),
  );

/** The data of a person outside the account, by the names that an export has. One page of it is in memory. */
export const ownData = (telex: Telex, caller: TokenHolder): Readonly<Record<string, JsonPieces>> => ({
  rooms: roomsOf(telex, caller),
  devices: devicesOf(telex, caller),
  conversations: conversationsOf(telex, caller),
  files: filesOf(telex, caller),
});
