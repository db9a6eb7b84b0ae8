import { createHash } from "node:crypto";
import type { Random } from "@telex/conformance/testing";
import { Possible } from "../model/possible.ts";
import type { SentFile } from "../world.ts";

/** One grey pixel. Image programs ignore bytes after its end. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
  "base64",
);

/** The MD5 of bytes: their `file_id`. */
export const md5Of = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");

function randomBytes(random: Random, size: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(size / 4));
  for (let index = 0; index < words.length; index += 1) words[index] = random.next() * 2 ** 32;
  return new Uint8Array(words.buffer, 0, size);
}

/** Unique bytes, mostly few, sometimes many. */
export function makeBytes(random: Random, isImage: boolean): Uint8Array<ArrayBuffer> {
  const size = 16 + Math.floor(random.chance(0.1) ? random.next() * 2_000_000 : random.next() * 60_000);
  const bytes = randomBytes(random, size);
  if (!isImage) return bytes;
  const image = new Uint8Array(pixel.length + bytes.length);
  image.set(pixel);
  image.set(bytes, pixel.length);
  return image;
}

/** A file to send. */
export function makeFile(random: Random, owner: SentFile["owner"], isImage: boolean): SentFile {
  const bytes = makeBytes(random, isImage);
  return { owner, md5: md5Of(bytes), isImage, bytes, stored: new Possible(false) };
}
