import { join, resolve } from "node:path";
import { type Fs, makeDirectory, makeInside } from "./files.ts";
import { assertBlobId } from "@telex/core/storage";

/** The paths of blobs, `ab/abcd…`, and of incomplete files, `.partial/…`. */
export interface Layout {
  readonly root: string;
  readonly partials: string;
  /** The directory of a blob: the first two digits of its name. */
  shardOf(blobId: string): string;
  fileOf(blobId: string): string;
}

/** The only function that builds paths. It accepts checked names only. */
export function createLayout(directory: string): Layout {
  const root = resolve(directory);
  const shardOf = (blobId: string): string => {
    assertBlobId(blobId);
    return join(root, blobId.slice(0, 2));
  };
  return { root, partials: join(root, ".partial"), shardOf, fileOf: (blobId) => join(shardOf(blobId), blobId) };
}

/** Directories that exist and whose names are durable. */
export interface Directories {
  /** Creates the root and a directory in it if they are missing. Simultaneous calls create it once. */
  ensure(path: string): Promise<void>;
  /** Forgets which directories exist, after one of them was removed. The next call creates it again. */
  forget(): void;
}

export function createDirectories(fs: Fs, { root }: Layout): Directories {
  const made = new Map<string, Promise<void>>();
  const once = (path: string, make: (fs: Fs, path: string) => Promise<void>): Promise<void> => {
    const known = made.get(path);
    if (known !== undefined) return known;
    const making = make(fs, path);
    made.set(path, making);
    making.catch(() => made.delete(path));
    return making;
  };
  return {
    async ensure(path) {
      await once(root, makeDirectory);
      await once(path, makeInside);
    },
    forget: () => made.clear(),
  };
}
