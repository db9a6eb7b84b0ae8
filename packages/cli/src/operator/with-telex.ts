import { createTelex } from "@telex/core";
import type { Telex } from "@telex/core";
import type { Command } from "commander";
import { talkOf } from "../options/command.ts";
import { createLazyEngine } from "../instance/engine.ts";
import { createSecurityFile } from "../instance/log.ts";
import type { Config } from "../settings/load.ts";
import { openStorage } from "../storage/storage.ts";
import { telexOptionsOf } from "../instance/telex-options.ts";

/** Milliseconds: it only has to be some time. */
const aliveEvery = 60_000;

/**
 * Opens the configured storage, does something with it, and closes it. A server can use the storage meanwhile. Events of
 * security are appended to the file `security.log` next to the database.
 * @throws TelexError `storage_is_memory`, and what the work throws
 * @param purpose `add` makes the storage if there is none
 * @throws UsageError for settings that cannot be
 */
export async function withTelex<T>(
  command: Command,
  config: Config,
  work: (telex: Telex) => Promise<T>,
  purpose: "operate" | "add" = "operate",
): Promise<T> {
  const fromSettings = await telexOptionsOf(config);
  const { storage, blobs, securityLog } = await openStorage(config, purpose);
  const images = createLazyEngine();
  const log =
    securityLog === null ? {} : { log: createSecurityFile(securityLog, (text) => talkOf(command).warn(text)) };
  const telex = await createTelex({ ...fromSettings, storage, blobs, images, ...log });
  // What waits for a running server waits on timers that do not keep a process alive.
  const alive = setInterval(() => undefined, aliveEvery);
  try {
    return await work(telex);
  } finally {
    clearInterval(alive);
    await telex.close();
    await images.close();
  }
}
