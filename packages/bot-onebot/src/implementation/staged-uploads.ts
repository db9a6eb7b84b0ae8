import { createHash, randomUUID } from "node:crypto";
import type { Clock, Telex, TokenHolder } from "@telex/core";
import { ActionError } from "./results.ts";

/** Maximum uploads in pieces that a user has in progress. */
const uploadsPerUser = 4;
/** Milliseconds in which the next piece must arrive. */
const pieceTime = 60_000;

type Stored = Awaited<ReturnType<Telex["bucket"]["upload"]>>;

/** Uploads in pieces. The pieces go to the store as they arrive; memory holds none. */
export interface StagedUploads {
  /** Begins one, and returns its id. */
  prepare(holder: TokenHolder, name: string, size: number): string;
  /** Takes the next piece. Resolves when the store has taken it. */
  transfer(userId: number, id: string, offset: number, bytes: Uint8Array): Promise<void>;
  /** Ends one. `sha256`: hexadecimal; undefined if the framework does not send it. */
  finish(userId: number, id: string, sha256: string | undefined): Promise<Stored>;
  /** Aborts all uploads in progress; nothing of them is stored. */
  close(): void;
}

/** An upload in progress. */
interface Staged {
  readonly userId: number;
  readonly size: number;
  readonly stored: Promise<Stored>;
  readonly hash: ReturnType<typeof createHash>;
  readonly pieces: WritableStreamDefaultWriter<Uint8Array>;
  offset: number;
  cancel: () => void;
}

/** Begins to store the pieces that will be written. */
function stage(telex: Telex, holder: TokenHolder, name: string, size: number): Staged {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const stored = telex.bucket.upload(holder, { file: { name, mime: "", bytes: readable } });
  // The next piece, or the end, handles it.
  stored.catch(() => {});
  const pieces = writable.getWriter();
  pieces.closed.catch(() => {});
  return { userId: holder.userId, size, stored, hash: createHash("sha256"), pieces, offset: 0, cancel: () => {} };
}

/**
 * Writes the next piece, and resolves when the store has taken it.
 * @throws ActionError `bad_param`; the TelexError of the store
 */
async function writePiece(staged: Staged, offset: number, bytes: Uint8Array): Promise<void> {
  if (offset !== staged.offset || offset + bytes.length > staged.size)
    throw new ActionError("bad_param", `offset: the next piece begins at ${staged.offset} of ${staged.size}.`);
  staged.offset += bytes.length;
  staged.hash.update(bytes);
  // A store that refuses the file stops reading: its error is the better one.
  await Promise.race([staged.pieces.write(bytes).catch(() => staged.stored), staged.stored]);
}

/** The fault of a finished upload, or null. */
function faultOf({ offset, size, hash }: Staged, sha256: string | undefined): string | null {
  if (offset !== size) return `The file is not complete: ${offset} of ${size} bytes have arrived.`;
  const isOther = sha256 !== undefined && hash.digest("hex") !== sha256.toLowerCase();
  return isOther ? "sha256: it is that of another file." : null;
}

export function createStagedUploads(telex: Telex, clock: Clock): StagedUploads {
  const all = new Map<string, Staged>();
  const end = (id: string): void => {
    all.get(id)?.cancel();
    all.delete(id);
  };
  const giveUp = (id: string): void => {
    const aborted = all.get(id)?.pieces.abort(new Error("The upload was not finished."));
    aborted?.catch(() => {});
    end(id);
  };
  const keep = (id: string, staged: Staged): void => {
    staged.cancel();
    staged.cancel = clock.after(pieceTime, () => giveUp(id));
    all.set(id, staged);
  };
  const find = (userId: number, id: string): Staged => {
    const staged = all.get(id);
    if (staged?.userId !== userId) throw new ActionError("file", "file_id: no such upload is in progress.");
    return staged;
  };
  return {
    prepare(holder, name, size) {
      const own = [...all.values()].filter(({ userId }) => userId === holder.userId);
      if (own.length >= uploadsPerUser)
        throw new ActionError("too_fast", `At most ${uploadsPerUser} uploads may be in progress. Finish one first.`);
      const id = randomUUID();
      keep(id, stage(telex, holder, name, size));
      return id;
    },
    async transfer(userId, id, offset, bytes) {
      const staged = find(userId, id);
      keep(id, staged);
      await writePiece(staged, offset, bytes);
    },
    async finish(userId, id, sha256) {
      const staged = find(userId, id);
      const fault = faultOf(staged, sha256);
      if (fault !== null) {
        giveUp(id);
        throw new ActionError("bad_param", fault);
      }
      end(id);
      await staged.pieces.close();
      return staged.stored;
    },
    close() {
      all.keys().forEach(giveUp);
    },
  };
}
