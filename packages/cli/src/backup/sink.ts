import type { BlobStore, ByteStream } from "@telex/core/storage";
import { type Entry, type ManifestWriter, measured } from "./manifest.ts";
import { sealedSuffix, type Target } from "./backup-folder.ts";
import type { Seal } from "./seal.ts";

/** The files of a backup. The manifest lists each of them. */
export interface Sink {
  /** The bytes of uploaded files. A file that is deleted right after it was put is not listed. */
  readonly blobs: Pick<BlobStore, "put" | "delete" | "list">;
  /** Writes a file. */
  write(name: string, bytes: ByteStream): Promise<void>;
  /** Lists a file that is already in the target. */
  note(name: string, bytes: ByteStream): Promise<void>;
  /** Ends the manifest. */
  end(): Promise<void>;
}

interface Deps {
  readonly target: Target;
  /** Null: no encryption. */
  readonly seal: Seal | null;
  readonly manifest: ManifestWriter;
}

/** The path of a blob in a backup. */
export const blobPath = (blobId: string): string => `blobs/${blobId.slice(0, 2)}/${blobId}`;

/** Reads a stream to its end. */
export async function drain(stream: ByteStream): Promise<void> {
  for await (const _ of stream);
}

/** Writes a file, encrypted if the backup is. */
async function writeSealed({ target, seal }: Deps, name: string, bytes: ByteStream): Promise<Entry> {
  const plain = measured(bytes);
  if (seal === null) {
    await target.put(name, plain.stream);
    return { name, ...plain.result() };
  }
  const sealed = measured(await seal(plain.stream));
  await target.put(name + sealedSuffix, sealed.stream);
  return { name: name + sealedSuffix, size: plain.result().size, sha256: sealed.result().sha256 };
}

async function* nothing(): AsyncGenerator<never> {}

export function createSink(deps: Deps): Sink {
  const { target, seal, manifest } = deps;
  let last: Entry | null = null;
  const noteLast = async (): Promise<void> => {
    if (last !== null) await manifest.add(last);
    last = null;
  };
  const write = async (name: string, bytes: ByteStream): Promise<void> => {
    await noteLast();
    last = await writeSealed(deps, name, bytes);
  };
  const drop = async (blobId: string): Promise<void> => {
    last = null;
    await target.drop(blobPath(blobId) + (seal === null ? "" : sealedSuffix));
  };
  return {
    blobs: {
      async put(blobId, bytes) {
        try {
          await write(blobPath(blobId), bytes);
        } catch (error) {
          // The manifest does not name the file, so it does no harm if it cannot be removed.
          await drop(blobId).catch(() => undefined);
          throw error;
        }
      },
      delete: drop,
      list: nothing,
    },
    write,
    async note(name, bytes) {
      await noteLast();
      const file = measured(bytes);
      await drain(file.stream);
      last = { name, ...file.result() };
    },
    async end() {
      await noteLast();
      await manifest.end();
    },
  };
}
