import type { BlobStore } from "@telex/core";

/** Bytes of files that somebody must close: a driver may keep a connection open, which keeps a command from ending. */
export interface OpenBlobs extends BlobStore {
  close(): Promise<void>;
}
