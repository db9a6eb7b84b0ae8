import { nextTick } from "@telex/ground/concurrency";
import type { Operator, TokenHolder, Implementation } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { Zone } from "@telex/ground/time";
import type { FilesContract } from "./files-contract.ts";
import { quarantineBlobId } from "../blobs/names.ts";
import type { FileRecord } from "../records.ts";
import { dropBlobs, sweep, type SweepDeps } from "./sweep.ts";

interface FilesOperatorDeps extends SweepDeps {
  readonly zone: Zone;
}

function rowOf({ md5, size, mime, createdAt, usedAt }: FileRecord, zone: Zone) {
  const isKept = usedAt === Number.MAX_SAFE_INTEGER;
  const used = usedAt === null || isKept ? null : zone.format(usedAt);
  return { file_id: md5, size, mime, createdAt: zone.format(createdAt), usedAt: used, kept: isKept };
}

async function quarantine({ store, blobs }: SweepDeps, file_id: string) {
  const file = await store.findFile(file_id);
  const bytes = file === null ? null : await blobs.open(file.blobId);
  if (file === null || bytes === null) throw new TelexError("file_not_found");
  // The bytes are copied first: a crash leaves the file in service or out of it, but never loses the bytes.
  const blob = quarantineBlobId(file.md5);
  await blobs.delete(blob);
  await blobs.put(blob, bytes);
  await store.takeFile(file.md5);
  await dropBlobs(blobs, file);
  return { file_id: file.md5, size: file.size, mime: file.mime, blob };
}

/**
 * Anyone who knows the MD5 of a picture can open it. Admins must not read rooms, so the list for admins has only the pictures that are kept
 * for another use: messages use the others, or can still use them.
 */
const isListed = (caller: Operator | TokenHolder, { mime, usedAt }: FileRecord): boolean =>
  caller.kind === "operator" || !mime.startsWith("image/") || usedAt === Number.MAX_SAFE_INTEGER;

const filesOfTick = 1000;

/** The first files after an MD5 that the caller may see. */
async function listFiles(
  { store }: Pick<FilesOperatorDeps, "store">,
  caller: Operator | TokenHolder,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly FileRecord[]> {
  const matches: FileRecord[] = [];
  for (let last: string | undefined = after; last !== undefined && matches.length < limit; await nextTick()) {
    const files = await store.listFiles({ after: last, limit: filesOfTick });
    matches.push(...files.filter((file) => isListed(caller, file)));
    last = files.at(-1)?.md5;
  }
  return matches.slice(0, limit);
}

/** The operations of the operator on stored files. */
export const createFilesOperator = (deps: FilesOperatorDeps): Implementation<FilesContract> => ({
  async list(caller, { after = "", limit }) {
    return (await listFiles(deps, caller, { after, limit })).map((file) => rowOf(file, deps.zone));
  },
  sweep: () => sweep(deps),
  quarantine: (_operator, { file_id }) => quarantine(deps, file_id),
});
