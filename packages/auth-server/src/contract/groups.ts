import { defineContract, id, list, nonce, roomView, text } from "@telex/core/contract";
import { z } from "zod";
import { groupLinksContract } from "./group-links.ts";
import { peopleContract } from "./people.ts";

const groupId = id;
const people = list(id, 1000);
const name = text(1, 128);
const topic = text(0, 1000);

/** Errors of every change of a room. */
const changing = ["group_not_found", "not_allowed", "not_supported", "busy"] as const;

const runContract = defineContract({
  create: {
    summary:
      "Makes a room whose owner is the caller; with `userId`, opens the private chat with this person: the same one, however often and by whom it is asked for.",
    access: "chat",
    input: z.object({
      userId: id.optional().meta({ description: "Opens the private chat with this person. Other fields are ignored." }),
      name: name.optional().meta({ description: "Needed without `userId`." }),
      topic: topic.default(""),
      members: people.default([]),
      nonce: nonce.optional().meta({ description: "Makes a repeat safe: the same nonce gives the same room." }),
    }),
    output: roomView,
    errors: ["not_allowed", "user_not_found", "group_not_found", "nonce_conflict", "busy"],
  },
  amend: {
    summary: "Changes the name and the topic of a room that one runs.",
    access: "chat",
    input: z.object({ groupId, name: name.optional(), topic: topic.optional() }),
    output: roomView,
    errors: changing,
  },
  amendMembers: {
    summary:
      "Adds and removes members, and changes their roles. Owners may do everything, moderators may add people and remove members.",
    access: "chat",
    input: z.object({
      groupId,
      add: people.default([]),
      remove: people.default([]),
      roles: list(z.object({ userId: id, role: z.enum(["owner", "moderator", "member"]) }), 1000).default([]),
    }),
    output: roomView,
    errors: [...changing, "user_not_found", "last_owner"],
  },
  leave: {
    summary:
      "Leaves a room. If the last owner leaves, the oldest moderator becomes owner, otherwise the oldest member. A room without members is removed.",
    access: "chat",
    input: z.object({ groupId }),
    output: z.null(),
    errors: changing,
  },
  archive: {
    summary: "Archives a room: it can be read, but not written in. A private chat is archived only for the caller.",
    access: "chat",
    input: z.object({ groupId }),
    output: roomView,
    errors: changing,
  },
  unarchive: {
    summary: "Brings an archived room back.",
    access: "chat",
    input: z.object({ groupId }),
    output: roomView,
    errors: changing,
  },
  remove: {
    summary: "Removes a room that one owns: it then has no members, and its messages can no longer be read.",
    access: "chat",
    input: z.object({ groupId }),
    output: z.null(),
    errors: changing,
  },
});

/** Rooms that people run. Owners and moderators run a room; the rooms of external networks are run there. */
export const groupsContract = { ...runContract, ...groupLinksContract, ...peopleContract };

/** Rooms that people run. */
export type GroupsContract = typeof groupsContract;
