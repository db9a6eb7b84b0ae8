import type { DeviceGenerations } from "./generations.ts";
import type { z } from "zod";
import type { IncomingFile } from "../blobs/bytes.ts";
import type { Operator, TokenHolder } from "../contract/caller.ts";
import type { CallContext, Implementation } from "../contract/operation.ts";
import { TelexError } from "../errors/errors.ts";
import type { GroupStore } from "../groups/store.ts";
import type { UsersLimits } from "./limits.ts";
import { shownConnect } from "../options/mask.ts";
import { digestOf } from "../security/secrets.ts";
import type { PairedDevice } from "../pairing/service.ts";
import type { Clock } from "../time/clock.ts";
import type { Zone } from "../time/zone.ts";
import type { TokensContract, TokenView, UserAdminContract, UserView } from "./contract.ts";
import type { SecurityLog } from "../log/security.ts";
import { findIssuer } from "./issuer.ts";
import { readDeviceScope, shownScope, storedDeviceScope } from "./scopes.ts";
import type { TokenStore, UserChange, UserStore } from "./store.ts";
import type { TokenRecord, UserRecord } from "../records/users.ts";
import { amendOneBot, readOneBot } from "./one-bot.ts";
import { generateToken, isTokenShaped } from "./tokens.ts";

/** What the operator's side of users and tokens needs. */
interface UserAdminDependencies {
  readonly users: UserStore;
  readonly tokens: TokenStore;
  readonly devices: DeviceGenerations;
  /**
   * Keeps a stored image from being swept; false when there is no such image.
   * @throws TelexError `unreadable_image` if it cannot be decoded, `busy`
   */
  readonly keepImage: (md5: string) => Promise<boolean>;
  /** Stores a file as the user would have uploaded it, and returns its MD5. */
  readonly storeFile: (userId: number, file: IncomingFile) => Promise<string>;
  /** Checks that a token is still valid. */
  readonly assertCurrent: (holder: TokenHolder) => void;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly limits: UsersLimits;
  /** Makes a change visible in this process immediately. */
  readonly changed: (kind: "user" | "token", id: number) => void;
  /** Ends everything that a user has, except for their messages. */
  readonly endUser: (userId: number) => Promise<void>;
  readonly groups: Pick<GroupStore, "listGroupsOf">;
  /** Says in a room, as this admin, that a model answers as a member. Resolves when it is durable. */
  readonly announceModel: (groupId: number, adminId: number) => Promise<void>;
}

const extTaken = (): TelexError =>
  new TelexError("invalid_request", { issues: [{ path: "ext", problem: "ext_taken", params: {} }] });

function oneBotView(field: string | null): UserView["oneBot"] {
  const settings = readOneBot(field);
  if (settings === null) return null;
  const { connect, secret, protocol, self } = settings;
  return { connect: shownConnect(connect), hasSecret: secret !== null, protocol, self };
}

const userView = (
  { userId, nickname, ext, phone, avatar, ai, oneBot, createdAt }: UserRecord,
  zone: Zone,
): UserView => ({
  id: userId,
  nickname,
  ext,
  phone,
  avatar,
  ai,
  oneBot: oneBotView(oneBot),
  createdAt: zone.format(createdAt),
});

const tokenView = (record: TokenRecord, zone: Zone): TokenView => ({
  id: record.tokenId,
  userId: record.userId,
  name: record.name,
  scopes: record.scopes.map(shownScope),
  createdAt: zone.format(record.createdAt),
  expiresAt: record.expiresAt === null ? null : zone.format(record.expiresAt),
  lastUsedAt: record.lastUsedAt === null ? null : zone.format(record.lastUsedAt),
  revoked: record.revokedAt !== null,
});

/** What is given, without what was left out. */
function changeOf(input: {
  readonly [K in Exclude<keyof UserChange, "oneBot">]?: UserChange[K] | undefined;
}): UserChange {
  return {
    ...(input.nickname === undefined ? {} : { nickname: input.nickname }),
    ...(input.ext === undefined ? {} : { ext: input.ext }),
    ...(input.phone === undefined ? {} : { phone: input.phone }),
    ...(input.avatar === undefined ? {} : { avatar: input.avatar }),
    ...(input.ai === undefined ? {} : { ai: input.ai }),
  };
}

async function assertUser({ users }: UserAdminDependencies, userId: number): Promise<void> {
  if ((await users.findUser(userId)) === null) throw new TelexError("user_not_found");
}

type OneBotChange = z.output<UserAdminContract["amend"]["input"]>["oneBot"];

/**
 * The program behind the address acts as the user, and reads what the user reads, for as long as it is set: for an admin that would be more
 * than any token that they can issue.
 * @throws TelexError `insufficient_scope`
 */
function assertMayConnect(caller: Operator | TokenHolder, change: OneBotChange): void {
  if (caller.kind === "operator" || typeof change?.connect !== "string") return;
  throw new TelexError("insufficient_scope", { reason: "onebot_connect_reserved" });
}

/**
 * Says in each room of a user that an admin makes a model answer as this user. Call it before the change. Each room is charged
 * like a call.
 * @throws TelexError `invalid_token` if the token of the admin has ended meanwhile
 */
async function announceModel(
  { users, groups, ...deps }: UserAdminDependencies,
  admin: TokenHolder,
  { userId, ai }: Pick<UserRecord, "userId" | "ai">,
  context: CallContext,
): Promise<void> {
  if (ai === null || ((await users.findUser(userId))?.ai ?? null) === ai) return;
  for (const groupId of await groups.listGroupsOf(userId)) {
    await deps.announceModel(groupId, admin.userId);
    context.charge?.(1);
  }
  deps.assertCurrent(admin);
}

async function oneBotChange(users: UserStore, userId: number, change: OneBotChange): Promise<UserChange> {
  if (change === undefined) return {};
  return { oneBot: amendOneBot((await users.findUser(userId))?.oneBot ?? null, change) };
}

/** What the operator does with users. */
export function createUsersOperator(deps: UserAdminDependencies): Implementation<UserAdminContract> {
  const { users, zone, clock } = deps;
  const amend = async (id: number, change: UserChange): Promise<UserView> => {
    const amended = await users.amendUser(id, change);
    if (amended.outcome === "missing") throw new TelexError("user_not_found");
    if (amended.outcome === "ext_taken") throw extTaken();
    deps.changed("user", id);
    return userView(amended.user, zone);
  };
  return {
    async add(_operator, { nickname, ext = null, phone = null, ai = null }) {
      const added = await users.appendUser({
        nickname,
        ext,
        phone,
        avatar: null,
        ai,
        oneBot: null,
        createdAt: clock.now(),
      });
      if (added.outcome === "ext_taken") throw extTaken();
      return userView(added.user, zone);
    },
    async list(_operator, { after = 0, limit }) {
      return (await users.listUsers({ after, limit })).map((user) => userView(user, zone));
    },
    async show(_operator, { id }) {
      const user = await users.findUser(id);
      if (user === null) throw new TelexError("user_not_found");
      return userView(user, zone);
    },
    async amend(caller, { id, oneBot, ...input }, context) {
      assertMayConnect(caller, oneBot);
      if (typeof input.avatar === "string") {
        // First: a refused call keeps no file, because it is not in the log.
        await assertUser(deps, id);
        if (!(await deps.keepImage(input.avatar))) throw new TelexError("file_not_found");
      }
      if (caller.kind === "token") await announceModel(deps, caller, { userId: id, ai: input.ai ?? null }, context);
      return amend(id, { ...changeOf(input), ...(await oneBotChange(users, id, oneBot)) });
    },
    async putAvatar(caller, { id, file }) {
      await assertUser(deps, id);
      const avatar = await deps.storeFile(id, file);
      // The bytes may have taken long to arrive.
      if (caller.kind === "token") deps.assertCurrent(caller);
      if (!(await deps.keepImage(avatar))) throw new TelexError("unreadable_image");
      return amend(id, { avatar });
    },
    async remove(_operator, { id }) {
      // Before: a failure leaves a user who can be removed again. Afterwards: what a call in progress has added meanwhile.
      await deps.endUser(id);
      const removed = await users.dropUser(id);
      deps.changed("user", id);
      await deps.endUser(id);
      if (!removed) throw new TelexError("user_not_found");
      return null;
    },
  };
}

/** The earlier one of two ends in Unix milliseconds; null is no end. */
const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/**
 * When the token of the admin who has confirmed a pairing ends, in Unix milliseconds; null if it does not, or no admin has.
 * @throws TelexError `not_found` if it has ended
 */
async function endOfIssuer(
  tokens: TokenStore,
  { issuedBy, issuerEndsAt }: Pick<PairedDevice, "issuedBy" | "issuerEndsAt">,
  now: number,
): Promise<number | null> {
  if (issuedBy === null) return null;
  // 0: the token is not stored here, so only the pairing has its end.
  const issuer = issuedBy === 0 ? { expiresAt: issuerEndsAt } : await findIssuer(tokens, issuedBy, now);
  if (issuer === null || (issuer.expiresAt !== null && issuer.expiresAt <= now)) {
    throw new TelexError("not_found", { reason: "pairing_unknown" });
  }
  return issuer.expiresAt;
}

/** Issues tokens that can act for one device only, and for one generation of it. */
export const createDeviceTokens =
  ({
    storage,
    clock,
    limits,
    security,
  }: {
    readonly storage: { readonly tokens: TokenStore };
    readonly clock: Clock;
    readonly limits: UsersLimits;
    readonly security: SecurityLog;
  }) =>
  async ({ userId, deviceId, generation, name, ...issuer }: PairedDevice): Promise<string> => {
    const secret = generateToken();
    const now = clock.now();
    const scopes = [storedDeviceScope(deviceId, generation, issuer.issuedBy)];
    const expiresAt = earlier(now + limits.deviceTokenLife, await endOfIssuer(storage.tokens, issuer, now));
    const token = { userId, digest: digestOf(secret), name, scopes, createdAt: now, expiresAt };
    const { tokenId } = await storage.tokens.issueToken(token);
    security.note("token.issued", { by: "pairing", userId, tokenId, deviceId });
    return secret;
  };

type IssueInput = z.output<TokensContract["issue"]["input"]>;

/** A token is named by itself, or by its id: 0 is nobody's id. */
const keyOf = (token: string): { readonly digest: string } | { readonly tokenId: number } =>
  isTokenShaped(token) ? { digest: digestOf(token) } : { tokenId: /^[1-9]\d{0,14}$/.test(token) ? Number(token) : 0 };

async function storedScope(
  { devices }: UserAdminDependencies,
  caller: Operator | TokenHolder,
  scope: string,
): Promise<string> {
  const device = readDeviceScope(scope);
  if (device === null) return scope;
  const issuer = caller.kind === "token" ? (caller.tokenId ?? 0) : null;
  return storedDeviceScope(device.deviceId, await devices.findGeneration(device.deviceId), issuer);
}

/**
 * Refuses what would give an admin more than the scope `admin` does.
 * @throws TelexError `insufficient_scope`
 */
function assertMayIssue(caller: Operator | TokenHolder, { userId, scopes }: IssueInput): void {
  if (caller.kind === "operator") return;
  const reserved = scopes.find((scope) => scope === "admin" || (scope === "chat" && userId !== caller.userId));
  if (reserved === undefined) return;
  throw new TelexError("insufficient_scope", { reason: "scope_reserved", params: { scope: reserved } });
}

/** When a token ends, in Unix milliseconds. One that an admin issues ends with the admin's own at the latest. */
const endOf = (caller: Operator | TokenHolder, wanted: number | null): number | null =>
  earlier(wanted, caller.kind === "token" ? caller.expiresAt : null);

/** Revokes a new token if its user was removed meanwhile, maybe after the removal had looked for tokens. */
async function assertKept({ users, tokens, clock }: UserAdminDependencies, token: TokenRecord): Promise<void> {
  if ((await users.findUser(token.userId)) !== null) return;
  await tokens.revokeToken({ tokenId: token.tokenId }, clock.now());
  throw new TelexError("user_not_found");
}

async function issueToken(deps: UserAdminDependencies, caller: Operator | TokenHolder, input: IssueInput) {
  const { tokens, clock, zone } = deps;
  const { userId, scopes, life = deps.limits.tokenLife } = input;
  await assertUser(deps, userId);
  const secret = generateToken();
  const createdAt = clock.now();
  const expiresAt = endOf(caller, life === null ? null : createdAt + life);
  const stored = await Promise.all(Array.from(new Set(scopes), (scope) => storedScope(deps, caller, scope)));
  const token = { userId, digest: digestOf(secret), name: input.name ?? null, scopes: stored, createdAt, expiresAt };
  const record = await tokens.issueToken(token);
  await assertKept(deps, record);
  return { ...tokenView(record, zone), token: secret };
}

/** What the operator does with access tokens. */
export const createTokensOperator = (deps: UserAdminDependencies): Implementation<TokensContract> => ({
  async issue(caller, input) {
    assertMayIssue(caller, input);
    return await issueToken(deps, caller, input);
  },
  async list(_operator, { userId = null, after = 0, limit }) {
    return (await deps.tokens.listTokens({ userId, after, limit })).map((record) => tokenView(record, deps.zone));
  },
  async revoke(_operator, { token }) {
    const revoked = await deps.tokens.revokeToken(keyOf(token), deps.clock.now());
    if (revoked === null) throw new TelexError("not_found");
    deps.changed("token", revoked.tokenId);
    return tokenView(revoked, deps.zone);
  },
});
