import { z } from "zod";
import { flag, integer, text, textOrNull } from "@telex/ground/records";
import { messageTools } from "./tool-use.ts";

/** The fields of a message of a chat room: types, transfer and the columns of SQLite derive from them. */
export const messageRecord = z.strictObject({
  groupId: integer,
  /** 1, 2, 3 … within the room, without gaps. */
  seq: integer,
  /** Increases in the order of commit within a room; never assigned twice. */
  id: integer,
  /** The sender: a user's id, or an ID of the external network, in decimal digits. */
  userId: text,
  /** True when `userId` is an ID of the external network. */
  external: flag,
  /** 0 text, 1 image, 2 file, 3 mixed. */
  type: z.literal([0, 1, 2, 3]),
  content: text,
  pinyin: text,
  nickname: text,
  nicknamePinyin: text,
  /** Unix milliseconds; for a message from a bot, the time that the network gives. */
  createTime: integer,
  /** Unix milliseconds. */
  receiveTime: integer,
  /** The bot's id of the message, or null. */
  botMessageId: textOrNull,
  /** JSON: `kind` and `userIds` of a notice; null for a message that a user wrote. */
  notice: textOrNull.default(null),
  /** The users whom it mentions, ` 5 7 `; ` * ` for all members. Null: none of them. */
  mentions: textOrNull.default(null),
  /** JSON: a {@link MessageExtras}, or null. */
  extras: textOrNull.default(null),
  /** The id of its last edit or reaction, above the ids of all messages, recalls and such changes before; 0 for none. */
  changed: integer.default(0),
});

/** A message of a chat room. Content and pinyin are exactly the texts that are sent to clients. */
export interface MessageRecord extends Readonly<z.output<typeof messageRecord>> {}

/** A message without the fields that stores assign. */
export type NewMessage = Omit<MessageRecord, "id" | "seq" | "mentions" | "extras" | "changed"> &
  Partial<Pick<MessageRecord, "mentions" | "extras">>;

/** True for a notice. A message from a server of an earlier version lacks the field. */
export const isNotice = ({ notice }: Pick<MessageRecord, "notice">): boolean => typeof notice === "string";

const messageExtras = z.object({
  /** Unix milliseconds of the last edit; 0: it was never edited. */
  editedAt: z.int().default(0),
  /** Who reacted with which emoji, both in the order in which they came, with the nickname at that time. */
  reactions: z
    .array(
      z.object({
        emoji: z.string(),
        users: z.array(z.tuple([z.int(), z.string()])),
        /** People of the room's network. Servers of earlier versions leave them out. */
        people: z.array(z.tuple([z.string(), z.string()])).default([]),
      }),
    )
    .default([]),
  /** A program wrote it, through a plug-in. */
  isPosted: z.literal(true).optional(),
  /** Questions about tools do not reach the client that sent it. */
  canAnswer: z.literal(false).optional(),
  /** The name of the application that wrote it for a person. */
  via: z.string().optional(),
  tools: messageTools.optional(),
});

/** The origin of a message, and its edit and reactions after it was stored. */
export type MessageExtras = z.output<typeof messageExtras>;

/** The extras of a message, as they are stored with it. */
export const extrasOf = ({ extras }: Pick<MessageRecord, "extras">): MessageExtras =>
  messageExtras.parse(JSON.parse(extras ?? "{}"));

/** The fields of a nonce: the message that came with it has the position `seq` in its room. */
export const messageNonceRecord = z.strictObject({
  groupId: integer,
  userId: text,
  external: flag,
  nonce: text,
  fingerprint: text,
  seq: integer,
  /** Unix milliseconds. */
  at: integer,
});

/** The fields of the path of an attachment of a message. */
export const messageFileRecord = z.strictObject({
  groupId: integer,
  seq: integer,
  /** 0 is the first one. */
  position: integer,
  relativePath: text,
});

/** The position of the newest message that a user has read in a room. */
export const readMarkerRecord = z.strictObject({ groupId: integer, userId: integer, seq: integer });

/** The fields of a recall. */
export const messageRecallRecord = z.strictObject({
  groupId: integer,
  /** Above the ids of all messages and recalls before. Given once, also not to a message. */
  id: integer,
  /** The position of the message in its room. */
  seq: integer,
  /** The id of the user, or the ID of the person of the external network, who recalled it; null if unknown. */
  operatorId: textOrNull,
  /** True if an external network recalled it. */
  external: flag,
});

/** A message was recalled. */
export interface RecallRecord extends Readonly<z.output<typeof messageRecallRecord>> {}

/** The fields of a message on its way to an external network. */
export const outboxRecord = z.strictObject({
  /** Chosen by its sender, and never used twice. Messages of a room are sent in the order of their ids. */
  id: text,
  /** The account through which it is sent. */
  account: text,
  groupId: integer,
  /** The user who sends it, in decimal digits. */
  userId: text,
  nonce: textOrNull,
  /** Differs if a repeat has another content; `""` without a nonce. */
  fingerprint: text,
  /**
   * `started`: the network is being asked. `unknown`: the network may have it. `partly`: the network has a part of it, which is stored.
   * `failed`: the network does not have it.
   */
  state: z.literal(["waiting", "started", "unknown", "partly", "failed"]),
  /** The message as JSON; of a failed one the reason. Stores do not read it. */
  message: text,
  /** Unix milliseconds: when it was accepted; from its start on when it started. */
  at: integer,
  /** Unix milliseconds at which it counts as deleted. */
  until: integer,
});

/** A message on its way to an external network. */
export interface OutboxRecord extends Readonly<z.output<typeof outboxRecord>> {}

/** The position of a message that an account of an external network knows under this id in this room. A message may have several ids. */
export const botMessageRecord = z.strictObject({ account: text, botMessageId: text, groupId: integer, seq: integer });

/** The fields of a person of an external network. */
export const networkPersonRecord = z.strictObject({
  /** 1 and above; never given twice. */
  number: integer,
  network: text,
  /** The ID in the network. */
  ext: text,
});

/** A person of an external network whose ID is not a number, and the number that stands for the person here. */
export interface NetworkPerson extends Readonly<z.output<typeof networkPersonRecord>> {}
