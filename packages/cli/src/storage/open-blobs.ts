import type { BlobStore } from "@telex/core";

/** Bytes of files that must be closed: the connection of a driver may keep the process alive. */
export interface OpenBlobs extends BlobStore {
  close(): Promise<void>;
}
