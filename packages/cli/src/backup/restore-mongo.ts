import { assertFree, transfer } from "@telex/transfer";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { namedPlace } from "../storage/mongo.ts";
import { refuseTransfer } from "../transfer/copy.ts";
import { openTarget } from "../transfer/ends.ts";
import { blobsIn, openBackup } from "./opened-backup.ts";
import type { Restored, Wanted } from "./restored.ts";
import { inWorkFolder, mongoWork } from "./work-folder.ts";

/** Copies from the database in the backup. As with `migrate copy`, the result is verified, and running it again continues. */
export async function restoreToMongo(config: Config, { folder, identity, bar }: Wanted): Promise<Restored> {
  const { createSqliteStorage } = await import("@telex/storage-sqlite");
  const address = { url: config.get(settings.storage), data: null, blobs: namedPlace(config) };
  const target = await openTarget(config, address);
  const to = { to: target, toBlobs: target.blobs, resume: { log: target.state, source: `backup:${folder.name}` } };
  try {
    await assertFree(to).catch(refuseTransfer);
    await target.assertAlone();
    return await inWorkFolder(mongoWork(config, "restore", target.name), async (work) => {
      const { backup, database } = await openBackup({ folder, work, identity, bar });
      const copy = await createSqliteStorage({ file: database });
      try {
        const from = { from: copy, fromBlobs: blobsIn(backup) };
        const copied = await transfer({ ...from, ...to, skipDamaged: true, progress: bar.show }).catch(refuseTransfer);
        await target.complete(copied);
        return { name: target.name, files: copied.files };
      } finally {
        await copy.close();
      }
    });
  } finally {
    await target.close();
  }
}
