import type { z } from "zod";
import type { Operator, TokenHolder, Implementation } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { SecurityLog } from "@telex/ground/log";
import { digestOf } from "@telex/ground/security";
import type { Clock, Zone } from "@telex/ground/time";
import type { PairedDevice } from "../pairing/service.ts";
import type { TokenRecord } from "../records/users.ts";
import type { TokensContract, TokenView } from "./contract.ts";
import type { DeviceGenerations } from "./generations.ts";
import { findIssuer } from "./issuer.ts";
import type { UsersLimits } from "./limits.ts";
import { readDeviceScope, shownScope, storedDeviceScope } from "./scopes.ts";
import type { TokenStore, UserStore } from "./store.ts";
import { generateToken, isTokenShaped } from "./tokens.ts";

interface TokenAdminDeps {
  readonly users: UserStore;
  readonly tokens: TokenStore;
  readonly devices: DeviceGenerations;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly limits: UsersLimits;
  /** Makes the end of a token visible in this process immediately. */
  readonly tokenEnded: (tokenId: number) => void;
}

/** @throws TelexError `user_not_found` */
export async function assertUser(users: UserStore, userId: number): Promise<void> {
  if ((await users.findUser(userId)) === null) throw new TelexError("user_not_found");
}

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

/** The earlier one of two ends in Unix milliseconds; null is no end. */
const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/**
 * The end of the token of the admin who has confirmed a pairing, in Unix milliseconds; null if it has no end, or no admin has confirmed.
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
  if (issuer === null || (issuer.expiresAt !== null && issuer.expiresAt <= now))
    throw new TelexError("not_found", { reason: "pairing_unknown" });
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

/** The operator names a token by its text, or by its id. No token has the id 0. */
const keyOf = (token: string): { readonly digest: string } | { readonly tokenId: number } =>
  isTokenShaped(token) ? { digest: digestOf(token) } : { tokenId: /^[1-9]\d{0,14}$/.test(token) ? Number(token) : 0 };

async function storedScope(
  { devices }: TokenAdminDeps,
  caller: Operator | TokenHolder,
  scope: string,
): Promise<string> {
  const device = readDeviceScope(scope);
  if (device === null) return scope;
  const issuer = caller.kind === "token" ? (caller.tokenId ?? 0) : null;
  return storedDeviceScope(device.deviceId, await devices.findGeneration(device.deviceId), issuer);
}

/**
 * Refuses scopes that would give an admin more than the scope `admin` does.
 * @throws TelexError `insufficient_scope`
 */
function assertMayIssue(caller: Operator | TokenHolder, { userId, scopes }: IssueInput): void {
  if (caller.kind === "operator") return;
  const reserved = scopes.find((scope) => scope === "admin" || (scope === "chat" && userId !== caller.userId));
  if (reserved === undefined) return;
  throw new TelexError("insufficient_scope", { reason: "scope_reserved", params: { scope: reserved } });
}

/** The end of a token, in Unix milliseconds. A token that an admin issues ends with the admin's own at the latest. */
const endOf = (caller: Operator | TokenHolder, wanted: number | null): number | null =>
  earlier(wanted, caller.kind === "token" ? caller.expiresAt : null);

/** Revokes a new token if its user was removed while the token was issued. */
async function assertKept({ users, tokens, clock }: TokenAdminDeps, token: TokenRecord): Promise<void> {
  if ((await users.findUser(token.userId)) !== null) return;
  await tokens.revokeToken({ tokenId: token.tokenId }, clock.now());
  throw new TelexError("user_not_found");
}

async function issueToken(deps: TokenAdminDeps, caller: Operator | TokenHolder, input: IssueInput) {
  const { tokens, clock, zone } = deps;
  const { userId, scopes, life = deps.limits.tokenLife } = input;
  await assertUser(deps.users, userId);
  const secret = generateToken();
  const createdAt = clock.now();
  const expiresAt = endOf(caller, life === null ? null : createdAt + life);
  const stored = await Promise.all(Array.from(new Set(scopes), (scope) => storedScope(deps, caller, scope)));
  const token = { userId, digest: digestOf(secret), name: input.name ?? null, scopes: stored, createdAt, expiresAt };
  const record = await tokens.issueToken(token);
  await assertKept(deps, record);
  return { ...tokenView(record, zone), token: secret };
}

/** The operator's side of access tokens. */
export const createTokensOperator = (deps: TokenAdminDeps): Implementation<TokensContract> => ({
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
    deps.tokenEnded(revoked.tokenId);
    return tokenView(revoked, deps.zone);
  },
});
