import { createTelex } from "@telex/core";
import type { Storage, Telex } from "@telex/core";
import type { Command } from "commander";
import { talkOf } from "../options/command.ts";
import { createLazyEngine } from "../instance/engine.ts";
import { createSecurityFile } from "../instance/log.ts";
import type { Config } from "../settings/load.ts";
import { openStorage } from "../storage/storage.ts";
import { telexOptionsOf } from "../instance/telex-options.ts";

/** Milliseconds. Any value works. */
const aliveEvery = 60_000;

/**
 * Opens the configured storage, runs the work, and closes the storage. A server can use it at the same time. Security events are
 * appended to the file `security.log` next to the database.
 * @param purpose `add` creates the storage if it does not exist
 * @throws TelexError `storage_is_memory`, and the errors of the work
 * @throws UsageError for invalid settings
 */
export async function withTelex<T>(
  command: Command,
  config: Config,
  work: (telex: Telex, storage: Storage) => Promise<T>,
  purpose: "operate" | "add" = "operate",
): Promise<T> {
  const fromSettings = await telexOptionsOf(config);
  const { storage, blobs, securityLog } = await openStorage(config, purpose);
  const images = createLazyEngine();
  const log =
    securityLog === null ? {} : { log: createSecurityFile(securityLog, (text) => talkOf(command).warn(text)) };
  const telex = await createTelex({ ...fromSettings, storage, blobs, images, ...log });
  // An operation that waits for a running server uses timers that do not keep a process alive.
  const alive = setInterval(() => undefined, aliveEvery);
  try {
    return await work(telex, storage);
  } finally {
    clearInterval(alive);
    await telex.close();
    await images.close();
  }
}
