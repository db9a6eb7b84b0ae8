import { accessRows } from "./rows/access.ts";
import { accountRows } from "./rows/accounts.ts";
import { aiRows } from "./rows/ai.ts";
import { clientRows } from "./rows/client.ts";
import { limitRows } from "./rows/limits.ts";
import { mqttRows } from "./rows/mqtt.ts";
import { networkRows } from "./rows/networks.ts";
import { placeRows } from "./rows/places.ts";
import { serverRows } from "./rows/server.ts";
import { providerRows } from "./rows/providers.ts";
import type { Setting } from "./setting.ts";

/**
 * All settings. The row of a setting is its only description: values, names in the environment and as a flag, help, completion,
 * `telex config` and the reference are derived from it.
 */
export const settings = {
  ...serverRows,
  ...placeRows,
  ...mqttRows,
  ...accessRows,
  ...accountRows,
  ...providerRows,
  ...networkRows,
  ...limitRows,
  ...aiRows,
  ...clientRows,
} as const;

/** All settings, in the order of the table. */
export const allSettings: readonly Setting<unknown>[] = Object.values(settings);
