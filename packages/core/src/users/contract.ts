import { z } from "zod";
import { defineContract, fileId, id, idOut, list, text, timestamp, word } from "@telex/ground/contract";
import { bucketContract } from "@telex/files/contract";
import { incomingFile } from "@telex/files/blobs";

/** A user's profile (interface 2.6). */
const userInfo = z
  .object({
    ext: z.string().meta({ description: 'The ID in the external network, "" if there is none.' }),
    phone: z.string().nullable(),
    nickname: z.string(),
    avatar: z.string().meta({ description: "Path of the avatar." }),
  })
  .meta({ id: "UserInfo" });

/** A token as its owner sees it: never the token itself. */
const ownToken = z
  .object({
    id: idOut,
    name: z.string().nullable().meta({ description: "The name that was given when it was issued." }),
    scopes: z.array(z.string()),
    createdAt: timestamp,
    expiresAt: timestamp.nullable().meta({ description: "null for a token that does not expire." }),
    lastUsedAt: timestamp.nullable().meta({
      description: "The last call or new connection, exact to one minute; null before the first one.",
    }),
    current: z.boolean().meta({ description: "True for the token of this call." }),
  })
  .meta({ id: "OwnToken" });

/** User information (interface 4.5), and a user's own tokens. */
export const usersContract = defineContract({
  userInfo: {
    summary: "The profile of the token's user.",
    access: "token",
    input: z.object({}),
    output: userInfo,
    errors: [],
  },
  userId: {
    summary: "The unique numeric ID of the token's user.",
    access: "token",
    input: z.object({}),
    output: z.object({ id: idOut }),
    errors: [],
  },
  tokens: {
    summary: "Lists the caller's valid tokens, newest first, at most 1,000, without the tokens themselves.",
    access: "chat",
    input: z.object({}),
    output: z.array(ownToken),
    errors: [],
  },
  revokeToken: {
    summary: "Revokes one of the caller's own tokens. Its open connections are closed within a second.",
    access: "chat",
    input: z.object({ id }),
    output: z.null(),
    errors: ["not_found"],
    event: "token.revoked",
  },
});

const ext = text(1, 64).meta({ description: "The ID in the external network." });
const phone = text(1, 32);
const ai = text(1, 128).meta({
  description:
    "A model that answers as this user where it is mentioned. Whether there is one is seen when it is asked.",
});

const oneBotChange = z
  .object({
    connect: word(/^(?:wss?|https?):\/\/[\w.:[\]-]+(?:[/?]\S*)?$/, 1024, "invalid")
      .nullable()
      .optional()
      .meta({ description: "Where Telex connects to a framework; null if frameworks connect to Telex." }),
    secret: text(1, 512).nullable().optional().meta({ description: "The access token that Telex shows there." }),
    protocol: z.literal([11, 12]).optional(),
    self: z.boolean().optional().meta({ description: "True: the user's own messages are sent as events." }),
  })
  .meta({ description: "Lets frameworks that speak OneBot act as this user. Fields that are left out do not change." });

const oneBot = z
  .object({
    connect: z.string().nullable(),
    hasSecret: z.boolean(),
    protocol: z.literal([11, 12]),
    self: z.boolean(),
  })
  .nullable()
  .meta({ description: "How frameworks that speak OneBot reach the user; null if they do not." });

/** A user as the operator sees it. */
const user = z
  .object({
    id: idOut,
    nickname: z.string(),
    ext: z.string().nullable(),
    phone: z.string().nullable(),
    avatar: z.string().nullable().meta({ description: "MD5 of the stored image." }),
    ai: z.string().nullable().meta({ description: "The AI model that replies as this user, if there is one." }),
    oneBot,
    state: z.enum(["active", "suspended"]).meta({ description: "A suspended user cannot use tokens or sign in." }),
    createdAt: timestamp,
  })
  .meta({ id: "User" });

const force = z.boolean().optional().meta({
  description: "Also the last active admin. The operator only: a token of an admin gets 403.",
});

/** Operations of the operator on users. */
export const userAdminContract = defineContract({
  add: {
    summary: "Adds a user.",
    access: "operator",
    input: z.object({ nickname: text(1, 64), ext: ext.optional(), phone: phone.optional(), ai: ai.optional() }),
    output: user,
    errors: ["invalid_request"],
    event: "user.added",
  },
  list: {
    summary: "Lists users by id.",
    access: "operator",
    input: z.object({ after: id.optional(), limit: z.int().min(1).max(1000).default(100) }),
    output: z.array(user),
    errors: [],
  },
  show: {
    summary: "One user.",
    access: "operator",
    input: z.object({ id }),
    output: user,
    errors: ["user_not_found"],
  },
  amend: {
    summary:
      "Changes the given fields of a user; null removes a value. `state` and `role` change alone; a role needs an account. Suspending ends sessions and connections within a second, and resuming restores the tokens. An admin cannot set `oneBot.connect`, and a model that an admin sets is told in each room of the user first.",
    access: "operator",
    input: z.object({
      id,
      nickname: text(1, 64).optional(),
      ext: ext.nullable().optional(),
      phone: phone.nullable().optional(),
      avatar: fileId.nullable().optional(),
      ai: ai.nullable().optional(),
      oneBot: oneBotChange.nullable().optional(),
      state: z.enum(["active", "suspended"]).optional(),
      role: z.literal("admin").nullable().optional().meta({ description: "The role of the account; null for none." }),
      force,
    }),
    output: user,
    errors: ["user_not_found", "file_not_found", "unreadable_image", "busy", "last_admin"],
    event: "user.changed",
  },
  putAvatar: {
    summary: "Stores a picture, and makes it the avatar of a user.",
    access: "operator",
    input: z.object({ id, file: incomingFile }),
    output: user,
    errors: ["user_not_found", "unreadable_image", "busy", ...bucketContract.upload.errors],
    event: "user.changed",
  },
  remove: {
    summary:
      "Removes a user: ends their tokens and connections, takes them out of their rooms, deletes their devices and conversations. Their messages stay.",
    access: "operator",
    input: z.object({ id, force }),
    output: z.null(),
    errors: ["user_not_found", "last_admin"],
    event: "user.removed",
  },
});

/** One scope of a token: `chat`, `profile`, `admin` or `device:<deviceId>`. */
const scope = word(/^(chat|profile|admin|device:[A-Za-z0-9_-]{1,64})$/, 71, "scope");

/** A token as the operator sees it: never the token itself. */
const token = z
  .object({
    id: idOut,
    userId: idOut,
    name: z.string().nullable(),
    scopes: z.array(z.string()),
    createdAt: timestamp,
    expiresAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable().meta({ description: "Exact to one minute; null before the first use." }),
    revoked: z.boolean(),
  })
  .meta({ id: "Token" });

/** Operations of the operator on access tokens. */
export const tokensContract = defineContract({
  issue: {
    summary:
      "Issues an access token. It is shown only once. An admin cannot issue a token with `admin`, or one with `chat` for another user.",
    access: "operator",
    input: z.object({
      userId: id,
      scopes: list(scope, 16, 1),
      name: text(1, 64).optional().meta({ description: "The name in the owner's list of tokens." }),
      life: z.int().min(1000).nullable().optional().meta({
        description: "Milliseconds; null for a token that does not expire; 90 days by default.",
      }),
    }),
    output: token.extend({ token: z.string() }),
    errors: ["user_not_found"],
    event: "token.issued",
  },
  list: {
    summary: "Lists tokens by id, of one user or of all.",
    access: "operator",
    input: z.object({
      userId: id.optional(),
      after: id.optional().meta({ description: "Only tokens with a greater id." }),
      limit: z.int().min(1).max(1000).default(100),
    }),
    output: z.array(token),
    errors: [],
  },
  revoke: {
    summary: "Revokes a token, named by itself or by its id. Its open connections are closed within a second.",
    access: "operator",
    input: z.object({ token: text(1, 4096) }),
    output: token,
    errors: ["not_found"],
    event: "token.revoked",
  },
});

export interface UsersContract extends Readonly<typeof usersContract> {}
export interface UserAdminContract extends Readonly<typeof userAdminContract> {}
export interface TokensContract extends Readonly<typeof tokensContract> {}
/** A user as the operator sees it. */
export type UserView = z.output<typeof user>;
/** A token as its owner sees it. */
export type OwnTokenView = z.output<typeof ownToken>;
/** A token as the operator sees it. */
export type TokenView = z.output<typeof token>;
