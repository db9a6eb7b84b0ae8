import { defineContract, id, messagesContract, messageView, shortText, word } from "@telex/core/contract";
import { z } from "zod";

const groupId = id;
const messageId = id;
const place = { groupId, messageId };

const isRemoval = (what: string) =>
  z
    .boolean()
    .default(false)
    .meta({ description: `True removes the ${what}.` });

/** Errors of every change of a message. */
const changing = ["group_not_found", "not_found", "archived", "not_supported"] as const;

/** Operations of people on messages, beyond sending and recalling. */
export const roomMessagesContract = defineContract({
  edit: {
    summary:
      "Edits a message of the caller's, within 24 hours (a setting). All segments are sent; only texts and mentions may differ. The earlier text is not kept.",
    access: "chat",
    input: z.object({ ...place, message: messagesContract.send.input.shape.message }),
    output: messageView,
    errors: [...changing, "not_owner", "too_late", "user_not_found"],
  },
  react: {
    summary:
      "Reacts to a message with an emoji, or removes the reaction. A repeat changes nothing. In a room of an external network, its account reacts there for all members.",
    access: "chat",
    input: z.object({
      ...place,
      emoji: shortText(64).meta({ description: "One emoji. A message has at most 20 different ones." }),
      remove: isRemoval("reaction"),
    }),
    output: messageView,
    errors: [...changing, "limit_reached", "bot_offline", "delivery_failed", "delivery_unknown"],
  },
  pin: {
    summary: "Pins a message in a room that one runs, or in a private chat; at most 50. Recalling unpins it.",
    access: "chat",
    input: z.object({ ...place, remove: isRemoval("pin") }),
    output: z.null(),
    errors: [...changing, "not_allowed", "limit_reached", "busy"],
  },
  pins: {
    summary: "The pinned messages of a room, the newest pin first.",
    access: "chat",
    input: z.object({ groupId }),
    output: z.object({ list: z.array(messageView) }),
    errors: ["group_not_found"],
  },
  readers: {
    summary:
      "The members who have read a message, by id, without its sender. Members who do not show what they read are not listed, and see no readers.",
    access: "chat",
    input: z.object({
      ...place,
      cursor: word(/^\d{1,16}$/, 16, "cursor")
        .optional()
        .meta({ description: "`nextCursor` of the page before." }),
    }),
    output: z.object({
      list: z
        .array(z.object({ userId: z.string(), nickname: z.string() }))
        .meta({ description: "A page may be short." }),
      nextCursor: z.string().nullable(),
    }),
    errors: ["group_not_found", "not_found"],
  },
  missed: {
    summary:
      "Asks a model that is a member of a room to summarize what the caller has missed, under the caller's quota. Only the caller gets the summary.",
    access: "chat",
    input: z.object({
      groupId,
      since: word(/^\d{1,16}$/, 16, "cursor")
        .optional()
        .meta({ description: "Only messages with greater ids. Default: `readUpTo` of the caller." }),
      model: id.optional().meta({ description: "The user that is a model. Default: the one with the lowest id." }),
    }),
    output: z.object({
      text: z.string().meta({
        description: 'The summary. `[#12]` in it stands for message 12 of the room. `""` if nothing was missed.',
      }),
      model: z.object({ userId: z.string(), nickname: z.string() }),
      since: z.string(),
      messages: z.int().meta({ description: "The messages that the model got." }),
      cut: z.boolean().meta({ description: "True if older ones were left out: see the setting `roomTokens`." }),
      references: z.array(z.string()).meta({ description: "The ids of the messages that the text names." }),
    }),
    errors: ["group_not_found", "not_found", "quota_exceeded", "ai_unavailable", "busy"],
  },
  notify: {
    summary: "Chooses which messages of a room notify the caller while they are elsewhere.",
    access: "chat",
    input: z.object({
      groupId,
      level: z.enum(["all", "mentions", "none", "default"]),
      mutedUntil: z
        .int()
        .min(0)
        .max(8_640_000_000_000_000)
        .optional()
        .meta({ description: "Unix milliseconds: until then of none. 0: not muted. Default: as before." }),
    }),
    output: z.object({ notify: z.enum(["all", "mentions", "none", "default"]), mutedUntil: z.int() }),
    errors: ["group_not_found", "busy"],
  },
});

/** Operations of people on messages. */
export type RoomMessagesContract = typeof roomMessagesContract;
