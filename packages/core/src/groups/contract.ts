import { z } from "zod";
import { defineContract, fileId, id, idOut, list, text, timestamp, groupType } from "@telex/ground/contract";
import { bucketContract } from "@telex/files/contract";
import { incomingFile } from "@telex/files/blobs";

const memberRole = z.enum(["owner", "moderator", "member"]);

const member = z
  .object({
    userId: idOut,
    nickname: z.string(),
    card: z.string().nullable(),
    role: memberRole.meta({ description: "Owners and moderators run the room." }),
    ext: z.string().nullable().meta({ description: "The ID in the external network." }),
  })
  .meta({ id: "Member" });

/** A chat room as the operator sees it. */
const group = z
  .object({
    groupId: idOut,
    groupType,
    name: z.string(),
    ext: z.string().nullable().meta({ description: "The ID of the group in the external network." }),
    bot: z.string().nullable().meta({ description: "The account of the room's own bot." }),
    avatar: z.string().nullable().meta({ description: "MD5 of the room's picture." }),
    createdAt: timestamp,
  })
  .meta({ id: "Group" });

/** Operations of the operator on chat rooms. */
export const groupsContract = defineContract({
  add: {
    summary:
      "Adds a chat room with its members. A group or person of an external network has one room for each account, whatever its type.",
    access: "operator",
    input: z.object({
      groupType,
      name: text(1, 64),
      members: list(id, 10_000).default([]),
      owner: id.optional().meta({ description: "A member who owns the room, for rooms of type 1." }),
      ext: text(1, 64).optional(),
      bot: text(1, 64).optional(),
    }),
    output: group,
    errors: ["user_not_found", "group_taken", "not_supported"],
    event: "group.changed",
  },
  list: {
    summary: "Lists chat rooms by id.",
    access: "operator",
    input: z.object({ after: id.optional(), limit: z.int().min(1).max(1000).default(100) }),
    output: z.array(group),
    errors: [],
  },
  members: {
    summary: "Lists the members of a chat room.",
    access: "operator",
    input: z.object({ groupId: id }),
    output: z.array(member),
    errors: ["group_not_found"],
  },
  amendMembers: {
    summary:
      "Adds and removes members of a chat room, gives them roles, and lists them. If an admin adds themselves or gives roles, a notice in the room says so.",
    access: "operator",
    input: z.object({
      groupId: id,
      add: list(id, 10_000).default([]),
      remove: list(id, 10_000).default([]),
      roles: list(z.object({ userId: id, role: memberRole }), 1000)
        .default([])
        .meta({ description: "For rooms of type 1." }),
    }),
    output: z.array(member),
    errors: ["group_not_found", "user_not_found", "not_member", "not_supported", "busy"],
    event: "group.changed",
  },
  card: {
    summary: "Sets a member's card in a chat room; null removes it.",
    access: "operator",
    input: z.object({ groupId: id, userId: id, card: text(1, 64).nullable() }),
    output: z.array(member),
    errors: ["group_not_found", "not_member"],
    event: "group.changed",
  },
  amend: {
    summary: "Changes the given fields of a chat room.",
    access: "operator",
    input: z.object({
      groupId: id,
      name: text(1, 64).optional(),
      avatar: fileId.nullable().optional().meta({ description: "MD5 of a stored image; null removes the picture." }),
    }),
    output: group,
    errors: ["group_not_found", "file_not_found", "unreadable_image", "busy"],
    event: "group.changed",
  },
  putAvatar: {
    summary: "Stores a picture, and makes it the avatar of a chat room.",
    access: "operator",
    input: z.object({ groupId: id, file: incomingFile }),
    output: group,
    errors: ["group_not_found", "unreadable_image", "busy", ...bucketContract.upload.errors],
    event: "group.changed",
  },
  remove: {
    summary:
      "Removes a chat room: nobody is a member any more. Its messages stay in the storage, and nobody can read them.",
    access: "operator",
    input: z.object({ groupId: id }),
    output: z.null(),
    errors: ["group_not_found"],
    event: "group.changed",
  },
});

export interface GroupsContract extends Readonly<typeof groupsContract> {}
/** A chat room as the operator sees it. */
export type GroupView = z.output<typeof group>;
