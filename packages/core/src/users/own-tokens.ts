import type { TokenHolder, Implementation } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { Clock, Zone } from "@telex/ground/time";
import type { DeviceGenerations } from "./generations.ts";
import type { OwnTokenView, UsersContract } from "./contract.ts";
import { inheritedBy } from "./issuer.ts";
import { readDeviceScope, shownScope } from "./scopes.ts";
import type { TokenStore } from "./store.ts";
import type { TokenRecord } from "../records/users.ts";

export interface OwnTokensDeps {
  readonly tokens: TokenStore;
  readonly devices: DeviceGenerations;
  readonly clock: Clock;
  readonly zone: Zone;
  /** A token was revoked: makes that seen immediately in this process. */
  readonly revoked: (tokenId: number) => void;
}

/** Tokens that a list shows. Those above it are the oldest. */
const listed = 1000;

const viewOf = (token: TokenRecord, caller: TokenHolder, zone: Zone): OwnTokenView => ({
  id: token.tokenId,
  name: token.name,
  scopes: token.scopes.map(shownScope),
  createdAt: zone.format(token.createdAt),
  expiresAt: token.expiresAt === null ? null : zone.format(token.expiresAt),
  lastUsedAt: token.lastUsedAt === null ? null : zone.format(token.lastUsedAt),
  current: token.tokenId === caller.tokenId,
});

async function isCurrent({ devices }: OwnTokensDeps, stored: string): Promise<boolean> {
  const device = readDeviceScope(stored);
  return device === null || (await devices.findGeneration(device.deviceId)) === device.generation;
}

/** The token with the scopes that it still has; null if a device, or the admin who issued it, took all of them with it. */
async function withoutEnded(deps: OwnTokensDeps, token: TokenRecord): Promise<TokenRecord | null> {
  if ((await inheritedBy(token, deps.tokens, deps.clock.now())) === null) return null;
  const current = await Promise.all(token.scopes.map((scope) => isCurrent(deps, scope)));
  const scopes = token.scopes.filter((_scope, index) => current[index]);
  return scopes.length === 0 ? null : { ...token, scopes };
}

/** Operations of users on their own tokens. */
export const createOwnTokens = (
  deps: OwnTokensDeps,
): Pick<Implementation<UsersContract>, "tokens" | "revokeToken"> => ({
  async tokens(caller) {
    const live = await deps.tokens.listLiveTokens(caller.userId, { now: deps.clock.now(), limit: listed });
    const shown = await Promise.all(live.map((token) => withoutEnded(deps, token)));
    return shown.flatMap((token) => (token === null ? [] : viewOf(token, caller, deps.zone)));
  },
  async revokeToken({ userId }, { id }) {
    const token = await deps.tokens.revokeToken({ tokenId: id, userId }, deps.clock.now());
    if (token === null) throw new TelexError("not_found", { reason: "token_unknown" });
    deps.revoked(token.tokenId);
    return null;
  },
});
