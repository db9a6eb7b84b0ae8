import type { Command } from "commander";
import { settingOptions } from "../command.ts";
import { settings } from "../settings/table.ts";

const { host, port, data, storage, baseUrl, trustProxy, timeZone, rateLimits, fileFloor, recordFloor, aiKeyFile } =
  settings;

const checked = [
  host,
  port,
  data,
  storage,
  baseUrl,
  trustProxy,
  timeZone,
  rateLimits,
  fileFloor,
  recordFloor,
  aiKeyFile,
] as const;

/** `telex doctor` */
export function defineDoctor(command: Command): void {
  settingOptions(command, checked).action(async () => {
    const { runDoctor } = await import("../doctor/doctor.ts");
    await runDoctor(command);
  });
}
