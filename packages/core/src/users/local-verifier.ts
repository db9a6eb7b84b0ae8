import type { DeviceGenerations } from "./generations.ts";
import { createLru } from "@telex/ground/caches";
import type { TokenHolder } from "@telex/ground/contract";
import type { Logger } from "@telex/ground/log";
import { digestOf } from "@telex/ground/security";
import type { Clock } from "@telex/ground/time";
import type { UsersLimits } from "./limits.ts";
import { inheritedBy } from "./issuer.ts";
import { readDeviceScope } from "./scopes.ts";
import type { TokenStore } from "./store.ts";
import type { TokenRecord } from "../records/users.ts";
import { isTokenShaped } from "./tokens.ts";
import type { TokenVerifier } from "./verifier.ts";

/** The verifier of tokens that this installation issued. Keeps what it verified for a short time. */
export interface LocalVerifier extends TokenVerifier {
  /** Forgets a token that was revoked, and those that were issued with it. */
  forget(tokenId: number): void;
  /** Forgets the tokens of a device whose generation was raised. */
  forgetDevice(deviceId: string): void;
  /** Forgets every token: anything may have been revoked. */
  forgetAll(): void;
}

/** Options of {@link createLocalVerifier}. */
interface LocalVerifierDeps {
  readonly storage: {
    readonly tokens: TokenStore;
    readonly teleprinter: DeviceGenerations;
  };
  readonly clock: Clock;
  readonly limits: UsersLimits;
  readonly log: Logger;
}

/** Milliseconds to which the last use of a token is exact: a token in use costs one write in this time. */
const useInterval = 60_000;

/** The scopes of a token without those for devices that were given away or removed since. */
async function inEffect(stored: TokenRecord["scopes"], devices: LocalVerifierDeps["storage"]["teleprinter"]) {
  const scopes: string[] = [];
  const generations = new Map<string, number>();
  for (const one of stored) {
    const device = readDeviceScope(one);
    if (device === null) scopes.push(one);
    else if ((await devices.findGeneration(device.deviceId)) === device.generation) {
      scopes.push(device.scope);
      generations.set(device.deviceId, device.generation);
    }
  }
  return { scopes, generations };
}

/** The holder of a token; null if all its scopes are for earlier generations of devices, or its issuer's token has ended. */
async function holderOf(
  { userId, scopes: stored, tokenId, expiresAt }: TokenRecord,
  { teleprinter: devices, tokens }: LocalVerifierDeps["storage"],
  now: number,
): Promise<TokenHolder | null> {
  const { scopes, generations } = await inEffect(stored, devices);
  if (scopes.length === 0 && stored.length > 0) return null;
  const inherited = await inheritedBy({ userId, scopes: stored }, tokens, now);
  return inherited === null ? null : { kind: "token", userId, scopes, generations, ...inherited, tokenId, expiresAt };
}

/** A verifier on the token store. */
export function createLocalVerifier({ storage, clock, limits, log }: LocalVerifierDeps): LocalVerifier {
  const { tokens } = storage;
  // Keyed by digest: a token itself is never kept.
  const verified = createLru<string, { readonly holder: TokenHolder; readonly until: number }>(
    limits.tokenCacheEntries,
  );
  const isLive = (expiresAt: number | null): boolean => expiresAt === null || expiresAt > clock.now();
  const noteUse = ({ tokenId, lastUsedAt }: TokenRecord): void => {
    const now = clock.now();
    if (lastUsedAt !== null && now - lastUsedAt < useInterval) return;
    // Not awaited: a token is valid whether or not its use could be noted.
    tokens.touchToken(tokenId, now).catch((cause: unknown) => log.error("token.use_not_noted", { tokenId }, cause));
  };
  const forgetWhere = (isMeant: (holder: TokenHolder) => boolean): void => {
    for (const [digest, { holder }] of verified.entries()) if (isMeant(holder)) verified.delete(digest);
  };
  return {
    async authenticate(token) {
      const digest = digestOf(token);
      const existing = verified.get(digest);
      if (existing !== undefined && existing.until > clock.now())
        return isLive(existing.holder.expiresAt) ? existing.holder : null;
      if (!isTokenShaped(token)) return null;
      const record = await tokens.findToken(digest);
      if (record === null || record.revokedAt !== null || !isLive(record.expiresAt)) return null;
      const holder = await holderOf(record, storage, clock.now());
      if (holder === null) return null;
      noteUse(record);
      verified.set(digest, { holder, until: clock.now() + limits.tokenCacheLife });
      return holder;
    },
    forget: (tokenId) => forgetWhere((holder) => holder.tokenId === tokenId || holder.issuer === tokenId),
    forgetDevice: (deviceId) => forgetWhere(({ generations }) => generations?.has(deviceId) === true),
    forgetAll: () => verified.clear(),
  };
}
