import type {
  MessageAppend,
  MessageAppended,
  MessagePage,
  MessageRecord,
  MessagesSince,
  MessageStore,
} from "@telex/core";
import type { Counter } from "./counters.ts";
import type { Files } from "./files.ts";
import type { Verb } from "./gate.ts";
import { type BotMessage, keyOfBot, keyOfNonce, type Nonce, tablesOf } from "./message-tables.ts";
import { createNonces } from "./nonces.ts";
import { lastBefore, placeOf } from "./sorted.ts";
import type { Kept } from "./tables.ts";

type Messages = readonly MessageRecord[];

const idOf = ({ id }: MessageRecord): number => id;

function pageOf(messages: Messages, before: number | null, limit: number): MessagePage {
  const end = before === null ? messages.length : placeOf(messages, idOf, before);
  return {
    messages: lastBefore(messages, end, limit),
    newer: messages.length - end,
    older: Math.max(0, end - limit),
    above: messages[end + limit]?.id ?? null,
    newest: messages.at(-1)?.id ?? 0,
  };
}

const sizeOf = ({ content, pinyin }: MessageRecord): number => Buffer.byteLength(content) + Buffer.byteLength(pinyin);

/** All messages above an id, or null if they are too many or too large. */
function since(rooms: readonly Messages[], { after, limit, bytes }: MessagesSince): MessageRecord[] | null {
  const found: MessageRecord[] = [];
  let size = 0;
  for (const room of rooms) {
    for (let at = placeOf(room, idOf, after + 1); at < room.length; at += 1) {
      const message = room[at];
      if (message === undefined) break;
      size += sizeOf(message);
      if (found.length === limit || size > bytes) return null;
      found.push(message);
    }
  }
  return found.toSorted((a, b) => a.id - b.id);
}

const nonceKey = ({ message, nonce }: MessageAppend): string | null =>
  nonce === null ? null : keyOfNonce({ ...message, nonce: nonce.value });

const botKey = ({ bot }: MessageAppend): string | null => (bot === null ? null : keyOfBot(bot.account, bot.messageId));

const readVerbs = (verb: Verb, roomOf: (groupId: number) => Messages): Omit<MessageStore, "append"> => ({
  page: verb(({ groupId, before, limit }) => pageOf(roomOf(groupId), before, limit)),
  findMessage: verb((groupId, id) => {
    const room = roomOf(groupId);
    const message = room[placeOf(room, idOf, id)];
    return message?.id === id ? message : null;
  }),
  listSince: verb((asked) => since(Array.from(new Set(asked.groupIds), roomOf), asked)),
  findNewest: verb((groupIds) => {
    const newest = new Map<number, number>();
    for (const groupId of groupIds) {
      const last = roomOf(groupId).at(-1);
      if (last !== undefined) newest.set(groupId, last.id);
    }
    return newest;
  }),
});

/** Messages of chat rooms in memory: one list per room, so that a page is a slice. */
export function createMessageStore(
  verb: Verb,
  files: Files,
  counter: Counter,
): Kept<MessageStore, "messages" | "messageNonces" | "botMessages"> {
  const rooms = new Map<number, MessageRecord[]>();
  const nonces = createNonces<Nonce>();
  const byBot = new Map<string, BotMessage>();

  const roomOf = (groupId: number): Messages => rooms.get(groupId) ?? [];

  const findRepeated = (input: MessageAppend): MessageAppended | null => {
    const key = nonceKey(input);
    const first =
      key === null || input.nonce === null ? null : nonces.find(key, input.message.receiveTime, input.nonce.life);
    if (first !== null && first.fingerprint !== input.nonce?.fingerprint) return { outcome: "nonce_conflict" };
    const message = first?.message ?? byBot.get(botKey(input) ?? "")?.message;
    return message === undefined ? null : { outcome: "repeated", message };
  };
  const add = (input: MessageAppend): MessageRecord => {
    const { groupId, receiveTime } = input.message;
    const room = rooms.get(groupId) ?? [];
    const message = { ...input.message, id: counter.next(), seq: room.length + 1 };
    room.push(message);
    rooms.set(groupId, room);
    files.use(input.files, input.attachments, receiveTime);
    const nonce = nonceKey(input);
    if (nonce !== null && input.nonce !== null) {
      nonces.keep(nonce, receiveTime, { nonce: input.nonce.value, fingerprint: input.nonce.fingerprint, message });
    }
    const bot = botKey(input);
    if (bot !== null && input.bot !== null) {
      byBot.set(bot, { account: input.bot.account, botMessageId: input.bot.messageId, message });
    }
    return message;
  };

  const store: MessageStore = {
    append: verb((input) => {
      const repeated = findRepeated(input);
      if (repeated !== null) return repeated;
      const md5 = files.findMissing(input.files);
      return md5 === null ? { outcome: "appended", message: add(input) } : { outcome: "file_missing", md5 };
    }),
    ...readVerbs(verb, roomOf),
  };
  return { store, tables: tablesOf({ rooms, nonces, byBot, counter }) };
}
