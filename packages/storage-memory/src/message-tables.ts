import type { MessageRecord, Records } from "@telex/core";
import type { Counter } from "./counters.ts";
import type { Nonces } from "./nonces.ts";
import type { Tables } from "./tables.ts";

type NonceRecord = Records["messageNonces"];
type BotRecord = Records["botMessages"];

/** The key of a nonce: a sender has its own in each room. */
export const keyOfNonce = ({
  external,
  userId,
  groupId,
  nonce,
}: Pick<NonceRecord, "external" | "userId" | "groupId" | "nonce">): string =>
  JSON.stringify([external, userId, groupId, nonce]);

/** The key of a message that a bot knows. */
export const keyOfBot = (account: string, messageId: string): string => JSON.stringify([account, messageId]);

/** What is kept under a nonce. */
export interface Nonce {
  readonly nonce: string;
  readonly fingerprint: string;
  readonly message: MessageRecord;
}

/** What is kept of a message that a bot knows. */
export interface BotMessage {
  readonly account: string;
  readonly botMessageId: string;
  readonly message: MessageRecord;
}

/** What is kept of all rooms. */
export interface KeptMessages {
  readonly rooms: Map<number, MessageRecord[]>;
  readonly nonces: Nonces<Nonce>;
  readonly byBot: Map<string, BotMessage>;
  readonly counter: Counter;
}

/** Messages of chat rooms as records. */
export function tablesOf({
  rooms,
  nonces,
  byBot,
  counter,
}: KeptMessages): Tables<"messages" | "messageNonces" | "botMessages"> {
  const messageAt = (groupId: number, seq: number): MessageRecord => {
    const message = rooms.get(groupId)?.[seq - 1];
    if (message === undefined) throw new Error(`There is no message ${seq} in room ${groupId} for what names it.`);
    return message;
  };
  return {
    messages: {
      *all() {
        for (const messages of rooms.values()) yield* messages;
      },
      put(message) {
        const room = rooms.get(message.groupId) ?? [];
        room[message.seq - 1] = { ...message };
        rooms.set(message.groupId, room);
        counter.raise(message.id);
      },
    },
    messageNonces: {
      *all() {
        for (const [, { at, value }] of nonces.all()) yield nonceRecord(value, at);
      },
      put(record) {
        const { nonce, fingerprint } = record;
        const message = messageAt(record.groupId, record.seq);
        nonces.put(keyOfNonce(record), record.at, { nonce, fingerprint, message });
      },
    },
    botMessages: {
      all: () => byBot.values().map(botRecord),
      put({ account, botMessageId, groupId, seq }) {
        byBot.set(keyOfBot(account, botMessageId), { account, botMessageId, message: messageAt(groupId, seq) });
      },
    },
  };
}

const nonceRecord = ({ nonce, fingerprint, message }: Nonce, at: number): NonceRecord => {
  const { groupId, userId, external, seq } = message;
  return { groupId, userId, external, nonce, fingerprint, seq, at };
};

const botRecord = ({ account, botMessageId, message: { groupId, seq } }: BotMessage): BotRecord => ({
  account,
  botMessageId,
  groupId,
  seq,
});
