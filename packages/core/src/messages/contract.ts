import { z } from "zod";
import {
  defineContract,
  convert,
  fileId,
  id,
  idOut,
  idText,
  list,
  nonce,
  text,
  timestamp,
  via,
  word,
  groupType,
  interfaceLimits,
} from "@telex/ground/contract";
import { messageTools } from "../records/tool-use.ts";

/** A change of a room, in the message that says so. */
export const notice = z
  .object({
    kind: z.string().meta({ description: "The change, such as `admin_joined`." }),
    userIds: z.array(idText).optional().meta({ description: "The users whom it concerns." }),
  })
  .meta({ id: "Notice" });

const reaction = z
  .object({
    emoji: z.string(),
    count: z.int().min(1),
    users: z
      .array(
        z.object({
          userId: idText,
          nickname: z.string(),
          external: z.literal(true).optional().meta({ description: "A person of the room's network." }),
        }),
      )
      .meta({ description: "The people who reacted with it, at most the first 50." }),
  })
  .meta({ id: "Reaction" });

/** A message of a chat room (interface 2.9), with the cursor value as `id`. */
export const message = z
  .object({
    id: idText.meta({ description: "The cursor value." }),
    groupId: idOut,
    groupType,
    userId: idText,
    type: z.literal([0, 1, 2, 3]).meta({ description: "0 text, 1 image, 2 file, 3 mixed." }),
    content: z.string().meta({ description: "JSON array of segments {kind: {params}} (interface 2.10)." }),
    pinyin: z.string().meta({ description: "Like content, with the Chinese of text segments as pinyin." }),
    groupName: z.string(),
    groupNamePinyin: z.string(),
    messageId: idOut,
    createTime: z.int().meta({ description: "Unix milliseconds." }),
    receiveTime: timestamp,
    nickname: z.string(),
    nicknamePinyin: z.string(),
    avatar: z.string().nullable(),
    notice: notice
      .optional()
      .meta({ description: "Only with `more=1`: the service says what `userId` has done; nobody wrote the message." }),
    via: via.optional().meta({ description: "Only with `more=1`: the application that wrote it for `userId`." }),
    tools: messageTools.extend({ userId: idText }).optional().meta({
      description:
        "Only with `more=1`: the calls of tools of a model, for `userId`, who may answer those with the state `asked`.",
    }),
    editedAt: z.int().optional().meta({ description: "Only with `more=1`, of an edited message: Unix milliseconds." }),
    reactions: z.array(reaction).optional().meta({ description: "Only with `more=1`, if there are some." }),
    pinned: z.literal(true).optional().meta({ description: "Only with `more=1`, of a pinned message." }),
  })
  .meta({ id: "Message" });

/** Messages of a room that a connection missed and that are not replayed. Clients page the history down to `since`. */
const gap = z
  .object({ groupId: idOut, groupType, since: z.int().min(0), until: idOut })
  .meta({ id: "Gap", description: "Messages that were missed and are not replayed." });

/** A message was recalled, and is empty. */
const messageRecalled = z
  .object({
    groupId: idOut,
    groupType,
    messageId: idOut,
    operatorId: idText.nullable().meta({ description: "Who recalled it; null if an external network did not say." }),
  })
  .meta({ id: "MessageRecalled", description: "A message was recalled: its content is empty now." });

/** The reactions to a message have changed. */
const messageReaction = z
  .object({ groupId: idOut, groupType, messageId: idOut, reactions: z.array(reaction) })
  .meta({ id: "MessageReaction", description: "The reactions to a message, as they are now." });

/** Events for connections of chat rooms, by their kind. The last two: only with `more=1`. */
export const messageEvents = {
  message,
  gap,
  message_recalled: messageRecalled,
  message_edited: message,
  message_reaction: messageReaction,
} as const;

/** Asks for fields that clients of the interface do not know. */
const more = z.literal(1).optional().meta({ description: "1: messages also have the fields that need `more=1`." });

const messageText = text(0, interfaceLimits.messageText);

/** One segment of a message on its way in (interface 4.8). */
const segment = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), data: z.object({ text: messageText }) }),
  z.object({ type: z.literal("image"), data: z.object({ file_id: fileId }) }),
  z.object({ type: z.literal("file"), data: z.object({ file_id: fileId, name: text(0, 512).optional() }) }),
  z.object({
    type: z.literal("at"),
    data: z.union([
      z.object({ ext: z.union([text(1, 64), convert(id, String)]) }),
      z.object({
        userId: id.meta({ description: "A member of the room, also one without an ID in an external network." }),
      }),
    ]),
  }),
  z.object({ type: z.literal("reply"), data: z.object({ messageId: id }) }),
]);

/** Where a word of a query was found in a message. */
const match = z
  .object({
    segment: z.int().min(0).meta({ description: "The index of the segment." }),
    start: z.int().min(0),
    end: z.int().min(1),
  })
  .meta({ id: "Match", description: "UTF-16 offsets within the text of the segment, or within the name of its file." });

const queryText = text(1, interfaceLimits.query).refine((value) => value === "" || value.trim() !== "", {
  error: "text_empty",
});

const moment = z.int().min(0).optional();

const sender = z
  .string()
  .regex(/^(?:ext:)?[1-9]\d{0,18}$/, { error: "id" })
  .meta({
    maxLength: 23,
    description: "The `userId` of a user of Telex; with `ext:` before it, that of a person of an external network.",
  });

/** Message history and sending (interface 4.6, 4.8). */
export const messagesContract = defineContract({
  history: {
    summary: "A page of the history of a chat room, newest first.",
    access: "chat",
    input: z.object({
      groupId: id,
      groupType,
      cursor: id.optional().meta({ description: "The page begins below this message id." }),
      pageSize: z.int().min(1).max(100).default(10),
      more,
    }),
    output: z.object({
      currentPage: z.int().min(1),
      totalPage: z.int().min(1),
      nextPageCursor: z.string().nullable(),
      previousPageCursor: z.string().nullable(),
      groupMessages: z.array(message),
    }),
    errors: ["group_not_found"],
  },
  search: {
    summary: "Finds messages in the chat rooms of the caller, newest first.",
    access: "chat",
    input: z.object({
      q: queryText.meta({ description: "Words, separated by spaces. All of them must match." }),
      groupId: id.optional().meta({ description: "Only in this room." }),
      userId: sender.optional(),
      before: moment.meta({ description: "Unix milliseconds: only messages that were created earlier." }),
      after: moment.meta({ description: "Unix milliseconds: only messages that were created later." }),
      pageSize: z.int().min(1).max(100).default(20),
      cursor: id.optional().meta({ description: "The page begins below this message id." }),
    }),
    output: z.object({
      list: z
        .array(z.object({ message, matches: z.array(match) }))
        .meta({ description: "A page may be short, or empty." }),
      nextCursor: z.string().nullable().meta({ description: "Null if nothing is left." }),
      incomplete: z.boolean().meta({
        description: "True while many messages are not indexed yet: they are found, but a page covers fewer messages.",
      }),
    }),
    errors: ["group_not_found", "rate_limited"],
  },
  uses: {
    summary:
      "The messages that use a file, in the chat rooms of the caller, by room. Uses of early versions are not known.",
    access: "chat",
    input: z.object({
      md5: fileId,
      pageSize: z.int().min(1).max(100).default(20),
      cursor: word(/^\d{1,16}\.\d{1,16}$/, 33, "invalid").optional(),
    }),
    output: z.object({
      list: z.array(message).meta({ description: "A page may be short, or empty." }),
      nextCursor: z.string().nullable().meta({ description: "Null if nothing is left." }),
    }),
    errors: [],
  },
  send: {
    summary: "Sends a message to a chat room.",
    access: "chat",
    input: z.object({
      groupId: id,
      groupType,
      message: z.union([messageText, list(segment, interfaceLimits.messageSegments)]),
      nonce: nonce.optional(),
      via: via.optional(),
    }),
    output: z.object({ createTime: z.int(), messageId: idOut }),
    errors: [
      "group_not_found",
      "user_not_found",
      "not_found",
      "file_not_found",
      "nonce_conflict",
      "archived",
      "queue_full",
      "bot_offline",
      "delivery_failed",
      "delivery_unknown",
    ],
  },
  recall: {
    summary: "Recalls a message of the caller's, at most two minutes old: its content becomes `[消息已撤回]`.",
    access: "chat",
    input: z.object({ groupId: id, messageId: id }),
    output: message,
    errors: ["group_not_found", "not_found", "not_owner", "too_late"],
  },
  files: {
    summary: "The files of a message that can be downloaded, also those that came from an external network.",
    access: "chat",
    input: z.object({ groupId: id, messageId: id }),
    output: z.array(
      z.object({
        name: z.string(),
        url: z.string().meta({ description: "The path of the download. It needs no membership." }),
        size: z.int().min(0).meta({ description: "Bytes." }),
      }),
    ),
    errors: ["group_not_found", "not_found"],
  },
});

export interface MessagesContract extends Readonly<typeof messagesContract> {}
/** A message, as clients see it. */
export type MessageView = z.output<typeof message>;
/** Who reacted to a message with an emoji. */
export type ReactionView = z.output<typeof reaction>;
/** A change of a room, in the message that says so. */
export type NoticeView = z.output<typeof notice>;
/** One segment of a message on its way in. */
export type SegmentInput = z.output<typeof segment>;
