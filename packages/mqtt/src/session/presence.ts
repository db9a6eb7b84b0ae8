import { type Telex, TelexError } from "@telex/core";
import type { DeviceAttendance, LiveConnection } from "@telex/core/transport";

/** The signs of life of a device on one connection. */
export interface Presence {
  /** Call it for each packet, which is a sign of life unless the device has said that it is offline. */
  readonly heard: () => void;
  /** Call it when the device says that it is online. */
  readonly comes: () => Promise<void>;
  /** Call it when the device says that it is offline. */
  readonly leaves: () => Promise<void>;
}

interface PresenceDeps {
  readonly telex: Telex;
  readonly live: LiveConnection;
  readonly deviceId: string;
  readonly attendance: DeviceAttendance;
}

/** Minimum milliseconds between two reported signs of life. */
const signInterval = 1000;

export function createPresence({ telex, live, deviceId, attendance }: PresenceDeps): Presence {
  let last = telex.clock.now();
  let isAway = false;
  let isSigning = false;
  const sign = async (): Promise<void> => {
    last = telex.clock.now();
    isSigning = true;
    await attendance.alive().finally(() => (isSigning = false));
  };
  return {
    heard() {
      // Only one at a time: with a slow storage, the end of the connection would wait for all pending signs of life.
      if (isAway || isSigning || telex.clock.now() - last < signInterval) return;
      sign().catch((cause: unknown) => {
        const error = TelexError.from(cause);
        if (error.code === "internal") telex.log.error("mqtt.sign_failed", { incident: error.incident }, error.cause);
      });
    },
    async comes() {
      isAway = false;
      await sign();
    },
    async leaves() {
      isAway = true;
      await telex.teleprinter.offline(live.holder, { deviceId });
    },
  };
}
