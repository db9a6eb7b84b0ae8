import type { Implementation } from "../contract.ts";
import { TelexError } from "../errors.ts";
import type { Limits } from "../limits.ts";
import { digestOf } from "../secrets.ts";
import type { Clock, Zone } from "../time.ts";
import type { DeviceView } from "./contract.ts";
import type { PairingContract } from "./pairing-contract.ts";
import { generatePairingCode, generatePairingSecret, showPairingCode } from "./pairing-code.ts";
import type { PairingStore } from "./pairing-store.ts";
import type { DeviceRecord, TeleprinterStore } from "./store.ts";

/** What pairing needs. */
export interface PairingDependencies {
  readonly store: PairingStore;
  readonly devices: Pick<TeleprinterStore, "claimDevice">;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly limits: Limits;
  /** Counts an attempt of a user to guess; throws `rate_limited` where there were too many. */
  readonly attempt: (userId: number) => void;
  /** Issues a token that can act for this device only. */
  readonly issueToken: (userId: number, deviceId: string) => Promise<string>;
  /** The device has been registered or renamed. */
  readonly registered: (device: DeviceRecord) => DeviceView;
}

const missing = (): TelexError => new TelexError("not_found", { reason: "pairing_unknown" });

/** Seconds between two attempts of a device to collect its token. */
const interval = 2;

/** Pairs devices with users. */
export function createPairingService(deps: PairingDependencies): Implementation<PairingContract> {
  const { store, devices, clock, zone, limits } = deps;
  return {
    async pair(_caller, { deviceId, name }) {
      const now = clock.now();
      const expiresAt = now + limits.pairingLife;
      const secret = generatePairingSecret();
      for (;;) {
        const code = generatePairingCode();
        const digests = { codeDigest: digestOf(code), secretDigest: digestOf(secret) };
        const issued = await store.issuePairing({ ...digests, deviceId, name, expiresAt, now });
        if (issued === "issued")
          return { code: showPairingCode(code), secret, expiresAt: zone.format(expiresAt), interval };
      }
    },
    async pairing({ userId }, { code }) {
      deps.attempt(userId);
      const pairing = await store.claimPairing({ codeDigest: digestOf(code), userId, now: clock.now() });
      if (pairing === null) throw missing();
      return { deviceId: pairing.deviceId, name: pairing.name, expiresAt: zone.format(pairing.expiresAt) };
    },
    async confirmPairing({ userId }, { code }) {
      deps.attempt(userId);
      const now = clock.now();
      const key = { codeDigest: digestOf(code), userId, now };
      const pairing = await store.claimPairing(key);
      if (pairing === null) throw missing();
      const { deviceId, name } = pairing;
      const claimed = await devices.claimDevice({ deviceId, owner: userId, name, now });
      if (claimed.outcome === "taken") throw new TelexError("device_taken", { params: { deviceId } });
      if ((await store.confirmPairing(key)) === null) throw missing();
      return deps.registered(claimed.device);
    },
    async collect(_caller, { secret }) {
      const pairing = await store.consumePairing({ secretDigest: digestOf(secret), now: clock.now() });
      if (pairing.outcome === "missing") throw missing();
      const { deviceId } = pairing;
      if (pairing.outcome === "pending") return { deviceId, token: null };
      return { deviceId, token: await deps.issueToken(pairing.userId, deviceId) };
    },
  };
}
