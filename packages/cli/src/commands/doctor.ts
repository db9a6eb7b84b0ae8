import type { Command } from "commander";
import { placeSettings, settingOptions } from "../options/command.ts";
import { settings } from "../settings/table.ts";

const { host, port, bus, installation, baseUrl, trustProxy, timeZone, rateLimits } = settings;
const { fileFloor, recordFloor, aiKeyFile, providerClientSecretFile, mqttUrl } = settings;

const ofServer = [host, port, bus, installation, mqttUrl, baseUrl, trustProxy, timeZone, rateLimits] as const;
const checked = [...placeSettings, ...ofServer, fileFloor, recordFloor, aiKeyFile, providerClientSecretFile] as const;

/** `telex doctor` */
export function defineDoctor(command: Command): void {
  settingOptions(command, checked).action(async () => {
    const { runDoctor } = await import("../doctor/doctor.ts");
    await runDoctor(command);
  });
}
