import { defineContract, id, text } from "@telex/core/contract";
import { z } from "zod";

const groupId = id;

const person = z.object({
  userId: z.string(),
  nickname: z.string(),
  username: z.string().nullable().meta({ description: "Null for a model." }),
  avatar: z.string(),
  model: z.boolean().meta({ description: "True for an AI model, which can be added to rooms." }),
});

const blocked = z.object({ userId: z.string(), nickname: z.string(), avatar: z.string() });

const printer = z.object({
  kind: z.enum(["device", "hook", "bot", "model"]),
  name: z.string(),
  tokens: z
    .int()
    .optional()
    .meta({ description: "Only of a model: the tokens of the room's last messages that it is told when it is asked." }),
  owner: z
    .object({ userId: z.string(), nickname: z.string() })
    .nullable()
    .meta({ description: "Whose device it is; null for hooks, bots and models." }),
});

/** People: to find them, and to block them. */
export const peopleContract = defineContract({
  people: {
    summary:
      "Finds people with an account, and models, by nickname, username or pinyin. With the setting `directory: shared`, only those with whom one shares a room.",
    access: "chat",
    input: z.object({
      query: text(0, 128).default("").meta({ description: "As in the search of messages. Empty: everyone." }),
      pageSize: z.int().min(1).max(100).default(20),
      cursor: id.optional().meta({ description: "`nextCursor` of the page before. A page may be short." }),
    }),
    output: z.object({ list: z.array(person), nextCursor: z.string().nullable() }),
    errors: [],
  },
  blocks: {
    summary: "Lists the people whom one has blocked.",
    access: "chat",
    input: z.object({}),
    output: z.object({ list: z.array(blocked) }),
    errors: [],
  },
  block: {
    summary:
      "Blocks a person: they can neither open nor write in a private chat with the caller, nor add the caller to a room.",
    access: "chat",
    input: z.object({ userId: id }),
    output: z.null(),
    errors: ["user_not_found", "limit_reached", "busy", "group_not_found"],
  },
  unblock: {
    summary: "Ends a block.",
    access: "chat",
    input: z.object({ userId: id }),
    output: z.null(),
    errors: ["user_not_found", "busy", "group_not_found"],
  },
  devices: {
    summary: "The devices that print a room, its hooks, its bot and its models: where the words of its members go.",
    access: "chat",
    input: z.object({ groupId }),
    output: z.object({ list: z.array(printer) }),
    errors: ["group_not_found"],
  },
});
