import type { BlobStore, Bus, Logger, Storage } from "@telex/core";
import type { OpenBlobs } from "./open-blobs.ts";

/**
 * The purpose of opening a storage: `serve` for one server, `operate` for commands on existing data, also while a server runs,
 * and `add` for commands that create a missing storage.
 */
export type Purpose = "serve" | "operate" | "add";

/** Records and files of one installation. */
export interface Opened {
  readonly storage: Storage;
  readonly blobs: BlobStore;
  /** The file to which commands that change the storage append their changes; null if no other process can use the storage. */
  readonly securityLog: string | null;
  /** Creates the bus between the servers that share the storage; null if only one server can use it. */
  readonly createBus: ((log: Logger) => Bus) | null;
}

/** The scheme of a storage address, such as `sqlite:`. */
export const schemeOf = (url: string): string => /^[a-z][a-z0-9+.-]*:/.exec(url)?.[0] ?? "";

/** Opens a storage that also closes these bytes of files. If it cannot be opened, they are closed as well. */
export async function openWith<S extends Storage>(blobs: OpenBlobs, openRecords: () => Promise<S>): Promise<S> {
  try {
    const storage = await openRecords();
    const close = async (): Promise<void> => {
      await storage.close();
      await blobs.close();
    };
    return { ...storage, close };
  } catch (error) {
    await blobs.close();
    throw error;
  }
}
