import type { Command } from "commander";
import { settingOptions } from "../command.ts";
import { settings } from "../settings/table.ts";

const { host, port, data, storage, timeZone } = settings;

/** `telex doctor` */
export function defineDoctor(command: Command): void {
  settingOptions(command, [host, port, data, storage, timeZone]).action(async () => {
    const { runDoctor } = await import("../doctor/doctor.ts");
    await runDoctor(command);
  });
}
