import type { Implementation } from "../contract/operation.ts";
import { TelexError } from "../errors/errors.ts";
import type { FilesContract } from "./files-contract.ts";
import { quarantineBlobId } from "./names.ts";
import { dropBlobs, sweep, type SweepDependencies } from "./sweep.ts";

/** What the operator does with files. */
export function createFilesOperator(deps: SweepDependencies): Implementation<FilesContract> {
  const { store, blobs } = deps;
  return {
    sweep: () => sweep(deps),
    async quarantine(_operator, { file_id }) {
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
    },
  };
}
