import { createTelex } from "@telex/core";
import type { Telex } from "@telex/core";
import type { Command } from "commander";
import { configOf } from "../command.ts";
import { createLazyEngine } from "../engine.ts";
import { settings } from "../settings/table.ts";
import { openStorage } from "../storage.ts";

/**
 * Opens the configured storage, does something with it, and closes it: works beside a server that runs on it.
 * @throws TelexError `storage_is_memory`, and what the work throws
 * @throws UsageError for settings that cannot be
 */
export async function withTelex<T>(command: Command, work: (telex: Telex) => Promise<T>): Promise<T> {
  const config = await configOf(command);
  const opened = await openStorage(config, "operate");
  const telex = await createTelex({ ...opened, images: createLazyEngine(), timeZone: config.get(settings.timeZone) });
  try {
    return await work(telex);
  } finally {
    await telex.close();
  }
}
