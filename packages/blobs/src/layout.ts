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
  const { make, forget } = createMakeOnce(fs);
  return {
    async ensure(path) {
      await make(root, makeDirectory);
      await make(path, makeInside);
    },
    forget,
  };
}

/** Makes each directory once. A failed attempt is repeated by the next call. */
function createMakeOnce(fs: Fs) {
  const made = new Map<string, Promise<void>>();
  const begin = (path: string, making: Promise<void>): Promise<void> => {
    made.set(path, making);
    making.catch(() => made.delete(path));
    return making;
  };
  return {
    make: (path: string, by: (fs: Fs, path: string) => Promise<void>): Promise<void> =>
      made.get(path) ?? begin(path, by(fs, path)),
    forget: (): void => made.clear(),
  };
}
