import type { z } from "zod";
import type { Implementation } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { SecurityLog } from "@telex/ground/log";
import { digestOf } from "@telex/ground/security";
import type { Clock, Zone } from "@telex/ground/time";
import type { PairingLimits } from "./limits.ts";
import type { DeviceView } from "../teleprinter/contract.ts";
import type { DeviceKey, TeleprinterStore } from "../teleprinter/store.ts";
import type { DeviceRecord } from "../records/teleprinter.ts";
import { generatePairingCode, generatePairingSecret, showPairingCode } from "./code.ts";
import type { PairingContract } from "./contract.ts";
import type { PairingStore } from "./store.ts";

export interface PairedDevice {
  readonly userId: number;
  readonly deviceId: string;
  /** The generation of the device that the token is for. */
  readonly generation: number;
  /** The name of the token. */
  readonly name: string;
  /** The token of the admin who confirmed the pairing; null if no admin did. */
  readonly issuedBy: number | null;
  /** Unix milliseconds when the token of that admin ends; null if it does not, or no admin did. */
  readonly issuerEndsAt: number | null;
}

interface PairingDeps {
  readonly store: PairingStore;
  readonly devices: Pick<TeleprinterStore, "findDevice" | "findGeneration">;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly limits: PairingLimits;
  readonly security: SecurityLog;
  /** Counts an attempt of a user to guess; throws `rate_limited` after too many. */
  readonly attempt: (userId: number) => void;
  /** Issues a token that can act for this device only. */
  readonly issueToken: (device: PairedDevice) => Promise<string>;
  /**
   * Gives a device to a user, and ends the tokens of its earlier generations.
   * @throws TelexError `device_taken`, `quota_exceeded`
   */
  readonly pairDevice: (device: DeviceKey & { readonly name: string }) => Promise<DeviceRecord>;
  /** The pairing of the device is complete. */
  readonly registered: (device: DeviceRecord) => DeviceView;
}

type PairInput = z.output<PairingContract["pair"]["input"]>;

const missing = (): TelexError => new TelexError("not_found", { reason: "pairing_unknown" });

/** Seconds between two attempts of a device to collect its token. */
const interval = 2;

async function issue({ store, clock, limits }: PairingDeps, device: PairInput) {
  const now = clock.now();
  const expiresAt = now + limits.pairingLife;
  const secret = generatePairingSecret();
  for (;;) {
    const code = generatePairingCode();
    const digests = { codeDigest: digestOf(code), secretDigest: digestOf(secret) };
    const issued = await store.issuePairing({ ...digests, ...device, expiresAt, now });
    if (issued === "issued") return { code, secret, expiresAt };
  }
}

async function tokenFor(
  { devices, issueToken }: PairingDeps,
  { deviceId, userId, issuedBy, issuerEndsAt }: Omit<PairedDevice, "generation" | "name">,
): Promise<string> {
  // The generation first: a device that is unregistered from here on takes the token with it.
  const generation = await devices.findGeneration(deviceId);
  const device = await devices.findDevice(deviceId);
  if (device?.owner !== userId) throw missing();
  return issueToken({ userId, deviceId, generation, name: device.name, issuedBy, issuerEndsAt });
}

/** The token of a confirmed pairing, which stays until the device has it. */
export interface OfferedToken {
  readonly token: string;
  /** The device has the token: its secret ends. */
  readonly taken: () => Promise<void>;
}

/** Offers the token of a device to a transport that learns when the device has received it. */
export const createOffers =
  (deps: PairingDeps) =>
  async (deviceId: string, secret: string): Promise<OfferedToken | null> => {
    const { store, clock } = deps;
    const key = () => ({ secretDigest: digestOf(secret), now: clock.now() });
    const pairing = await store.findPairing(key());
    if (pairing.outcome !== "confirmed" || pairing.deviceId !== deviceId) return null;
    return { token: await tokenFor(deps, pairing), taken: async () => void (await store.consumePairing(key())) };
  };

export function createPairingService(deps: PairingDeps): Implementation<PairingContract> {
  const { store, clock, zone } = deps;
  return {
    async pair(_caller, { deviceId, name }) {
      const { code, secret, expiresAt } = await issue(deps, { deviceId, name });
      deps.security.noteOnce("pairing.requested", deviceId, { deviceId });
      return { code: showPairingCode(code), secret, expiresAt: zone.format(expiresAt), interval };
    },
    async pairing({ userId }, { code }) {
      deps.attempt(userId);
      const pairing = await store.claimPairing({ codeDigest: digestOf(code), userId, now: clock.now() });
      if (pairing === null) throw missing();
      const { deviceId, name, expiresAt } = pairing;
      const device = await deps.devices.findDevice(deviceId);
      // The answer does not name a device of another user: confirming is refused.
      const replaces = device?.owner === userId ? device.name : null;
      return { deviceId, name, expiresAt: zone.format(expiresAt), replaces };
    },
    async confirmPairing({ userId, issuer = null, expiresAt }, { code }) {
      deps.attempt(userId);
      const key = { codeDigest: digestOf(code), userId, now: clock.now() };
      const pairing = await store.claimPairing(key);
      if (pairing === null) throw missing();
      const { deviceId, name } = pairing;
      const device = await deps.pairDevice({ deviceId, owner: userId, name });
      // A token that the user gets otherwise does not end with the token by which they confirm.
      const issuerEndsAt = issuer === null ? null : expiresAt;
      if ((await store.confirmPairing({ ...key, issuedBy: issuer, issuerEndsAt })) === null) throw missing();
      return deps.registered(device);
    },
    async collect(_caller, { secret }) {
      const pairing = await store.consumePairing({ secretDigest: digestOf(secret), now: clock.now() });
      if (pairing.outcome === "missing") throw missing();
      const { deviceId } = pairing;
      if (pairing.outcome === "pending") return { deviceId, token: null };
      return { deviceId, token: await tokenFor(deps, pairing) };
    },
  };
}
