import { z } from "zod";
import { id, idText, word, defineContract, groupType } from "@telex/ground/contract";
import { message } from "../messages/contract.ts";

/** Unread messages are counted up to this number. */
export const mostUnread = 1000;

const unread = z
  .int()
  .min(0)
  .max(mostUnread)
  .meta({ description: "Messages above `readUpTo`, none of them the caller's own. 1000: that many or more." });

const readUpTo = z
  .string()
  .regex(/^\d+$/)
  .meta({ description: 'The id of the newest message that the caller has read; `"0"` before anything was read.' });

const bot = z
  .object({
    account: z.string().nullable().meta({ description: "Null if no account is the official one." }),
    online: z.boolean(),
  })
  .nullable()
  .meta({ description: "Through which account the room sends; null for rooms that are stored here." });

const role = z.enum(["owner", "moderator", "member"]);

/** A chat room as its member sees it. */
export const roomView = z
  .object({
    groupId: z.int().min(1),
    groupType,
    groupName: z.string(),
    groupNamePinyin: z.string(),
    avatar: z.string().meta({ description: "The path of the room's picture." }),
    memberCount: z.int().min(0),
    topic: z.string(),
    role: role.meta({ description: "The role of the caller. Owners and moderators run the room." }),
    archived: z.boolean().meta({ description: "True if nobody can write in it, or if the caller has archived it." }),
    unread,
    mentions: unread.meta({
      description: "The unread messages that mention the caller; in a private chat, all of them.",
    }),
    notify: z.enum(["default", "all", "mentions", "none"]).meta({ description: "The caller's level of this room." }),
    mutedUntil: z.int().meta({ description: "Unix milliseconds until which the caller has muted the room, or 0." }),
    readUpTo,
    lastMessage: message
      .nullable()
      .meta({ description: "With the fields that other messages have only with `more=1`, such as `notice`." }),
    bot,
  })
  .meta({ id: "Room" });

const member = z
  .object({
    userId: idText.nullable().meta({ description: "Null for a person of an external network." }),
    ext: z.string().meta({ description: 'The ID in the external network; `""` if none is bound.' }),
    nickname: z.string(),
    nicknamePinyin: z.string(),
    card: z.string().nullable().meta({ description: "The member's name in this room." }),
    avatar: z.string(),
    role,
    online: z.boolean().meta({ description: "True while the member has an open `imWebSocket`, on any server." }),
  })
  .meta({ id: "RoomMember" });

/** The reading position of a user in a room. */
export const readMarker = z
  .object({ groupId: z.int().min(1), groupType, readUpTo, unread })
  .meta({ id: "ReadMarker", description: "The user has read a room, on another connection or over HTTP." });

const change = z.enum(["name", "topic", "avatar", "members", "roles", "archived", "pins", "notify", "added"]);
const removed = z.object({ groupId: z.int().min(1), groupType, change: z.literal("removed") });

/** A change of a room, with the room as a member sees it afterwards. A former member gets only the change. */
export const groupChanged = z
  .discriminatedUnion("change", [roomView.extend({ change }), removed])
  .meta({ id: "GroupChanged", description: "`added`, `removed`: the user has joined or left the room." });

/** A member is typing. */
export const typing = z
  .object({ groupId: z.int().min(1), groupType, userId: idText, nickname: z.string() })
  .meta({ id: "Typing", description: "A member is typing: show it for 6 seconds." });

/** The commands that only connections to the chat rooms have. */
export const roomCommands = {
  typing: {
    summary:
      "Says that the caller is typing in a room. Members hear of it at most once in 3 seconds, and only over connections with `more=1`.",
    input: z.object({ groupId: id }),
    output: z.null(),
  },
} as const;

const pageSize = (size: number) => z.int().min(1).max(100).default(size);

/** The rooms of a user, their members, and the reading positions. */
export const roomsContract = defineContract({
  list: {
    summary:
      "The caller's chat rooms, the one with the newest message first. Rooms without messages come after them, by id, and archived ones last.",
    access: "chat",
    input: z.object({
      pageSize: pageSize(50),
      cursor: word(/^\d{1,16}\.\d{1,16}\.\d{1,16}(\.[01])?$/, 52, "cursor")
        .optional()
        .meta({
          description:
            "`nextCursor` of the page before. Each room is listed once, however rooms move up between two pages.",
        }),
    }),
    output: z.object({ list: z.array(roomView), nextCursor: z.string().nullable() }),
    errors: [],
  },
  find: {
    summary: "One of the caller's chat rooms.",
    access: "chat",
    input: z.object({ groupId: id }),
    output: roomView,
    errors: ["group_not_found"],
  },
  members: {
    summary:
      "The members of one of the caller's chat rooms, by user id. In a room of an external network, its members as far as they are known come last, by their IDs.",
    access: "chat",
    input: z.object({
      groupId: id,
      pageSize: pageSize(100),
      cursor: word(/^n?\d{1,16}$/, 17, "cursor")
        .optional()
        .meta({ description: "`nextCursor` of the page before, or a user id: members with greater ids." }),
    }),
    output: z.object({ list: z.array(member), nextCursor: z.string().nullable() }),
    errors: ["group_not_found"],
  },
  read: {
    summary: "Marks a chat room as read up to a message. The marker only moves forward.",
    access: "chat",
    input: z.object({
      groupId: id,
      messageId: id.meta({ description: "An id between two messages counts as the one below it." }),
    }),
    output: z.object({ readUpTo, unread }),
    errors: ["group_not_found"],
  },
});

export interface RoomsContract extends Readonly<typeof roomsContract> {}
/** A chat room as its member sees it. */
export type RoomView = z.output<typeof roomView>;
/** A member of a room as other members see them. */
export type MemberView = z.output<typeof member>;
