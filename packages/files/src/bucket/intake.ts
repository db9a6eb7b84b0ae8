import { createHash } from "node:crypto";
import { TelexError } from "@telex/ground/errors";
import { sniffImage, sniffLength } from "../images/sniff.ts";
import type { BlobStore } from "../blobs/blobs.ts";
import type { ByteStream, IncomingFile } from "../blobs/bytes.ts";
import { generateBlobId } from "../blobs/names.ts";
import type { FileKind } from "../records.ts";
import { kindOf } from "./kinds.ts";
import type { FilePut } from "./store.ts";

interface IntakeLimits {
  readonly max: number;
  /** Called with the bytes that have arrived, before they are stored. If it throws, the upload ends with its error. */
  readonly grow: (size: number) => Promise<void>;
}

/** Measures a stream as it passes: its digests, its size, its first bytes. */
function createMeter({ max, grow }: IntakeLimits) {
  const md5 = createHash("md5");
  const sha256 = createHash("sha256");
  const head = Buffer.alloc(sniffLength);
  let size = 0;
  return {
    async *pass(bytes: ByteStream): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytes) {
        if (size < sniffLength) head.set(chunk.subarray(0, sniffLength - size), size);
        size += chunk.byteLength;
        if (size > max) throw new TelexError("too_large", { params: { max } });
        await grow(size);
        md5.update(chunk);
        sha256.update(chunk);
        yield chunk;
      }
    },
    result: () => ({
      md5: md5.digest("hex"),
      sha256: sha256.digest("hex"),
      size,
      head: head.subarray(0, Math.min(size, sniffLength)),
    }),
  };
}

const plainMime = /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/;

/**
 * Stores the bytes of an upload as a new blob, and returns their type, that of images by their content, and their kind.
 * @throws TelexError `too_large`, `storage_full`, and errors of the stream and of `limits.grow`; no bytes stay then
 */
export async function takeIn(
  blobs: BlobStore,
  file: IncomingFile,
  limits: IntakeLimits,
): Promise<{ readonly file: FilePut["file"]; readonly kind: FileKind }> {
  const blobId = generateBlobId();
  const meter = createMeter(limits);
  await blobs.put(blobId, meter.pass(file.bytes));
  const { md5, sha256, size, head } = meter.result();
  const image = sniffImage(head);
  const mime = image?.mime ?? (plainMime.test(file.mime) ? file.mime.toLowerCase() : "application/octet-stream");
  return {
    file: { md5, sha256, size, mime, ext: image?.ext ?? "", blobId },
    kind: image === null ? kindOf(head) : "picture",
  };
}
