import { defineContract, id, messagesContract, messageView, shortText, word } from "@telex/core/contract";
import { z } from "zod";

const groupId = id;
const messageId = id;
const place = { groupId, messageId };

const isRemoval = (what: string) =>
  z
    .boolean()
    .default(false)
    .meta({ description: `True takes the ${what} away.` });

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
    summary: "Reacts to a message with an emoji, or takes that back. A repeat changes nothing.",
    access: "chat",
    input: z.object({
      ...place,
      emoji: shortText(64).meta({ description: "One emoji. A message has at most 20 different ones." }),
      remove: isRemoval("reaction"),
    }),
    output: messageView,
    errors: [...changing, "limit_reached"],
  },
  pin: {
    summary: "Pins a message in a room that one runs, or in a private chat; at most 50. Recalling takes the pin away.",
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
      "The members who have read a message, by id, without its sender. Who does not show what they read is not listed, and sees nobody.",
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
  notify: {
    summary: "Says of which messages of a room the caller wants to hear while they are elsewhere.",
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
