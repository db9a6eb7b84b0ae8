import type { Implementation } from "../contract/operation.ts";
import { TelexError } from "../errors/errors.ts";
import type { FilesContract } from "./files-contract.ts";
import { quarantineBlobId } from "./names.ts";
import type { FileRecord } from "./store.ts";
import type { Zone } from "../time/zone.ts";
import { dropBlobs, sweep, type SweepDependencies } from "./sweep.ts";

/** What the operator's side of files needs. */
interface FilesOperatorDeps extends SweepDependencies {
  readonly zone: Zone;
}

function rowOf({ md5, size, mime, createdAt, usedAt }: FileRecord, zone: Zone) {
  const kept = usedAt === Number.MAX_SAFE_INTEGER;
  const used = usedAt === null || kept ? null : zone.format(usedAt);
  return { file_id: md5, size, mime, createdAt: zone.format(createdAt), usedAt: used, kept };
}

/** Moves a file out of service. */
async function quarantine({ store, blobs }: SweepDependencies, file_id: string) {
  const file = await store.findFile(file_id);
  const bytes = file === null ? null : await blobs.open(file.blobId);
  if (file === null || bytes === null) throw new TelexError("file_not_found");
  // The copy first: a crash leaves the file in service or out of it, but never loses the bytes.
  const blob = quarantineBlobId(file.md5);
  await blobs.delete(blob);
  await blobs.put(blob, bytes);
  await store.takeFile(file.md5);
  await dropBlobs(blobs, file);
  return { file_id: file.md5, size: file.size, mime: file.mime, blob };
}

/** What the operator does with files. */
export const createFilesOperator = (deps: FilesOperatorDeps): Implementation<FilesContract> => ({
  async list(_operator, { after = "", limit }) {
    return (await deps.store.listFiles({ after, limit })).map((file) => rowOf(file, deps.zone));
  },
  sweep: () => sweep(deps),
  quarantine: (_operator, { file_id }) => quarantine(deps, file_id),
});
