import { idOut } from "@telex/core/contract";
import type { Account, LinkRecord, Passkey, SessionRecord, UserRecord } from "@telex/core/storage";
import { z } from "zod";
import { recoveryNote } from "./recovery.ts";
import { isSuspended } from "../sessions/suspended.ts";

const moment = z.iso.datetime().meta({ description: "ISO 8601 in UTC." });
const iso = (time: number): string => new Date(time).toISOString();

/** An account as its owner sees it. */
export const accountView = z
  .object({
    id: idOut,
    username: z.string(),
    nickname: z.string(),
    avatar: z.string().meta({
      description: "Path of the avatar. Another picture has another path, so that no cache shows the old one.",
    }),
    role: z.literal("admin").nullable(),
    state: z.enum(["active", "suspended"]),
    showRead: z.boolean(),
    notify: z.string(),
    password: z.boolean().meta({ description: "True if the account has a password." }),
    passkeys: z.int().meta({ description: "How many passkeys the account has." }),
    recovered: z.object({ by: z.int().nullable(), madeAt: moment, usedAt: moment }).nullable().meta({
      description: "The last recovery: who made the link (null: the operator), and when it was made and used.",
    }),
    canInvite: z
      .boolean()
      .meta({ description: "True if the person may invite into rooms that they run; an admin into all." }),
  })
  .meta({ id: "Account" });

/** An account as its owner sees it: the `data` of `GET account`. */
export type AccountView = z.output<typeof accountView>;

/** An account for its owner. */
export function viewAccount(account: Account, user: UserRecord, canInvite: boolean): AccountView {
  const { userId, username, role, showRead, notify, passwordHash, passkeys, recovery } = account;
  const note = recovery === null ? null : recoveryNote.parse(JSON.parse(recovery));
  return {
    id: userId,
    username,
    nickname: user.nickname,
    avatar: `/api/avatar/get/personal?id=${userId}${user.avatar === null ? "" : `&picture=${user.avatar}`}`,
    role,
    state: isSuspended(user) ? "suspended" : "active",
    showRead,
    notify,
    password: passwordHash !== null,
    passkeys: passkeys.length,
    recovered: note === null ? null : { by: note.by, madeAt: iso(note.madeAt), usedAt: iso(note.usedAt) },
    canInvite,
  };
}

/** An account as admins see it. */
export const accountSummary = z.object({ id: idOut, username: z.string(), role: z.literal("admin").nullable() });

/** An account as admins see it. */
export type AccountSummary = z.output<typeof accountSummary>;

/** An account for admins. */
export const viewSummary = ({ userId, username, role }: Account): AccountSummary => ({ id: userId, username, role });

/** A passkey as its owner sees it. */
export const passkeyView = z.object({
  id: z.string().meta({ description: "The id of the credential, in base64url." }),
  name: z.string(),
  createdAt: moment,
  lastUsed: moment.nullable().meta({ description: "null: never." }),
});

/** A passkey as the owner of the account sees it. */
export type PasskeyView = z.output<typeof passkeyView>;

/** A passkey for its owner. */
export const viewPasskey = ({ credentialId, name, createdAt, lastUsedAt }: Passkey): PasskeyView => ({
  id: credentialId,
  name,
  createdAt: iso(createdAt),
  lastUsed: lastUsedAt === null ? null : iso(lastUsedAt),
});

/** A session as its owner sees it. */
export const sessionView = z.object({
  id: z.string(),
  browser: z.string(),
  address: z.string(),
  lastUsed: moment,
  current: z.boolean().meta({ description: "True for the session of this call." }),
});

/** A browser that is signed in, as the owner of the account sees it. */
export type SessionView = z.output<typeof sessionView>;

/** A session for its owner. */
export const viewSession = (
  { sessionId, browser, address, lastUsedAt }: SessionRecord,
  current: string | null,
): SessionView => ({
  id: sessionId,
  browser,
  address,
  lastUsed: iso(lastUsedAt),
  current: sessionId === current,
});

/** A link that was made: its address is shown once. */
export const madeLinkView = z.object({ id: z.string(), url: z.string(), expiresAt: moment });

/** A link that was made. */
export type MadeLinkView = z.output<typeof madeLinkView>;

/** A made link for its maker. */
export const viewMadeLink = ({
  id,
  url,
  until,
}: {
  readonly id: string;
  readonly url: string;
  readonly until: number;
}) => ({
  id,
  url,
  expiresAt: iso(until),
});

/** An invitation in the list of admins: without its secret. */
export const invitationView = z.object({
  id: z.string(),
  makerId: z.int().nullable().meta({ description: "null: the operator." }),
  nickname: z.string().nullable().meta({ description: "The name that it proposes to the person." }),
  uses: z.int(),
  used: z.int(),
  createdAt: moment,
  expiresAt: moment,
  revoked: z.boolean(),
});

/** An invitation as admins see it. */
export type InvitationView = z.output<typeof invitationView>;

/** The name that an invitation proposes; links of rooms propose none. */
const forWhom = z.object({ nickname: z.string().nullable().default(null) });

/** An invitation for admins. */
export const viewInvitation = (link: LinkRecord): InvitationView => ({
  id: link.linkId,
  makerId: link.makerId,
  nickname: forWhom.parse(JSON.parse(link.data)).nickname,
  uses: link.uses,
  used: link.used,
  createdAt: iso(link.createdAt),
  expiresAt: iso(link.until),
  revoked: link.revokedAt !== null,
});
